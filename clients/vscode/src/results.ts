import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { Run } from "./run";
import type { FromPage, ToPage } from "./messages";
import type { Problem, Rows } from "./rows";

const METHOD = "sqlscribe/run";

/** What is run: the target of a lens, or a place in a document. */
type Target = object;

/** The panel with the rows of the last query that somebody ran. */
export class Results implements vscode.WebviewViewProvider, vscode.Disposable {
  static readonly view = "sqlscribe.results";
  private readonly registration = vscode.window.registerWebviewViewProvider(Results.view, this);
  private view: vscode.WebviewView | undefined;
  private shown: ToPage | undefined;
  private running: vscode.CancellationTokenSource | undefined;
  private last: Target | undefined;
  private count = 0;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly again: (target: Target) => unknown,
  ) {}

  /** Runs a query and shows what comes. One at a time: a new one ends the one before. */
  async run(server: Run, given: unknown): Promise<void> {
    const target = isTarget(given) ? given : placeOf(server);
    if (!target) {
      return;
    }
    this.running?.cancel();
    const running = (this.running = new vscode.CancellationTokenSource());
    this.last = target;
    this.tell({ kind: "running", question: questionOf(target) });
    await this.reveal();
    const told = await this.ask(server, target, running.token);
    if (this.running === running) {
      this.running = undefined;
      this.tell(told);
    }
    running.dispose();
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    const { webview } = view;
    const folders = ["dist", "media"].map((name) => vscode.Uri.joinPath(this.extension, name));
    webview.options = { enableScripts: true, localResourceRoots: folders };
    webview.onDidReceiveMessage((message: FromPage) => this.heard(message));
    view.onDidDispose(() => (this.view = undefined));
    webview.html = page(webview, this.extension);
  }

  dispose(): void {
    this.running?.cancel();
    this.registration.dispose();
  }

  private async ask(server: Run, target: Target, token: vscode.CancellationToken): Promise<ToPage> {
    try {
      const got = await server.request<Rows | Problem>(METHOD, target, token);
      return "problem" in got
        ? { kind: "problem", problem: got }
        : { kind: "rows", rows: got, id: ++this.count };
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      const problem = token.isCancellationRequested ? "The query was cancelled." : said;
      return { kind: "problem", problem: { problem, reason: "failed" } };
    }
  }

  /** Shows the panel; the cursor stays where it is. */
  private async reveal(): Promise<void> {
    if (this.view) {
      this.view.show(true);
      return;
    }
    await vscode.commands.executeCommand("setContext", "sqlscribe.hasResults", true);
    await vscode.commands.executeCommand(`${Results.view}.focus`, { preserveFocus: true });
  }

  private tell(message: ToPage): void {
    this.shown = message;
    void this.view?.webview.postMessage(message);
  }

  private async heard(message: FromPage): Promise<void> {
    switch (message.kind) {
      case "ready":
        // The page is made anew each time that it comes into sight.
        if (this.shown) {
          this.tell(this.shown);
        }
        return;
      case "cancel":
        this.running?.cancel();
        return;
      case "again":
        if (this.last) {
          await this.again(this.last);
        }
        return;
      case "copy":
        await vscode.env.clipboard.writeText(message.text);
        return;
      case "save":
        await save(message.text);
        return;
    }
  }
}

function isTarget(given: unknown): given is Target {
  return typeof given === "object" && given !== null && "uri" in given && !("scheme" in given);
}

/** The place of the cursor. */
function placeOf(server: Run): Target | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    return undefined;
  }
  const { toServer } = server.converters;
  return {
    textDocument: toServer.asTextDocumentIdentifier(editor.document),
    position: toServer.asPosition(editor.selection.active),
  };
}

function questionOf(target: Target): string {
  const { text } = target as { text?: unknown };
  return typeof text === "string" ? text : "";
}

async function save(text: string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, "result.csv") } : {}),
    filters: { CSV: ["csv"] },
  });
  if (uri) {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  }
}

function page(webview: vscode.Webview, extension: vscode.Uri): string {
  const nonce = randomBytes(18).toString("base64");
  const at = (...parts: string[]): vscode.Uri =>
    webview.asWebviewUri(vscode.Uri.joinPath(extension, ...parts));
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>SQLScribe results</title>
<link rel="stylesheet" href="${at("media", "results.css").toString()}">
</head>
<body>
<script nonce="${nonce}" src="${at("dist", "results.js").toString()}"></script>
</body>
</html>`;
}
