import { expect, test } from "vitest";
import { pastCloses } from "../../src/restore/restore-closes.ts";
import { readerOf } from "../support/rows.ts";

const NOW_MS = Date.UTC(2026, 0, 5, 9);
const SYMBOL = "EXCHANGE_A_PERP_BTC_USDT";

const sent = (previewId: string, positionSide?: string) => ({
  kind: "wire-out",
  atMs: NOW_MS - 5_000,
  body: { action: "position.close", previewId, params: { symbol: SYMBOL, ...(positionSide && { positionSide }) } },
});
/** The agent's own row, before the write of its close: what the venue's clock showed at the earliest. */
const requested = (positionSide: string, notBeforeMs: number) => ({
  kind: "order",
  atMs: NOW_MS - 5_000,
  body: { close: `${SYMBOL}|${positionSide}`, why: "the target is reached", notBeforeMs },
});
const answered = (previewId: string, outcome: string, orderId?: string) => ({
  kind: "wire-in",
  atMs: NOW_MS - 4_000,
  body: { action: "position.close", previewId, outcome, reply: orderId ? { orderId } : null },
});

test("closes whose reply died with the process, or reported nothing, are remembered by their position", () => {
  const rows = [
    sent("p-1", "LONG"),
    sent("p-2", "LONG"),
    answered("p-2", "done", "41"),
    sent("p-3", "SHORT"),
    answered("p-3", "unknown"),
    sent("p-4", "SHORT"),
    answered("p-4", "rejected"),
    // In one-way mode a write names no side, and this one is of a close that the agent did not request.
    sent("p-5"),
  ];
  expect(pastCloses(readerOf(rows), NOW_MS)).toEqual({
    namedCloses: [{ orderId: "41", askedMs: NOW_MS - 5_000 }],
    lostCloses: [
      { positionKey: `${SYMBOL}|LONG`, atMs: NOW_MS - 5_000, notBeforeMs: -Infinity },
      { positionKey: `${SYMBOL}|SHORT`, atMs: NOW_MS - 5_000, notBeforeMs: -Infinity },
    ],
  });
});

test("a fill of an order that the venue named, after the close was requested by its clock, carries it out", () => {
  // The venue's clock is two minutes ahead.
  const notBeforeMs = NOW_MS + 115_000;
  const filled = (change: object) => ({
    kind: "fill",
    atMs: NOW_MS - 3_000,
    body: {
      ...{ leg: `${SYMBOL}|LONG`, opening: false, orderId: "51", clientOrderId: "51", atMs: notBeforeMs + 100 },
      ...change,
    },
  });
  const closes = (change: object) =>
    pastCloses(readerOf([requested("LONG", notBeforeMs), sent("p-1", "LONG"), filled(change)]), NOW_MS);
  expect(closes({})).toEqual({ namedCloses: [{ orderId: "51", askedMs: NOW_MS - 5_000 }], lostCloses: [] });
  for (const change of [
    { leg: `${SYMBOL}|SHORT` },
    { opening: true },
    { clientOrderId: "i-9" },
    { atMs: notBeforeMs - 1 },
  ])
    expect(closes(change)).toMatchObject({
      namedCloses: [],
      lostCloses: [{ positionKey: `${SYMBOL}|LONG`, notBeforeMs }],
    });
});

test("in one-way mode a close is of the position of its symbol that was last asked for", () => {
  const rows = [requested("LONG", NOW_MS - 9_000), requested("SHORT", NOW_MS - 6_000), sent("p-1")];
  expect(pastCloses(readerOf(rows), NOW_MS).lostCloses).toEqual([
    { positionKey: `${SYMBOL}|SHORT`, atMs: NOW_MS - 5_000, notBeforeMs: NOW_MS - 6_000 },
  ]);
});

test("a close is known however long nothing has run since: its fill may be heard of only now", () => {
  const rows = [{ ...sent("p-1", "LONG"), monoMs: 85_000, runId: "b" }];
  expect(pastCloses(readerOf(rows), NOW_MS + 3_600_000).lostCloses).toMatchObject([{ atMs: NOW_MS - 5_000 }]);
});

test("a close is known that was sent before the clock was set forward, as it was by the run that sent it", () => {
  const HOUR_MS = 3_600_000;
  const rows = [
    { kind: "boot", atMs: NOW_MS - HOUR_MS, monoMs: 0, runId: "b", body: {} },
    { ...sent("p-1", "LONG"), atMs: NOW_MS - HOUR_MS, monoMs: 85_000, runId: "b" },
    { kind: "beat", atMs: NOW_MS, monoMs: 90_000, runId: "b", body: {} },
  ];
  expect(pastCloses(readerOf(rows), NOW_MS).lostCloses).toMatchObject([{ atMs: NOW_MS - 5_000 }]);
});
