import { eq, type Num, show } from "../decimal.ts";
import { decimal, text } from "../fields.ts";
import { followedStops } from "../followed-stops.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { journalView, outcomeOf } from "../journal-view.ts";
import type { VenueAlgo } from "../venue-facts.ts";
import { promisedStops } from "../promised-stops.ts";
import { roundedFrom } from "../rounded-stops.ts";
import { sideClosedBy, safer, stopsAsked } from "../stop-prices.ts";
import { unsafePositions } from "../unsafe-positions.ts";
import { factsOf } from "../venue-view.ts";

/** I37: where a stop stands. Judged from rows; the venue ledger adds where the venue's stops stand. */
export const i37: Invariant = {
  id: "I37",
  title: "Stop placement",
  rule: "Each opening has its stop at its decision's distance, no further than allowed, and as the limits counted it; the wanted stop moves only towards safety; the venue's stops stand where rows wanted them, and nothing less safe counts as protection.",
  needs: [],
  more: ["venue ledger"],
  unseen: "",
  judge: (history) => [
    ...promisedStops(history),
    ...followedStops(history),
    ...(history.venue === null ? [] : [...misplaced(history), ...unsafePositions(history)]),
  ],
};

/** Stops of ours at the venue: first where they were asked for, then only where a row wanted them, and only safer. */
function misplaced(history: History): readonly Finding[] {
  const asked = stopsAsked(history);
  const last = new Map<string, Num>();
  return factsOf(history, "algo").flatMap(({ algo, atMs }): readonly Finding[] => {
    const rows = asked.get(algo.clientOrderId);
    const row = rows?.at(-1);
    if (!rows || !row || !algo.stopPrice) return [];
    const { stopPrice, algoOrderId } = algo;
    const before = last.get(algoOrderId) ?? null;
    last.set(algoOrderId, stopPrice);
    if (before && eq(before, stopPrice)) return [];
    const side = sideClosedBy(algo);
    if (before && safer(side, before, stopPrice))
      return cameLate(history, algo, stopPrice)
        ? []
        : [finding(null, `stop ${algoOrderId} went from ${show(before)} to ${show(stopPrice)}, away from safety`)];
    // Of a request that was repeated at a newer price, the venue may have carried out the first.
    const firsts = rows.flatMap(({ body }) => decimal(body, "stopPrice") ?? []);
    const wanted =
      before === null ? firsts.some((first) => eq(first, stopPrice)) : named(history, algo, { price: stopPrice, atMs });
    return wanted
      ? []
      : [
          finding(
            row.seq,
            `stop ${algoOrderId} stands at ${show(stopPrice)}, ${before ? "which no row wanted" : `it was asked for at ${firsts.map(show).join(" and ") || "?"}`}`,
          ),
        ];
  });
}

/** A change that got no answer was carried out after a newer one. */
const cameLate = (history: History, { algoOrderId }: VenueAlgo, price: Num): boolean =>
  journalView(history).writes.some((write) => {
    const { action, params } = write;
    const asked = decimal(params, "stopLossPrice") ?? decimal(params, "triggerPrice");
    const isSame = action === "algo.replace" && text(params, "algoOrderId") === algoOrderId;
    return isSame && asked !== null && eq(asked, price) && outcomeOf(write) === "unknown";
  });

/** Whether any row gave that price as a stop of the position, or one that a tick of its symbol rounds to it, away from safety. */
function named(
  history: History,
  algo: VenueAlgo,
  { price, atMs }: { readonly price: Num; readonly atMs: number },
): boolean {
  const { symbol } = algo;
  const side = sideClosedBy(algo);
  const isRounded = roundedFrom(history, { symbol, side, price, atMs });
  const key = `${symbol}|${side}`;
  return journalView(history)
    .kinds("intent", "position", "protection")
    .some(({ kind, body }) => {
      const of = kind === "intent" ? `${text(body, "symbol") ?? ""}|${text(body, "leg") ?? ""}` : text(body, "leg");
      const stop = of === key ? decimal(body, "stopPrice") : null;
      return stop !== null && (eq(stop, price) || isRounded(stop));
    });
}
