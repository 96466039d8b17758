/** A value as the server sends it: what JSON cannot keep exactly is text already. */
export type Value = null | boolean | number | string;

/** The result of `sqlscribe/run` where there are rows. */
export interface Rows {
  columns: string[];
  rows: Value[][];
  /** More rows are there than came. */
  truncated: boolean;
  /** The query's own time. */
  seconds: number;
  sql: string;
  /** The question that the query answers; empty where it answers none. */
  question: string;
}

/** The result of `sqlscribe/run` where there are none. */
export interface Problem {
  problem: string;
  reason: string;
  sql?: string;
  question?: string;
}

/** A column to sort by; the rows come as the database sent them where there is none. */
export interface Order {
  column: number;
  descending: boolean;
}

const NUMBER = /^[+-]?\d+(\.\d+)?$/;
const words = new Intl.Collator(undefined, { numeric: true });

/** Rows by one column, equal ones as they were. Nothing comes last, in either direction. */
export function sorted(rows: readonly Value[][], order: Order | undefined): readonly Value[][] {
  if (!order) {
    return rows;
  }
  const sign = order.descending ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [a, b] = [one[order.column] ?? null, other[order.column] ?? null];
    if (a === null || b === null) {
      return Number(a === null) - Number(b === null);
    }
    return sign * compared(a, b);
  });
}

/** Numbers by their size, also those that came as text because they are long. */
function compared(a: NonNullable<Value>, b: NonNullable<Value>): number {
  if (isNumber(a) && isNumber(b)) {
    return Number(a) - Number(b) || words.compare(String(a), String(b));
  }
  return words.compare(String(a), String(b));
}

function isNumber(value: Value): boolean {
  return typeof value === "number" || (typeof value === "string" && NUMBER.test(value));
}

/** The columns that hold numbers and nothing else, which stand on the right. */
export function numeric({ columns, rows }: Rows): boolean[] {
  return columns.map((_, column) => {
    const values = rows.map((row) => row[column] ?? null).filter((value) => value !== null);
    return values.some((value) => typeof value === "number") && values.every(isNumber);
  });
}

/** Comma-separated values as RFC 4180 has them; an empty text is told from nothing. */
export function csv(columns: readonly string[], rows: readonly (readonly Value[])[]): string {
  const lines = [columns.map(quoted), ...rows.map((row) => row.map(field))];
  const text = lines.map((line) => line.join(",") + "\r\n").join("");
  // Spreadsheets take a text without this mark for one in the code page of the machine.
  return /[^\x00-\x7f]/.test(text) ? `\ufeff${text}` : text;
}

function field(value: Value): string {
  return value === null ? "" : value === "" ? '""' : quoted(String(value));
}

function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Cells for a spreadsheet or a text, with tabs between them. */
export function tabbed(rows: readonly (readonly Value[])[]): string {
  const cell = (value: Value): string => {
    const text = value === null ? "" : String(value);
    return /["\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(cell).join("\t")).join("\n");
}

/** Such as "1,000 rows, there are more · 12 ms". */
export function summary({ rows, truncated, seconds }: Rows): string {
  const count = rows.length.toLocaleString("en");
  const many = rows.length === 1 && !truncated ? "1 row" : `${count} rows`;
  return `${truncated ? `the first ${many}, there are more` : many} · ${duration(seconds)}`;
}

function duration(seconds: number): string {
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`;
}
