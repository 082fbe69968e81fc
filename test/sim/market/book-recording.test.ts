/** Files of recorded books: what is read from them, and what is refused. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type BookPaths, depthEvents, scanBook } from "../../../src/sim/market/book-recording.ts";
import { bookText, writeFolder } from "./data-folder.ts";

const SNAPSHOT = bookText.snapshot(100, [
  ["bid", "10.00", "5"],
  ["ask", "10.10", "7.500"],
]);

function files(snapshot: string, deltas: string): BookPaths {
  const dir = writeFolder({ "book/a.snapshot.csv.gz": snapshot, "book/a.deltas.csv": deltas });
  return { snapshot: join(dir, "book/a.snapshot.csv.gz"), deltas: join(dir, "book/a.deltas.csv") };
}

function events(snapshot: string, deltas: string) {
  const scanned = scanBook(files(snapshot, deltas));
  if (!scanned.ok) throw new Error(scanned.error);
  return { recording: scanned.value, events: [...depthEvents(scanned.value)] };
}

describe("a recording of a stream that names the event before", () => {
  const deltas = bookText.deltas([
    { atMs: 1_000, ids: [90, 99, 80], rows: [["bid", "9.99", "1"]] },
    {
      atMs: 1_050,
      ids: [99, 104, 99],
      rows: [
        ["bid", "10.00", "0"],
        ["ask", "10.10", "8"],
      ],
    },
    { atMs: 1_040, ids: [106, 110, 104], rows: [["bid", "9.995", "0.25"]] },
    { atMs: 1_200, ids: [113, 115, 112], rows: [["bid", "9.98765", "1"]] },
  ]);

  test("begins with the snapshot and the first event after it, and ends where an event is missing", () => {
    const { recording, events: read } = events(SNAPSHOT, deltas);
    expect(recording).toMatchObject({ firstMs: 1_050, lastMs: 1_050, snapshotId: 100, lastId: 110 });
    expect(read.map(({ finalId, atMs }) => [finalId, atMs])).toEqual([
      [104, 1_050],
      [110, 1_050],
    ]);
  });

  test("has figures in units of the last decimal that any of them has, zeros at the end left out", () => {
    const { recording, events: read } = events(SNAPSHOT, deltas);
    expect([recording.priceDecimals, recording.qtyDecimals]).toEqual([3, 2]);
    expect(read[0]?.rows).toEqual([
      { bid: true, price: 10_000, qty: 500 },
      { bid: false, price: 10_100, qty: 750 },
      { bid: true, price: 10_000, qty: 0 },
      { bid: false, price: 10_100, qty: 800 },
    ]);
    expect(read[1]?.rows).toEqual([{ bid: true, price: 9_995, qty: 25 }]);
  });
});

test("a recording of a stream that numbers without holes ends at the first hole", () => {
  const { recording } = events(
    SNAPSHOT,
    bookText.deltas([
      { atMs: 1_000, ids: [95, 103, null], rows: [["bid", "10", "4"]] },
      { atMs: 1_100, ids: [104, 106, null], rows: [["bid", "10", "3"]] },
      { atMs: 1_200, ids: [108, 109, null], rows: [["bid", "10", "2"]] },
    ]),
  );
  expect(recording).toMatchObject({ firstMs: 1_000, lastMs: 1_100, lastId: 106 });
});

const GOOD = bookText.deltas([{ atMs: 1_000, ids: [101, 102, 100], rows: [["bid", "10", "4"]] }]);
test.each([
  ["a,b\n", GOOD, "a.snapshot.csv.gz:1: the first line must name"],
  [SNAPSHOT.split("\n")[0] ?? "", GOOD, "a.snapshot.csv.gz: holds no levels"],
  [SNAPSHOT.replace("5\n", "5e3\n"), GOOD, "a.snapshot.csv.gz:2: expected bid or ask"],
  [SNAPSHOT.replace("10.10", "0.00"), GOOD, "a.snapshot.csv.gz:3: expected bid or ask"],
  [SNAPSHOT.replace(",100,ask", ",101,ask"), GOOD, "a.snapshot.csv.gz:3: a snapshot has one last_update_id"],
  [SNAPSHOT, "side\n", "a.deltas.csv:1: the first line must name"],
  [SNAPSHOT, GOOD.replace("bid", "buy"), "a.deltas.csv:2: expected bid or ask"],
  [SNAPSHOT, GOOD.replace(",102,", ",x,"), 'a.deltas.csv:2: expected a whole number, found "x"'],
  [SNAPSHOT, bookText.deltas([]), "a.deltas.csv: no event follows the snapshot"],
  [SNAPSHOT, bookText.deltas([{ atMs: 1, ids: [140, 150, 130], rows: [["bid", "10", "4"]] }]), "does not join it"],
  [SNAPSHOT.replace("10.00", "10.123"), GOOD.replace(",10,", `,${"9".repeat(14)},`), "too many digits"],
  [SNAPSHOT, `${GOOD}${"7".repeat(5_000)}`, "a line is longer than"],
])("files that break the format are refused with file, line and rule (%#)", (snapshot, deltas, reason) => {
  expect(scanBook(files(snapshot, deltas))).toMatchObject({ ok: false, error: expect.stringContaining(reason) });
});
