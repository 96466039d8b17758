import { spawn, type ChildProcess } from "node:child_process";
import * as os from "node:os";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  type LanguageClientOptions,
  type Middleware,
} from "vscode-languageclient/node";
import { serveModels } from "./editorModels";
import type { Found } from "./finding";
import { HOSTS, LANGUAGES, PREVIEW } from "./names";
import { Progresses, type Show } from "./progress";
import { Restarts } from "./restarts";
import { settingsTree, type Tree } from "./settings";
import type { ServerStatus } from "./statusWords";

const SCHEMES = ["file", "untitled"];

/** What the server reads beside SQL; open texts come before those on disk. */
const FILES = [
  "**/sqlscribe.toml",
  "**/*.j2",
  "**/rules.md",
  "**/training/**/*.{jsonl,yaml,yml}",
  "**/profiles/*.{yaml,yml}",
];

/** What this editor does beside the protocol: the server asks for it, and tells it more. */
const ABILITIES = {
  editorModel: true,
  results: true,
  status: true,
  stderr: true,
  commandLinks: true,
};

const CANCEL = "window/workDoneProgress/cancel";

/** The scheme of the prompts that the server shows. */
const PROMPT_SCHEME = "sqlscribe-prompt";

/** Where a run of the server tells what happens. */
export interface Listener {
  log: vscode.LogOutputChannel;
  restarting(milliseconds: number): void;
  restarted(): void;
  gaveUp(): void;
  failed(error: unknown): void;
  status(status: ServerStatus): void;
}

/** One start of the server with all that hangs on it. */
export class Run {
  private readonly client: LanguageClient;
  private readonly restarts = new Restarts();
  private readonly progresses = new Progresses(showProgress);
  private models: vscode.Disposable | undefined;
  private isUp = false;
  private isStopping = false;
  private lastWords = "";

  constructor(
    found: Found,
    private readonly keys: Readonly<Record<string, string>>,
    private readonly listener: Listener,
  ) {
    const start = (): Promise<ChildProcess> => this.spawn(found);
    this.client = new QuietClient("sqlscribe", "SQLScribe", start, this.options());
  }

  /** What the server says about itself; undefined before it runs. */
  get version(): string | undefined {
    return this.client.initializeResult?.serverInfo?.version;
  }

  /** Resolves once the server has answered. Throws an Error with a sentence for a person. */
  async start(): Promise<void> {
    this.models = serveModels(this.client);
    this.client.onNotification("sqlscribe/status", (status: ServerStatus) =>
      this.listener.status(status),
    );
    try {
      await this.client.start();
    } catch (error) {
      throw new Error(this.lastWords || (error instanceof Error ? error.message : String(error)));
    }
    this.isUp = true;
  }

  /** Never throws: a server that is gone already counts as stopped. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.progresses.endAll();
    this.models?.dispose();
    try {
      if (this.client.state === State.Starting) {
        // A client that is starting cannot be stopped; this is the start that is under way.
        await this.client.start();
      }
      await this.client.dispose();
    } catch (error) {
      this.listener.log.info(`While stopping: ${String(error)}`);
    }
  }

  /** Asks the server. */
  request<Result>(
    method: string,
    params: object,
    token?: vscode.CancellationToken,
  ): Promise<Result> {
    // A missing token would be sent as a second parameter.
    return token
      ? this.client.sendRequest<Result>(method, params, token)
      : this.client.sendRequest<Result>(method, params);
  }

  get converters() {
    return {
      toServer: this.client.code2ProtocolConverter,
      toCode: this.client.protocol2CodeConverter,
    };
  }

  /** Tells the server that the settings have changed. */
  async sendSettings(): Promise<void> {
    if (this.client.isRunning()) {
      const settings = { sqlscribe: serverSettings() };
      await this.client.sendNotification("workspace/didChangeConfiguration", { settings });
    }
  }

  private async spawn(found: Found): Promise<ChildProcess> {
    const [file, ...args] = found.command;
    const level = vscode.workspace.getConfiguration("sqlscribe").get("server.logLevel", "warning");
    const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file");
    const child = spawn(file, [...args, "serve", "--log-level", level], {
      // Python would import from the current folder, so it is none that nobody trusts.
      cwd: vscode.workspace.isTrusted && folder ? folder.uri.fsPath : os.homedir(),
      env: { ...process.env, ...this.keys, PYTHONUNBUFFERED: "1" },
      windowsHide: true,
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
    this.lastWords = "";
    return child;
  }

  private options(): LanguageClientOptions {
    const { log } = this.listener;
    // Of folders on no disk there are many kinds; other texts, such as those of git, stay as
    // they are.
    const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri.scheme) ?? [];
    return {
      documentSelector: [
        ...[...new Set([...SCHEMES, ...folders])].flatMap((scheme) => [
          ...[...LANGUAGES, ...HOSTS].map((language) => ({ scheme, language })),
          ...FILES.map((pattern) => ({ scheme, pattern })),
        ]),
        ...["sql", "python"].map((language) => ({ notebook: "jupyter-notebook", language })),
      ],
      initializationOptions: () => ({ ...serverSettings(), ...ABILITIES }),
      outputChannel: log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationFailedHandler: () => false,
      // Hovers hold one link of ours; what comes from files stands in code blocks.
      markdown: { isTrusted: { enabledCommands: [PREVIEW] } },
      stdioOptions: {
        // The standard output is the protocol's.
        stdout: () => undefined,
        stderr: (stream) => {
          let rest = "";
          stream.on("data", (data: Buffer) => {
            const lines = (rest + data.toString()).split(/\r?\n/);
            rest = lines.pop() ?? "";
            lines.forEach((line) => this.said(line));
          });
          stream.on("end", () => this.said(rest));
        },
      },
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => this.closed(),
      },
      middleware: this.middleware(),
    };
  }

  private middleware(): Middleware {
    return {
      workspace: {
        configuration: async (params, token, next) => {
          const rest = await next(params, token);
          const given = Array.isArray(rest) ? rest : [];
          return params.items.map(({ section }, index) =>
            section === "sqlscribe" ? serverSettings() : (given[index] ?? null),
          );
        },
      },
      window: {
        showDocument: async (params, token, next) =>
          params.uri.startsWith(`${PROMPT_SCHEME}:`) ? showPrompt(params.uri) : next(params, token),
      },
      resolveCodeAction: (item, token, next) => this.orSaid(next(item, token), token),
      handleWorkDoneProgress: (token, params, next) => {
        const { progresses } = this;
        if (params.kind === "begin" && params.cancellable) {
          const cancel = (): void => void this.client.sendNotification(CANCEL, { token });
          progresses.begin(token, params.title, params.message ?? "", cancel);
          return;
        }
        if (params.kind === "report" && progresses.has(token)) {
          progresses.report(token, params.message ?? "");
          return;
        }
        progresses.end(token);
        next(token, params);
      },
    };
  }

  /** What comes of a request; why nothing comes is said, since VS Code itself keeps silent. */
  private async orSaid<Result>(
    asked: vscode.ProviderResult<Result>,
    token: vscode.CancellationToken,
  ): Promise<Result | null | undefined> {
    try {
      return await asked;
    } catch (error) {
      if (!token.isCancellationRequested && !(error instanceof vscode.CancellationError)) {
        this.listener.failed(error);
      }
      throw error;
    }
  }

  /** The server has stopped by itself: it is started again, a little later each time. */
  private async closed() {
    this.progresses.endAll();
    if (!this.isUp || this.isStopping) {
      return { action: CloseAction.DoNotRestart, handled: true };
    }
    const wait = this.restarts.next();
    if (wait === undefined) {
      this.listener.gaveUp();
      return { action: CloseAction.DoNotRestart, handled: true };
    }
    this.listener.restarting(wait);
    await new Promise((resolve) => setTimeout(resolve, wait));
    if (this.isStopping) {
      return { action: CloseAction.DoNotRestart, handled: true };
    }
    const running = this.client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        running.dispose();
        this.listener.restarted();
      }
    });
    return { action: CloseAction.Restart, handled: true };
  }

  /** A line that the server wrote on its standard error. */
  private said(line: string): void {
    if (!line.trim()) {
      return;
    }
    this.lastWords = line.trim();
    const { log } = this.listener;
    const level = /^(TRACE|DEBUG|INFO|WARNING|ERROR|CRITICAL) /.exec(line)?.[1];
    const writers = { TRACE: log.trace, DEBUG: log.debug, INFO: log.info };
    const write = writers[level as keyof typeof writers] ?? log.warn;
    (level === "ERROR" || level === "CRITICAL" ? log.error : write).call(log, line);
  }
}

/** Writes errors to the log alone: what a person must know is said with a button that helps. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** As a notification: the library's own progress hides its button behind the bell. */
const showProgress: Show = (title, cancel, work) => {
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  void vscode.window.withProgress(options, (progress, token) => {
    token.onCancellationRequested(cancel);
    return work((message) => progress.report({ message }));
  });
};

/** Opens a prompt beside its question, where the cursor stays. */
async function showPrompt(uri: string): Promise<{ success: boolean }> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  const open = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  await vscode.window.showTextDocument(document, {
    viewColumn: open?.viewColumn ?? vscode.ViewColumn.Beside,
    preserveFocus: true,
    preview: true,
  });
  return { success: true };
}

/** The person's settings for the server, and whether the workspace is trusted. */
function serverSettings(): Tree {
  const configuration = vscode.workspace.getConfiguration("sqlscribe");
  return settingsTree((key) => configuration.inspect(key), vscode.workspace.isTrusted);
}
