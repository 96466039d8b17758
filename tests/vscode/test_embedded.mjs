// SQL that stands in texts of other kinds: fences of Markdown, and cells of notebooks.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { inWindow as inNewWindow, openHouse, until } from "./editor.mjs";

let house;
before(async () => {
  house = await openHouse();
});
after(() => house?.close());

const inWindow = (...about) => inNewWindow(() => house, ...about);

const QUESTION = "-- ask: how many customers are there in Oslo?";
const NOTES = `# Customers

Only \`sql\` is read here, and -- ask: this is a sentence.

\`\`\`sql
${QUESTION}
\`\`\`

> The cities, as of today:
> \`\`\`sql
> -- ask: cities
> SELECT c.nme, c.city
> FROM customers AS c;
> \`\`\`
`;

inWindow(
  "in Markdown the SQL of a fence is shown its prompt, written, and put right",
  { open: "notes.md", change: (_, write) => write("notes.md", NOTES) },
  async (window) => {
    await window.cursor(6, 10);
    const hover = await window.hover("tokens");
    await until(() => hover.innerText(), /verified.*about.*tokens/s);
    await window.page.keyboard.press("Escape");

    await window.page.keyboard.press("Control+Alt+Enter");
    await until(() => window.text(), /WHERE city = 'Oslo'/);

    await window.editor.locator(".squiggly-error, .squiggly-warning").first().waitFor();
    await window.cursor(13, 13);
    await window.lightBulb(/\bname\b/);
    await until(() => window.text(), /> SELECT c\.name, c\.city/);

    const saved = await window.saved();
    const [above, answer, below] = saved.split(/(?<=Oslo\?\n)([^`]*)(?=```\n\n>)/);
    assert.equal(above + below, NOTES.replace("nme", "name"));
    assert.match(answer, /^SELECT [^\n]* WHERE city = 'Oslo';\n$/);

    await window.cursor(6, 10);
    const again = await window.hover("tokens");
    await again.locator("a", { hasText: "the whole prompt" }).click();
    const preview = window.page.locator('.monaco-editor[data-uri^="sqlscribe-prompt:"]');
    await until(() => preview.innerText(), /about.*tokens/s);
  },
);

const cell = (language, source) => ({
  cell_type: "code",
  execution_count: null,
  metadata: language === "sql" ? { vscode: { languageId: "sql" } } : {},
  outputs: [],
  source: source.split(/(?<=\n)/),
});

const NOTEBOOK = {
  cells: [
    cell("python", `%%sql\n${QUESTION}\n`),
    cell("python", "orders = 3  # -- ask: this is Python\n"),
    cell("sql", "-- ask: cities\nSELECT c.nme, c.city\nFROM customers AS c;"),
  ],
  metadata: { language_info: { name: "python" } },
  nbformat: 4,
  nbformat_minor: 2,
};

inWindow(
  "in a notebook the SQL of its cells is shown its prompt, written, and put right",
  {
    open: "",
    change: (_, write) => write("book.ipynb", JSON.stringify(NOTEBOOK, undefined, 1)),
  },
  async (window) => {
    const { page } = window;
    await window.openNotebook("book.ipynb");
    await window.inCell("how many");
    const hover = await window.hover("tokens");
    await until(() => hover.innerText(), /verified.*about.*tokens/s);
    await page.keyboard.press("Escape");

    await window.inCell("how many");
    await window.page.keyboard.press("Control+Alt+Enter");
    await until(() => window.text(), /WHERE city = 'Oslo'/);

    await window.inCell("nme");
    await window.editor.locator(".squiggly-error, .squiggly-warning").first().waitFor();
    await window.lightBulb(/\bname\b/);
    await until(() => window.text(), /SELECT c\.name, c\.city/);

    await page.keyboard.press("Control+S");
    await until(() => window.read("book.ipynb"), /SELECT c\.name/);
    const { cells } = JSON.parse(window.read("book.ipynb"));
    const [asked, python, put] = cells.map(({ source }) => source.join(""));
    assert.match(asked, /^%%sql\n-- ask: [^\n]* in Oslo\?\nSELECT [^\n]* WHERE city = 'Oslo';\n?$/);
    assert.equal(python, NOTEBOOK.cells[1].source.join(""));
    assert.match(put, /^-- ask: cities\nSELECT c\.name, c\.city\n/);
  },
);
