// What a folder that nobody has said to trust may not do, and what no browser alone can.
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { inWindow as inNewWindow, openHouse, until } from "./editor.mjs";

let house;
before(async () => {
  house = await openHouse({
    trust: true,
    settings: {
      "security.workspace.trust.enabled": true,
      "security.workspace.trust.startupPrompt": "never",
    },
  });
});
after(() => house?.close());

const inWindow = (...about) => inNewWindow(() => house, ...about);

const THEIRS = `dialect = "sqlite"
[model]
name = "openai/theirs"
api_base = "http://127.0.0.1:9/v1"
[database]
url = "sqlite:///shop.db"
run_queries = true
`;

/** A folder that would like to choose a program, a model, a template and a database. */
function greedy(folder, write) {
  write("sqlscribe.toml", THEIRS);
  write(".env", "OPENAI_API_KEY=FAKE-of-somebody-else\n");
  mkdirSync(path.join(folder, "prompts", "ask"), { recursive: true });
  writeFileSync(path.join(folder, "prompts", "ask", "system.j2"), "THEIR OWN WORDS");
  const program = path.join(folder, "sqlscribe");
  writeFileSync(program, `#!/bin/sh\ntouch '${path.join(folder, "was-run")}'\n`);
  chmodSync(program, 0o755);
}

inWindow(
  "nothing in a folder that is not trusted chooses a server, a model, a template or a database",
  {
    change: greedy,
    width: 1200,
    settings: {
      "sqlscribe.server.command": ["${workspaceFolder}/sqlscribe"],
      "sqlscribe.model.name": "openai/theirs",
      "sqlscribe.model.api_base": "http://127.0.0.1:9/v1",
      "sqlscribe.database.url": "sqlite:///shop.db",
    },
  },
  async (window) => {
    const { page, status } = window;
    await until(() => status.innerText(), /verified/);
    // What can be done without any of that is done: the built-in model answers.
    await window.cursor(7, 5);
    await window.lightBulb("Generate SQL");
    await until(() => window.text(), /WHERE city = 'Oslo'/);
    await window.command("SQLScribe: Preview Prompt");
    const preview = page.locator('.monaco-editor[data-uri^="sqlscribe-prompt:"]');
    await until(() => preview.innerText(), /about.*tokens/s);
    assert.doesNotMatch(await preview.innerText(), /THEIR OWN WORDS/);
    await window.cursor(8, 5);
    await window.command("SQLScribe: Run Query (Read-Only)");
    await until(() => window.results.locator(".problem").innerText(), /not trusted/);
    await window.picture("restricted");
    await status.hover();
    const hover = page.locator(".monaco-hover:visible", { hasText: "not trusted" }).first();
    await hover.waitFor();
    const said = await hover.innerText();
    for (const what of [".env is not used", "model.api_base", "database"]) {
      assert.ok(said.includes(what), said);
    }
    assert.equal(existsSync(path.join(window.folder, "was-run")), false);
  },
);

inWindow(
  "once it is trusted, the folder has its say",
  { change: (_, write) => write("sqlscribe.toml", THEIRS) },
  async (window) => {
    const { page, status } = window;
    await until(() => status.innerText(), /verified/);
    await window.command("Workspaces: Manage Workspace Trust");
    const trust = page.locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust/ });
    await trust.first().click();
    await until(() => status.innerText(), /openai\/theirs/);
    assert.match(readFileSync(path.join(window.folder, "sqlscribe.toml"), "utf8"), /theirs/);
  },
);

test("in a browser with no machine behind it the commands say why they do nothing", async () => {
  const kinds = { "sqlscribe.sqlscribe": ["web"] };
  const alone = await openHouse({ settings: { "remote.extensionKind": kinds } });
  const window = await alone.window({ open: "" });
  try {
    await window.quickOpen("questions.sql");
    await window.status.locator(".codicon-circle-slash").waitFor();
    await window.command("SQLScribe: Generate SQL for the Question at the Cursor");
    await window.toast("a browser alone").waitFor();
  } catch (error) {
    await window.keep("browser-alone");
    throw error;
  } finally {
    await alone.close();
  }
});

test("of a folder that is on no disk the open documents are known, and the status says so", async () => {
  const elsewhere = path.join(path.dirname(fileURLToPath(import.meta.url)), "elsewhere");
  const other = await openHouse({ extensions: [elsewhere] });
  const window = await other.window({ open: "" });
  try {
    await window.running();
    await window.command("Elsewhere: Show");
    await window.openFromExplorer("q.sql");
    await window.cursor(3, 15);
    await window.editor.locator(".squiggly-error").first().waitFor();
    await window.cursor(1, 10);
    const hover = await window.hover("tokens");
    await until(() => hover.innerText(), /only the editor can read/);
    await window.picture("virtual");
    await window.status.hover();
    const said = window.page.locator(".monaco-hover:visible", { hasText: "open documents" });
    await said.first().waitFor();
  } catch (error) {
    await window.keep("virtual");
    throw error;
  } finally {
    await other.close();
  }
});
