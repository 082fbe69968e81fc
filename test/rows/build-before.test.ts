/** A journal that the build before this room wrote, broken off by a crash with a position open: it opens and restores. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { recall } from "../../src/agent/positions/recall.ts";
import { positionKeyOf } from "../../src/domain/position.ts";
import { openJournal } from "../../src/journal/journal.ts";
import { restore } from "../../src/restore/restore.ts";
import { restoreShown } from "../../src/restore/restore-shown.ts";
import { rowText } from "../../src/rows/all-rows.ts";
import { virtualEnv } from "../journal/support.ts";

const BEFORE = path.join(import.meta.dirname, "build-before");

function opened() {
  const folder = mkdtempSync(path.join(tmpdir(), "build-before-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "journal.db");
  writeFileSync(file, gunzipSync(readFileSync(path.join(BEFORE, "journal.db.gz"))));
  copyFileSync(path.join(BEFORE, "journal.tail"), path.join(folder, "journal.tail"));
  const journal = openJournal({ path: file, env: virtualEnv(), runId: "b" });
  onTestFinished(() => journal.close());
  return journal;
}

/** Members that have another name now. */
const NAMES_THEN: Readonly<Record<string, string>> = { positionKey: "leg", requestedStops: "stopsAsked" };

/** Maps and sets as lists, decimals as text, members by the names of then: as that build's own answer was kept. */
const plain = (value: unknown): unknown =>
  value instanceof Map
    ? [...(value as Map<unknown, unknown>)].map(([key, member]) => [key, plain(member)])
    : value instanceof Set
      ? [...(value as Set<unknown>)]
      : Array.isArray(value)
        ? value.map(plain)
        : typeof value === "object" && value !== null && !("toJSON" in value)
          ? Object.fromEntries(Object.entries(value).map(([key, member]) => [NAMES_THEN[key] ?? key, plain(member)]))
          : value;

test("its chain holds, every row reads, and a start restores what that build restored itself", () => {
  const journal = opened();
  expect(journal.opened).toEqual({ state: "ok", rows: 166 });
  expect(journal.verify()).toEqual({ ok: true, value: { rows: 166 } });
  for (const row of journal.rows()) expect(rowText(row)).toMatch(/\S/);
  const { atMs, restored } = JSON.parse(readFileSync(path.join(BEFORE, "restored.json"), "utf8")) as {
    readonly atMs: number;
    readonly restored: Readonly<Record<"positions" | "unsentIntents" | "stopsAsked", readonly unknown[]>>;
  };
  expect(restored.positions).toHaveLength(1);
  expect(restored.unsentIntents).toHaveLength(1);
  const whole = restore(journal, atMs);
  const { openIntents, floor, uptime } = whole;
  const book = recall(whole.positionFacts ?? [], atMs);
  const shown = restoreShown(journal, atMs);
  expect(shown).toMatchObject({ openIntents, floor, uptime });
  // What may be under way at the venue is for a start to know, and is not shown.
  for (const [key, { meta, position }] of book.held) expect(shown.positions.get(key)).toMatchObject({ meta, position });
  expect([...shown.positions.keys()]).toEqual([...book.held.keys()]);
  // What that build did not restore is left out.
  const {
    hourly,
    entriesMs,
    endedIntents,
    externalOrders,
    positionFacts,
    deciding,
    recentOpenings,
    hedgeModes,
    floorReason,
    trades,
    surplus,
    ...rest
  } = whole;
  expect(positionFacts?.length).toBeGreaterThan(0);
  // That build kept requests of a whole minute, older than any that lists may lack; and of openings only the times.
  const openingsMs = recentOpenings?.map(({ atMs: openedMs }) => openedMs);
  // That build kept a form of its own for what is held and what is over.
  const known = [...book.held].map(
    ([
      key,
      {
        meta,
        position: { qty, avgPrice },
        aheadMs,
        closeAskedMs,
        ...held
      },
    ]) => {
      const lastFill = book.fills.newest(key);
      expect(lastFill?.heardMs).toBeLessThan(closeAskedMs ?? 0);
      return [key, { ...meta, qty, avgPrice, reportedMs: aheadMs, standingAlgoId: held.repliedAlgoId }] as const;
    },
  );
  const closedPositions = book.past.all().map(({ symbol, leg: side, atMs: closedAtMs }) => {
    const missed = book.past.missing(positionKeyOf(symbol, side));
    return { symbol, side, closedAtMs, missed };
  });
  // That build did not keep when the closes were requested.
  const ownCloseIds = rest.namedCloses?.map(({ orderId }) => orderId);
  const lostCloses = rest.lostCloses?.map(({ notBeforeMs, ...close }) => {
    expect(notBeforeMs).toBe(-Infinity);
    return close;
  });
  const { bought, ...decided } = deciding ?? {};
  const { ended, endings, ...counted } = trades ?? {};
  expect([...(ended?.keys() ?? [])]).toHaveLength(1);
  expect(endings).toEqual([]);
  expect(hourly).toBeDefined();
  expect(floorReason).toBe("");
  expect(entriesMs?.length).toBeGreaterThan(0);
  expect(endedIntents?.length).toBeGreaterThan(0);
  expect(hedgeModes?.size).toBeGreaterThan(0);
  expect(externalOrders).toEqual([]);
  expect(surplus).toEqual([]);
  expect(bought).toEqual(new Map());
  expect(
    JSON.parse(
      JSON.stringify(
        plain({
          ...rest,
          trades: counted,
          ownCloseIds,
          namedCloses: undefined,
          lostCloses,
          closedPositions,
          openingsMs,
          positions: new Map(known),
          deciding: decided,
        }),
      ),
    ),
  ).toEqual({ ...restored, filledMs: undefined, stopsAsked: restored.stopsAsked.slice(-1) });
});
