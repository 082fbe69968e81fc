/**
 * Detects headlines that report one story in slightly different words. A bounded index (min-hash bands) finds
 * candidates, which are then compared word by word: filler may differ, but not a figure, a direction or a denial.
 */
import { BoundedMap, filling, type Gauge } from "../core/bounded.ts";
import { skeleton } from "./skeleton.ts";

/** Minimum share of common words. */
const SHARED_MIN = 0.8;
const WORDS_MIN = 5;
const BANDS = 6;
const HASHES = 12;

const FILLER = new Set(
  "a an the of to in on at for and or as by with from is are was be its it s new just breaking update".split(" "),
);
/** Words that reverse a story's meaning: both headlines must contain the same ones. */
const TURNING = new Set(
  (
    "not no never without denies denied deny rejects rejected reject approves approved approve rises rise rose falls fall " +
    "fell up down gains gain gained loses lose lost losses surges surge plunges plunge soars crashes crash above below over " +
    "under buys buy bought sells sell sold long short bullish bearish wins won confirms confirmed halts halted resumes " +
    "resumed lists listed delists delisted hacked recovers raises raised cuts cut bans banned unbans allows allowed more less"
  ).split(" "),
);

/** `words` are in skeleton form, without filler. */
export interface HeadlineWords {
  readonly words: ReadonlySet<string>;
  /** Figures and reversing words, sorted: equal for two versions of one story. */
  readonly turns: string;
}

/** Null if fewer than five words remain to compare. */
export function readHeadline(title: string): HeadlineWords | null {
  const all = skeleton(title)
    // Treats 20,000 and 20k as figures; a comma inside a figure belongs to it.
    .replace(/(\d),(?=\d{3}\b)/g, "$1")
    .split(/[^\p{L}\p{N}.%]+/u)
    .map((word) => word.replace(/^\.+|\.+$/g, ""))
    .filter((word) => word !== "");
  const words = new Set(all.filter((word) => !FILLER.has(word)));
  if (words.size < WORDS_MIN) return null;
  const turns = [...words].filter((word) => TURNING.has(word) || /\d/.test(word)).sort();
  return { words, turns: turns.join(" ") };
}

/** Whether figures and reversing words are equal and at least four fifths of all words are shared. */
export function reportsTheSame(a: HeadlineWords, b: HeadlineWords): boolean {
  if (a.turns !== b.turns) return false;
  let shared = 0;
  for (const word of a.words) if (b.words.has(word)) shared++;
  return shared / (a.words.size + b.words.size - shared) >= SHARED_MIN;
}

/** FNV-1a with a seed, 32 bits. */
function hash(word: string, seed: number): number {
  let value = (0x811c9dc5 ^ Math.imul(seed + 1, 0x9e3779b1)) >>> 0;
  for (let i = 0; i < word.length; i++) value = Math.imul(value ^ word.charCodeAt(i), 0x01000193) >>> 0;
  return value;
}

function bandsOf({ words }: HeadlineWords): readonly string[] {
  const least = Array.from({ length: HASHES }, (_, seed) => {
    let smallest = Infinity;
    for (const word of words) smallest = Math.min(smallest, hash(word, seed));
    return smallest;
  });
  return Array.from({ length: BANDS }, (_, band) => `${band}:${least[2 * band]}:${least[2 * band + 1]}`);
}

/** Headlines of known stories. Bounded: the oldest are dropped first. */
export class HeadlineIndex {
  readonly #headlines: BoundedMap<string, HeadlineWords>;
  readonly #keyOf: BoundedMap<string, string>;

  constructor(storiesMax: number) {
    this.#headlines = new BoundedMap(storiesMax);
    this.#keyOf = new BoundedMap(storiesMax * BANDS);
  }

  /** The key of a story with nearly the same headline, or null. */
  find(title: string): string | null {
    const headline = readHeadline(title);
    if (!headline) return null;
    for (const band of bandsOf(headline)) {
      const key = this.#keyOf.get(band);
      const known = key === undefined ? undefined : this.#headlines.get(key);
      if (key !== undefined && known && reportsTheSame(headline, known)) return key;
    }
    return null;
  }

  add(key: string, title: string): void {
    const headline = readHeadline(title);
    if (!headline) return;
    this.#headlines.set(key, headline);
    for (const band of bandsOf(headline)) this.#keyOf.set(band, key);
  }

  gauges(): readonly Gauge[] {
    return [
      filling("news.headlines", this.#headlines.size, this.#headlines.cap),
      filling("news.headlineBands", this.#keyOf.size, this.#keyOf.cap),
    ];
  }
}
