import * as path from "node:path";
import { beside, onPath, type Done, type Environment } from "./processes";

/** Where the server was found. */
export type Place = "setting" | "python" | "path" | "private" | "uvx" | "pipx";

/** A program that stands for `sqlscribe`: `[...command, "serve"]` starts the server. */
export interface Found {
  place: Place;
  command: [string, ...string[]];
}

/** Why there is no server. `wrong` tells of a setting that does not lead to a program. */
export interface Missing {
  place: undefined;
  wrong?: string;
  looked: string[];
}

/** The machine that programs are looked for on. */
export interface Machine {
  windows: boolean;
  env: Environment;
  home: string;
  /** The first folder of the workspace. */
  folder: string | undefined;
  /** False: nothing inside of the workspace may be run. */
  trusted: boolean;
  isProgram: (file: string) => Promise<boolean>;
  run: (file: string, args: readonly string[]) => Promise<Done>;
}

/** What the search may look at; everything that a test wants to decide. */
export interface Surroundings extends Machine {
  /** The setting `sqlscribe.server.command`. */
  configured: readonly string[];
  /** The interpreter that the Python extension has selected. */
  python: () => Promise<string | undefined>;
  /** The interpreter of this extension's own environment. */
  privatePython: string;
}

/** Finds the server: the first of these places that has it. Nothing is downloaded. */
export async function find(around: Surroundings): Promise<Found | Missing> {
  if (around.configured.length) {
    return configured(around);
  }
  const looked: string[] = [];
  for (const [place, files] of await places(around)) {
    for (const file of files) {
      if (isInside(file, around)) {
        continue;
      }
      if (await around.isProgram(file)) {
        return { place, command: [file] };
      }
      looked.push(file);
    }
  }
  return (await cached(around)) ?? { place: undefined, looked };
}

async function places(around: Surroundings): Promise<[Place, string[]][]> {
  const { windows, env, home } = around;
  const python = await around.python();
  // An editor that was not started from a shell has a short PATH: pip and pipx install here.
  const local = windows ? [] : [path.posix.join(home, ".local", "bin", "sqlscribe")];
  return [
    ["python", python ? beside(python, "sqlscribe", windows) : []],
    ["path", [...onPath("sqlscribe", env, windows), ...local]],
    ["private", beside(around.privatePython, "sqlscribe", windows)],
  ];
}

async function configured(around: Surroundings): Promise<Found | Missing> {
  const words = around.configured.map((word) => filledIn(word, around));
  const [first, ...rest] = words as [string, ...string[]];
  const rules = around.windows ? path.win32 : path.posix;
  const files = rules.isAbsolute(first) ? [first] : onPath(first, around.env, around.windows);
  for (const file of files) {
    if (!isInside(file, around) && (await around.isProgram(file))) {
      return { place: "setting", command: [file, ...rest] };
    }
  }
  return { place: undefined, wrong: first, looked: files };
}

function filledIn(word: string, around: Surroundings): string {
  return word
    .replace(/^~(?=$|[\\/])/, () => around.home)
    .replace(/\$\{workspaceFolder\}/g, () => around.folder ?? "");
}

/** Whether a program belongs to a workspace that nobody has said to trust. */
function isInside(file: string, around: Machine): boolean {
  if (around.trusted || !around.folder) {
    return false;
  }
  const rules = around.windows ? path.win32 : path.posix;
  const way = rules.relative(around.folder, file);
  return !way.startsWith("..") && !rules.isAbsolute(way);
}

/** A server that `uvx` or `pipx` has already fetched; what they would fetch now is not asked for. */
async function cached(around: Surroundings): Promise<Found | undefined> {
  const uvx = await firstProgram("uvx", around);
  if (uvx) {
    const command: [string, ...string[]] = [uvx, "--offline", "sqlscribe"];
    if ((await around.run(uvx, [...command.slice(1), "--version"])).code === 0) {
      return { place: "uvx", command };
    }
  }
  const pipx = await firstProgram("pipx", around);
  if (pipx) {
    const { code, stdout } = await around.run(pipx, ["environment", "--value", "PIPX_BIN_DIR"]);
    const name = around.windows ? "sqlscribe.exe" : "sqlscribe";
    const file = (around.windows ? path.win32 : path.posix).join(stdout.trim() || ".", name);
    if (code === 0 && stdout.trim() && (await around.isProgram(file))) {
      return { place: "pipx", command: [file] };
    }
  }
  return undefined;
}

/** The first program of this name that may be run. */
export async function firstProgram(name: string, around: Machine): Promise<string | undefined> {
  const local = around.windows ? [] : [path.posix.join(around.home, ".local", "bin", name)];
  for (const file of [...onPath(name, around.env, around.windows), ...local]) {
    if (!isInside(file, around) && (await around.isProgram(file))) {
      return file;
    }
  }
  return undefined;
}
