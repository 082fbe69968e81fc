/** The settings that a sweep varies (dotted paths of the configuration with their values) and the resulting candidates. */
import { parse } from "yaml";
import { seededEntropy } from "../../core/entropy.ts";
import { err, ok, type Result } from "../../core/result.ts";

/** `values` are as YAML parses them. */
export interface Variation {
  readonly path: string;
  readonly values: readonly unknown[];
}

/** One value for every varied setting, by path. */
export type Candidate = Readonly<Record<string, unknown>>;

/** More candidates are a mistake, or a search for which no history is long enough to be conclusive. */
const CANDIDATES_MAX = 20_000;

/** Reads `risk.maxPositions=2,3,4`. The error says what is wrong with the text. */
export function parseVariation(text: string): Result<Variation, string> {
  const [, path, list] = /^([A-Za-z][\w.-]*)=(.+)$/.exec(text) ?? [];
  if (path === undefined || list === undefined)
    return err(`--vary ${text}: write a setting and its values, such as risk.maxPositions=2,3,4`);
  const values = list.split(",").map((value): unknown => parse(value.trim()));
  if (new Set(values.map(String)).size < values.length) return err(`--vary ${text}: the same value appears twice`);
  return ok({ path, values });
}

const countOf = (variations: readonly Variation[]): number =>
  variations.reduce((count, { values }) => count * values.length, 1);

/** Every combination; without a variation, the one candidate that changes nothing. */
export function gridOf(variations: readonly Variation[]): Result<readonly Candidate[], string> {
  const count = countOf(variations);
  if (count > CANDIDATES_MAX)
    return err(
      `the grid has ${count} candidates, more than ${CANDIDATES_MAX}: vary less, or draw some with --random 200`,
    );
  return ok(
    variations.reduce<readonly Candidate[]>(
      (found, { path, values }) =>
        found.flatMap((candidate) => values.map((value) => ({ ...candidate, [path]: value }))),
      [{}],
    ),
  );
}

/** Draws this many different candidates of the grid, or takes the whole grid if it has no more. */
export function drawnFrom(
  variations: readonly Variation[],
  wanted: number,
  seed: number,
): Result<readonly Candidate[], string> {
  if (countOf(variations) <= wanted) return gridOf(variations);
  if (wanted > CANDIDATES_MAX) return err(`--random ${wanted}: at most ${CANDIDATES_MAX}`);
  const entropy = seededEntropy(`sweep:${seed}`);
  const found = new Map<string, Candidate>();
  while (found.size < wanted) {
    const candidate = Object.fromEntries(
      variations.map(({ path, values }) => [path, values[entropy.int("sweep:value", 0, values.length)]]),
    );
    found.set(JSON.stringify(candidate), candidate);
  }
  return ok([...found.values()]);
}
