/** Every way in which the first pushes of a story may arrive, and what is wrong with a run. */
import { type Scenario, type Outcome, play } from "./story.ts";
import { type Fate, FATES } from "./plots.ts";

/** A position that no stop covers completely for longer than this counts as unprotected. */
const BARE_MS = 10_000;
/** The fee of an order more or less is not the story's matter. */
const NEAR = 0.03;

function* choices(count: number, among: number, from = 0): Generator<readonly number[]> {
  if (count === 0) yield [];
  else for (let at = from; at < among; at++) for (const rest of choices(count - 1, among, at + 1)) yield [at, ...rest];
}

function* mishapsOf(places: readonly number[]): Generator<readonly Fate[]> {
  const [, ...mishaps] = FATES;
  const [place, ...rest] = places;
  if (place === undefined) yield [];
  else
    for (const later of mishapsOf(rest))
      for (const mishap of mishaps) {
        const fates: Fate[] = [...later];
        for (let at = fates.length; at <= place; at++) fates[at] = "now";
        fates[place] = mishap;
        yield fates;
      }
}

/** All fates of the first `pushes` pushes in which at most `mishaps` of them do not simply arrive. */
export function* fatesOf(pushes: number, mishaps: number): Generator<readonly Fate[]> {
  for (let count = 0; count <= mishaps; count++) for (const places of choices(count, pushes)) yield* mishapsOf(places);
}

export interface Judged extends Outcome {
  readonly wrong: readonly string[];
}

/** A scenario against the run in which every push arrives at once. */
export function judge(scenario: Scenario, undisturbed: Outcome): Judged {
  const outcome = play(scenario);
  const apart = outcome.heldQty.sub(undisturbed.heldQty).abs();
  return {
    ...outcome,
    wrong: [
      ...outcome.problems,
      ...(apart.gt(undisturbed.heldQty.abs().mul(NEAR))
        ? [`${outcome.heldQty.toFixed()} is held, not ${undisturbed.heldQty.toFixed()}`]
        : []),
      ...(outcome.bareMs > BARE_MS ? [`not covered by a stop for ${outcome.bareMs / 1_000} s`] : []),
    ],
  };
}

/** As a command line names them: one letter each, n, l, t or d. */
const LETTERS: Readonly<Record<string, Fate>> = { n: "now", l: "lost", t: "twice", d: "delayed" };
export const lettersOf = (fates: readonly Fate[]): string => fates.map(([letter]) => letter).join("");
export const fatesNamed = (letters: string): readonly Fate[] =>
  [...letters].map((letter) => {
    const fate = LETTERS[letter];
    if (fate) return fate;
    throw new RangeError(`a fate is one of ${Object.keys(LETTERS).join(", ")}, found ${letter}`);
  });
