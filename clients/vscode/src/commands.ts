import * as vscode from "vscode";
import type { CodeAction as ServerAction } from "vscode-languageclient/node";
import type { Run } from "./run";
import type { Keys } from "./keys";
import { wrongVariable } from "./keys";
import { PROVIDERS } from "./generated";

/** Carries out the server's code action at the cursor whose title fits, as the light bulb does. */
export async function act(run: Run, titles: RegExp, nothing: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    return;
  }
  const { toServer, toCode } = run.converters;
  const { document, selection } = editor;
  const offered = await run.request<ServerAction[] | null>("textDocument/codeAction", {
    textDocument: toServer.asTextDocumentIdentifier(document),
    range: toServer.asRange(selection),
    context: { diagnostics: [] },
  });
  const chosen = offered?.find((action) => titles.test(action.title));
  if (!chosen) {
    void vscode.window.showInformationMessage(nothing);
    return;
  }
  const isWhole = chosen.edit !== undefined || chosen.data === undefined;
  const action = isWhole ? chosen : await run.request<ServerAction>("codeAction/resolve", chosen);
  if (action.edit) {
    await vscode.workspace.applyEdit(await toCode.asWorkspaceEdit(action.edit));
  }
  if (action.command) {
    const { command, arguments: given = [] } = action.command;
    await vscode.commands.executeCommand(command, ...(given as unknown[]));
  }
}

/** Starts one of the server's commands for the question at the cursor. */
export async function atCursor(run: Run, command: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor) {
    const { toServer } = run.converters;
    await run.request("workspace/executeCommand", {
      command,
      arguments: [
        {
          textDocument: toServer.asTextDocumentIdentifier(editor.document),
          position: toServer.asPosition(editor.selection.active),
        },
      ],
    });
  }
}

/** Asks for a variable and its key, and keeps them. True where something changed. */
export async function setKey(keys: Keys): Promise<boolean> {
  const known = keys.names();
  const item = (label: string, description = ""): vscode.QuickPickItem => ({ label, description });
  const other = item("$(add) Another variable…");
  const offered: vscode.QuickPickItem[] = [
    ...PROVIDERS.map(({ provider, variable }) =>
      item(variable, known.includes(variable) ? `${provider}: a key is stored` : provider),
    ),
    ...known
      .filter((name) => !PROVIDERS.some(({ variable }) => variable === name))
      .map((name) => item(name, "a key is stored")),
    other,
  ];
  const picked = await vscode.window.showQuickPick(offered, {
    title: "SQLScribe: Set API Key (1/2)",
    placeHolder: "The variable that the server reads the key from",
    matchOnDescription: true,
  });
  const variable =
    picked === other
      ? await vscode.window.showInputBox({
          title: "SQLScribe: Set API Key",
          prompt: "Name of the variable, as in `api_key_env` of sqlscribe.toml",
          validateInput: (name) => wrongVariable(name),
        })
      : picked?.label;
  if (!variable) {
    return false;
  }
  const key = await vscode.window.showInputBox({
    title: "SQLScribe: Set API Key (2/2)",
    prompt: `${variable}: kept in VS Code's secret storage, never in a file. Empty: forget the key.`,
    password: true,
    ignoreFocusOut: true,
  });
  if (key === undefined) {
    return false;
  }
  await (key.trim() ? keys.set(variable, key) : keys.forget(variable));
  return true;
}

/** Opens an untitled SQL file that is ready for a question. */
export async function newFile(): Promise<void> {
  const document = await vscode.workspace.openTextDocument({
    language: "sql",
    content: "-- ask: ",
  });
  const editor = await vscode.window.showTextDocument(document);
  const end = new vscode.Position(0, 8);
  editor.selection = new vscode.Selection(end, end);
}
