import { RESTRICTED, SERVER_SETTINGS } from "./generated";

/** What VS Code knows about one setting; the shape of `WorkspaceConfiguration.inspect`. */
export interface Inspected {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

export type Tree = { [key: string]: unknown };

/**
 * The server's settings that the person has set, as nested tables.
 *
 * Defaults are left out: they would come before what `sqlscribe.toml` says. Empty text means
 * "not set" as well, since VS Code cannot show a field without a value.
 */
export function settingsTree(
  inspect: (key: string) => Inspected | undefined,
  trusted: boolean,
): Tree {
  const tree: Tree = {};
  for (const key of SERVER_SETTINGS) {
    const value = explicit(inspect(key), trusted || !RESTRICTED.includes(key));
    if (value !== undefined && value !== null && value !== "") {
      put(tree, key.split("."), value);
    }
  }
  return { ...tree, trusted };
}

/** The value that somebody set; the workspace's comes first, where it may choose. */
function explicit(found: Inspected | undefined, ofWorkspace: boolean): unknown {
  const own = ofWorkspace ? (found?.workspaceFolderValue ?? found?.workspaceValue) : undefined;
  return own ?? found?.globalValue;
}

function put(tree: Tree, path: string[], value: unknown): void {
  const [first, ...rest] = path as [string, ...string[]];
  if (rest.length === 0) {
    tree[first] = value;
    return;
  }
  const inner = (tree[first] ??= {}) as Tree;
  put(inner, rest, value);
}
