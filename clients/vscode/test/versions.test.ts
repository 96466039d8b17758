import assert from "node:assert/strict";
import { test } from "node:test";
import { isOlder } from "../src/versions";

for (const [version, than, older] of [
  ["0.1.0", "0.1.0", false],
  ["0.0.9", "0.1.0", true],
  ["0.10.0", "0.9.1", false],
  ["0.9.1", "0.10.0", true],
  ["1.0", "0.1.0", false],
  ["0.1.0.dev3", "0.1.0", false],
  ["0", "0.1.0", true],
] as const) {
  test(`${version} is ${older ? "" : "not "}older than ${than}`, () => {
    assert.equal(isOlder(version, than), older);
  });
}
