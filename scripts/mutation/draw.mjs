/**
 * `npm run mutation -- drawn`: lines drawn at random from the folders that decide on money, each a range for Stryker.
 * MUTATION_LINES (default 50) says how many, MUTATION_SEED (default 1) which. One seed gives one draw of one state of the code.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const FOLDERS = [
  "src/risk",
  "src/desk",
  ...["protect", "reconcile", "positions", "books"].map((one) => `src/agent/${one}`),
];
/** A line worth changing decides or reckons. */
const DECIDES =
  /[<>]=?|===|!==|&&|\|\||\?|!\w|\.(?:gt|gte|lt|lte|eq|isZero|min|max|some|every|filter|plus|minus|mul|add|sub)\(/;
const IS_IDLE = /^\s*(?:\/\/|\/?\*|import |export type |export interface |readonly )/;

/** Mulberry32: small, and the same everywhere. */
function chance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Ranges as `FILE:LINE-LINE`, the same number of lines from each folder. */
export function drawnLines(
  count = Number(process.env.MUTATION_LINES ?? 50),
  seed = Number(process.env.MUTATION_SEED ?? 1),
) {
  const next = chance(seed);
  return FOLDERS.flatMap((folder) => {
    const lines = readdirSync(`${root}${folder}`, { recursive: true })
      .filter((name) => name.endsWith(".ts"))
      .sort()
      .flatMap((name) =>
        readFileSync(`${root}${folder}/${name}`, "utf8")
          .split("\n")
          .flatMap((text, at) =>
            DECIDES.test(text) && !IS_IDLE.test(text) ? [`${folder}/${name}:${at + 1}-${at + 1}`] : [],
          ),
      );
    const share = Math.ceil(count / FOLDERS.length);
    return Array.from(
      { length: Math.min(share, lines.length) },
      () => lines.splice(Math.floor(next() * lines.length), 1)[0],
    );
  });
}
