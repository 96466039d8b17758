import assert from "node:assert/strict";
import { test } from "node:test";
import { Progresses, type Show } from "../src/progress";

/** What a person sees of the work: stages as they come, and "over". */
function seen(t: { mock: typeof test.mock }) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const said: string[] = [];
  let cancelled = () => undefined as void;
  const show: Show = (title, cancel, work) => {
    said.push(title);
    cancelled = cancel;
    void work((stage) => said.push(stage)).then(() => said.push("over"));
  };
  return { said, progresses: new Progresses(show, 400), press: () => cancelled() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("work that takes its time is shown with its stages, and can be cancelled", async (t) => {
  const { said, progresses, press } = seen(t);
  let cancels = 0;
  progresses.begin(1, "SQLScribe", "loading", () => cancels++);
  progresses.report(1, "retrieving");
  assert.deepEqual(said, []);
  t.mock.timers.tick(400);
  progresses.report(1, "asking");
  progresses.report(1, "");
  press();
  progresses.end(1);
  await settled();
  assert.deepEqual(said, ["SQLScribe", "retrieving", "asking", "over"]);
  assert.equal(cancels, 1);
});

test("work that is done soon is not shown at all", async (t) => {
  const { said, progresses } = seen(t);
  progresses.begin("a", "SQLScribe", "loading", () => undefined);
  assert.ok(progresses.has("a"));
  progresses.end("a");
  assert.ok(!progresses.has("a"));
  t.mock.timers.tick(10_000);
  progresses.report("a", "late");
  progresses.end("a");
  await settled();
  assert.deepEqual(said, []);
});

test("nothing stays in sight when the server is gone", async (t) => {
  const { said, progresses } = seen(t);
  progresses.begin(1, "one", "", () => undefined);
  t.mock.timers.tick(400);
  progresses.begin(2, "two", "", () => undefined);
  progresses.endAll();
  t.mock.timers.tick(400);
  await settled();
  assert.deepEqual(said, ["one", "", "over"]);
});
