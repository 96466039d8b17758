import { execFile, spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import * as path from "node:path";

/** What a program said. `code` is undefined where it could not be started at all. */
export interface Done {
  code: number | undefined;
  stdout: string;
  stderr: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface RunOptions {
  cwd?: string;
  env?: Environment;
  timeout?: number;
  signal?: AbortSignal;
}

const LARGEST = 10_000_000;

/** Runs a program to its end; never throws. `file` is an absolute path, so no shell is needed. */
export function run(
  file: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Done> {
  const settings = { ...options, encoding: "utf8", windowsHide: true, maxBuffer: LARGEST } as const;
  return new Promise((resolve) => {
    execFile(file, args, settings, (error, stdout, stderr) => {
      if (!error) {
        resolve({ code: 0, stdout, stderr });
      } else {
        const code = typeof error.code === "number" ? error.code : undefined;
        resolve({ code, stdout, stderr: stderr || error.message });
      }
    });
  });
}

/** Runs a program and hands on each line it prints, until it ends. Resolves with its code. */
export function follow(
  file: string,
  args: readonly string[],
  line: (text: string) => void,
  options: Pick<RunOptions, "cwd" | "env" | "signal"> = {},
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      ...options,
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    for (const stream of [child.stdout, child.stderr]) {
      let rest = "";
      stream.setEncoding("utf8").on("data", (text: string) => {
        const lines = (rest + text).split(/\r?\n|\r/);
        rest = lines.pop() ?? "";
        lines.filter(Boolean).forEach(line);
      });
      stream.on("end", () => rest && line(rest));
    }
    child.on("error", (error) => {
      line(error.message);
      resolve(undefined);
    });
    child.on("close", (code) => resolve(code ?? undefined));
  });
}

/** Whether there is such a file that can be run. */
export async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, process.platform === "win32" ? constants.F_OK : constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** The places where a program of this name may be, by the `PATH`; relative entries do not count. */
export function onPath(name: string, env: Environment, windows: boolean): string[] {
  const given = windows ? (env["Path"] ?? env["PATH"] ?? "") : (env["PATH"] ?? "");
  const rules = windows ? path.win32 : path.posix;
  return given
    .split(rules.delimiter)
    .map((folder) => folder.replace(/^"(.*)"$/, "$1"))
    .filter((folder) => rules.isAbsolute(folder))
    .map((folder) => rules.join(folder, windows ? `${name}.exe` : name));
}

/** Where a virtual environment, or any Python, keeps the program `name`. */
export function beside(python: string, name: string, windows: boolean): string[] {
  const rules = windows ? path.win32 : path.posix;
  const folder = rules.dirname(python);
  const file = windows ? `${name}.exe` : name;
  // Only a virtual environment on Windows has its python among its scripts.
  return windows
    ? [rules.join(folder, file), rules.join(folder, "Scripts", file)]
    : [rules.join(folder, file)];
}
