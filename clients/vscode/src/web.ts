// In a browser with no machine behind it there is no server: what cannot work says so.
import * as vscode from "vscode";
import { LANGUAGES } from "./names";

const WHY =
  "SQLScribe's server is a program, and a browser alone runs none. " +
  "Open the folder in VS Code on a machine, in a codespace, or through a tunnel.";

export function activate(context: vscode.ExtensionContext): void {
  void vscode.commands.executeCommand("setContext", "sqlscribe.languages", LANGUAGES);
  const item = vscode.window.createStatusBarItem("status", vscode.StatusBarAlignment.Right, 90);
  item.name = "SQLScribe";
  item.text = "$(circle-slash) SQLScribe";
  item.tooltip = WHY;
  item.command = "sqlscribe.editor.menu";
  item.show();
  const { contributes } = context.extension.packageJSON as {
    contributes: { commands: { command: string }[] };
  };
  const commands = contributes.commands.map(({ command }) =>
    vscode.commands.registerCommand(command, () => vscode.window.showInformationMessage(WHY)),
  );
  context.subscriptions.push(item, ...commands);
}
