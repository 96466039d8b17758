import assert from "node:assert/strict";
import { test } from "node:test";
import { RESTRICTED, SERVER_SETTINGS } from "../src/generated";
import { settingsTree, type Inspected } from "../src/settings";

function tree(values: Record<string, Inspected>, trusted = true) {
  return settingsTree((key) => values[key], trusted);
}

test("only what somebody set is sent, so that sqlscribe.toml keeps its say", () => {
  const defaults = Object.fromEntries(SERVER_SETTINGS.map((key) => [key, {}]));
  assert.deepEqual(tree(defaults), { trusted: true });
});

test("keys become tables, and the workspace comes before the user", () => {
  const sent = tree({
    dialect: { globalValue: "mysql", workspaceValue: "sqlite" },
    "model.name": { globalValue: "verified" },
    "model.max_repairs": { globalValue: 0 },
    "database.run_queries": { globalValue: false },
    models: { workspaceFolderValue: { fast: { name: "ollama/x" } }, workspaceValue: {} },
  });
  assert.deepEqual(sent, {
    dialect: "sqlite",
    model: { name: "verified", max_repairs: 0 },
    database: { run_queries: false },
    models: { fast: { name: "ollama/x" } },
    trusted: true,
  });
});

test("an empty field is not set", () => {
  const empty = {
    "model.api_base": { globalValue: "" },
    "model.context_tokens": { globalValue: null },
  };
  assert.deepEqual(tree(empty), { trusted: true });
});

test("an untrusted workspace chooses no model, address, template or database", () => {
  const values = Object.fromEntries(
    SERVER_SETTINGS.map((key) => [key, { workspaceValue: "theirs", globalValue: "mine" }]),
  );
  const sent = tree(values, false);
  assert.equal(sent["trusted"], false);
  assert.equal(sent["dialect"], "theirs");
  for (const table of ["model", "embedding", "privacy", "database", "prompts"]) {
    const inner = Object.values(sent[table] as object);
    assert.ok(inner.length > 0 && inner.every((value) => value === "mine"), table);
  }
});

test("the settings that choose a program are restricted as well", () => {
  assert.ok(RESTRICTED.includes("server.command") && RESTRICTED.includes("server.package"));
});
