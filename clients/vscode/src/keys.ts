/** The part of VS Code's secret storage that is used here. */
export interface Secrets {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

/** A place that remembers plain data, such as `globalState`. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const NAMES = "sqlscribe.keys";
const secret = (variable: string): string => `sqlscribe.key.${variable}`;

/**
 * API keys by the environment variable that the server reads them from.
 *
 * The keys are in the secret storage; only their names are remembered beside it, since the
 * storage does not tell what it holds.
 */
export class Keys {
  constructor(
    private readonly secrets: Secrets,
    private readonly memory: Memory,
  ) {}

  names(): string[] {
    const names = this.memory.get(NAMES);
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  }

  async set(variable: string, key: string): Promise<void> {
    await this.secrets.store(secret(variable), key.trim());
    await this.remember([...this.names(), variable]);
  }

  async forget(variable: string): Promise<void> {
    await this.secrets.delete(secret(variable));
    await this.remember(this.names().filter((name) => name !== variable));
  }

  /** What to add to the server's environment. */
  async environment(): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const name of this.names()) {
      const key = await this.secrets.get(secret(name));
      if (key) {
        found[name] = key;
      }
    }
    return found;
  }

  private async remember(names: string[]): Promise<void> {
    await this.memory.update(NAMES, [...new Set(names)].sort());
  }
}

/** Why a name cannot be that of a variable with a key, or undefined where it can. */
export function wrongVariable(name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return "A variable's name has letters, digits and underscores, such as OPENAI_API_KEY.";
  }
  if (!/(KEY|TOKEN|SECRET|PASSWORD)/i.test(name)) {
    // Anything else could change how programs run: PATH, PYTHONPATH, LD_PRELOAD.
    return "The name of a variable with a key has KEY, TOKEN, SECRET or PASSWORD in it.";
  }
  return undefined;
}
