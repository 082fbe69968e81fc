/** Round trips of one position after the other, whose fills are told in any order and whose ends are told late. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createTradeBook, NO_TRADES } from "../../src/agent/positions/trade-book.ts";
import { dec } from "../../src/core/decimal.ts";
import type { Execution } from "../../src/domain/order.ts";
import { BTC, START_MS } from "../support/agent-world.ts";

const KEY = `${BTC}|LONG`;
const SETTLED_MS = START_MS + 1_000_000;

interface Told {
  readonly trip: number;
  /** Null: that the position is flat. */
  readonly fill: { readonly opening: boolean; readonly execution: Execution } | null;
}

const execution = (id: number, opening: boolean, qty: number): Execution => ({
  transactionId: String(id),
  orderId: String(id),
  clientOrderId: "",
  symbol: BTC,
  side: opening ? "BUY" : "SELL",
  qty: dec(String(qty)),
  price: dec("60000"),
  // Each of its own, so that a sum tells which fills are in it.
  fee: dec(String(2 ** id)),
  realizedPnl: dec("0"),
  liquidity: "TAKER",
  atMs: START_MS + id * 1_000,
});

/** Of each round trip the sizes of its entries; it ends in one exit, or in two. */
const trips = fc.array(
  fc.record({
    entries: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 2 }),
    halves: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3 },
);

function historyOf(drawn: readonly { readonly entries: readonly number[]; readonly halves: boolean }[]): Told[][] {
  let id = 0;
  return drawn.map(({ entries, halves }, trip) => {
    const held = entries.reduce((sum, qty) => sum + qty, 0);
    const exits = halves && held > 1 ? [1, held - 1] : [held];
    const of =
      (opening: boolean) =>
      (qty: number): Told => ({
        trip,
        fill: { opening, execution: execution(id++, opening, qty) },
      });
    return [...entries.map(of(true)), ...exits.map(of(false))];
  });
}

test("each fill counts for the position in whose round trip it was made, in whatever order all are told", () => {
  fc.assert(
    fc.property(trips, fc.infiniteStream(fc.nat()), (drawn, orders) => {
      const history = historyOf(drawn);
      const keyed = history.flat().map((told) => ({ told, at: orders.next().value as number }));
      const told: Told[] = keyed.sort((a, b) => a.at - b.at).map((each) => each.told);
      // An end is told in order, and not before its position is known of.
      let least = 0;
      for (const trip of history.keys()) {
        const known = told.findIndex((each) => each.trip === trip);
        least = Math.max(least, known + 1);
        const at = least + ((orders.next().value as number) % (told.length - least + 1));
        told.splice(at, 0, { trip, fill: null });
        least = at + 1;
      }
      const book = createTradeBook(NO_TRADES);
      for (const { trip, fill } of told) {
        if (fill) book.fill(KEY, fill.opening, fill.execution);
        else {
          const last = history[trip]?.at(-1)?.fill?.execution.qty ?? dec("0");
          const meta = {
            openedAtMs: trip,
            decisionId: null,
            strategy: null,
            thesis: null,
            stopPrice: null,
            targetPrice: null,
          };
          book.flat(KEY, { meta, avgPrice: dec("60000"), qty: last, begunMs: -Infinity }, START_MS);
        }
      }
      const trades = book.settled(SETTLED_MS, SETTLED_MS);
      const fees = (of: readonly Told[]) => of.reduce((sum, { fill }) => sum + Number(fill?.execution.fee ?? 0), 0);
      expect(trades.map(({ openedAtMs, feesUsdt }) => [openedAtMs, feesUsdt.toNumber()])).toEqual(
        history.map((trip, index) => [index, fees(trip)]),
      );
    }),
    { numRuns: 2_000 },
  );
});
