/**
 * Reads JSON as the market stream writes it straight from its bytes, without a text or an object in between. It knows no
 * white space, no escapes and no exponents: at anything but the plainest form it answers that it does not know, and the
 * frame is then parsed as any other JSON.
 */

const QUOTE = 34;
export const COMMA = 44;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const BACKSLASH = 92;
const FIRST_PRINTABLE = 32;
const FIRST_BEYOND_ASCII = 128;
/** Up to so many digits fit a float as they are, and so does the power of ten that divides them: one rounding, as in Number(). */
const EXACT_DIGITS = 15;
const POWERS = Array.from({ length: EXACT_DIGITS + 1 }, (_, power) => 10 ** power);

const nowhere = new Float64Array(1);

/** The codes of the brackets. */
export const BRACKET = { object: 123, objectEnd: 125, list: 91, listEnd: 93 } as const;

/** A word as its bytes. */
export const bytesOf = (word: string): Uint8Array => new TextEncoder().encode(word);

/** The name of a field as it begins, quotes and colon included. */
export const nameBytes = (name: string): Uint8Array => bytesOf(`"${name}":`);

/**
 * One reader for many frames. Nothing checks where the bytes end until `isDone` does at the end of a frame: what lies behind
 * them may be read, and never counts.
 */
export class ByteReader {
  #bytes: Uint8Array = new Uint8Array();
  #at = 0;
  #end = 0;

  open(bytes: Uint8Array, from: number, end: number): void {
    this.#bytes = bytes;
    this.#at = from;
    this.#end = end;
  }

  get isDone(): boolean {
    return this.#at === this.#end;
  }

  /** Takes the next byte if it is this one. */
  takes(code: number): boolean {
    if (this.#bytes[this.#at] !== code) return false;
    this.#at += 1;
    return true;
  }

  /** Takes these bytes if they come next. */
  takesAll(word: Uint8Array): boolean {
    const bytes = this.#bytes;
    const at = this.#at;
    for (let each = 0; each < word.length; each++) if (bytes[at + each] !== word[each]) return false;
    this.#at = at + word.length;
    return true;
  }

  /** Takes one of the names, tried from `guess` on, and answers which one; -1 if it is another. */
  name(names: readonly Uint8Array[], guess: number): number {
    for (let tried = 0; tried < names.length; tried++) {
      const at = (guess + tried) % names.length;
      const word = names[at];
      if (word && this.takesAll(word)) return at;
    }
    return -1;
  }

  /** Takes a comma, or the bracket that ends; null at anything else. */
  goesOn(end: number): boolean | null {
    if (this.takes(COMMA)) return true;
    return this.takes(end) ? false : null;
  }

  /**
   * Puts a number, or a text of one, of 15 digits at most into a place of a list: a float that is returned costs memory. False
   * for anything else. Minus zero becomes zero.
   */
  number(into: Float64Array, place: number): boolean {
    const bytes = this.#bytes;
    let at = this.#at;
    const quoted = bytes[at] === QUOTE;
    if (quoted) at += 1;
    const negative = bytes[at] === MINUS;
    if (negative) at += 1;
    const from = at;
    let digits = 0;
    let point = -1;
    for (; ; at++) {
      const code = bytes[at] ?? 0;
      if (code >= ZERO && code <= ZERO + 9) digits = digits * 10 + code - ZERO;
      else if (code === POINT && point === -1) point = at;
      else break;
    }
    const whole = (point === -1 ? at : point) - from;
    const parts = point === -1 ? 0 : at - point - 1;
    if (whole === 0 || whole + parts > EXACT_DIGITS || (point !== -1 && parts === 0)) return false;
    if (quoted ? bytes[at] !== QUOTE : whole > 1 && bytes[from] === ZERO) return false;
    this.#at = quoted ? at + 1 : at;
    const magnitude = parts === 0 ? digits : digits / (POWERS[parts] ?? NaN);
    into[place] = (negative ? -magnitude : magnitude) + 0;
    return true;
  }

  /** The same of a time or sequence number, whole and not negative. */
  count(into: Float64Array, place: number): boolean {
    const bytes = this.#bytes;
    let at = this.#at;
    const quoted = bytes[at] === QUOTE;
    if (quoted) at += 1;
    const from = at;
    let digits = 0;
    for (; ; at++) {
      const code = bytes[at] ?? 0;
      if (code < ZERO || code > ZERO + 9) break;
      digits = digits * 10 + code - ZERO;
    }
    if (at === from || at - from > EXACT_DIGITS || bytes[at] === POINT) return false;
    if (quoted ? bytes[at] !== QUOTE : at - from > 1 && bytes[from] === ZERO) return false;
    this.#at = quoted ? at + 1 : at;
    into[place] = digits;
    return true;
  }

  /** Passes over a text without escapes, or a number. */
  skipsScalar(): boolean {
    if (this.#bytes[this.#at] !== QUOTE) return this.number(nowhere, 0);
    for (let at = this.#at + 1; ; at++) {
      const code = this.#bytes[at] ?? 0;
      if (code === QUOTE) {
        this.#at = at + 1;
        return true;
      }
      if (code < FIRST_PRINTABLE || code >= FIRST_BEYOND_ASCII || code === BACKSLASH) return false;
    }
  }
}
