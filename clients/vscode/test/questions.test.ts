import assert from "node:assert/strict";
import { test } from "node:test";
import { isAtQuestion, mayAsk } from "../src/questions";

const SCRIPT = [
  "SELECT 1;",
  "",
  "-- ask[dialect=sqlite]: customers",
  "-- in Oslo",
  "SELECT name",
  "FROM customers;",
  "",
  "/* refine：按城市 */",
  "-- asked: by nobody",
];

for (const [line, isAt] of SCRIPT.map((_, at) => [at, [2, 3, 4, 5, 7, 8].includes(at)] as const)) {
  test(`line ${line} is ${isAt ? "" : "not "}at a question`, () => {
    assert.equal(
      isAtQuestion((at) => SCRIPT[at] ?? "", line),
      isAt,
    );
  });
}

for (const [language, firstLine, may] of [
  ["sql", "", true],
  ["markdown", "# Cities", true],
  ["python", "%%sql sqlite:///shop.db", true],
  ["python", "%%bigquery df", true],
  ["python", "%sql", true],
  ["python", "# ask: this", false],
  ["python", "%%sqlite", false],
  ["python", "x = %sql SELECT 1", false],
  ["plaintext", "-- ask: this", false],
] as const) {
  test(`${language} that begins with “${firstLine}” ${may ? "may" : "may not"} ask`, () => {
    assert.equal(mayAsk(language, firstLine), may);
  });
}
