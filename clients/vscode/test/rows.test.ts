import assert from "node:assert/strict";
import { test } from "node:test";
import { csv, numeric, sorted, summary, tabbed, type Rows, type Value } from "../src/rows";

function rowsOf(values: Value[][], more: Partial<Rows> = {}): Rows {
  const columns = values[0]?.map((_, column) => `c${column}`) ?? [];
  const about = { truncated: false, seconds: 0.0123, sql: "SELECT", question: "" };
  return { columns, rows: values, ...about, ...more };
}

const order = (values: Value[], descending = false): Value[] =>
  sorted(
    values.map((value) => [value]),
    { column: 0, descending },
  ).map((row) => row[0] ?? null);

for (const [what, values, up] of [
  ["numbers by their size", [10, 9, -1.5], [-1.5, 9, 10]],
  [
    "numbers that came as text, too",
    ["9007199254740993", 5, "12.5"],
    [5, "12.5", "9007199254740993"],
  ],
  ["texts as people order them", ["b10", "b9", "a"], ["a", "b9", "b10"]],
  ["days by time", ["2024-10-01", "2024-02-01"], ["2024-02-01", "2024-10-01"]],
] as [string, Value[], Value[]][]) {
  test(`sorting puts ${what}`, () => {
    assert.deepEqual(order(values), up);
    assert.deepEqual(order(values, true), [...up].reverse());
  });
}

test("nothing comes last both ways, and equal rows stay as they were", () => {
  assert.deepEqual(order([null, 2, 1]), [1, 2, null]);
  assert.deepEqual(order([null, 2, 1], true), [2, 1, null]);
  const rows: Value[][] = [
    [1, "first"],
    [1, "second"],
  ];
  assert.deepEqual(sorted(rows, { column: 0, descending: true }), rows);
  assert.equal(sorted(rows, undefined), rows);
});

test("a column of numbers is one of numbers only", () => {
  const rows = rowsOf([
    [1, "01234", "x", null, "9007199254740993"],
    ["9007199254740993", "5", 2, null, 7],
  ]);
  assert.deepEqual(numeric(rows), [true, false, false, false, true]);
});

test("a file of values keeps them apart, and nothing from an empty text", () => {
  const text = csv(
    ["a", 'the "b"', "c"],
    [
      [1, "x,y", null],
      [true, "two\nlines", ""],
      [-0.5, " padded", "plain"],
    ],
  );
  assert.equal(
    text,
    'a,"the ""b""",c\r\n1,"x,y",\r\ntrue,"two\nlines",""\r\n-0.5," padded",plain\r\n',
  );
});

test("a file with other letters than English ones says how they are written", () => {
  assert.equal(csv(["名"], [["茶"]]), "\ufeff名\r\n茶\r\n");
});

test("copied cells have tabs between them", () => {
  assert.equal(
    tabbed([
      ["a", null, 1],
      ["x\ty", 'say "x"', "two\nlines"],
    ]),
    'a\t\t1\n"x\ty"\t"say ""x"""\t"two\nlines"',
  );
});

for (const [rows, said] of [
  [rowsOf([[1]]), "1 row · 12 ms"],
  [rowsOf([[1], [2]], { seconds: 2.345 }), "2 rows · 2.3 s"],
  [rowsOf([], { seconds: 0 }), "0 rows · 0 ms"],
  [
    rowsOf(Array(1000).fill([1]), { truncated: true }),
    "the first 1,000 rows, there are more · 12 ms",
  ],
] as [Rows, string][]) {
  test(`a result is told as "${said}"`, () => assert.equal(summary(rows), said));
}
