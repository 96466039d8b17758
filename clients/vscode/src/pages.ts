import * as vscode from "vscode";

/** Read-only documents with text that this extension has, such as what the doctor says. */
export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  static readonly scheme = "sqlscribe-page";
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(
    Pages.scheme,
    this,
  );
  readonly onDidChange = this.changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? "";
  }

  /** Shows a text under a name; a page of that name that is open changes. */
  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: Pages.scheme, path: `/${name}` });
    this.texts.set(uri.path, text);
    this.changed.fire(uri);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}
