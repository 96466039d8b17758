import * as vscode from "vscode";

/** The part of the Python extension's interface that is used here. */
interface PythonApi {
  environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(
      environment: unknown,
    ): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

async function api(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  return extension && (await extension.activate());
}

/** The interpreter that the Python extension has selected for the first folder, if there is one. */
export async function selectedPython(): Promise<string | undefined> {
  const environments = (await api())?.environments;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const active = environments?.getActiveEnvironmentPath(folder);
  const resolved = active && (await environments?.resolveEnvironment(active));
  return resolved?.executable.uri?.fsPath;
}

/** Tells when another environment is selected. */
export async function onPythonSelected(selected: () => void): Promise<vscode.Disposable> {
  const event = (await api())?.environments.onDidChangeActiveEnvironmentPath;
  return event?.(selected) ?? new vscode.Disposable(() => undefined);
}
