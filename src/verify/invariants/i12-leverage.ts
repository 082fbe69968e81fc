import { gt, type Num, show } from "../decimal.ts";
import { decimal, figure, isRec, rec, text } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { journalView, leavesOpening, type Write } from "../journal-view.ts";
import { arrivalOf, isPhaseTwo, phaseCap } from "../phase.ts";
import { addsExposure, standings } from "../venue-view.ts";

const READ_WITHIN_MS = 60_000;

/** I12: leverage of a symbol within the cap of the phase, and read back less than 60 s before an opening arrives. */
export const i12: Invariant = {
  id: "I12",
  title: "Leverage setting",
  rule: "When an opening order arrives, the symbol's leverage is at most the phase's cap, and was read back in this run less than 60 s before. Phase II never begins before its configured moment.",
  needs: [],
  more: ["wire log", "venue ledger"],
  unseen: "",
  judge: (history) => [
    ...journalView(history)
      .writes.filter(leavesOpening)
      .flatMap((write) => rowProblems(history, write)),
    ...atVenue(history),
    ...earlyPhases(history),
  ],
};

/** The higher cap may apply only from the time that the configuration names. */
function earlyPhases(history: History): readonly Finding[] {
  const { rows, skewMs } = history;
  return rows.flatMap((row) => {
    if (row.kind !== "config" || !isRec(row.body)) return [];
    const config = rec(row.body, "config");
    if (row.body["by"] !== "phase") {
      if (!config || config["phase"] !== 2 || isPhaseTwo(history, config, row.atMs)) return [];
      return [finding(row.seq, "the configuration gives Phase II before it has begun")];
    }
    const competition = rec(rec(row.body, "config") ?? {}, "competition") ?? {};
    const beginsMs = Date.parse(text(competition, "phaseTwo") ?? "");
    if (Number.isNaN(beginsMs)) return [finding(row.seq, "Phase II began, and no moment was configured for it")];
    if (row.atMs + skewMs >= beginsMs) return [];
    return [finding(row.seq, `Phase II began ${Math.round(beginsMs - row.atMs)} ms before its moment`)];
  });
}

function rowProblems(history: History, write: Write): readonly Finding[] {
  const { row, seen, order: params } = write;
  const symbol = text(params, "symbol") ?? "";
  const cap = phaseCap(history, journalView(history).configAt(row.seq), row.atMs);
  const setting = seen && decimal(seen, "leverage");
  if (!setting) return [finding(row.seq, `opened in ${symbol} without a leverage that was read back`)];
  const found = gt(setting, cap)
    ? [finding(row.seq, `the leverage of ${symbol} is ${show(setting)}, the cap ${show(cap)}`)]
    : [];
  const ageMs = (seen && figure(seen, "leverageAgeMs")) ?? Infinity;
  const atArrival = ageMs + Math.max(0, arrivalOf(history, write) - row.atMs);
  if (atArrival < READ_WITHIN_MS + history.skewMs) return found;
  return [
    ...found,
    finding(
      row.seq,
      `the leverage of ${symbol} was read ${Math.round(atArrival)} ms before, allowed ${READ_WITHIN_MS}`,
    ),
  ];
}

function atVenue(history: History): readonly Finding[] {
  const seenOrders = new Set<string>();
  const found: Finding[] = [];
  const { intents } = journalView(history);
  for (const { fact, leverage } of standings(history)) {
    if (fact.fact !== "order" || seenOrders.has(fact.order.orderId)) continue;
    const { order } = fact;
    seenOrders.add(order.orderId);
    const seq = intents.get(order.clientOrderId)?.opened[0]?.seq;
    if (seq === undefined || !addsExposure(order)) continue;
    const setting: Num | undefined = leverage.get(order.symbol);
    const cap = phaseCap(history, journalView(history).configAt(seq), fact.atMs);
    if (setting && gt(setting, cap))
      found.push(
        finding(
          seq,
          `${order.symbol} stood at leverage ${show(setting)} when ${order.clientOrderId} came, cap ${show(cap)}`,
        ),
      );
  }
  return found;
}
