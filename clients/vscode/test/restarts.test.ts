import assert from "node:assert/strict";
import { test } from "node:test";
import { Restarts } from "../src/restarts";

test("a server that keeps stopping starts ever later, and in the end not at all", () => {
  let now = 0;
  const restarts = new Restarts(() => now);
  const waits = [1, 2, 3, 4, 5, 6].map(() => {
    now += 1_000;
    return restarts.next();
  });
  assert.deepEqual(waits, [500, 1_000, 2_000, 4_000, 8_000, undefined]);
});

test("stops that are long ago do not count", () => {
  let now = 0;
  const restarts = new Restarts(() => now);
  for (let count = 0; count < 20; count++) {
    now += 100_000;
    assert.ok((restarts.next() ?? Infinity) <= 1_000);
  }
});
