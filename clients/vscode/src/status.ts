import * as vscode from "vscode";
import {
  detailsOf,
  folderOf,
  limitsOf,
  lineOf,
  spoken,
  type Known,
  type ServerStatus,
  type State,
} from "./statusWords";

/** The item in the status bar: state, model, and what the last answer cost. */
export class StatusBar implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private readonly watching: vscode.Disposable;
  private state: State = "starting";
  private server = "";
  private status: ServerStatus = { folders: [], answer: null };

  constructor() {
    this.item = vscode.window.createStatusBarItem("status", vscode.StatusBarAlignment.Right, 90);
    this.item.name = "SQLScribe";
    this.item.command = "sqlscribe.editor.menu";
    this.watching = vscode.window.onDidChangeActiveTextEditor(() => this.draw());
    this.draw();
  }

  /** `server` is a line about which server it is. */
  show(state: State, server = ""): void {
    this.state = state;
    this.server = server;
    this.draw();
  }

  told(status: ServerStatus): void {
    this.status = status;
    this.draw();
  }

  /** Draws it again, as after a change of the settings. */
  refresh(): void {
    this.draw();
  }

  dispose(): void {
    this.watching.dispose();
    this.item.dispose();
  }

  private draw(): void {
    const { state, server, status } = this;
    const document = vscode.window.activeTextEditor?.document.uri.toString();
    const schemes = vscode.workspace.workspaceFolders?.map(({ uri }) => uri.scheme) ?? [];
    const known: Known = {
      state,
      server,
      folder: folderOf(status.folders, document),
      answer: status.answer,
      limits: limitsOf(schemes, vscode.workspace.isTrusted),
    };
    this.item.text = lineOf(known);
    this.item.tooltip = new vscode.MarkdownString(detailsOf(known).join("\n\n"), true);
    this.item.accessibilityInformation = { label: spoken(known) };
    const isWrong = state === "stopped" || state === "missing";
    this.item.backgroundColor = isWrong
      ? new vscode.ThemeColor("statusBarItem.warningBackground")
      : undefined;
    if (vscode.workspace.getConfiguration("sqlscribe").get("editor.statusBar", true)) {
      this.item.show();
    } else {
      this.item.hide();
    }
  }
}
