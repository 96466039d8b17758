// The page of the panel with the rows. It gets everything by messages, and loads nothing.
import type { FromPage, ToPage } from "../src/messages";
import { csv, numeric, sorted, summary, tabbed, type Order, type Rows } from "../src/rows";
import { Grid } from "./grid";

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  getState(): State | undefined;
  setState(state: State): void;
};

/** What stays while the page is out of sight: the order of one result. */
interface State {
  id: number;
  order: Order | undefined;
}

const vscode = acquireVsCodeApi();

const about = element("p", { id: "about", role: "status" });
const sql = element("p", { id: "sql" });
const bar = element("div", { id: "bar", role: "toolbar" });
bar.setAttribute("aria-label", "Results");
const body = element("main", {});
bar.append(about);
document.body.append(bar, sql, body);

const cancel = button("Cancel", () => vscode.postMessage({ kind: "cancel" }));
const again = button("Run Again", () => vscode.postMessage({ kind: "again" }));
const copy = button("Copy All", copyAll);
const save = button("Save as CSV…", saveAll);

let now: { rows: Rows; id: number; order: Order | undefined } | undefined;

window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => show(data));
vscode.postMessage({ kind: "ready" });

function show(message: ToPage): void {
  now = undefined;
  body.replaceChildren();
  switch (message.kind) {
    case "running":
      say("Running …", message.question);
      offer(cancel);
      return;
    case "problem":
      say("No rows", message.problem.question ?? "", message.problem.sql);
      body.append(element("p", { className: "problem", role: "alert" }, message.problem.problem));
      offer(again);
      return;
    case "rows": {
      const kept = vscode.getState();
      const order = kept?.id === message.id ? kept.order : undefined;
      now = { rows: message.rows, id: message.id, order };
      say(summary(message.rows), message.rows.question, message.rows.sql);
      offer(again, copy, save);
      draw();
    }
  }
}

function draw(): void {
  if (!now) {
    return;
  }
  const { rows, order } = now;
  const grid = new Grid({
    columns: rows.columns,
    rows: inOrder(),
    numeric: numeric(rows),
    order,
    sort: sortBy,
    copy: (cells) => vscode.postMessage({ kind: "copy", text: tabbed(cells) }),
  });
  body.replaceChildren(grid.element);
}

/** First up, then down, then as the database sent them. */
function sortBy(column: number): void {
  if (!now) {
    return;
  }
  const { order } = now;
  if (order?.column !== column) {
    now.order = { column, descending: false };
  } else {
    now.order = order.descending ? undefined : { column, descending: true };
  }
  vscode.setState({ id: now.id, order: now.order });
  draw();
  document.querySelector<HTMLElement>(`th[data-column="${column}"]`)?.focus();
}

function inOrder() {
  return now ? sorted(now.rows.rows, now.order) : [];
}

function copyAll(): void {
  if (now) {
    const text = tabbed([now.rows.columns, ...inOrder()]);
    vscode.postMessage({ kind: "copy", text });
    about.textContent = `${summary(now.rows)} · copied`;
  }
}

function saveAll(): void {
  if (now) {
    vscode.postMessage({ kind: "save", text: csv(now.rows.columns, inOrder()) });
  }
}

function say(state: string, question: string, query = ""): void {
  about.textContent = state;
  sql.textContent = question || query;
  sql.title = query;
}

function offer(...buttons: HTMLElement[]): void {
  bar.replaceChildren(about, ...buttons);
}

function button(label: string, press: () => void): HTMLButtonElement {
  const made = element("button", { type: "button" }, label);
  made.addEventListener("click", press);
  return made;
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  given: Partial<HTMLElementTagNameMap[Name]>,
  text = "",
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), given);
  made.textContent = text;
  return made;
}
