import { expect, test } from "vitest";
import type { JournalReader } from "../../src/journal/reader.ts";
import { restore } from "../../src/restore/restore.ts";
import { wholeRows } from "../support/rows.ts";

const NOON = Date.UTC(2026, 0, 5, 12);

const equityRow = {
  kind: "equity",
  seq: 7,
  atMs: NOON,
  body: {
    anchors: {
      day: "2026-01-05",
      equityStartUsdt: "1000",
      unrealizedStartUsdt: "0",
      feesUsdt: "0.5",
      realizedUsdt: "2",
    },
  },
};
const fillRow = (seq: number, atMs: number) => ({
  kind: "fill",
  seq,
  atMs: NOON,
  body: { transactionId: `tx-${seq}`, fee: "0.2", realizedPnl: "-30", atMs },
});

type Row = { readonly kind: string; readonly seq: number; readonly body: object };

const readerOf = (given: readonly Row[], rows = wholeRows(given)) =>
  ({
    opened: { state: "ok" },
    rows: ({ kinds, sinceSeq = 0 }: { kinds?: readonly string[]; sinceSeq?: number } = {}) =>
      rows.filter((row) => row.seq > sinceSeq && (kinds?.includes(row.kind) ?? true)),
    latest: (kind: string) => rows.findLast((row) => row.kind === kind),
  }) as unknown as JournalReader;

test("the day's own count goes on with the fills reported after it was last written down", () => {
  const rows = [fillRow(6, NOON - 1_000), equityRow, fillRow(8, NOON + 20_000)];
  const { anchors } = restore(readerOf(rows), NOON + 40_000);
  expect(anchors?.feesUsdt.toFixed()).toBe("0.7");
  expect(anchors?.realizedUsdt.toFixed()).toBe("-28");
});

test("the phase that held at the end is known, with the moment that it began", () => {
  const configRow = (seq: number, phase: number) => ({
    kind: "config",
    seq,
    atMs: NOON + seq,
    body: { config: { phase } },
  });
  const pinRow = { kind: "config", seq: 9, atMs: NOON, body: { event: "account", pin: {} } };
  const phaseOf = (...rows: readonly Row[]) => restore(readerOf(rows), NOON + 40_000).phase;
  expect(phaseOf(configRow(1, 1), configRow(2, 1), configRow(3, 2), configRow(4, 2), pinRow)).toEqual({
    phase: 2,
    sinceMs: NOON + 3,
  });
  expect(phaseOf(configRow(1, 1), configRow(2, 1))).toEqual({ phase: 1, sinceMs: null });
  expect(phaseOf(pinRow)).toBeUndefined();
});

test("a fill of the day before, reported late, is no part of the day's own count", () => {
  const rows = [equityRow, fillRow(8, NOON - 86_400_000)];
  expect(restore(readerOf(rows), NOON + 40_000).anchors?.realizedUsdt.toFixed()).toBe("2");
});

test("the equity at full hours is read back from every reading, so that the score goes on", () => {
  const readings = [NOON - 1_000, NOON + 30_000, NOON + 2 * 3_600_000 + 1_000].map((atMs, at) => ({
    ...equityRow,
    atMs,
    seq: at + 1,
    body: { ...equityRow.body, equityUsdt: String(1_000 + at) },
  }));
  const { hourly } = restore(readerOf(readings), NOON + 3 * 3_600_000);
  expect(hourly?.hours().map(({ equityUsdt }) => equityUsdt)).toEqual([1_001, 1_001, 1_002]);
  expect(hourly?.last()?.equityUsdt).toBe(1_002);
});
