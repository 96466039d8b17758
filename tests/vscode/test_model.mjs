// The editor's own language model answers: one that an extension of these tests brings.
import assert from "node:assert/strict";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openHouse, until } from "./editor.mjs";

const PROVIDER = path.join(path.dirname(fileURLToPath(import.meta.url)), "provider");

let house;
before(async () => {
  house = await openHouse({
    extensions: [PROVIDER],
    settings: { "chat.disableAIFeatures": false, "sqlscribe.model.name": "editor" },
  });
});
after(() => house?.close());

test("the editor's own model answers, and no key is needed", async () => {
  const window = await house.window({});
  try {
    await window.cursor(9, 5);
    await window.lightBulb("Generate SQL");
    await until(() => window.text(), /SELECT COUNT\(\*\) AS parrots FROM customers/);
    await until(() => window.status.innerText(), /parrot/);
    await window.picture("editor-model");
    assert.match(await window.saved(), /fastest\?\nSELECT COUNT\(\*\) AS parrots FROM customers/);
  } catch (error) {
    await window.keep("model");
    throw error;
  }
});
