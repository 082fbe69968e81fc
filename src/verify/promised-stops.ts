/** The stop that an intent promises, held against its decision, its limit price and what the limits counted. */
import { add, gt, lastDigit, lt, min, mul, NIL, type Num, num, show, sub } from "./decimal.ts";
import { decimal, type Rec, rec, recs, text } from "./fields.ts";
import { type Finding, finding, type History } from "./history.ts";
import { journalView, leavesOpening, type Write } from "./journal-view.ts";
import { rulesIn } from "./venue-facts.ts";
import { gather, type Row } from "./rows.ts";
import { allowedBy, type PositionSide, losing, safer } from "./stop-prices.ts";
import { faultWithin, ONE } from "./venue-view.ts";

/** Roundings to a tick between the best price and the stop: of the limit, of the entry and of the stop itself. */
const TICKS: Num = { digits: 3n, scale: 0 };

/** Every opening that left: its stop against the decision, the bounds and the verdict of the limits. */
export function promisedStops(history: History): readonly Finding[] {
  const view = journalView(history);
  const decided = new Map<string, Rec[]>();
  for (const { decisionId, body } of view.kinds("decision"))
    for (const target of recs(body, "wishes")) gather(decided, decisionId ?? "", target);
  return view.writes.filter(leavesOpening).flatMap((write) => {
    const row = view.intents.get(write.clientOrderId ?? "")?.opened[0];
    if (!row || write.action !== "order.place") return [];
    return problemsOf(history, { write, row, targets: decided.get(row.decisionId ?? "") ?? [] });
  });
}

interface Promise {
  readonly row: Row;
  readonly leg: PositionSide;
  readonly stop: Num;
  /** The least and most favourable price at which the entry was planned. */
  readonly entry: readonly [lowest: Num, highest: Num];
  readonly slack: Num;
}

interface Promised {
  readonly write: Write;
  readonly row: Row;
  /** What its decision wanted, of all symbols. */
  readonly targets: readonly Rec[];
}

function problemsOf(history: History, { write, row, targets }: Promised): readonly Finding[] {
  const name = write.clientOrderId ?? "an order";
  const leg = text(row.body, "leg") === "SHORT" ? "SHORT" : "LONG";
  const stop = decimal(row.body, "stopPrice");
  if (!stop) return [finding(row.seq, `${name} opens without a stop`)];
  const price = decimal(write.params, "price") ?? decimal(write.seen ?? {}, "mark");
  if (!price) return [];
  const allowed = allowedBy(journalView(history).configAt(row.seq));
  const rules = rulesIn(rec(write.seen ?? {}, "rules") ?? {}, ["tick", "lot"]);
  const takes = text(write.params, "timeInForce") === "IOC" || decimal(write.params, "price") === null;
  const slipped = unslipped(leg, price, allowed.slippage);
  const promise: Promise = {
    row,
    leg,
    stop,
    entry: takes ? (leg === "LONG" ? [slipped, price] : [price, slipped]) : [price, price],
    slack: mul(tickOf(history, { write, row, stop }, rules.tick), TICKS),
  };
  return [
    ...beyond(name, promise, allowed.furthest),
    ...unlikeDecision(name, promise, targets),
    ...uncounted(history, name, promise),
  ];
}

/** Rules are read again after this time. */
const RULES_MS = 300_000;

/** The tick of the promise: where the venue changed it since, what both the limit and the stop are rounded to. */
function tickOf(
  history: History,
  { write, row, stop }: Pick<Promise, "row" | "stop"> & { write: Write },
  sent: Num,
): Num {
  const limit = decimal(write.params, "price");
  const written = limit ? min(lastDigit(limit), lastDigit(stop)) : lastDigit(stop);
  const changed = faultWithin(history, "rule-change", { fromMs: row.atMs - RULES_MS, toMs: write.row.atMs });
  return changed && gt(written, sent) ? written : sent;
}

/** The best price that a limit with slippage was made from; with the square of the slippage to spare for a short, since nothing is divided. */
const unslipped = (leg: PositionSide, limit: Num, slip: Num): Num =>
  mul(limit, leg === "LONG" ? sub(ONE, slip) : add(ONE, add(slip, mul({ digits: 2n, scale: 0 }, mul(slip, slip)))));

/** A stop on the winning side, or further away than any opening may have it. */
function beyond(name: string, { row, leg, stop, entry, slack }: Promise, furthest: Num): readonly Finding[] {
  const [lowest, highest] = entry;
  const worst = losing(leg, leg === "LONG" ? lowest : highest, furthest);
  const edge = leg === "LONG" ? sub(worst, slack) : add(worst, slack);
  const best = leg === "LONG" ? highest : lowest;
  if (!safer(leg, best, stop) && !safer(leg, stop, best))
    return [finding(row.seq, `${name} has its stop at its entry, ${show(stop)}`)];
  if (safer(leg, stop, best)) return [finding(row.seq, `${name} has its stop ${show(stop)} on the winning side`)];
  return safer(leg, edge, stop)
    ? [finding(row.seq, `${name} has its stop at ${show(stop)}, the furthest allowed is ${show(edge)}`)]
    : [];
}

/** The stop lies at the decision's distance from a price between the limit and the limit without slippage. */
function unlikeDecision(
  name: string,
  { row, leg, stop, entry, slack }: Promise,
  targets: readonly Rec[],
): readonly Finding[] {
  const distances = targets
    .filter((target) => text(target, "symbol") === text(row.body, "symbol") && text(target, "leg") === leg)
    .flatMap((target) => num(target["stopDistance"]) ?? []);
  if (distances.length === 0) return [];
  const [lowest, highest] = entry;
  const fits = distances.some(
    (distance) =>
      !lt(stop, sub(losing(leg, lowest, distance), slack)) && !gt(stop, add(losing(leg, highest, distance), slack)),
  );
  if (fits) return [];
  const [first = NIL] = distances;
  return [
    finding(
      row.seq,
      `${name} has its stop at ${show(stop)}, its decision wanted ${show(first)} from an entry of ${show(lowest)} to ${show(highest)}`,
    ),
  ];
}

/** What the limits counted: the same stop, and no less than this quantity. */
function uncounted(history: History, name: string, { row, stop }: Promise): readonly Finding[] {
  const approved = journalView(history)
    .having("verdict", "clientOrderId", name)
    .filter(({ seq, body }) => seq < row.seq && text(body, "kind") === "approved")
    .at(-1);
  const verdicts = approved ? recs(approved.body, "verdicts") : [];
  const counted = verdicts.find((verdict) => text(verdict, "limit") === "protection");
  const found = counted && decimal(counted, "found");
  const qty = decimal(rec(row.body, "order") ?? {}, "qty");
  const most = verdicts.flatMap((verdict) => (verdict["kind"] === "shrink" ? (decimal(verdict, "qty") ?? []) : []));
  return [
    ...(found && !lt(found, stop) && !gt(found, stop)
      ? []
      : [
          finding(row.seq, `${name} has its stop at ${show(stop)}, the limits counted ${found ? show(found) : "none"}`),
        ]),
    ...most
      .filter((cap) => qty !== null && gt(qty, cap))
      .map((cap) => finding(row.seq, `${name} is for ${qty ? show(qty) : "?"}, the limits allowed ${show(cap)}`)),
  ];
}
