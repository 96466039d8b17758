import assert from "node:assert/strict";
import { test } from "node:test";
import { isAtQuestion } from "../src/questions";

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
