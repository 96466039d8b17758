import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import type { Machine } from "../src/finding";
import { broughtAlong, findPython, InstallError, PrivateEnvironment } from "../src/installing";
import { isProgram, run } from "../src/processes";

const HERE: Machine = {
  windows: process.platform === "win32",
  env: process.env,
  home: tmpdir(),
  folder: undefined,
  trusted: true,
  isProgram,
  run,
};

/** Writes a wheel, which is a zip file, by hand: a package `sqlscribe` that only greets. */
const WHEEL = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    wheel.writestr("sqlscribe.py", "def main():\\n    print('here')\\n")
    info = "sqlscribe-9.0.dist-info/"
    wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: sqlscribe\\nVersion: 9.0\\n")
    wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(info + "entry_points.txt", "[console_scripts]\\nsqlscribe = sqlscribe:main\\n")
    wheel.writestr(info + "RECORD", "")
`;

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "sqlscribe-install-"));
  try {
    await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("a wheel is installed into an environment of its own, and brought up to date", () =>
  inFolder(async (folder) => {
    const wheel = path.join(folder, "sqlscribe-9.0-py3-none-any.whl");
    const made = await run(await findPython(HERE), ["-c", WHEEL, wheel]);
    assert.equal(made.code, 0, made.stderr);
    const environment = new PrivateEnvironment(path.join(folder, "storage"), HERE.windows);
    const lines: string[] = [];
    const { signal } = new AbortController();
    for (let times = 0; times < 2; times++) {
      await environment.install(wheel, HERE, (line) => lines.push(line), signal);
      const program = path.join(path.dirname(environment.python), "sqlscribe");
      assert.equal((await run(program, [])).stdout.trim(), "here");
    }
    assert.equal(lines.filter((line) => line.includes(" -m venv ")).length <= 1, true);
  }));

test("an installation that fails says the last words of pip and leaves nothing", () =>
  inFolder(async (folder) => {
    const broken = path.join(folder, "sqlscribe-9.0-py3-none-any.whl");
    writeFileSync(broken, "no zip");
    const environment = new PrivateEnvironment(path.join(folder, "storage"), HERE.windows);
    const { signal } = new AbortController();
    await assert.rejects(
      environment.install(broken, HERE, () => undefined, signal),
      (error: InstallError) => error.failure === "failed" && error.message.length > 10,
    );
    assert.equal(existsSync(environment.python), false);
  }));

test("a cancelled installation leaves nothing", () =>
  inFolder(async (folder) => {
    const environment = new PrivateEnvironment(path.join(folder, "storage"), HERE.windows);
    const control = new AbortController();
    const asked = environment.install("x", HERE, () => control.abort(), control.signal);
    await assert.rejects(asked, (error: InstallError) => error.failure === "cancelled");
    assert.equal(existsSync(environment.python), false);
  }));

test("no Python, and one that is too old, are told apart from a failure", async () => {
  const nothing = { ...HERE, isProgram: async () => false };
  await assert.rejects(findPython(nothing), /No Python 3\.11 or newer was found\.$/);
  const old: Machine = {
    ...HERE,
    windows: false,
    env: { PATH: "/usr/bin" },
    isProgram: async (file) => file === "/usr/bin/python3",
    run: async () => ({ code: 0, stdout: "3.9.2\n", stderr: "" }),
  };
  await assert.rejects(
    findPython(old),
    (error: InstallError) =>
      error.failure === "no-python" && /python3 is 3\.9\.2/.test(error.message),
  );
});

test("the server that came along is installed; without one there is a name to ask for", () =>
  inFolder(async (folder) => {
    assert.equal(await broughtAlong(folder), undefined);
    mkdirSync(path.join(folder, "dist"));
    assert.equal(await broughtAlong(folder), undefined);
    const wheel = path.join(folder, "dist", "sqlscribe-1.2-py3-none-any.whl");
    writeFileSync(wheel, "");
    assert.equal(await broughtAlong(folder), wheel);
  }));

test("a server of the same version is put right by installing it again", () =>
  inFolder(async (folder) => {
    const wheel = path.join(folder, "sqlscribe-9.0-py3-none-any.whl");
    await run(await findPython(HERE), ["-c", WHEEL, wheel]);
    const environment = new PrivateEnvironment(path.join(folder, "storage"), HERE.windows);
    const { signal } = new AbortController();
    const install = () => environment.install(wheel, HERE, () => undefined, signal);
    await install();
    const program = path.join(path.dirname(environment.python), "sqlscribe");
    writeFileSync(program, "damaged");
    await install();
    assert.equal((await run(program, [])).stdout.trim(), "here");
  }));
