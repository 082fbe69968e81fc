import { arrivalOf } from "../phase.ts";
import { figure, rec, timeIn } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { journalView, leavesOpening, type Write } from "../journal-view.ts";

/** Maximum age at arrival of the data behind an order, ms. Names as in `seen`. */
const LIMITS_MS: readonly (readonly [string, string, number])[] = [
  ["bookAgeMs", "book", 3_000],
  ["markAgeMs", "mark", 5_000],
  ["accountAgeMs", "account reading", 30_000],
];
const CLOCK_MS = 5_000;
/** Lifetime of a decision that states none: that of a preview. */
const DECISION_LIFE_MS = 300_000;

/** I15: age in ms of everything that an opening order relies on, at arrival; without the wire log, at its row. */
export const i15: Invariant = {
  id: "I15",
  title: "Freshness",
  rule: "When an opening order arrives, the book it rests on is at most 3 s old, the mark 5 s, the account reading 30 s, the clock sure to 5 s, and its decision within its life (300 s unless the row declares another). Ages are those of the last look (the answer's row, else the row before the write) plus the time to arrival.",
  needs: [],
  more: ["wire log"],
  unseen: "",
  judge: (history) =>
    journalView(history)
      .writes.filter(leavesOpening)
      .flatMap((write) => problems(history, write)),
};

function problems(history: History, write: Write): readonly Finding[] {
  const { row, clientOrderId } = write;
  // The answer's row has the final check, made after the row before the write had become durable.
  const seen = (write.answer && rec(write.answer.body, "seen")) ?? write.seen;
  if (!seen) return [finding(row.seq, `${clientOrderId ?? "an order"} left without a word on what it rested on`)];
  const laterMs = Math.max(0, arrivalOf(history, write) - (timeIn(seen, "atMs") ?? row.atMs) - history.skewMs);
  const say = (what: string, ageMs: number | null, maxMs: number): readonly Finding[] => {
    if (ageMs !== null && ageMs <= maxMs) return [];
    return [
      finding(
        row.seq,
        `${clientOrderId ?? "an order"}: the ${what} is ${ageMs === null ? "unknown" : `${Math.round(ageMs)} ms`}, allowed ${maxMs} ms`,
      ),
    ];
  };
  const ages = LIMITS_MS.flatMap(([name, what, maxMs]) => {
    const ageMs = figure(seen, name);
    return say(`age of its ${what}`, ageMs === null ? null : ageMs + laterMs, maxMs);
  });
  const life = figure(seen, "decisionLifeMs") ?? DECISION_LIFE_MS;
  const decided = journalView(history)
    .kinds("decision")
    .filter(({ decisionId, seq }) => decisionId === row.decisionId && seq < row.seq);
  const decidedMs = decided.at(-1)?.atMs;
  return [
    ...ages,
    ...say("uncertainty of the clock", figure(seen, "clockUncertaintyMs"), CLOCK_MS),
    ...say("age of its decision", decidedMs === undefined ? null : arrivalOf(history, write) - decidedMs, life),
  ];
}
