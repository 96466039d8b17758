import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { before, test } from "node:test";
import type { IGrammar, IOnigLib } from "vscode-textmate";

const load = createRequire(path.join(process.cwd(), "package.json"));
const textmate = load("vscode-textmate") as typeof import("vscode-textmate");
const oniguruma = load("vscode-oniguruma") as typeof import("vscode-oniguruma");

/** A small SQL grammar that knows comments and strings, in place of VS Code's own. */
const SQL = {
  scopeName: "source.sql",
  patterns: [
    { match: "--.*$", name: "comment.line.double-dash.sql" },
    { begin: "/\\*", end: "\\*/", name: "comment.block" },
    { begin: "'", end: "'", name: "string.quoted.single.sql" },
    { match: "(?i)\\bselect\\b", name: "keyword.other.DML.sql" },
  ],
};

let grammar: IGrammar;
before(async () => {
  await oniguruma.loadWASM(readFileSync(load.resolve("vscode-oniguruma/release/onig.wasm")));
  const injection = readFileSync("syntaxes/sqlscribe.injection.json", "utf8");
  const onigLib = Promise.resolve<IOnigLib>({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  });
  const registry = new textmate.Registry({
    onigLib,
    loadGrammar: async (scope) =>
      textmate.parseRawGrammar(scope === "source.sql" ? JSON.stringify(SQL) : injection, "x.json"),
    getInjections: (scope) => (scope === "source.sql" ? ["sqlscribe.injection"] : []),
  });
  grammar = (await registry.loadGrammar("source.sql"))!;
});

/** Each piece of a script that has a scope of ours or a keyword's, as `piece = scope`. */
function scopes(script: string): string[] {
  const found: string[] = [];
  let stack = textmate.INITIAL;
  for (const line of script.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    for (const { startIndex, endIndex, scopes: all } of tokens) {
      const last = all.at(-1) ?? "";
      if (/^(keyword.other|entity|variable|string)/.test(last)) {
        found.push(
          `${line.slice(startIndex, endIndex)} = ${last.split(".").slice(0, 2).join(".")}`,
        );
      }
    }
  }
  return found;
}

for (const [title, script, expected] of [
  ["a question", "-- ask: top 5", ["ask = keyword.other"]],
  [
    "its mentions",
    "-- ask: all @orders, @a.b",
    ["ask = keyword.other", "@orders = entity.name", "@a.b = entity.name"],
  ],
  ["no address as a mention", "-- ask: who is a@b.c", ["ask = keyword.other"]],
  [
    "a question that goes on",
    "-- Ask: one\n-- two @orders\nSELECT",
    ["Ask = keyword.other", "@orders = entity.name", "SELECT = keyword.other"],
  ],
  [
    "its options",
    "-- ask[model=fast, as_of=2024-01-31]: x",
    [
      "ask = keyword.other",
      "model = variable.parameter",
      "fast = string.unquoted",
      "as_of = variable.parameter",
      "2024-01-31 = string.unquoted",
    ],
  ],
  [
    "another mark under it",
    "-- ask: one\n-- refine: two",
    ["ask = keyword.other", "refine = keyword.other"],
  ],
  [
    "a block, and full-width marks",
    "/* ask：按 ＠订单\n@b */ select",
    ["ask = keyword.other", "＠订单 = entity.name", "@b = entity.name", "select = keyword.other"],
  ],
  [
    "an option of the file",
    "-- dialect: snowflake",
    ["dialect = variable.parameter", "snowflake = string.unquoted"],
  ],
  ["nothing in a plain comment", "-- asked: x @orders", []],
  [
    "nothing in a string",
    "select '\n-- ask: x",
    ["select = keyword.other", "' = string.quoted", "-- ask: x = string.quoted"],
  ],
] as [string, string, string[]][]) {
  test(`the highlighting knows ${title}`, () => {
    assert.deepEqual(scopes(script), expected);
  });
}
