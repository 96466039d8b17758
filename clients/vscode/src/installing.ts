import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { firstProgram, type Machine } from "./finding";
import { follow } from "./processes";

/** The server that this extension brings along, if it was packed with one. */
export async function broughtAlong(extension: string): Promise<string | undefined> {
  const folder = path.join(extension, "dist");
  const names = await readdir(folder).catch(() => []);
  const wheel = names.find((name) => name.endsWith(".whl"));
  return wheel && path.join(folder, wheel);
}

/** The oldest Python that the server runs on. */
export const OLDEST_PYTHON = [3, 11] as const;

/** What went wrong, in a form that decides which button helps. */
export type Failure = "no-python" | "failed" | "cancelled";

export class InstallError extends Error {
  constructor(
    readonly failure: Failure,
    message: string,
  ) {
    super(message);
  }
}

/** A private environment of this extension, in its global storage. */
export class PrivateEnvironment {
  private readonly folder: string;

  constructor(
    storage: string,
    private readonly windows: boolean,
  ) {
    this.folder = path.join(storage, "server");
  }

  get python(): string {
    return this.windows
      ? path.join(this.folder, "Scripts", "python.exe")
      : path.join(this.folder, "bin", "python");
  }

  /**
   * Makes the environment, or brings it up to date. `line` gets what the programs print.
   *
   * Throws InstallError and nothing else; a half-made environment does not stay.
   */
  async install(
    wanted: string,
    machine: Machine,
    line: (text: string) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const marker = path.join(this.folder, "installed");
    const isThere = await readFile(marker, "utf8").then(
      () => true,
      () => false,
    );
    try {
      if (!isThere) {
        await rm(this.folder, { recursive: true, force: true });
        await mkdir(path.dirname(this.folder), { recursive: true });
      }
      await this.make(wanted, machine, !isThere, line, signal);
      await writeFile(marker, `${wanted}\n`);
    } catch (error) {
      if (!isThere) {
        await rm(this.folder, { recursive: true, force: true }).catch(() => undefined);
      }
      throw signal.aborted
        ? new InstallError("cancelled", "The installation was cancelled.")
        : error instanceof InstallError
          ? error
          : new InstallError("failed", String(error));
    }
  }

  private async make(
    wanted: string,
    machine: Machine,
    isNew: boolean,
    line: (text: string) => void,
    signal: AbortSignal,
  ): Promise<void> {
    let last = "";
    const step = async (file: string, args: string[]): Promise<void> => {
      line(`> ${[file, ...args].join(" ")}`);
      const note = (text: string): void => {
        last = text.trim() || last;
        line(text);
      };
      const code = await follow(file, args, note, { cwd: machine.home, env: machine.env, signal });
      if (code !== 0) {
        throw new InstallError("failed", last || `${path.basename(file)} ended with ${code}`);
      }
    };
    const uv = await firstProgram("uv", machine);
    if (uv) {
      const oldest = OLDEST_PYTHON.join(".");
      if (isNew) {
        await step(uv, ["venv", "--python", `>=${oldest}`, this.folder]);
      }
      const again = wanted.endsWith(".whl") ? ["--reinstall-package", "sqlscribe"] : [];
      const install = ["pip", "install", "--upgrade", ...again, "--python", this.python];
      await step(uv, [...install, wanted]);
      return;
    }
    if (isNew) {
      const python = await findPython(machine);
      await step(python, ["-m", "venv", this.folder]);
    }
    const pip = ["-m", "pip", "install", "--disable-pip-version-check", "--upgrade"];
    await step(this.python, [...pip, wanted]);
    if (!isNew && wanted.endsWith(".whl")) {
      // Of the same version it counts as installed, though its files may be others or damaged.
      await step(this.python, [...pip, "--force-reinstall", "--no-deps", wanted]);
    }
  }
}

/** The first Python that is new enough. Throws InstallError where there is none. */
export async function findPython(machine: Machine): Promise<string> {
  const newest = ["python3.14", "python3.13", "python3.12", "python3.11"];
  const names = machine.windows ? ["python", "python3"] : ["python3", ...newest, "python"];
  const found: string[] = [];
  for (const name of names) {
    const file = await firstProgram(name, machine);
    if (!file) {
      continue;
    }
    const script = "import sys; print('.'.join(map(str, sys.version_info[:3])))";
    const { code, stdout } = await machine.run(file, ["-c", script]);
    const [major = 0, minor = 0] = stdout.trim().split(".").map(Number);
    if (code === 0 && isNewEnough(major, minor)) {
      return file;
    }
    found.push(`${name} is ${stdout.trim() || "broken"}`);
  }
  const oldest = OLDEST_PYTHON.join(".");
  const but = found.length ? ` (${[...new Set(found)].join(", ")})` : "";
  throw new InstallError("no-python", `No Python ${oldest} or newer was found${but}.`);
}

function isNewEnough(major: number, minor: number): boolean {
  return major > OLDEST_PYTHON[0] || (major === OLDEST_PYTHON[0] && minor >= OLDEST_PYTHON[1]);
}
