import type { Problem, Rows } from "./rows";

/** What the panel with the rows is told. */
export type ToPage =
  | { kind: "running"; question: string }
  | { kind: "rows"; rows: Rows; id: number }
  | { kind: "problem"; problem: Problem };

/** What the panel asks for. */
export type FromPage =
  | { kind: "ready" }
  | { kind: "cancel" }
  | { kind: "again" }
  | { kind: "copy"; text: string }
  | { kind: "save"; text: string };
