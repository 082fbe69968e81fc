import { expect, test } from "vitest";
import { recall } from "../../src/agent/positions/recall.ts";
import type { JournalReader } from "../../src/journal/reader.ts";
import { restore } from "../../src/restore/restore.ts";
import { standingStop } from "../support/agent-fixtures.ts";
import { wholeRows } from "../support/rows.ts";

const NOW_MS = Date.UTC(2026, 0, 5, 9);

/** A journal that holds these rows and nothing else, of one run unless they say so. */
const readerOf = (given: readonly { readonly kind: string; readonly atMs: number; readonly body: object }[]) => {
  const rows = wholeRows(given).map((row) => ({ runId: "b1", monoMs: row.atMs, ...row }));
  return {
    opened: { state: "ok" },
    rows: (filter: { kinds?: readonly string[]; newest?: boolean } = {}) =>
      filter.newest && !filter.kinds ? rows.slice(-1) : rows.filter((row) => filter.kinds?.includes(row.kind) ?? true),
    latest: () => undefined,
  } as unknown as JournalReader;
};

test("stops asked for before the clock was set back count as asked for now. Fault C2", () => {
  const rows = [{ kind: "wire-out", atMs: NOW_MS + 3_600_000, body: { action: "algo.place" } }];
  expect(restore(readerOf(rows), NOW_MS).protectAskedMs).toEqual([NOW_MS]);
});

test("changes of stops count in the venue's window beyond a restart, and are none of the stops asked for", () => {
  const rows = ["algo.replace", "algo.place"].map((action, index) => ({
    ...{ kind: "wire-out", atMs: NOW_MS - 5_000 - index },
    body: { action },
  }));
  const { amendAskedMs, protectAskedMs } = restore(readerOf(rows), NOW_MS);
  expect({ amendAskedMs, protectAskedMs }).toEqual({
    amendAskedMs: [NOW_MS - 5_000],
    protectAskedMs: [NOW_MS - 5_001],
  });
});

test("every stop that was asked for last is remembered once: an earlier one may stand as well. Fault V6", () => {
  const placed = (clientOrderId: string, side: string) => ({
    kind: "wire-out",
    atMs: NOW_MS - 5_000,
    body: { action: "algo.place", params: { symbol: "EXCHANGE_A_PERP_BTC_USDT", side, clientOrderId } },
  });
  const rows = [placed("p-1", "SELL"), placed("p-2", "BUY"), placed("p-2", "BUY"), placed("p-3", "SELL")];
  expect(restore(readerOf(rows), NOW_MS).requestedStops).toEqual([
    { positionKey: "EXCHANGE_A_PERP_BTC_USDT|LONG", clientOrderId: "p-1" },
    { positionKey: "EXCHANGE_A_PERP_BTC_USDT|SHORT", clientOrderId: "p-2" },
    { positionKey: "EXCHANGE_A_PERP_BTC_USDT|LONG", clientOrderId: "p-3" },
  ]);
});

test("what lists must show by the end of the journal is not remembered, however soon the next run begins", () => {
  const params = { symbol: "EXCHANGE_A_PERP_BTC_USDT", side: "SELL", clientOrderId: "p-1" };
  const rows = [
    { kind: "wire-out", atMs: NOW_MS - 25_000, body: { action: "algo.place", params } },
    { kind: "wire-out", atMs: NOW_MS - 25_000, body: { action: "algo.cancel", params: { algoOrderId: "7" } } },
    { kind: "position", atMs: NOW_MS - 25_000, body: { kind: "closed", stop: "8" } },
    { kind: "operator", atMs: NOW_MS - 1_000, body: {} },
  ];
  const { requestedStops, stopsLeft, protectAskedMs } = restore(readerOf(rows), NOW_MS);
  expect({ requestedStops, stopsLeft }).toEqual({ requestedStops: [], stopsLeft: [] });
  expect(protectAskedMs).toEqual([NOW_MS - 25_000]);
});

test("what lists may lack at the end of the journal is remembered, however late the next run begins", () => {
  const params = { symbol: "EXCHANGE_A_PERP_BTC_USDT", side: "SELL", clientOrderId: "p-1" };
  const rows = [
    { kind: "wire-out", atMs: NOW_MS - 7_210_000, body: { action: "algo.place", params } },
    { kind: "position", atMs: NOW_MS - 7_205_000, body: { kind: "closed", stop: "8" } },
    { kind: "operator", atMs: NOW_MS - 7_200_000, body: {} },
  ];
  const { requestedStops, stopsLeft } = restore(readerOf(rows), NOW_MS);
  expect(requestedStops).toMatchObject([{ clientOrderId: "p-1" }]);
  expect(stopsLeft).toEqual(["8"]);
});

test("a stop that was reported as over after its position is not left. Fault V6", () => {
  const row = (kind: string, agoMs: number, body: object) => ({ kind, atMs: NOW_MS - agoMs, body });
  const over = row("protection", 4_000, { leg: "S|LONG", over: true, algoOrderId: "7", state: "CANCELLED" });
  const closed = row("position", 5_000, { kind: "closed", stop: "7" });
  expect(restore(readerOf([closed, over]), NOW_MS).stopsLeft).toEqual([]);
});

test("stops whose end was expected or reported a moment ago are known, so that no old list revives them", () => {
  const row = (kind: string, agoMs: number, body: object) => ({ kind, atMs: NOW_MS - agoMs, body });
  const over = (algoOrderId: string) => ({ leg: "S|LONG", over: true, algoOrderId, state: "CANCELLED" });
  const rows = [
    row("protection", 9_000, over("7")),
    row("position", 8_000, { kind: "closed", stop: "8" }),
    row("position", 7_000, { kind: "closed", stop: "9", missed: true }),
    row("wire-out", 6_000, { action: "algo.cancel", params: { algoOrderId: "10" } }),
  ];
  const { known } = recall(restore(readerOf(rows), NOW_MS).positionFacts ?? [], NOW_MS);
  const mayStand = (algoOrderId: string, askedMs: number): boolean => {
    const stop = standingStop({ algoOrderId });
    return known.stands(stop) && !known.mayBeOver(stop, askedMs);
  };
  const ids = ["7", "8", "9", "10"];
  expect(ids.filter((id) => mayStand(id, NOW_MS))).toEqual(["9"]);
  // What was reported as over is over for good; the others stand if a list shows them that must show their end.
  expect(ids.filter((id) => mayStand(id, NOW_MS + 15_000))).toEqual(["8", "9", "10"]);
});

test("stops that outlived their position are remembered, none that may still protect one. Fault V6", () => {
  const reported = (body: object) => ({ kind: "position", atMs: NOW_MS - 5_000, body });
  const rows = [
    reported({ kind: "closed", stop: "7" }),
    reported({ kind: "closed", stop: "8", missed: true }),
    reported({ kind: "closed" }),
    reported({ kind: "opened", stop: "9" }),
  ];
  expect(restore(readerOf(rows), NOW_MS).stopsLeft).toEqual(["7"]);
});

test("a stop whose end was asked for, or was waited for to the end of the wait, is not left. Invariant I27", () => {
  const closed = (stop: string, agoMs: number) => ({
    kind: "position",
    atMs: NOW_MS - agoMs,
    body: { kind: "closed", stop },
  });
  const cancelled = {
    kind: "wire-out",
    atMs: NOW_MS - 3_000,
    body: { action: "algo.cancel", params: { algoOrderId: "8" } },
  };
  const last = { kind: "operator", atMs: NOW_MS - 1_000, body: {} };
  const rows = [closed("7", 30_000), closed("8", 6_000), closed("9", 5_000), cancelled, last];
  expect(restore(readerOf(rows), NOW_MS).stopsLeft).toEqual(["9"]);
});

test("a position of an hour that a clock set back has repeated left no stop. Fault C2", () => {
  const closed = { kind: "position", atMs: NOW_MS + 3_599_000, body: { kind: "closed", stop: "7" } };
  const last = { kind: "operator", atMs: NOW_MS - 1_000, body: {} };
  const left = (then: object, now: object) =>
    restore(
      readerOf([
        { ...closed, ...then },
        { ...last, ...now },
      ]),
      NOW_MS,
    ).stopsLeft;
  expect(left({ runId: "b0" }, {})).toEqual([]);
  expect(left({ monoMs: 1_000 }, { monoMs: 70_000 })).toEqual([]);
  expect(left({ monoMs: 1_000 }, { monoMs: 5_000 })).toEqual(["7"]);
});
