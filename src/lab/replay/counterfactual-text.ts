/** A counterfactual as a table and sentences. */
import { type Compared, type Counterfactual, mayBeLuck, type ReplayOutcome } from "./counterfactual.ts";
import type { Fidelity } from "./fidelity.ts";
import { counted } from "../../core/words.ts";

const percent = (fraction: number): string => `${(fraction * 100).toFixed(2)} %`;

const HEADINGS = ["", "return", "less base", "95 % interval", "fills", "closed", "fees"];

export interface CounterfactualText {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly words: readonly string[];
}

export function counterfactualText(found: Counterfactual): CounterfactualText {
  const { recorded, base, alternatives } = found;
  const rows = [
    ...(recorded === null ? [] : [["as recorded", ...cells(recorded, "", "")]]),
    ["base replay", ...cells(base, "", "")],
    ...alternatives.map((one) => [one.name, ...cells(one, percent(one.difference), intervalOf(one))]),
  ];
  return { headings: HEADINGS, rows, words: wordsOf(found) };
}

const cells = (outcome: ReplayOutcome, difference: string, interval: string): readonly string[] => [
  percent(outcome.returnFraction),
  difference,
  interval,
  String(outcome.fills),
  String(outcome.closedTrades),
  outcome.feesUsdt,
];

const intervalOf = ({ interval }: Compared): string =>
  interval === null ? "too short" : `${percent(interval.low)} to ${percent(interval.high)}`;

function wordsOf(found: Counterfactual): readonly string[] {
  const { from, to, startUsdt, decisions, targets, outside, missing, heldAtStart } = found;
  return [
    `${from} to ${to}: ${counted(decisions, "decision")} with ${counted(targets, "target")}, from ${startUsdt.toFixed(2)} USDT.`,
    fidelityText(found.fidelity),
    ...(outside > 0
      ? [`${counted(outside, "decision lies", "decisions lie")} outside the bars, where nothing is replayed.`]
      : []),
    ...(missing.length > 0 ? [`No bars, so not replayed: ${missing.join(", ")}.`] : []),
    ...(heldAtStart > 0
      ? [
          `${counted(heldAtStart, "position was", "positions were")} held before the first decision; no replay holds them.`,
        ]
      : []),
    ...verdictOf(found),
  ];
}

function fidelityText({ atEnd, widest, range, repeats }: Fidelity): string {
  if (atEnd === null || widest === null || range === null)
    return "The journal has no equity of that time, so a replay cannot be checked against it, and no variation is shown.";
  const apart = `The base replay ends ${percent(atEnd)} from the record; at decisions they are at most ${percent(widest)} of the starting equity apart, while the recorded equity moved over ${percent(range)}.`;
  return repeats
    ? `${apart} Differences below ${percent(widest)} are not evidence.`
    : `${apart} That is more than a fifth, so the replay does not reproduce the record, and no variation is shown.`;
}

function verdictOf({ alternatives, fidelity }: Counterfactual): readonly string[] {
  if (!fidelity.repeats) return [];
  const clear = alternatives.filter((one) => !mayBeLuck(one));
  const ended = alternatives.flatMap(({ name, ended }) => (ended === null ? [] : [`${name}: ${ended}.`]));
  if (clear.length === 0)
    return [
      ...ended,
      "Every interval contains zero, or the run is too short for one: there is no evidence that another choice was better.",
    ];
  const chance = `of ${alternatives.length} comparisons about ${(alternatives.length * 0.05).toFixed(1)} would be outside by luck alone`;
  return [
    ...ended,
    `The interval excludes zero for: ${clear.map(({ name }) => name).join(", ")}; ${chance}. All others may be luck.`,
  ];
}
