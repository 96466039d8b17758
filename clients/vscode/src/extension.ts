import * as vscode from "vscode";
import { act, atCursor, newFile, setKey } from "./commands";
import { Keys } from "./keys";
import { LANGUAGES, PREVIEW } from "./names";
import { onPythonSelected } from "./python";
import { isAtQuestion, mayAsk } from "./questions";
import { Results } from "./results";
import { Service } from "./service";

let service: Service | undefined;

const NO_QUESTION = "There is no question at the cursor. Write one as a comment: -- ask: …";

/** Binds everything and returns; the server starts in the background. */
export function activate(context: vscode.ExtensionContext): void {
  const keys = new Keys(context.secrets, context.globalState);
  const running = (service = new Service(context, keys));
  context.subscriptions.push(running, ...commands(context, running, keys), ...watching(running));
  void vscode.commands.executeCommand("setContext", "sqlscribe.languages", LANGUAGES);
  void running.start();
  void onPythonSelected(() => void running.pythonSelected()).then((selected) =>
    context.subscriptions.push(selected),
  );
}

export async function deactivate(): Promise<void> {
  await service?.stop();
}

function commands(
  context: vscode.ExtensionContext,
  running: Service,
  keys: Keys,
): vscode.Disposable[] {
  const results = new Results(context.extensionUri, (target) =>
    vscode.commands.executeCommand("sqlscribe.editor.run", target),
  );
  const answering = (titles: RegExp, nothing: string) => () =>
    running.withServer((run) => act(run, titles, nothing));
  const bound: Record<string, () => unknown> = {
    generate: answering(/^(Generate|Refine|Repair)\b/, NO_QUESTION),
    regenerate: answering(/^Regenerate\b/, "There is no answered question at the cursor."),
    saveExample: answering(/^Save\b.*\bexample/i, "There is no answered question at the cursor."),
    preview: () => running.withServer((run) => atCursor(run, PREVIEW)),
    run: (target?: unknown) => running.withServer((run) => results.run(run, target)),
    setKey: async () => (await setKey(keys)) && running.restart(),
    restart: () => running.restart(),
    install: () => running.install(),
    showLog: () => running.log.show(),
    doctor: () => running.doctor(),
    menu: () => running.menu(),
    newFile,
    walkthrough: () =>
      vscode.commands.executeCommand(
        "workbench.action.openWalkthrough",
        `${context.extension.id}#start`,
        false,
      ),
  };
  const registered = Object.entries(bound).map(([name, carryOut]) =>
    vscode.commands.registerCommand(`sqlscribe.editor.${name}`, carryOut),
  );
  return [results, ...registered];
}

function watching(running: Service): vscode.Disposable[] {
  return [
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (
        event.affectsConfiguration("sqlscribe.server") ||
        event.affectsConfiguration("sqlscribe.editor.model")
      ) {
        void running.restart();
      } else if (event.affectsConfiguration("sqlscribe")) {
        running.settingsChanged();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void running.restart()),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => noteQuestion(textEditor)),
    vscode.window.onDidChangeActiveTextEditor(noteQuestion),
  ];
}

/** Keeps the context key by which menus know whether a question is at the cursor. */
function noteQuestion(editor: vscode.TextEditor | undefined): void {
  const isAt =
    editor !== undefined &&
    mayAsk(editor.document.languageId, editor.document.lineAt(0).text) &&
    isAtQuestion((line) => editor.document.lineAt(line).text, editor.selection.active.line);
  void vscode.commands.executeCommand("setContext", "sqlscribe.atQuestion", isAt);
}
