/** What a new run knows of orders that filled just before the end of the one before. Faults P1, R9. */
import { expect, test } from "vitest";
import { dec, ZERO } from "../../src/core/decimal.ts";
import { positionKeyOf } from "../../src/domain/position.ts";
import { recall } from "../../src/agent/positions/recall.ts";
import { endedIntents } from "../../src/restore/restore-intents.ts";
import { positionFactsOf } from "../../src/restore/restore-positions.ts";
import { readerOf } from "../support/rows.ts";

const NOW_MS = Date.UTC(2026, 0, 5, 9);
const SYMBOL = "EXCHANGE_A_PERP_BTC_USDT";
const POSITION = positionKeyOf(SYMBOL, "SHORT");

type Row = { readonly kind: string; readonly atMs: number; readonly body: object };
const row = (kind: string, agoMs: number, body: object) => ({ kind, decisionId: "d-1", atMs: NOW_MS - agoMs, body });
const promised = (agoMs = 5_000, more: object = {}) =>
  row("intent", agoMs, {
    ...{ event: "open", intentId: "i-1", clientOrderId: "i-1", symbol: SYMBOL, opening: true, leg: "SHORT" },
    ...{ order: { limitPrice: "60000" }, stopPrice: "61000", targetPrice: null, strategy: "restless" },
    ...{ reason: "because", evidence: [], ...more },
  });
const fill = (qty: string, opening = true, clientOrderId = "i-1", madeAgoMs = 4_100) =>
  row("fill", 4_000, { leg: POSITION, clientOrderId, qty, opening, atMs: NOW_MS - madeAgoMs });
/** What was known of its position included `shownQty` of what it filled; null is all of it. */
const ended = (executedQty: string, agoMs = 4_000, shownQty: string | null = "0") =>
  row("intent", agoMs, {
    ...{ event: "end", intentId: "i-1", how: "terminal", state: "FILLED", executedQty },
    ...(shownQty === null ? {} : { shownQty, filledMs: NOW_MS - agoMs - 100 }),
  });
const shown = row("intent", 3_950, { event: "shown", intentId: "i-1", clientOrderId: "i-1" });
const position = (kind: string, more: object = {}) =>
  row("position", 3_900, { leg: POSITION, kind, qty: "0.004", ...more });

const past = (...rows: readonly Row[]) => recall(positionFactsOf(readerOf(rows), NOW_MS), NOW_MS);
const read = (...rows: readonly Row[]) => past(...rows).held.get(POSITION);

test("a filled order without a row of its position may be held, with its thesis and its stop", () => {
  const held = read(promised(), ended("0.004"));
  expect(held?.meta).toMatchObject({ decisionId: "d-1", strategy: "restless", thesis: "because", basis: "none" });
  expect(held?.meta.openedAtMs).toBe(NOW_MS - 5_000);
  expect(held).toMatchObject({ aheadMs: NOW_MS - 4_000, repliedAlgoId: null });
  const figures = [held?.position.qty, held?.meta.stopPrice, held?.position.avgPrice];
  expect(figures.map(String)).toEqual(["0.004", "61000", "60000"]);
  expect(read(promised(), fill("0.004"), ended("0.004"))).toBeDefined();
});

test.each([
  ["whose position was reported as over since", [promised(), ended("0.004"), position("closed")]],
  ["all of which was included in what was known of its position", [promised(), ended("0.004", 4_000, null)]],
  ["that was included in what was known of its position later", [promised(), ended("0.004"), shown]],
])("nothing is held by an order %s", (_, rows) => {
  expect(read(...rows)).toBeUndefined();
});

test("what its position did not include counts for the next run as it did for this one", () => {
  const rows = readerOf([promised(), fill("0.001"), position("opened"), ended("0.004", 4_000, "0.001")]);
  const [order] = endedIntents(rows);
  expect(order?.unshown).toEqual({ shownQty: dec("0.001"), filledMs: NOW_MS - 4_100 });
  expect(endedIntents(readerOf([promised(), ended("0.004"), shown]))[0]?.unshown).toBeNull();
});

test("what an order has filled is surely held, though its position came from a push that was doubted", () => {
  const doubted = position("opened", { doubted: true });
  expect(read(promised(), doubted)?.unsureSinceMs).toBe(NOW_MS - 3_900);
  const filled = (qty: string) => read(promised(), doubted, ended(qty, 3_000));
  expect(filled("0.004")).toMatchObject({ unsureSinceMs: null, aheadMs: NOW_MS - 3_000 });
  expect(filled("0.004")?.position.qty).toEqual(dec("0.004"));
  // The push may be of the position before, and smaller.
  expect(filled("0.006")?.position.qty).toEqual(dec("0.006"));
});

test("a listed position takes the thesis and stop of its order, unless its own stop is safer", () => {
  const listed = (more: object = {}) =>
    read(promised(), position("opened", { strategy: null, thesis: null, stopPrice: null, ...more }), ended("0.004"))
      ?.meta;
  expect(listed()).toMatchObject({ decisionId: "d-1", strategy: "restless", thesis: "because" });
  expect(listed()?.stopPrice).toEqual(dec("61000"));
  expect(listed({ stopPrice: "62000" })?.stopPrice).toEqual(dec("61000"));
  expect(listed({ stopPrice: "60500", thesis: "before" })).toMatchObject({ stopPrice: dec("60500"), thesis: "before" });
});

test("what closing fills took is gone from it; what they closed before its order was sent was another's", () => {
  const closing = (qty: string, madeAgoMs?: number) =>
    read(promised(), ended("0.004"), fill(qty, false, "v-1", madeAgoMs));
  const lastFill = { atMs: NOW_MS - 4_100, heardMs: NOW_MS - 4_000 };
  expect(closing("0.001")).toMatchObject({ position: { qty: dec("0.004") }, takenQty: dec("0.001") });
  expect(closing("0.004")?.takenQty).toEqual(dec("0.004"));
  const rows = [promised(), ended("0.004"), fill("0.001", false, "v-1")];
  expect(past(...rows).fills.newest(POSITION)).toMatchObject(lastFill);
  expect(closing("0.004", 5_001)?.takenQty).toEqual(ZERO);
});

test("an end dated ahead, by a clock that was set back since, counts as one of now", () => {
  expect(read(promised(), ended("0.004", -3_600_000))?.aheadMs).toBe(NOW_MS);
});
