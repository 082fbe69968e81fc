/** How the page puts the journal's rows together into decisions. */
import { expect, test } from "vitest";
import type { DeckRow, DeckStep } from "../../src/deck/shapes.ts";
import { decisionsOf, outcomeOf } from "../../src/web/deck/decision-list.ts";

const TRIGGERED: DeckStep = { is: "triggered", by: ["clock"], strategy: "momentum" };
const NOTHING: DeckStep = { is: "decided", note: "5 symbols judged", wanted: [] };
const FILLED: DeckStep = { is: "filled", symbol: "X", side: "BUY", qty: "1", price: "2" };

/** Each decision with its steps, a second apart. */
const rows = (...decisions: readonly (readonly DeckStep[])[]): readonly DeckRow[] =>
  decisions.flatMap((steps, at) =>
    steps.map((step) => ({ seq: at, atMs: at * 1_000, kind: "decision", decisionId: `d-${at}`, text: "", step })),
  );

test("consecutive decisions that wanted nothing are one entry with their count and first instant", () => {
  const quiet = [TRIGGERED, NOTHING];
  const shown = decisionsOf(rows(quiet, quiet, [TRIGGERED, FILLED], quiet, quiet, quiet));
  expect(shown.map(({ id, alike, sinceMs }) => [id, alike, sinceMs])).toEqual([
    ["d-5", 2, 3_000],
    ["d-2", 0, 2_000],
    ["d-1", 1, 0],
  ]);
});

test("a decision that failed, was denied or is not made yet has an entry of its own", () => {
  const failed: DeckStep = { is: "failed", reason: "no answer" };
  const skipped: DeckStep = { is: "skipped", symbol: "X", reason: "too small", atTarget: false };
  const shown = decisionsOf(rows([TRIGGERED, failed], [TRIGGERED, failed], [TRIGGERED, NOTHING, skipped], [TRIGGERED]));
  expect(shown.map(({ id, alike }) => [id, alike])).toEqual([
    ["d-3", 0],
    ["d-2", 0],
    ["d-1", 0],
    ["d-0", 0],
  ]);
});

test("a decision without an order has the word of `ballast why-not`: dropped, or held at the target", () => {
  const decided: DeckStep = { ...NOTHING, wanted: [{ symbol: "X", leg: "LONG", size: 1, reason: "up" }] };
  const small: DeckStep = { is: "skipped", symbol: "X", reason: "too small", atTarget: false };
  const there: DeckStep = { is: "skipped", symbol: "Y", reason: "already at the target", atTarget: true };
  const wordOf = (...steps: readonly DeckStep[]): string => outcomeOf([TRIGGERED, ...steps])[0];
  expect([wordOf(decided, there, small), wordOf(decided, there), wordOf(NOTHING)]).toEqual([
    "dropped",
    "held",
    "no trade",
  ]);
});
