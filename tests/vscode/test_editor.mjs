// What a person does in VS Code, with the built extension and the real server.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { inWindow as inNewWindow, openHouse, until } from "./editor.mjs";

let house;
before(async () => {
  house = await openHouse();
});
after(() => house?.close());

const inWindow = (...about) => inNewWindow(() => house, ...about);

inWindow("questions become SQL under their comments, in any language", {}, async (window) => {
  await window.cursor(3, 5);
  await window.lightBulb("Generate SQL", "light-bulb");
  await until(() => window.text(), /LIMIT 3/);
  await window.cursor(1, 5);
  await window.command("SQLScribe: Generate SQL for the Question at the Cursor");
  await until(() => window.text(), /LIMIT 5/);
  await until(() => window.status.innerText(), /verified/);
  const checked = window.editor.locator(".codelens-decoration", { hasText: "checked" });
  await until(async () => (await checked.count()) >= 2);
  await window.picture("answers");
  const [first, second, third] = (await window.saved()).split("\n\n");
  assert.match(first, /^-- ask: top 5 customers by net revenue\nSELECT c\.name, .*\nLIMIT 5;$/s);
  assert.match(second, /^-- ask: 销售额最高的3个商品\nSELECT p\.name, .*\nLIMIT 3;$/s);
  assert.match(third, /^-- ask: net revenue per month since 2024-04-01 @orders @order_items$/);
});

inWindow(
  "what no example answers is declined, and the file stays as it was",
  {},
  async (window) => {
    const before = window.read("questions.sql");
    await window.cursor(9, 5);
    await window.lightBulb("Generate SQL");
    await window.toast("SQLScribe:").waitFor();
    assert.equal(await window.saved(), before);
  },
);

inWindow("a lens writes the SQL, and says afterwards what is known of it", {}, async (window) => {
  await window.lens("Generate");
  await until(() => window.text(), /LIMIT 5/);
  await window.editor.locator(".codelens-decoration", { hasText: "checked" }).waitFor();
  assert.match(await window.saved(), /^-- ask: top 5 customers by net revenue\nSELECT c\.name/);
});

inWindow(
  "an answer that is known stands there in grey until Tab takes it",
  { open: "ghost.sql", change: (_, write) => write("ghost.sql", "") },
  async (window) => {
    const { page } = window;
    const question = "-- ask: how many customers are there in Oslo?";
    // It stands there only once the folder is read, and the status bar tells when.
    await until(() => window.status.innerText(), /verified/);
    await window.cursor(1, 1);
    await page.keyboard.type(question);
    const ghost = window.editor.locator(".ghost-text");
    await until(async () => (await ghost.allInnerTexts()).join("\n"), /Oslo/);
    await window.picture("ghost-text");
    assert.equal(window.read("ghost.sql"), "");
    await page.keyboard.press("Tab");
    await until(() => window.text(), /WHERE city = 'Oslo'/);
    assert.match(await window.saved(), /in Oslo\?\nSELECT [^\n]* WHERE city = 'Oslo';\n?$/);
    await window.editor.locator(".codelens-decoration", { hasText: "checked" }).waitFor();
  },
);

inWindow("the prompt is shown before anything is sent", { width: 1200 }, async (window) => {
  const { page } = window;
  await page.keyboard.press("Control+B");
  await window.cursor(1, 10);
  const hover = await window.hover("tokens");
  await until(() => hover.innerText(), /verified.*about.*tokens/s);
  await window.picture("hover");
  await page.keyboard.press("Escape");

  await window.command("SQLScribe: Preview Prompt");
  const preview = page.locator('.monaco-editor[data-uri^="sqlscribe-prompt:"]');
  await until(() => preview.innerText(), /about.*tokens/s);
  await window.picture("preview");
  const shown = await preview.innerText();
  await window.cursor(1, 39);
  await window.type(" without returns");
  await until(async () => (await preview.innerText()) !== shown);
});

const KEPT =
  "-- ask: orders per status\nSELECT status, COUNT(*) AS orders\nFROM orders\nGROUP BY status;\n";

inWindow(
  "a good answer is kept as an example, by a lens",
  { open: "kept.sql", change: (_, write) => write("kept.sql", KEPT) },
  async (window) => {
    const state = (word) =>
      window.editor.locator(".codelens-decoration", { hasText: word }).first();
    await state("checked").waitFor();
    const save = window.editor.locator(".codelens-decoration a", { hasText: "Save example" });
    // Lenses are drawn anew when one appears beside another, and a press in that moment is lost.
    await until(async () => {
      if (await save.first().isVisible()) {
        await window.lens("Save example");
      }
      return state("verified")
        .waitFor({ timeout: 20_000 })
        .then(
          () => true,
          () => false,
        );
    });
    await window.picture("lenses");
    await window.command("File: Save All");
    await until(() => window.readAll("training"), /-- ask.*: orders per status\nSELECT status/);
  },
);

const WRONG = "-- ask: cities\nSELECT c.nme, c.city\nFROM customers AS c;\n";

inWindow(
  "a wrong column is underlined and put right",
  { open: "wrong.sql", change: (_, write) => write("wrong.sql", WRONG) },
  async (window) => {
    const { page } = window;
    await window.editor.locator(".squiggly-error, .squiggly-warning").first().waitFor();
    await window.cursor(2, 11);
    await window.lightBulb(/\bname\b/, "quick-fix");
    await until(() => window.text(), /SELECT c\.name, c\.city/);
    assert.equal(await window.saved(), WRONG.replace("nme", "name"));
    await page.locator(".squiggly-error").waitFor({ state: "detached" });
  },
);

inWindow(
  "an answer whose tables have changed says so, and can be made anew",
  {},
  async (window) => {
    await window.cursor(7, 5);
    await window.lightBulb("Generate SQL");
    await until(() => window.text(), /WHERE city = 'Oslo'/);
    const answered = await window.saved();
    await window.open("001_tables.sql");
    const tables = await window.text();
    const line = tables.split("\n").findIndex((text) => /CREATE TABLE customers/.test(text));
    assert.ok(line >= 0, tables);
    await window.cursor(line + 2, 1);
    await window.type("  loyalty_points INTEGER,\n");
    await window.open("questions.sql");
    const lens = window.editor.locator(".codelens-decoration a", { hasText: "stale" });
    await lens.waitFor();
    await until(() => lens.innerText(), /customers changed/);
    await window.cursor(8, 5);
    await window.picture("stale");
    await window.lightBulb("Accept as is");
    await lens.waitFor({ state: "detached" });
    assert.equal(await window.saved(), answered);
  },
);

inWindow(
  "a broken configuration is shown at its line",
  { open: "sqlscribe.toml" },
  async (window) => {
    const { page } = window;
    await window.cursor(1, 1);
    await page.keyboard.press("Control+A");
    await window.type(
      'dialekt = "sqlite"\n\n[model]\nname = "verified"\ntimeout_seconds = "soon"\n',
    );
    await window.editor.locator(".squiggly-error").first().waitFor();
    await page.keyboard.press("Control+Shift+M");
    const problems = page.locator(".markers-panel");
    await until(() => problems.innerText(), /dialekt[\s\S]*timeout_seconds/);
    await window.picture("configuration");
  },
);

test("a slow answer is cancelled, and the call to the model with it", async () => {
  const model = await slowModel();
  const configuration = `[model]\nname = "openai/slow"\napi_base = "${model.address}/v1"\n`;
  const change = (_, write) => write("sqlscribe.toml", configuration);
  const window = await house.window({ change });
  try {
    const before = window.read("questions.sql");
    await window.cursor(9, 5);
    await window.lightBulb("Generate SQL");
    await until(() => model.asked);
    const progress = window.toast("SQLScribe");
    await progress.waitFor();
    await window.picture("cancel");
    await progress.locator(".monaco-button", { hasText: "Cancel" }).click();
    await until(() => model.left);
    await progress.waitFor({ state: "detached" });
    assert.equal(await window.saved(), before);
  } catch (error) {
    await window.keep("cancel");
    throw error;
  } finally {
    model.close();
  }
  await window.close();
});

inWindow("an API key reaches the server, and no file", {}, async (window) => {
  const { page } = window;
  const key = "sk-0123456789-abcdefghij";
  await window.command("SQLScribe: Set API Key");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "OPENAI_API_KEY" }).click();
  await page.locator('.quick-input-widget:visible input[type="password"]').fill(key);
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  await window.command("SQLScribe: Doctor");
  const doctor = page.locator('.monaco-editor[data-uri^="sqlscribe-page:"] .view-lines');
  await until(() => doctor.innerText(), /keys\s+OPENAI_API_KEY/);
  await window.running();
  const environment = readFileSync(`/proc/${serverOf(window.folder)}/environ`, "utf8");
  assert.ok(environment.split("\0").includes(`OPENAI_API_KEY=${key}`));
  assert.equal(spawnSync("grep", ["-rlF", key, house.base]).stdout.toString(), "");
});

inWindow("a killed server is back, with the text as it is now", {}, async (window) => {
  const before = serverOf(window.folder);
  process.kill(before, "SIGKILL");
  await until(() => serverOf(window.folder) ?? 0, new RegExp(`^(?!0$|${before}$)`));
  await window.running();
  await window.cursor(7, 5);
  await window.lightBulb("Generate SQL");
  await until(() => window.text(), /WHERE city = 'Oslo'/);
  await window.picture("restarted");
});

inWindow(
  "a narrow, bright window at twice the size has room for it all",
  {
    width: 620,
    height: 460,
    scale: 2,
    settings: { "workbench.colorTheme": "Default Light Modern" },
  },
  async (window) => {
    await window.page.keyboard.press("Control+B");
    await window.cursor(7, 5);
    await window.lightBulb("Generate SQL");
    await until(() => window.text(), /WHERE city = 'Oslo'/);
    await window.editor.locator(".codelens-decoration", { hasText: "checked" }).waitFor();
    await window.picture("narrow");
  },
);

/** A model that takes a question and never answers; it tells whether it was asked, and left. */
async function slowModel() {
  const model = { asked: false, left: false };
  const server = createServer((request, response) => {
    if (request.method === "POST") {
      model.asked = true;
      response.on("close", () => (model.left = true));
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  model.address = `http://127.0.0.1:${server.address().port}`;
  model.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return model;
}

/** The id of the server's process that works in a folder; undefined where there is none. */
function serverOf(folder) {
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(path.join("/proc", id, "cmdline"), "utf8").split("\0");
      if (words.includes("serve") && readlinkSync(path.join("/proc", id, "cwd")) === folder) {
        return Number(id);
      }
    } catch {
      // It has ended meanwhile.
    }
  }
  return undefined;
}
