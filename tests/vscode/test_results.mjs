// Queries that a person runs: rows in a panel, and never by themselves.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { inWindow as inNewWindow, openHouse, SCRIPTS, until } from "./editor.mjs";

const DATABASE = path.join(path.dirname(fileURLToPath(import.meta.url)), "database.py");
const CONFIGURATION = (runs) =>
  `dialect = "sqlite"\nschema = ["db/*.sql"]\n[model]\nname = "verified"\n` +
  `[database]\nurl = "sqlite:///shop.db"\nrun_queries = ${runs}\n`;

let house;
before(async () => {
  house = await openHouse();
});
after(() => house?.close());

const inWindow = (...about) => inNewWindow(() => house, ...about);

/** A folder with a database, in which queries may be run, or may not. */
function shop(text, runs = true) {
  return (folder, write) => {
    const made = spawnSync(path.join(SCRIPTS, "python"), [DATABASE, folder]);
    assert.equal(made.status, 0, String(made.stderr));
    write("sqlscribe.toml", CONFIGURATION(runs));
    write("report.sql", text);
  };
}

const ANSWERED =
  "-- ask: orders per customer and status\n" +
  "SELECT c.name, c.city, o.status, COUNT(*) AS orders\n" +
  "FROM orders AS o\nJOIN customers AS c ON c.customer_id = o.customer_id\n" +
  "GROUP BY c.name, c.city, o.status\nORDER BY c.name, o.status;\n";

/** The first cells of the rows that are drawn. */
const firstCells = (window) => window.results.locator("tbody td:nth-of-type(1)").allInnerTexts();

inWindow(
  "rows are shown in a panel, sorted, copied and saved",
  { open: "report.sql", change: shop(ANSWERED), height: 760 },
  async (window) => {
    const { page, results } = window;
    await window.editor.locator(".codelens-decoration a", { hasText: "Run (read-only)" }).waitFor();
    assert.equal(await page.locator("iframe.webview").count(), 0);
    const about = results.locator("#about");
    await until(async () => {
      // The editor forgets what a lens does in the moment it gets the lenses anew.
      await window.lens("Run (read-only)");
      return about.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => false,
      );
    });
    await until(() => about.innerText(), /^\d+ rows · \d+ ms$/);
    await window.picture("results");
    assert.deepEqual(await results.locator("thead th").allInnerTexts(), [
      "name",
      "city",
      "status",
      "orders",
    ]);
    const before = await firstCells(window);

    // By mouse: the most orders first, then as they came.
    const orders = results.locator('th[data-column="3"]');
    for (const way of ["ascending", "descending", "none"]) {
      await orders.click();
      await until(() => orders.getAttribute("aria-sort"), new RegExp(way));
      const counts = (await results.locator("tbody td:nth-of-type(4)").allInnerTexts()).map(Number);
      const sorted = [...counts].sort((a, b) => (way === "ascending" ? a - b : b - a));
      if (way !== "none") {
        assert.deepEqual(counts, sorted);
      }
    }
    assert.deepEqual(await firstCells(window), before);

    // By keys: sort by the name, mark two cells of the first two rows, copy them.
    await results.locator('th[data-column="0"]').focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await until(() => results.locator('th[data-column="0"]').getAttribute("aria-sort"), /desc/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowRight");
    assert.equal(await results.locator('td[aria-selected="true"]').count(), 4);
    await page.keyboard.press("Control+C");
    const cells = (await firstCells(window)).slice(0, 2);
    const copied = await until(() => page.evaluate(() => navigator.clipboard.readText()), /\t/);
    assert.deepEqual(
      copied.split("\n").map((line) => line.split("\t")[0]),
      cells,
    );

    await results.getByRole("button", { name: "Save as CSV…" }).click();
    await page.locator(".quick-input-widget:visible input").waitFor();
    await page.keyboard.press("Enter");
    const file = path.join(window.folder, "result.csv");
    await until(() => existsSync(file) && readFileSync(file, "utf8"), /\r\n$/);
    const lines = readFileSync(file, "utf8").replace("\ufeff", "").trimEnd().split("\r\n");
    assert.equal(lines[0], "name,city,status,orders");
    assert.equal(lines.length, before.length + 1);
    assert.ok(lines[1].startsWith(cells[0]));
  },
);

const ENDLESS =
  "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)\nSELECT max(i) FROM n;\n\n";

inWindow(
  "a query without end is cancelled, and one that fails says why",
  {
    open: "report.sql",
    change: shop(`${ENDLESS}SELECT nme FROM customers;\n\n${ANSWERED}`),
    width: 620,
    height: 520,
    scale: 2,
    settings: { "workbench.colorTheme": "Default Light Modern" },
  },
  async (window) => {
    const { page, results } = window;
    await page.keyboard.press("Control+B");
    await window.cursor(2, 3);
    await window.command("SQLScribe: Run Query (Read-Only)");
    await results.getByRole("button", { name: "Cancel" }).click();
    await until(() => results.locator(".problem").innerText(), /cancelled/);
    await window.cursor(4, 3);
    await window.lightBulb("Run (read-only)");
    await until(() => results.locator(".problem").innerText(), /no such column: nme/);
    await window.picture("results-problem");
    await window.cursor(8, 3);
    await window.command("SQLScribe: Run Query (Read-Only)");
    await until(() => results.locator("#about").innerText(), /^\d+ rows/);
    await window.editor.locator(".codelens-decoration a", { hasText: "Run (read-only)" }).waitFor();
    await window.picture("results-narrow");
  },
);

inWindow(
  "no lens runs queries where the configuration does not let them",
  { open: "report.sql", change: shop(ANSWERED, false) },
  async (window) => {
    const { results } = window;
    await window.editor.locator(".codelens-decoration", { hasText: "checked" }).waitFor();
    const lenses = await window.editor.locator(".codelens-decoration").allInnerTexts();
    assert.doesNotMatch(lenses.join(), /Run/);
    await window.cursor(2, 3);
    await window.command("SQLScribe: Run Query (Read-Only)");
    await until(() => results.locator(".problem").innerText(), /run_queries/);
  },
);
