// A folder that is on no disk: what it holds, only the editor can read.
const vscode = require("vscode");

const TEXT = "-- ask: how many customers are there\n\nSELECT nme FRM customers;\n";
const files = new Map([["/shop/q.sql", new TextEncoder().encode(TEXT)]]);

const provider = {
  onDidChangeFile: new vscode.EventEmitter().event,
  watch: () => new vscode.Disposable(() => undefined),
  stat: ({ path }) => {
    const times = { ctime: 0, mtime: 0 };
    if (path === "/shop") {
      return { type: vscode.FileType.Directory, size: 0, ...times };
    }
    if (!files.has(path)) {
      throw vscode.FileSystemError.FileNotFound(path);
    }
    return { type: vscode.FileType.File, size: files.get(path).length, ...times };
  },
  readDirectory: () => [...files.keys()].map((path) => [path.slice(6), vscode.FileType.File]),
  readFile: ({ path }) => {
    if (!files.has(path)) {
      throw vscode.FileSystemError.FileNotFound(path);
    }
    return files.get(path);
  },
  writeFile: ({ path }, content) => void files.set(path, content),
  createDirectory: () => undefined,
  delete: ({ path }) => void files.delete(path),
  rename: () => undefined,
};

exports.activate = (context) => {
  const folder = vscode.Uri.parse("elsewhere:/shop");
  context.subscriptions.push(
    vscode.workspace.registerFileSystemProvider("elsewhere", provider, { isCaseSensitive: true }),
    vscode.commands.registerCommand("elsewhere.open", () =>
      vscode.commands.executeCommand("vscode.openFolder", folder, { forceReuseWindow: true }),
    ),
  );
};
