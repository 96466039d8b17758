import * as vscode from "vscode";

/** What the server says about itself in `sqlscribe/status`; every part may be missing. */
export interface ServerStatus {
  model?: string;
  /** Such as "412 entries in .sqlscribe". */
  index?: string;
  tables?: number;
  examples?: number;
}

/** The parts of an answer that are shown; see the contract of `sqlscribe ask --json`. */
export interface Answered {
  outcome: string;
  model?: string | null;
  usage?: {
    prompt_tokens?: number | null;
    completion_tokens?: number | null;
    cost?: number | null;
  };
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

/** The item in the status bar: state, model, and what the last answer cost. */
export class StatusBar implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private state: State = "starting";
  private server = "";
  private status: ServerStatus = {};
  private answered: Answered | undefined;

  constructor() {
    this.item = vscode.window.createStatusBarItem("status", vscode.StatusBarAlignment.Right, 90);
    this.item.name = "SQLScribe";
    this.item.command = "sqlscribe.editor.menu";
    this.draw();
  }

  /** `server` is a line about which server it is. */
  show(state: State, server = ""): void {
    this.state = state;
    this.server = server;
    this.draw();
  }

  told(status: ServerStatus): void {
    this.status = { ...this.status, ...status };
    this.draw();
  }

  gave(answered: Answered): void {
    this.answered = answered;
    this.draw();
  }

  /** Draws it again, as after a change of the settings. */
  refresh(): void {
    this.draw();
  }

  dispose(): void {
    this.item.dispose();
  }

  private draw(): void {
    const wanted = vscode.workspace.getConfiguration("sqlscribe").get("editor.statusBar", true);
    const model = this.answered?.model ?? this.status.model;
    const name = this.state === "running" && model ? model : "SQLScribe";
    this.item.text = `${ICONS[this.state]} ${name}`;
    this.item.tooltip = this.tooltip();
    this.item.accessibilityInformation = { label: `${name}: ${WORDS[this.state]}` };
    this.item.backgroundColor =
      this.state === "stopped" || this.state === "missing"
        ? new vscode.ThemeColor("statusBarItem.warningBackground")
        : undefined;
    if (wanted) {
      this.item.show();
    } else {
      this.item.hide();
    }
  }

  private tooltip(): vscode.MarkdownString {
    const { model, index, tables, examples } = this.status;
    const lines = [
      `**SQLScribe**: ${WORDS[this.state]}`,
      this.server && escape(this.server),
      model && `Model: ${escape(model)}`,
      tables !== undefined && `Schema: ${tables} tables`,
      examples !== undefined && `Examples: ${examples}`,
      index && `Index: ${escape(index)}`,
      this.answered && `Last answer: ${escape(costOf(this.answered))}`,
    ];
    return new vscode.MarkdownString(lines.filter(Boolean).join("\n\n"));
  }
}

/** Such as "openai/gpt-5-mini, 1,234 tokens in, 56 out, $0.0021". */
export function costOf(answered: Answered): string {
  const { prompt_tokens: prompt, completion_tokens: reply, cost } = answered.usage ?? {};
  const parts = [
    answered.model ?? "no model was asked",
    answered.outcome === "sql" ? "" : answered.outcome.replace(/_/g, " "),
    prompt ? `${prompt.toLocaleString("en")} tokens in` : "",
    reply ? `${reply.toLocaleString("en")} out` : "",
    cost ? `$${cost.toFixed(4)}` : "",
  ];
  return parts.filter(Boolean).join(", ");
}

/** Text from files and servers is never markup. */
function escape(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!<>|~$]/g, "\\$&");
}
