import { gt, isNil, NIL, show, sum } from "../decimal.ts";
import { text } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { journalView } from "../journal-view.ts";
import type { Charge } from "../outside.ts";
import { chargesOf } from "../own-account.ts";
import { type Attempt, attemptOf, attempts, boundIn, costIn, spentAt } from "../spend.ts";

const ENDS: ReadonlySet<string> = new Set(["actual", "estimated", "bound", "nothing", "crash"]);

/** I20: each call has a reservation before it and one booking after it; the model ledger shows the actual calls. */
export const i20: Invariant = {
  id: "I20",
  title: "Reserve first",
  rule: "Every charged call has an earlier reservation of its own whose bound covers it, and one request for each id; every reservation is settled once, at its bound where nothing is known, and at nothing only where nothing was charged; only a booking at a bound is corrected later, and only downwards.",
  needs: [],
  more: ["model ledger"],
  unseen: "",
  judge: (history) => {
    const known = attempts(history);
    return [
      ...[...known.values()].flatMap((attempt) => rowProblems(history, attempt)),
      ...callProblems(history, known),
    ];
  },
};

function rowProblems(history: History, { attemptId, reserves, settles, corrections }: Attempt): readonly Finding[] {
  const [reserve] = reserves;
  const [settle, again] = settles;
  const found: Finding[] = [];
  const say = (seq: number | null, what: string): void => void found.push(finding(seq, `${attemptId}: ${what}`));
  if (reserves.length > 1) say(reserves[1]?.seq ?? null, "it was reserved twice");
  if (!reserve) say(settle?.seq ?? null, "it was settled without a reservation");
  if (again) say(again.seq, "it was settled twice");
  if (reserve && !settle && isOver(history, reserve.runId, reserve.seq))
    say(reserve.seq, "the reservation was never settled");
  if (!reserve || !settle) return found;
  const how = text(settle.body, "how") ?? "none";
  if (settle.seq < reserve.seq) say(settle.seq, "it was settled before it was reserved");
  if (!ENDS.has(how)) say(settle.seq, `it was released as "${how}"`);
  if ((how === "bound" || how === "crash") && gt(boundIn(reserve), costIn(settle)))
    say(
      settle.seq,
      `nothing is known of its cost, yet it was settled at ${show(costIn(settle))} of ${show(boundIn(reserve))}`,
    );
  for (const [at, row] of corrections.entries()) {
    const before = corrections[at - 1] ?? settle;
    if (how !== "bound" && how !== "crash") say(row.seq, `a booking as "${how}" was corrected`);
    if (!gt(costIn(before), costIn(row)) || gt(NIL, costIn(row)))
      say(row.seq, `${show(costIn(before))} was corrected to ${show(costIn(row))}`);
  }
  if (how === "nothing" && !isNil(costIn(settle))) say(settle.seq, `"nothing" was settled at ${show(costIn(settle))}`);
  return found;
}

/** A run that stopped cleanly, or that a later run followed, leaves no reservation open. */
function isOver(history: History, runId: string, seq: number): boolean {
  const { runs, kinds } = journalView(history);
  if (kinds("stop").some((row) => row.runId === runId && row.seq > seq)) return true;
  const at = runs.findIndex((known) => known.runId === runId);
  return runs.slice(at + 1).some(({ ready }) => ready !== null);
}

function callProblems(history: History, known: ReadonlyMap<string, Attempt>): readonly Finding[] {
  const ids = new Set<string>();
  const found: Finding[] = [];
  const byAttempt = new Map<string, Charge[]>();
  for (const charge of chargesOf(history)) {
    if (charge.requestId === "") {
      found.push(finding(null, `the call of ${charge.startedMs} bears no id of ours`));
      continue;
    }
    if (ids.has(charge.requestId)) found.push(finding(null, `${charge.requestId} was charged twice`));
    ids.add(charge.requestId);
    const id = attemptOf(charge.requestId);
    byAttempt.set(id, [...(byAttempt.get(id) ?? []), charge]);
  }
  for (const [id, charges] of byAttempt) found.push(...coverProblems(history, known.get(id), { id, charges }));
  return found;
}

function coverProblems(
  history: History,
  attempt: Attempt | undefined,
  { id, charges }: { readonly id: string; readonly charges: readonly Charge[] },
): readonly Finding[] {
  const reserve = attempt?.reserves[0];
  if (!reserve) return [finding(null, `${id} was charged and never reserved`)];
  const firstMs = Math.min(...charges.map(({ startedMs }) => startedMs));
  const cost = sum(charges.map(({ costUsd }) => costUsd));
  const found: Finding[] = [];
  if (spentAt(reserve) > firstMs + history.skewMs)
    found.push(finding(reserve.seq, `${id} was asked at ${firstMs}, before its reservation`));
  if (gt(cost, boundIn(reserve)))
    found.push(finding(reserve.seq, `${id} cost ${show(cost)} USD, its bound was ${show(boundIn(reserve))}`));
  return found;
}
