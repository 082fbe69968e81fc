/** What `ballast status` reads of the past is what a start restores, though it reads fewer rows. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createHourlyEquity } from "../../src/domain/hourly-equity.ts";
import { heldBy, type HeldByKey, openPositionsOf, positionFactsOf } from "../../src/restore/restore-positions.ts";
import { restoreShown } from "../../src/restore/restore-shown.ts";
import { readerOf } from "../support/rows.ts";

const START_MS = Date.UTC(2026, 0, 5, 12);

interface Row {
  readonly kind: string;
  readonly atMs: number;
  readonly decisionId: null;
  readonly body: object;
}

const symbols = ["EXCHANGE_A_PERP_BTC_USDT", "EXCHANGE_A_PERP_ETH_USDT"] as const;
const qty = fc.constantFrom("0.001", "0.003", "0.004");
const clientOrderId = fc.constantFrom("o-1", "o-2");
const price = fc.constantFrom("57000", "58000", "58200");

const event = fc.oneof(
  fc.record({ kind: fc.constantFrom("opened", "resized", "closed"), missed: fc.boolean(), qty, stopPrice: price }),
  fc.record({ opening: fc.boolean(), qty, clientOrderId }),
  fc.record({ event: fc.constant("open"), opening: fc.constant(true), intentId: clientOrderId }),
  fc.record({ event: fc.constant("end"), how: fc.constant("terminal"), intentId: clientOrderId, executedQty: qty }),
  fc.record({ standing: fc.constant(true), algoOrderId: fc.constant("7"), stopPrice: price, unprotectedMs: fc.nat(9) }),
);

/** They lie half a minute apart, so that some of the orders ended too long ago to count. */
const APART_MS = 30_000;
const NOW_MS = START_MS + 25 * APART_MS;

function rowOf(symbol: string, body: object, at: number): Row {
  const row = { atMs: START_MS + at * APART_MS, decisionId: null };
  if ("event" in body) return { ...row, kind: "intent", body: { symbol, leg: "LONG", ...body } };
  const kind = "kind" in body ? "position" : "standing" in body ? "protection" : "fill";
  const held = kind === "position" ? { symbol, side: "LONG", avgPrice: "60000" } : {};
  return { ...row, kind, body: { leg: `${symbol}|LONG`, ...held, ...body } };
}

/** In whatever sequence they are known, and without what only a run must know. */
const shown = (positions: HeldByKey) =>
  [...positions]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, { position, meta, takenQty, repliedAlgoId }]) => ({ key, position, meta, takenQty, repliedAlgoId }));

test("open positions, whatever happened to them and to others", () => {
  const happened = fc.array(fc.tuple(fc.constantFrom(...symbols), event), { maxLength: 24 });
  fc.assert(
    fc.property(happened, (events) => {
      const rows = readerOf(events.map(([symbol, body], at) => rowOf(symbol, body, at)));
      expect(shown(openPositionsOf(rows, NOW_MS))).toEqual(shown(heldBy(positionFactsOf(rows, NOW_MS), NOW_MS)));
    }),
  );
});

test("the equity at full hours, from readings at any times, though a clock was set back between them", () => {
  const steps = fc.array(fc.integer({ min: -400_000, max: 4_000_000 }), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (gaps) => {
      let atMs = START_MS;
      const readings = gaps.map((gap, at) => ({ atMs: (atMs += gap), equityUsdt: 1_000 + at }));
      const whole = createHourlyEquity();
      for (const { atMs: when, equityUsdt } of readings) whole.note(when, equityUsdt);
      const rows = readings.map(({ atMs: when, equityUsdt }) => ({
        ...{ kind: "equity", atMs: when, decisionId: null },
        body: { equityUsdt: String(equityUsdt), positions: 0, anchors: null },
      }));
      const { hourly } = restoreShown(readerOf(rows), atMs);
      expect([hourly.hours(), hourly.last()]).toEqual([whole.hours(), whole.last()]);
    }),
  );
});
