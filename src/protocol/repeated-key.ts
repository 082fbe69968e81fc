/**
 * Whether an object of a JSON text holds a key twice. `JSON.parse` takes the last of them without a word, and which of two
 * quantities is meant nobody can know. Fault R10.
 */

const SPACE = /[ \t\r\n]*/y;

/** For text that `JSON.parse` has taken. */
export function hasRepeatedKey(text: string): boolean {
  /** The keys of every object that is open; null for a list. */
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
