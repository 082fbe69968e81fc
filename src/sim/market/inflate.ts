/**
 * Unpacks gzip piece by piece, at once and in bounded memory. The market moves within one call and cannot wait, and the
 * runtime unpacks at once only what is whole. Formats: RFC 1951 (deflate), RFC 1952 (gzip).
 */
import { crc32 } from "node:zlib";

/** Gives the next piece at each call, null at the end. */
export type Pieces = () => Uint8Array | null;

/** What is damaged, in a few words. */
export class DamagedGzip extends Error {}

const WINDOW = 32_768;
const PIECE = 65_536;
const MATCH_MAX = 258;
const CODE_BITS_MAX = 15;

/** Lengths and distances: base value by code, and how many bits follow it. */
const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BITS = Array.from({ length: 30 }, (_, code) => Math.max(0, (code >> 1) - 1));
const DISTANCE_BASE = DISTANCE_BITS.map((bits, code) => (code < 2 ? code + 1 : 1 + ((2 + (code & 1)) << bits)));
/** The order in which a block tells the lengths of the codes that tell its codes. */
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

class Bits {
  readonly #pieces: Pieces;
  #piece: Uint8Array = new Uint8Array(0);
  #at = 0;
  #held = 0;
  #count = 0;

  constructor(pieces: Pieces) {
    this.#pieces = pieces;
  }

  /** True when no whole byte is left. */
  over(): boolean {
    return this.#count < 8 && !this.#more();
  }

  /** Up to 16 bits, the first one lowest. */
  take(count: number): number {
    while (this.#count < count) this.#feed();
    const value = this.#held & ((1 << count) - 1);
    this.#held >>>= count;
    this.#count -= count;
    return value;
  }

  /** The symbol that comes next. */
  decode({ table, bits }: Code): number {
    // The end of the file may lie within reach of a code that is shorter than the longest one.
    while (this.#count < bits && this.#more()) this.#feed();
    const entry = table[this.#held & ((1 << bits) - 1)] as number;
    const length = entry & 15;
    if (length === 0 || length > this.#count) throw new DamagedGzip("a code is not one of its block");
    this.#held >>>= length;
    this.#count -= length;
    return entry >> 4;
  }

  /** Passes over what is left of a byte. */
  toByte(): void {
    this.take(this.#count & 7);
  }

  #more(): boolean {
    while (this.#at >= this.#piece.length) {
      const next = this.#pieces();
      if (next === null) return false;
      this.#piece = next;
      this.#at = 0;
    }
    return true;
  }

  #feed(): void {
    if (!this.#more()) throw new DamagedGzip("it ends early");
    this.#held |= (this.#piece[this.#at++] as number) << this.#count;
    this.#count += 8;
  }
}

/** A prefix code: what the next bits mean, by as many of them as its longest code has. */
interface Code {
  readonly table: Uint16Array;
  readonly bits: number;
}

function reversed(code: number, length: number): number {
  let out = 0;
  for (let i = 0; i < length; i++) out |= ((code >> i) & 1) << (length - 1 - i);
  return out;
}

function codeOf(lengths: readonly number[]): Code {
  const counts = new Array<number>(CODE_BITS_MAX + 1).fill(0);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
  const bits = Math.max(1, ...lengths);
  const next: number[] = [0];
  for (let length = 1; length <= bits; length++) {
    const first = ((next[length - 1] ?? 0) + (length > 1 ? (counts[length - 1] ?? 0) : 0)) << 1;
    if (first + (counts[length] ?? 0) > 1 << length) throw new DamagedGzip("a block has too many codes");
    next.push(first);
  }
  const table = new Uint16Array(1 << bits);
  lengths.forEach((length, symbol) => {
    if (length === 0) return;
    const code = next[length] ?? 0;
    next[length] = code + 1;
    for (let i = reversed(code, length); i < table.length; i += 1 << length) table[i] = (symbol << 4) | length;
  });
  return { table, bits };
}

interface Codes {
  readonly literals: Code;
  readonly distances: Code;
}

const FIXED: Codes = {
  literals: codeOf(Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8))),
  distances: codeOf(new Array<number>(30).fill(5)),
};

function readCodes(bits: Bits): Codes {
  const literals = bits.take(5) + 257;
  const distances = bits.take(5) + 1;
  const told = bits.take(4) + 4;
  const own = new Array<number>(19).fill(0);
  for (const symbol of CODE_LENGTH_ORDER.slice(0, told)) own[symbol] = bits.take(3);
  const code = codeOf(own);
  const lengths: number[] = [];
  while (lengths.length < literals + distances) {
    const symbol = bits.decode(code);
    if (symbol < 16) lengths.push(symbol);
    else {
      const last = symbol === 16 ? lengths.at(-1) : 0;
      if (last === undefined) throw new DamagedGzip("a block repeats what was not there");
      const times = symbol === 16 ? 3 + bits.take(2) : symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7);
      for (let i = 0; i < times; i++) lengths.push(last);
    }
  }
  if (lengths.length !== literals + distances) throw new DamagedGzip("a block tells more codes than it has");
  return { literals: codeOf(lengths.slice(0, literals)), distances: codeOf(lengths.slice(literals)) };
}

/** What was unpacked last, which later bytes may repeat, and behind it what has not been handed out. */
class Unpacked {
  readonly bytes = new Uint8Array(WINDOW + PIECE + MATCH_MAX);
  at = 0;
  #from = 0;

  full(): boolean {
    return this.at >= WINDOW + PIECE;
  }

  handOut(): Uint8Array {
    const piece = this.bytes.slice(this.#from, this.at);
    const kept = Math.min(WINDOW, this.at);
    this.bytes.copyWithin(0, this.at - kept, this.at);
    this.at = this.#from = kept;
    return piece;
  }
}

/** Unpacks into `out` until the block ends, answering true, or `out` is full. */
function unpackBlock(bits: Bits, { literals, distances }: Codes, out: Unpacked): boolean {
  const { bytes } = out;
  let { at } = out;
  for (;;) {
    if (at >= WINDOW + PIECE) break;
    const symbol = bits.decode(literals);
    if (symbol < 256) {
      bytes[at++] = symbol;
      continue;
    }
    if (symbol === 256) {
      out.at = at;
      return true;
    }
    const length = (LENGTH_BASE[symbol - 257] ?? NaN) + bits.take(LENGTH_BITS[symbol - 257] ?? 0);
    const code = bits.decode(distances);
    const from = at - (DISTANCE_BASE[code] ?? NaN) - bits.take(DISTANCE_BITS[code] ?? 0);
    if (!(from >= 0) || !(length > 0)) throw new DamagedGzip("a block repeats what was not there");
    for (let i = 0; i < length; i++) bytes[at++] = bytes[from + i] as number;
  }
  out.at = at;
  return false;
}

function* inflate(bits: Bits): Generator<Uint8Array, void> {
  const out = new Unpacked();
  for (let last = false; !last;) {
    last = bits.take(1) === 1;
    const kind = bits.take(2);
    if (kind === 3) throw new DamagedGzip("a block is of no kind");
    if (kind === 0) {
      bits.toByte();
      const length = bits.take(16);
      if ((bits.take(16) ^ length) !== 0xffff) throw new DamagedGzip("a block's length is not told twice");
      for (let i = 0; i < length; i++) {
        if (out.full()) yield out.handOut();
        out.bytes[out.at++] = bits.take(8);
      }
    } else {
      const codes = kind === 1 ? FIXED : readCodes(bits);
      while (!unpackBlock(bits, codes, out)) yield out.handOut();
    }
  }
  yield out.handOut();
}

const take32 = (bits: Bits): number => bits.take(16) + bits.take(16) * 65_536;

function readHeader(bits: Bits): void {
  if (bits.take(16) !== 0x8b1f || bits.take(8) !== 8) throw new DamagedGzip("it is no gzip");
  const flags = bits.take(8);
  for (let i = 0; i < 6; i++) bits.take(8);
  if (flags & 4) for (let i = bits.take(16); i > 0; i--) bits.take(8);
  for (const named of [flags & 8, flags & 16]) if (named) while (bits.take(8) !== 0);
  if (flags & 2) bits.take(16);
}

/** The unpacked bytes of a gzip of one or more members. Iterating throws `DamagedGzip` where the source is none. */
export function* gunzipped(source: Pieces): Generator<Uint8Array, void> {
  const bits = new Bits(source);
  do {
    readHeader(bits);
    let [check, size] = [0, 0];
    for (const piece of inflate(bits)) {
      check = crc32(piece, check);
      size = (size + piece.length) % 2 ** 32;
      yield piece;
    }
    bits.toByte();
    if (take32(bits) !== check >>> 0 || take32(bits) !== size) throw new DamagedGzip("its check sum is wrong");
  } while (!bits.over());
}
