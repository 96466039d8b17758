import { HOSTS, LANGUAGES } from "./names";

const MARK = /(--|\/\/|#|\/\*)[-#*/!]*\s*(?:\*\s+)?(ask|refine|error)\s*(\[[^\]]*\])?\s*[:：]/i;
const FARTHEST = 200;
const MAGIC = /^\s*(%%(sql|bigquery|bqsql)\b|%sql\s*$)/;

/** Whether a text may ask questions: SQL, what holds blocks of it, a notebook's cell of it. */
export function mayAsk(language: string, firstLine: string): boolean {
  const isCell = language === "python" && MAGIC.test(firstLine);
  return isCell || LANGUAGES.includes(language) || HOSTS.includes(language);
}

/**
 * Whether a line belongs to a question or to the answer right under it.
 *
 * Only for what the menus show: the server reads the text itself.
 */
export function isAtQuestion(lineAt: (line: number) => string, line: number): boolean {
  for (let at = line; at >= 0 && line - at < FARTHEST; at--) {
    const text = lineAt(at);
    if (MARK.test(text)) {
      return true;
    }
    if (text.trim() === "") {
      return false;
    }
  }
  return false;
}
