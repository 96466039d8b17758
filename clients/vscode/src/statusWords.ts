/** What the server says of one folder in `sqlscribe/status`. */
export interface FolderState {
  /** Null: texts that are in no folder. */
  uri: string | null;
  model: string;
  /** Why it is this model. */
  why: string;
  dialect: string;
  /** Null until the folder was read; so are the examples. */
  tables: number | null;
  examples: number | null;
  index: string;
  /** Empty where no database is configured. */
  database: string;
  remarks: string[];
}

/** The last answer, and what it cost. */
export interface Answered {
  outcome: string;
  source: string;
  model: string | null;
  usage: {
    prompt_tokens?: number | null;
    completion_tokens?: number | null;
    cost?: number | null;
  };
}

/** `sqlscribe/status`, whole each time. */
export interface ServerStatus {
  folders: FolderState[];
  answer: Answered | null;
}

export type State = "starting" | "running" | "stopped" | "missing";

const ICONS: Record<State, string> = {
  starting: "$(loading~spin)",
  running: "$(database)",
  stopped: "$(error)",
  missing: "$(warning)",
};

const WORDS: Record<State, string> = {
  starting: "The server is starting.",
  running: "The server is running.",
  stopped: "The server has stopped.",
  missing: "No server was found.",
};

/** All that the item in the status bar is made from. */
export interface Known {
  state: State;
  /** A line about which server it is. */
  server: string;
  /** The folder of the text that is being edited. */
  folder: FolderState | undefined;
  answer: Answered | null;
  /** What does not work here, and why. */
  limits: readonly string[];
}

/** The folder that a document belongs to, the innermost one; else the only one there is. */
export function folderOf(
  folders: readonly FolderState[],
  document: string | undefined,
): FolderState | undefined {
  const around = folders.filter(({ uri }) => uri && document?.startsWith(`${uri}/`));
  around.sort((one, other) => (other.uri?.length ?? 0) - (one.uri?.length ?? 0));
  return around[0] ?? (folders.length === 1 ? folders[0] : undefined);
}

/** Such as "$(database) openai/gpt-5-mini · $0.0021". */
export function lineOf({ state, folder, answer }: Known): string {
  if (state !== "running") {
    return `${ICONS[state]} SQLScribe`;
  }
  const model = answer?.model ?? folder?.model;
  const cost = answer ? priceOf(answer) : "";
  return `${ICONS[state]} ${[model || "SQLScribe", cost].filter(Boolean).join(" · ")}`;
}

/** What a screen reader says. */
export function spoken(known: Known): string {
  return `SQLScribe: ${lineOf(known).replace(/^\$\([^)]*\) /, "")}. ${WORDS[known.state]}`;
}

/** The lines of the hover, as Markdown. */
export function detailsOf({ state, server, folder, answer, limits }: Known): string[] {
  const model = folder?.model && `${folder.model}${folder.why ? ` (${folder.why})` : ""}`;
  const lines: (string | false | undefined)[] = [
    server && escape(server),
    model && `Model: ${escape(model)}`,
    folder?.tables != null && `Schema: ${folder.tables.toLocaleString("en")} tables`,
    folder?.examples != null && `Examples: ${folder.examples.toLocaleString("en")}`,
    folder && `Index: ${escape(folder.index)}`,
    folder?.database && `Database: ${escape(folder.database)}`,
    answer !== null && `Last answer: ${escape(costOf(answer))}`,
    ...limits.map((limit) => `$(warning) ${escape(limit)}`),
    ...(folder?.remarks ?? []).map((remark) => `$(info) ${escape(remark)}`),
  ];
  return [
    `**SQLScribe**: ${WORDS[state]}`,
    ...lines.filter((line) => typeof line === "string"),
  ].filter(Boolean);
}

/** Such as "openai/gpt-5-mini, 1,234 tokens in, 56 out, $0.0021". */
export function costOf(answered: Answered): string {
  const { prompt_tokens: prompt, completion_tokens: reply, cost } = answered.usage;
  const parts = [
    answered.model ?? "no model was asked",
    answered.outcome === "sql" ? "" : answered.outcome.replace(/_/g, " "),
    prompt ? `${prompt.toLocaleString("en")} tokens in` : "",
    reply ? `${reply.toLocaleString("en")} out` : "",
    cost ? `$${cost.toFixed(4)}` : "",
  ];
  return parts.filter(Boolean).join(", ");
}

function priceOf({ usage }: Answered): string {
  const tokens = (usage.prompt_tokens ?? 0) + (usage.completion_tokens ?? 0);
  if (usage.cost) {
    return `$${usage.cost.toFixed(4)}`;
  }
  return tokens ? `${tokens.toLocaleString("en")} tokens` : "";
}

/** What does not work in a workspace, and why. `schemes` are those of its folders. */
export function limitsOf(schemes: readonly string[], trusted: boolean): string[] {
  const found: string[] = [];
  if (!trusted) {
    found.push(
      "This folder is not trusted: it chooses no server, no address of a model, no template and " +
        "no database, and no query is run.",
    );
  }
  if (schemes.some((scheme) => scheme !== "file")) {
    found.push(
      "This folder is on no disk that the server can read: it knows the open documents only, " +
        "not the schema, examples and rules beside them, and saves no example.",
    );
  }
  return found;
}

/** Text from files and servers is never markup. */
function escape(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!<>|~$]/g, "\\$&");
}
