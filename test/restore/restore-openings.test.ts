/** What a start knows of openings and of orders of others does not depend on how the clock was set. Faults C1, C2. */
import { expect, test } from "vitest";
import { HOUR_MS } from "../../src/core/time.ts";
import { restore } from "../../src/restore/restore.ts";
import { readerOf } from "../support/rows.ts";

const NOW_MS = Date.UTC(2026, 0, 5, 12);
const row = (kind: string, monoMs: number, body: object) => ({
  ...{ kind, decisionId: "d-1", runId: "b", monoMs, body },
  atMs: NOW_MS + 2 * HOUR_MS + monoMs,
});

test("openings, entries and orders of others are as long ago as the last run's own clock says", () => {
  const rows = [
    row("boot", 0, {}),
    row("intent", 10_000, { event: "open" }),
    row("reconcile", 85_000, { event: "external-order", orderId: "77", clientOrderId: "by-hand", symbol: "X" }),
    row("beat", 90_000, {}),
  ];
  const { recentOpenings, entriesMs, externalOrders } = restore(readerOf(rows), NOW_MS);
  expect(recentOpenings).toMatchObject([{ atMs: NOW_MS - 80_000 }]);
  expect(entriesMs).toEqual([NOW_MS - 80_000]);
  expect(externalOrders).toEqual([{ symbol: "X", seenMs: NOW_MS - 5_000 }]);
});

test("an hour's new positions are those whose opening begins one, each side of a symbol by itself", () => {
  const rows = [
    row("boot", 0, {}),
    row("intent", 10_000, { event: "open", leg: "LONG", begins: true }),
    row("intent", 10_000, { event: "open", leg: "SHORT", begins: true }),
    row("intent", 20_000, { event: "open", leg: "LONG", begins: false, decisionId: "d-2" }),
    row("beat", 90_000, {}),
  ];
  const { entriesMs, recentOpenings } = restore(readerOf(rows), NOW_MS);
  expect(entriesMs).toEqual([NOW_MS - 80_000, NOW_MS - 80_000]);
  expect(recentOpenings).toHaveLength(3);
});

test("what came before the clock was set forward within the last run is known as well", () => {
  const before = (monoMs: number, kind: string, body: object) => ({
    ...row(kind, monoMs, body),
    atMs: NOW_MS - 3 * HOUR_MS,
  });
  const rows = [
    before(0, "boot", {}),
    before(10_000, "intent", { event: "open" }),
    before(85_000, "reconcile", { event: "external-order", orderId: "77", clientOrderId: "by-hand", symbol: "X" }),
    { ...row("beat", 90_000, {}), atMs: NOW_MS },
  ];
  const { recentOpenings, entriesMs, externalOrders } = restore(readerOf(rows), NOW_MS);
  expect(recentOpenings).toMatchObject([{ atMs: NOW_MS - 80_000 }]);
  expect(entriesMs).toEqual([NOW_MS - 80_000]);
  expect(externalOrders).toEqual([{ symbol: "X", seenMs: NOW_MS - 5_000 }]);
});

test("an order of others that no list need have shown by the end waits for one, whatever the clock says", () => {
  const external = { event: "external-order", orderId: "77", clientOrderId: "by-hand", symbol: "X" };
  const rows = [
    row("boot", 0, {}),
    row("reconcile", 60_000, external),
    row("reconcile", 85_000, external),
    row("beat", 90_000, {}),
  ];
  const { externalOrders } = restore(readerOf(rows), NOW_MS + 4 * HOUR_MS);
  expect(externalOrders).toEqual([{ symbol: "X", seenMs: NOW_MS + 4 * HOUR_MS - 5_000 }]);
});
