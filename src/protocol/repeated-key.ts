/**
 * Whether an object in a JSON text has the same key twice. `JSON.parse` silently keeps the last, and nobody can know
 * which of two quantities is meant. Fault R10.
 */

const SPACE = /[ \t\r\n]*/y;

/** For text that `JSON.parse` has accepted. */
export function hasRepeatedKey(text: string): boolean {
  /** The keys of every open object; null for a list. */
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case "{":
        open.push(new Set());
        break;
      case "[":
        open.push(null);
        break;
      case "}":
      case "]":
        open.pop();
        break;
      case '"': {
        const end = endOfString(text, at);
        SPACE.lastIndex = end;
        SPACE.test(text);
        if (text[SPACE.lastIndex] === ":" && isKnown(open.at(-1), text.slice(at, end))) return true;
        at = end - 1;
        break;
      }
      default:
        break;
    }
  }
  return false;
}

/** The position after the closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === '"') return at + 1;
  }
  return text.length;
}

function isKnown(keys: Set<string> | null | undefined, quoted: string): boolean {
  const key = quoted.includes("\\") ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
  if (!keys || keys.has(key)) return keys?.has(key) === true;
  keys.add(key);
  return false;
}
