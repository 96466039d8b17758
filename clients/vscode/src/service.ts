import { mkdir } from "node:fs/promises";
import * as os from "node:os";
import * as vscode from "vscode";
import type { Listener, Run } from "./run";
import { find, type Found, type Machine, type Missing } from "./finding";
import { broughtAlong, InstallError, PrivateEnvironment } from "./installing";
import type { Keys } from "./keys";
import { Pages } from "./pages";
import { isProgram, run as runProgram } from "./processes";
import { selectedPython } from "./python";
import { StatusBar } from "./status";
import type { ServerStatus } from "./statusWords";
import { isOlder } from "./versions";

/** The oldest server that this extension works with. */
const OLDEST_SERVER = "0.1.0";
const QUIET = "sqlscribe.doNotOfferInstall";

/** The server's life: found, started, restarted, installed; and what is said about it. */
export class Service implements vscode.Disposable {
  readonly log = vscode.window.createOutputChannel("SQLScribe", { log: true });
  private readonly status = new StatusBar();
  private readonly pages = new Pages();
  private readonly privateEnvironment: PrivateEnvironment;
  private found: Found | Missing | undefined;
  private run: Run | undefined;
  /** One thing at a time: a restart waits for the start before it. */
  private queue: Promise<void> = Promise.resolve();
  private waiting = false;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly keys: Keys,
  ) {
    const storage = context.globalStorageUri.fsPath;
    this.privateEnvironment = new PrivateEnvironment(storage, process.platform === "win32");
  }

  start(): Promise<void> {
    return this.enqueue(() => this.startNow());
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.stopNow());
  }

  /** Many reasons to restart at once make one restart. */
  restart(): Promise<void> {
    if (this.waiting) {
      return this.queue;
    }
    this.waiting = true;
    return this.enqueue(async () => {
      this.waiting = false;
      await this.stopNow();
      await this.startNow();
    });
  }

  /** Another Python environment was selected: it matters unless a setting names the server. */
  async pythonSelected(): Promise<void> {
    if (this.found?.place !== "setting") {
      await this.restart();
    }
  }

  settingsChanged(): void {
    void this.run?.sendSettings();
    this.status.refresh();
  }

  /** Does something with the running server, or says why that cannot be. */
  async withServer(work: (run: Run) => Promise<void>): Promise<void> {
    await this.queue;
    if (!this.run) {
      await this.sayMissing();
      return;
    }
    try {
      await work(this.run);
    } catch (error) {
      if (!(error instanceof vscode.CancellationError)) {
        await this.sayFailed(error);
      }
    }
  }

  /** Installs the server into the private environment, or brings it up to date, and starts it. */
  async install(): Promise<void> {
    const configuration = vscode.workspace.getConfiguration("sqlscribe");
    const named = configuration.get("server.package", "").trim();
    const own = await broughtAlong(this.context.extensionPath);
    const wanted = named || own || "sqlscribe";
    const options: vscode.ProgressOptions = {
      location: vscode.ProgressLocation.Notification,
      title: "SQLScribe: installing the server",
      cancellable: true,
    };
    await this.stop();
    try {
      await vscode.window.withProgress(options, async (progress, token) => {
        const control = new AbortController();
        token.onCancellationRequested(() => control.abort());
        const line = (text: string): void => {
          this.log.info(text);
          progress.report({ message: text.length > 80 ? `${text.slice(0, 80)}…` : text });
        };
        await this.privateEnvironment.install(wanted, this.machine(), line, control.signal);
      });
    } catch (error) {
      if (this.found?.place) {
        // The one that ran before still does.
        void this.start();
      }
      await this.sayNotInstalled(error);
      return;
    }
    await this.start();
    if (this.found?.place !== "private") {
      const sentence = `Installed. In use is another one, which is found first: ${this.describe()}`;
      void vscode.window.showInformationMessage(sentence);
    }
  }

  /** What the command line's `doctor` finds with this server, as a page. */
  async doctor(): Promise<void> {
    await this.queue;
    if (!this.found?.place) {
      await this.sayMissing();
      return;
    }
    const [file, ...args] = this.found.command;
    // It would ask the database that a folder names; one that is not trusted names none.
    const folder = vscode.workspace.isTrusted
      ? vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file")
      : undefined;
    const storage = this.context.globalStorageUri.fsPath;
    await mkdir(storage, { recursive: true });
    const where = ["--workspace", folder?.uri.fsPath ?? storage];
    const { stdout, stderr } = await runProgram(file, [...args, "doctor", ...where], {
      cwd: os.homedir(),
      env: { ...process.env, ...(await this.keys.environment()), COLUMNS: "100" },
      timeout: 60_000,
    });
    const about = folder ? "" : "The folder itself was not looked at.\n";
    const head = `server: ${this.describe()}\n${about}`;
    await this.pages.show("SQLScribe Doctor", head + (stdout || stderr));
  }

  async menu(): Promise<void> {
    const entries = [
      ["$(sparkle) Generate SQL", "generate"],
      ["$(open-preview) Preview prompt", "preview"],
      ["$(play) Run query (read-only)", "run"],
      ["$(verified) Save as verified example", "saveExample"],
      ["$(key) Set API key", "setKey"],
      ["$(refresh) Restart server", "restart"],
      ["$(cloud-download) Install or update the server", "install"],
      ["$(output) Show log", "showLog"],
      ["$(pulse) Doctor: what was found", "doctor"],
      ["$(mortar-board) First steps", "walkthrough"],
      ["$(gear) Settings", ""],
    ].map(([label = "", command = ""]) => ({ label, command }));
    const title = `SQLScribe: ${this.describe()}`;
    const picked = await vscode.window.showQuickPick(entries, { title });
    if (picked?.command) {
      await vscode.commands.executeCommand(`sqlscribe.editor.${picked.command}`);
    } else if (picked) {
      await openSettings("sqlscribe");
    }
  }

  dispose(): void {
    this.status.dispose();
    this.pages.dispose();
    this.log.dispose();
  }

  private enqueue(work: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(work).catch((error: unknown) => {
      this.log.error(error instanceof Error ? error : String(error));
    });
    return this.queue;
  }

  private async startNow(): Promise<void> {
    this.status.show("starting");
    this.found = await this.search();
    if (!this.found.place) {
      this.log.warn(`No server; looked for ${this.found.looked.join(", ") || "nothing"}`);
      this.status.show("missing");
      void this.offer(this.found);
      return;
    }
    this.log.info(`Starting ${this.found.command.join(" ")} (${this.found.place})`);
    let run: Run | undefined;
    try {
      // The library of the protocol is large: it is loaded once activation is over.
      const client = await import("./run");
      run = new client.Run(this.found, await this.keys.environment(), this.listener());
      await run.start();
    } catch (error) {
      await run?.stop();
      this.showRunning(false);
      void this.sayEnded(`SQLScribe's server ended as it started: ${wordsOf(error)}`);
      return;
    }
    this.run = run;
    this.showRunning(true);
    if (isOlder(run.version ?? "0", OLDEST_SERVER)) {
      void this.sayOld(run.version ?? "without a version");
    }
  }

  private async stopNow(): Promise<void> {
    const run = this.run;
    this.run = undefined;
    await run?.stop();
  }

  private listener(): Listener {
    return {
      log: this.log,
      restarting: (milliseconds) => {
        this.log.warn(`The server stopped; it starts again in ${milliseconds / 1000} s`);
        this.status.show("starting", this.describe());
      },
      restarted: () => this.showRunning(true),
      gaveUp: () => {
        this.run = undefined;
        this.showRunning(false);
        void this.sayEnded("SQLScribe's server keeps stopping, so it is not started again.");
      },
      failed: (error) => void this.sayFailed(error),
      status: (status) => this.told(status),
    };
  }

  private told(status: ServerStatus): void {
    this.status.told(status);
    const hasAnswer = status.answer?.outcome === "sql";
    void vscode.commands.executeCommand("setContext", "sqlscribe.answered", hasAnswer);
  }

  private showRunning(isRunning: boolean): void {
    this.status.show(isRunning ? "running" : "stopped", this.describe());
    void vscode.commands.executeCommand("setContext", "sqlscribe.running", isRunning);
  }

  private async search(): Promise<Found | Missing> {
    return find({
      ...this.machine(),
      configured: vscode.workspace.getConfiguration("sqlscribe").get("server.command", []),
      python: async () => {
        try {
          return await selectedPython();
        } catch (error) {
          this.log.warn(`The Python extension does not say which Python: ${wordsOf(error)}`);
          return undefined;
        }
      },
      privatePython: this.privateEnvironment.python,
    });
  }

  private machine(): Machine {
    const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file");
    return {
      windows: process.platform === "win32",
      env: process.env,
      home: os.homedir(),
      folder: folder?.uri.fsPath,
      trusted: vscode.workspace.isTrusted,
      isProgram,
      run: (file, args) => runProgram(file, args, { cwd: os.homedir(), timeout: 20_000 }),
    };
  }

  private describe(): string {
    if (!this.found?.place) {
      return "no server was found";
    }
    const version = this.run?.version;
    return `${this.found.command.join(" ")}${version ? ` (version ${version})` : ""}`;
  }

  private async sayMissing(): Promise<void> {
    if (this.found && !this.found.place) {
      await this.say(this.found);
    } else {
      await this.sayEnded("SQLScribe's server does not run.");
    }
  }

  /** Says once that there is no server, unless the person did not want to hear it. */
  private async offer(missing: Missing): Promise<void> {
    if (missing.wrong !== undefined || !this.context.globalState.get(QUIET)) {
      await this.say(missing, ["Don't Ask Again"]);
    }
  }

  private say(missing: Missing, more: Button[] = []): Promise<void> {
    return missing.wrong === undefined
      ? this.warn("SQLScribe needs its server, and there is none on this machine.", [
          "Install",
          "Open Settings",
          ...more,
        ])
      : this.warn(
          `The setting sqlscribe.server.command names "${missing.wrong}", which is no program.`,
          ["Open Settings", "Show Log"],
        );
  }

  private sayFailed(error: unknown): Promise<void> {
    return this.warn(`SQLScribe could not do that: ${wordsOf(error)}`, ["Show Log"]);
  }

  private sayEnded(sentence: string): Promise<void> {
    const again: Button[] = this.found?.place === "private" ? ["Install Again"] : [];
    return this.warn(sentence, ["Restart", ...again, "Show Log"]);
  }

  private sayOld(version: string): Promise<void> {
    const sentence = `SQLScribe's server is ${version}; this extension needs ${OLDEST_SERVER}.`;
    const update: Button = this.found?.place === "private" ? "Install Again" : "Install";
    return this.warn(sentence, [update, "Show Log"]);
  }

  private sayNotInstalled(error: unknown): Promise<void> {
    const failure = error instanceof InstallError ? error.failure : "failed";
    switch (failure) {
      case "cancelled":
        return Promise.resolve();
      case "no-python":
        return this.warn(wordsOf(error), ["Get Python", "Open Settings"]);
      case "failed":
        return this.warn(`SQLScribe's server could not be installed: ${wordsOf(error)}`, [
          "Install Again",
          "Show Log",
        ]);
    }
  }

  private async warn(sentence: string, buttons: Button[]): Promise<void> {
    this.log.warn(sentence);
    const pressed = await vscode.window.showWarningMessage(sentence, ...buttons);
    switch (pressed) {
      case "Install":
      case "Install Again":
        return this.install();
      case "Restart":
        return this.restart();
      case "Show Log":
        return this.log.show();
      case "Open Settings":
        return openSettings("sqlscribe.server");
      case "Get Python":
        await vscode.env.openExternal(vscode.Uri.parse("https://www.python.org/downloads/"));
        return;
      case "Don't Ask Again":
        await this.context.globalState.update(QUIET, true);
        return;
      case undefined:
        return;
    }
  }
}

type Button =
  | "Install"
  | "Install Again"
  | "Restart"
  | "Show Log"
  | "Open Settings"
  | "Get Python"
  | "Don't Ask Again";

async function openSettings(query: string): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettings", query);
}

function wordsOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : String(error);
}
