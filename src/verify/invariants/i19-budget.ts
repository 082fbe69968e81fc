import { gt, type Num, show, sum } from "../decimal.ts";
import { decimal, rec } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { journalView } from "../journal-view.ts";
import { MODEL_LIMIT_USD } from "../phase.ts";
import { attemptIn, attemptOf, attempts, boundIn, costIn, isAdopted, lastBooking, spentAt } from "../spend.ts";
import type { Row } from "../rows.ts";
import { chargesOf } from "../own-account.ts";

const DAY_MS = 86_400_000;

/** I19: model spend in USD per UTC day and in any 24 hours, regardless of the configured start of the day. */
export const i19: Invariant = {
  id: "I19",
  title: "Budget",
  rule: "At every reservation and every booking of one, what is settled and reserved is within 10 USD (or the lower configured limit) for the UTC day and for any 24 hours; what was truly charged is never above what was settled. What the gateway adopts beyond our figures counts, and cannot be refused.",
  needs: [],
  more: ["model ledger"],
  unseen: "",
  judge: (history) => [...overLimit(history), ...underSettled(history)],
};

interface Charge {
  readonly reservedMs: number;
  settledMs: number | null;
  amount: Num;
}

function overLimit(history: History): readonly Finding[] {
  const charges = new Map<string, Charge>();
  const found: Finding[] = [];
  for (const row of journalView(history).kinds("model-reserve", "model-settle")) {
    book(charges, row);
    if (isAdopted(row)) continue;
    const limit = limitAt(history, row.seq);
    const nowMs = spentAt(row);
    for (const [span, used] of [
      ["UTC day", dayOf(charges, nowMs)],
      ["24 hours", windowOf(charges, nowMs)],
    ] as const)
      if (gt(used, limit)) found.push(finding(row.seq, `${show(used)} USD in the ${span}, allowed ${show(limit)}`));
  }
  return found;
}

function book(charges: Map<string, Charge>, row: Row): void {
  const id = `${attemptIn(row)}${isAdopted(row) ? `#${row.seq}` : ""}`;
  const atMs = spentAt(row);
  if (row.kind === "model-reserve") charges.set(id, { reservedMs: atMs, settledMs: null, amount: boundIn(row) });
  else {
    const known = charges.get(id);
    const reservedMs = known?.reservedMs ?? atMs;
    charges.set(id, { reservedMs, settledMs: Math.max(reservedMs, atMs), amount: costIn(row) });
  }
}

const limitAt = (history: History, seq: number): Num => {
  const own = decimal(rec(journalView(history).configAt(seq), "model") ?? {}, "dayLimitUsd");
  return own && gt(MODEL_LIMIT_USD, own) ? own : MODEL_LIMIT_USD;
};

const dayNumber = (atMs: number): number => Math.floor(atMs / DAY_MS);
const total = (charges: Iterable<Charge>): Num => sum([...charges].map(({ amount }) => amount));

/** A charge belongs to the day of its reservation. */
const dayOf = (charges: ReadonlyMap<string, Charge>, nowMs: number): Num =>
  total([...charges.values()].filter(({ reservedMs }) => dayNumber(reservedMs) === dayNumber(nowMs)));

const windowOf = (charges: ReadonlyMap<string, Charge>, nowMs: number): Num =>
  total([...charges.values()].filter(({ settledMs }) => settledMs === null || settledMs > nowMs - DAY_MS));

function underSettled(history: History): readonly Finding[] {
  if (!history.charges) return [];
  const truth = new Map<string, Num[]>();
  for (const { requestId, costUsd } of chargesOf(history)) {
    const id = attemptOf(requestId);
    truth.set(id, [...(truth.get(id) ?? []), costUsd]);
  }
  return [...attempts(history).values()].flatMap((attempt) => {
    const { attemptId } = attempt;
    const settle = lastBooking(attempt);
    const real = sum(truth.get(attemptId) ?? []);
    if (!settle || !gt(real, costIn(settle))) return [];
    return [finding(settle.seq, `${attemptId} was settled at ${show(costIn(settle))} USD and cost ${show(real)}`)];
  });
}
