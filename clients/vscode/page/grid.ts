import type { Order, Value } from "../src/rows";

export interface Shown {
  columns: readonly string[];
  rows: readonly Value[][];
  numeric: readonly boolean[];
  order: Order | undefined;
  sort(column: number): void;
  copy(cells: Value[][]): void;
}

interface Cell {
  row: number;
  column: number;
}

/** Rows that are drawn at once; the next ones follow before they come into sight. */
const BATCH = 100;
const LONGEST = 300;

/**
 * A table to look at with keys and mouse alike: arrows move, with Shift they mark, Ctrl+C copies.
 *
 * The head is row -1. One cell is in the order of the Tab key, as grids have it.
 */
export class Grid {
  readonly element = document.createElement("div");
  private readonly table = document.createElement("table");
  private readonly rows = document.createElement("tbody");
  private at: Cell = { row: -1, column: 0 };
  private from: Cell = this.at;
  private marked: HTMLElement[] = [];

  constructor(private readonly shown: Shown) {
    const { table } = this;
    table.setAttribute("role", "grid");
    table.setAttribute("aria-label", "Rows");
    table.setAttribute("aria-multiselectable", "true");
    table.setAttribute("aria-rowcount", String(shown.rows.length + 1));
    table.append(this.head(), this.rows);
    this.element.id = "scroll";
    this.element.append(table);
    this.drawUpTo(BATCH - 1);
    this.element.addEventListener("scroll", () => this.scrolled());
    table.addEventListener("keydown", (event) => this.pressed(event));
    table.addEventListener("mousedown", (event) => this.touched(event));
    table.addEventListener(
      "mouseover",
      (event) => event.buttons === 1 && this.touched(event, true),
    );
    table.addEventListener("copy", (event) => event.preventDefault());
    this.cell(this.at)?.setAttribute("tabindex", "0");
  }

  private head(): HTMLElement {
    const head = document.createElement("thead");
    const row = head.insertRow();
    row.append(document.createElement("td"));
    this.shown.columns.forEach((name, column) => {
      const cell = document.createElement("th");
      cell.scope = "col";
      cell.textContent = name || " ";
      cell.title = name;
      cell.tabIndex = -1;
      cell.dataset["column"] = String(column);
      const { order } = this.shown;
      const way = order?.descending ? "descending" : "ascending";
      cell.setAttribute("aria-sort", order?.column === column ? way : "none");
      cell.classList.toggle("number", this.shown.numeric[column]);
      cell.addEventListener("click", () => this.shown.sort(column));
      row.append(cell);
    });
    return head;
  }

  private drawUpTo(last: number): void {
    const { rows, numeric } = this.shown;
    for (let at = this.rows.rows.length; at <= last && at < rows.length; at++) {
      const row = this.rows.insertRow();
      row.setAttribute("aria-rowindex", String(at + 2));
      const number = document.createElement("th");
      number.scope = "row";
      number.textContent = String(at + 1);
      row.append(number);
      (rows[at] ?? []).forEach((value, column) => {
        const cell = row.insertCell();
        cell.setAttribute("role", "gridcell");
        cell.tabIndex = -1;
        cell.textContent = textOf(value);
        cell.classList.toggle("null", value === null);
        cell.classList.toggle("number", numeric[column]);
        if (typeof value === "string" && value.length > 20) {
          cell.title = value.slice(0, 2_000);
        }
      });
    }
  }

  private scrolled(): void {
    const { scrollTop, clientHeight, scrollHeight } = this.element;
    if (scrollTop + 3 * clientHeight > scrollHeight) {
      this.drawUpTo(this.rows.rows.length + BATCH - 1);
    }
  }

  private pressed(event: KeyboardEvent): void {
    const { key, shiftKey } = event;
    const control = event.ctrlKey || event.metaKey;
    const rows = this.shown.rows.length;
    const { row, column } = this.at;
    const page = Math.max(1, Math.floor(this.element.clientHeight / 24) - 1);
    const last = this.shown.columns.length - 1;
    const ways: Record<string, Cell> = {
      ArrowUp: { row: row - 1, column },
      ArrowDown: { row: row + 1, column },
      ArrowLeft: { row, column: column - 1 },
      ArrowRight: { row, column: column + 1 },
      PageUp: { row: Math.max(0, row - page), column },
      PageDown: { row: row + page, column },
      Home: { row: control ? 0 : row, column: 0 },
      End: { row: control ? rows - 1 : row, column: last },
    };
    const way = ways[key];
    if (way) {
      this.go(way, shiftKey);
    } else if (control && key.toLowerCase() === "a") {
      this.from = { row: 0, column: 0 };
      this.go({ row: rows - 1, column: last }, true);
    } else if (control && key.toLowerCase() === "c") {
      this.shown.copy(this.chosen());
    } else if (row === -1 && (key === "Enter" || key === " ")) {
      this.shown.sort(column);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  private touched(event: MouseEvent, drags = false): void {
    const target = (event.target as HTMLElement).closest("td");
    const row = target?.closest("tr");
    if (target && row?.parentElement === this.rows) {
      this.go({ row: row.rowIndex - 1, column: target.cellIndex - 1 }, drags || event.shiftKey);
      event.preventDefault();
    }
  }

  /** Moves to a cell, as far as there is one, and marks what lies between where that is wanted. */
  private go(to: Cell, marks: boolean): void {
    const { rows, columns } = this.shown;
    const lowest = marks && this.from.row >= 0 ? 0 : -1;
    this.cell(this.at)?.setAttribute("tabindex", "-1");
    this.at = {
      row: Math.min(Math.max(to.row, lowest), rows.length - 1),
      column: Math.min(Math.max(to.column, 0), columns.length - 1),
    };
    if (!marks) {
      this.from = this.at;
    }
    this.drawUpTo(this.at.row + BATCH);
    const cell = this.cell(this.at);
    cell?.setAttribute("tabindex", "0");
    cell?.focus();
    this.mark();
  }

  private mark(): void {
    for (const cell of this.marked) {
      cell.removeAttribute("aria-selected");
    }
    this.marked = [];
    const { top, bottom, left, right } = this.area();
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        const cell = this.cell({ row, column });
        cell?.setAttribute("aria-selected", "true");
        cell && this.marked.push(cell);
      }
    }
  }

  private area() {
    const { at, from } = this;
    return {
      top: Math.max(0, Math.min(at.row, from.row)),
      bottom: Math.max(at.row, from.row),
      left: Math.min(at.column, from.column),
      right: Math.max(at.column, from.column),
    };
  }

  private chosen(): Value[][] {
    const { top, bottom, left, right } = this.area();
    if (bottom < 0) {
      return [[this.shown.columns[this.at.column] ?? ""]];
    }
    return this.shown.rows.slice(top, bottom + 1).map((row) => row.slice(left, right + 1));
  }

  private cell({ row, column }: Cell): HTMLElement | undefined {
    return this.table.rows[row + 1]?.cells[column + 1];
  }
}

function textOf(value: Value): string {
  if (value === null) {
    return "NULL";
  }
  const text = String(value);
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return short.replace(/\r\n|\r|\n/g, "↵");
}
