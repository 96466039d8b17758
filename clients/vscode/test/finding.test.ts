import assert from "node:assert/strict";
import { test } from "node:test";
import { find, type Surroundings } from "../src/finding";
import { beside, onPath } from "../src/processes";

/** A machine on which `programs` are all there is. */
function machine(programs: string[], more: Partial<Surroundings> = {}): Surroundings {
  return {
    windows: false,
    env: { PATH: "/usr/bin:relative/bin:/opt/bin" },
    home: "/home/ada",
    folder: "/work/shop",
    trusted: true,
    configured: [],
    python: async () => undefined,
    privatePython: "/storage/server/bin/python",
    isProgram: async (file) => programs.includes(file),
    run: async () => ({ code: 1, stdout: "", stderr: "" }),
    ...more,
  };
}

const EVERYWHERE = [
  "/work/shop/.venv/bin/sqlscribe",
  "/usr/bin/sqlscribe",
  "/home/ada/.local/bin/sqlscribe",
  "/storage/server/bin/sqlscribe",
];
const python = async (): Promise<string> => "/work/shop/.venv/bin/python";

for (const [place, programs, more] of [
  ["python", EVERYWHERE, { python }],
  ["path", EVERYWHERE, {}],
  ["path", EVERYWHERE.slice(2), {}],
  ["private", EVERYWHERE.slice(3), { python }],
] as [string, string[], Partial<Surroundings>][]) {
  test(`of ${programs.length} places, ${place} comes first`, async () => {
    const found = await find(machine(programs, more));
    assert.equal(found.place, place);
  });
}

test("a setting comes before everything, with ~ and ${workspaceFolder} filled in", async () => {
  const programs = [...EVERYWHERE, "/home/ada/tools/python"];
  const configured = ["~/tools/python", "-m", "sqlscribe", "${workspaceFolder}/x"];
  const found = await find(machine(programs, { configured, python }));
  assert.deepEqual(found, {
    place: "setting",
    command: ["/home/ada/tools/python", "-m", "sqlscribe", "/work/shop/x"],
  });
});

test("a setting that names no program is wrong, not passed over", async () => {
  const found = await find(machine(EVERYWHERE, { configured: ["/nowhere/sqlscribe"] }));
  assert.deepEqual(found, {
    place: undefined,
    wrong: "/nowhere/sqlscribe",
    looked: ["/nowhere/sqlscribe"],
  });
});

test("a name in the setting is looked up on the PATH", async () => {
  const found = await find(machine(["/opt/bin/sqlscribe-dev"], { configured: ["sqlscribe-dev"] }));
  assert.deepEqual(found, { place: "setting", command: ["/opt/bin/sqlscribe-dev"] });
});

test("nothing inside of a workspace that is not trusted is run", async () => {
  const env = { PATH: "/work/shop/bin" };
  const programs = ["/work/shop/.venv/bin/sqlscribe", "/work/shop/bin/sqlscribe"];
  for (const configured of [[], ["${workspaceFolder}/bin/sqlscribe"]]) {
    const found = await find(machine(programs, { trusted: false, python, env, configured }));
    assert.equal(found.place, undefined);
  }
  const found = await find(machine(programs, { trusted: true, env }));
  assert.equal(found.place, "path");
});

test("uvx counts where it has the server already, and is never made to fetch it", async () => {
  const asked: string[][] = [];
  const with_ = (code: number): Surroundings =>
    machine(["/usr/bin/uvx"], {
      run: async (file, args) => {
        asked.push([file, ...args]);
        return { code, stdout: "", stderr: "" };
      },
    });
  const command = ["/usr/bin/uvx", "--offline", "sqlscribe"];
  assert.deepEqual(await find(with_(0)), { place: "uvx", command });
  assert.equal((await find(with_(1))).place, undefined);
  assert.deepEqual(asked, [
    [...command, "--version"],
    [...command, "--version"],
  ]);
});

test("pipx tells where it keeps its programs", async () => {
  const run = async () => ({ code: 0, stdout: "/home/ada/pipx\n", stderr: "" });
  const found = await find(machine(["/opt/bin/pipx", "/home/ada/pipx/sqlscribe"], { run }));
  assert.deepEqual(found, { place: "pipx", command: ["/home/ada/pipx/sqlscribe"] });
});

test("what is missing says where it was looked for", async () => {
  const found = await find(machine([], { python }));
  assert.equal(found.place, undefined);
  assert.deepEqual("looked" in found && found.looked, [
    "/work/shop/.venv/bin/sqlscribe",
    "/usr/bin/sqlscribe",
    "/opt/bin/sqlscribe",
    "/home/ada/.local/bin/sqlscribe",
    "/storage/server/bin/sqlscribe",
  ]);
});

test("on Windows programs end in .exe and stand in Scripts", () => {
  assert.deepEqual(onPath("uv", { Path: 'C:\\a;"C:\\b c";d' }, true), [
    "C:\\a\\uv.exe",
    "C:\\b c\\uv.exe",
  ]);
  assert.deepEqual(beside("C:\\py\\python.exe", "sqlscribe", true), [
    "C:\\py\\sqlscribe.exe",
    "C:\\py\\Scripts\\sqlscribe.exe",
  ]);
});
