/** Journal rows as decisions. */
import type { DeckRow, DeckStep } from "../../deck/shapes.ts";

interface Made {
  readonly id: string;
  readonly atMs: number;
  readonly steps: readonly DeckStep[];
}

/** A decision, with the ones directly before it that wanted nothing either. */
export interface ShownDecision extends Made {
  readonly alike: number;
  readonly sinceMs: number;
}

/** Newest first. */
export function decisionsOf(rows: readonly DeckRow[]): readonly ShownDecision[] {
  const made = new Map<string, { id: string; atMs: number; steps: DeckStep[] }>();
  for (const { decisionId, atMs, step } of rows) {
    if (decisionId === null || !step) continue;
    const one = made.get(decisionId) ?? { id: decisionId, atMs, steps: [] };
    one.steps.push(step);
    made.set(decisionId, one);
  }
  return grouped([...made.values()].reverse());
}

/** Of consecutive decisions that wanted nothing the newest is shown, with how many it represents. */
function grouped(decisions: readonly Made[]): readonly ShownDecision[] {
  const shown: ShownDecision[] = [];
  for (const made of decisions) {
    const newer = shown.at(-1);
    if (newer && wantedNothing(newer.steps) && wantedNothing(made.steps))
      shown[shown.length - 1] = { ...newer, alike: newer.alike + 1, sinceMs: made.atMs };
    else shown.push({ ...made, alike: 0, sinceMs: made.atMs });
  }
  return shown;
}

const wantedNothing = (steps: readonly DeckStep[]): boolean =>
  steps.some((step) => step.is === "decided" && step.wanted.length === 0) &&
  steps.every(({ is }) => is === "triggered" || is === "decided");

/** The last step that it reached, as one word with its colour; `ballast why-not` has the same words. */
export function outcomeOf(steps: readonly DeckStep[]): readonly [word: string, tone: string] {
  const some = (fits: (step: DeckStep) => boolean): boolean => steps.some(fits);
  if (some(({ is }) => is === "filled")) return ["traded", "gain"];
  if (some((step) => step.is === "judged" && step.approved)) return ["ordered", "gain"];
  if (some((step) => step.is === "judged")) return ["denied", "warn"];
  if (some(({ is }) => is === "failed")) return ["failed", "loss"];
  const decided = steps.find((step) => step.is === "decided");
  if (!decided) return ["thinking", "quiet"];
  const skipped = steps.filter((step) => step.is === "skipped");
  if (skipped.some(({ atTarget }) => !atTarget)) return ["dropped", "warn"];
  return decided.wanted.length + skipped.length === 0 ? ["no trade", "quiet"] : ["held", "quiet"];
}
