/** Compares versions by their numbers: "0.10" is newer than "0.9.1". */
export function isOlder(version: string, than: string): boolean {
  const numbers = (text: string): number[] => text.split(".").map((part) => parseInt(part) || 0);
  const [ours, theirs] = [numbers(version), numbers(than)];
  const at = theirs.findIndex((number, index) => (ours[index] ?? 0) !== number);
  return at >= 0 && (ours[at] ?? 0) < (theirs[at] ?? 0);
}
