import { expect, test } from "vitest";
import type { JournalReader } from "../../src/journal/reader.ts";
import { pastCloses } from "../../src/restore/restore-closes.ts";
import { wholeRows } from "../support/rows.ts";

const NOW_MS = Date.UTC(2026, 0, 5, 9);
const SYMBOL = "EXCHANGE_A_PERP_BTC_USDT";

const readerOf = (given: readonly { readonly kind: string; readonly body: object }[], rows = wholeRows(given)) =>
  ({
    rows: ({ kinds = [] }: { kinds?: readonly string[] }) => rows.filter((row) => kinds.includes(row.kind)),
  }) as unknown as JournalReader;

const sent = (previewId: string, positionSide?: string) => ({
  kind: "wire-out",
  atMs: NOW_MS - 5_000,
  body: { action: "position.close", previewId, params: { symbol: SYMBOL, ...(positionSide && { positionSide }) } },
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
    sent("p-5"),
  ];
  expect(pastCloses(readerOf(rows), NOW_MS)).toEqual({
    ownCloseIds: ["41"],
    lostCloses: [
      { positionKey: `${SYMBOL}|LONG`, atMs: NOW_MS - 5_000 },
      { positionKey: `${SYMBOL}|SHORT`, atMs: NOW_MS - 5_000 },
    ],
  });
});

test("a fill of an order that the venue named, after the close was sent, carries it out", () => {
  const filled = (change: object) => ({
    kind: "fill",
    atMs: NOW_MS - 3_000,
    body: {
      ...{ leg: `${SYMBOL}|LONG`, opening: false, orderId: "51", clientOrderId: "51", atMs: NOW_MS - 4_900 },
      ...change,
    },
  });
  const closes = (change: object) => pastCloses(readerOf([sent("p-1", "LONG"), filled(change)]), NOW_MS);
  expect(closes({})).toEqual({ ownCloseIds: ["51"], lostCloses: [] });
  for (const change of [
    { leg: `${SYMBOL}|SHORT` },
    { opening: true },
    { clientOrderId: "i-9" },
    { atMs: NOW_MS - 60_000 },
  ])
    expect(closes(change)).toMatchObject({ ownCloseIds: [], lostCloses: [{ positionKey: `${SYMBOL}|LONG` }] });
});
