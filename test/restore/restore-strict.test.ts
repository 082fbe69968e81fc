/** A start checks every row that it takes something from, however old, and names the one that does not fit. */
import { expect, test } from "vitest";
import { ENDED_CAP } from "../../src/agent/books/order-index.ts";
import { DAY_MS } from "../../src/core/time.ts";
import type { JournalReader } from "../../src/journal/reader.ts";
import { restore } from "../../src/restore/restore.ts";
import { restoreShown } from "../../src/restore/restore-shown.ts";
import { wholeRows } from "../support/rows.ts";

const NOW_MS = Date.UTC(2026, 0, 20, 12, 40);

interface Row {
  readonly kind: string;
  readonly atMs: number;
  readonly body: object;
}
interface Filter {
  readonly kinds?: readonly string[];
  readonly sinceMs?: number;
  readonly sinceSeq?: number;
  readonly limit?: number;
  readonly newest?: boolean;
}

function readerOf(given: readonly Row[]): JournalReader {
  const rows = wholeRows(given.map((row) => ({ runId: "b", monoMs: row.atMs, ...row })));
  const found = ({ kinds, sinceMs = 0, sinceSeq = 0, limit = Infinity, newest = false }: Filter = {}) => {
    const fit = rows.filter((row, at) => row.atMs >= sinceMs && at >= sinceSeq && (kinds?.includes(row.kind) ?? true));
    return newest ? fit.slice(Math.max(0, fit.length - limit)) : fit.slice(0, limit);
  };
  return {
    opened: { state: "ok" },
    rows: found,
    latest: (kind: string) => rows.findLast((row) => row.kind === kind),
  } as unknown as JournalReader;
}

const intent = (body: object, atMs = NOW_MS - 10 * DAY_MS): Row => ({ kind: "intent", atMs, body });
const opened = (n: number, more: object = {}): Row => intent({ event: "open", clientOrderId: `agent-${n}`, ...more });
const ended = (n: number, more: object = {}): Row => intent({ event: "end", intentId: `agent-${n}`, ...more });
/** So many that neither of the newest intents nor of the last days is the one before them. */
const LATER = Array.from({ length: 2 * ENDED_CAP }, (_, n) => [opened(n + 2), ended(n + 2)]).flat();

const read = (minute: number, body: object = {}): Row => ({
  kind: "equity",
  atMs: NOW_MS - DAY_MS + minute * 60_000,
  body: { equityUsdt: "1000", positions: 0, anchors: null, ...body },
});
const beat = (secondsAgo: number, body: object = {}): Row => ({
  kind: "beat",
  atMs: NOW_MS - secondsAgo * 1_000,
  body,
});

const MALFORMED: Record<string, readonly [rows: readonly Row[], named: RegExp]> = {
  "the beginning of an intent that ended long ago": [
    [opened(1, { notional: "much" }), ended(1), ...LATER],
    /^row 1 of kind intent: notional: /,
  ],
  "its end": [[opened(1), ended(1, { how: "vanished" }), ...LATER], /^row 2 of kind intent: how: /],
  "the change of its order": [
    [opened(1), intent({ event: "amend", clientOrderId: "agent-1", price: "high" }), ended(1), ...LATER],
    /^row 2 of kind intent: price: /,
  ],
  "a reading of equity between two full hours": [
    [read(0), read(21), read(22, { equityUsdt: "much" }), read(23), read(60), read(90)],
    /^row 3 of kind equity: equityUsdt: /,
  ],
  "a heartbeat without a count of uptime": [
    [beat(30), beat(20, { deciding: "perhaps" }), beat(10)],
    /^row 2 of kind beat: deciding: /,
  ],
  "a position that was closed": [
    [
      { kind: "position", atMs: NOW_MS - 9 * DAY_MS, body: { kind: "opened", avgPrice: "high" } },
      { kind: "position", atMs: NOW_MS - 9 * DAY_MS, body: { kind: "closed" } },
    ],
    /^row 1 of kind position: avgPrice: /,
  ],
};

test.each(Object.entries(MALFORMED))("%s is named at a start, and nothing that status shows", (_, [rows, named]) => {
  const reader = readerOf(rows);
  expect(() => restore(reader, NOW_MS)).toThrow(named);
  expect(() => restoreShown(reader, NOW_MS)).not.toThrow();
});

test("a heartbeat of the last weeks is checked though no count of uptime follows it", () => {
  const beats = Array.from({ length: 500 }, (_, at) => beat((500 - at) * 10, at === 7 ? { floor: 3 } : {}));
  expect(() => restore(readerOf(beats), NOW_MS)).toThrow(/^row 8 of kind beat: floor: /);
});
