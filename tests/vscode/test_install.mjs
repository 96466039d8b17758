// A machine without the server: it is offered, installed by a press, and answers.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { inWindow, openHouse, SCRIPTS, until } from "./editor.mjs";

const MAKE = path.join(path.dirname(fileURLToPath(import.meta.url)), "wheel.py");

let folder;
let house;
before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "sqlscribe-wheel-"));
  const wheel = path.join(folder, "sqlscribe-9.0-py3-none-any.whl");
  const made = spawnSync(path.join(SCRIPTS, "python"), [
    MAKE,
    wheel,
    path.join(SCRIPTS, "sqlscribe"),
  ]);
  assert.equal(made.status, 0, String(made.stderr));
  // A Python is there, and no server beside it.
  const python = path.dirname(realpathSync(path.join(SCRIPTS, "python")));
  house = await openHouse({ path: [python], machine: { "sqlscribe.server.package": wheel } });
});
after(async () => {
  await house?.close();
  rmSync(folder, { recursive: true, force: true });
});

inWindow(
  () => house,
  "a server that is missing is offered, and installed by a press",
  { open: "" },
  async (window) => {
    const { page } = window;
    await window.quickOpen("questions.sql");
    const offer = window.toast("there is none on this machine");
    await offer.waitFor();
    await window.picture("install");
    await offer.locator(".monaco-button", { hasText: /^Install$/ }).click();
    await window.running();
    const storage = path.join(house.base, "data", "User", "globalStorage", "sqlscribe.sqlscribe");
    assert.ok(existsSync(path.join(storage, "server", "bin", "sqlscribe")));
    window.editor = page.locator('.monaco-editor[data-uri$="/questions.sql"]').first();
    await window.cursor(7, 5);
    await window.lightBulb("Generate SQL");
    await until(() => window.text(), /WHERE city = 'Oslo'/);
  },
);
