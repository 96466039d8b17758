import assert from "node:assert/strict";
import { test } from "node:test";
import { Keys, wrongVariable } from "../src/keys";

function store() {
  const secrets = new Map<string, string>();
  const memory = new Map<string, unknown>();
  const keys = new Keys(
    {
      get: async (name) => secrets.get(name),
      store: async (name, value) => void secrets.set(name, value),
      delete: async (name) => void secrets.delete(name),
    },
    {
      get: (name) => memory.get(name),
      update: async (name, value) => void memory.set(name, value),
    },
  );
  return { keys, secrets, memory };
}

test("a stored key reaches the server's environment, and only its name is remembered", async () => {
  const { keys, memory } = store();
  await keys.set("OPENAI_API_KEY", " sk-secret \n");
  await keys.set("OPENAI_API_KEY", "sk-other");
  await keys.set("MY_TOKEN", "t");
  assert.deepEqual(await keys.environment(), { OPENAI_API_KEY: "sk-other", MY_TOKEN: "t" });
  assert.deepEqual(keys.names(), ["MY_TOKEN", "OPENAI_API_KEY"]);
  assert.doesNotMatch(JSON.stringify([...memory]), /sk-|"t"/);
});

test("a forgotten key is gone from both places", async () => {
  const { keys, secrets } = store();
  await keys.set("OPENAI_API_KEY", "sk-secret");
  await keys.forget("OPENAI_API_KEY");
  assert.deepEqual(await keys.environment(), {});
  assert.deepEqual(keys.names(), []);
  assert.equal(secrets.size, 0);
});

test("a name whose secret was lost is no variable", async () => {
  const { keys, secrets } = store();
  await keys.set("OPENAI_API_KEY", "sk-secret");
  secrets.clear();
  assert.deepEqual(await keys.environment(), {});
});

for (const [name, isWrong] of [
  ["OPENAI_API_KEY", false],
  ["my_token", false],
  ["PATH", true],
  ["LD_PRELOAD", true],
  ["PYTHONPATH", true],
  ["A KEY", true],
  ["KEY=1", true],
  ["", true],
] as const) {
  test(`"${name}" ${isWrong ? "cannot" : "can"} be the variable of a key`, () => {
    assert.equal(wrongVariable(name) !== undefined, isWrong);
  });
}
