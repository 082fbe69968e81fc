/**
 * No row, no wire: the whole way from a decision to the venue over a real journal whose disk is full, locked or broken at
 * any one commit. Faults D1, D2, D8; invariant I1.
 */
import { describe, expect, onTestFinished, test } from "vitest";
import type { AgentEvent } from "../../src/agent/contract/events.ts";
import { createLoop } from "../../src/agent/shell/loop.ts";
import { silentLog } from "../../src/core/log.ts";
import { createDesk } from "../../src/desk/desk.ts";
import { memoryPreviewStore, memorySessionStore } from "../../src/desk/memory-stores.ts";
import { sessionView } from "../../src/desk/session.ts";
import { type JournalDisk, realDisk } from "../../src/journal/committer.ts";
import { openIntents } from "../../src/restore/restore-intents.ts";
import { JournalError } from "../../src/journal/error.ts";
import { type Journal, openJournal } from "../../src/journal/journal.ts";
import { agentRows } from "../../src/daemon/agent-rows.ts";
import { consent, fakeVenue } from "../desk/support.ts";
import { freshJournalPath } from "../journal/support.ts";
import { account, BTC, ETH, holding, position, ready, scripted, target, type World } from "../support/agent-world.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { timedIds } from "../../src/core/ids.ts";
import { virtualClock, type VirtualClock } from "../../src/core/virtual-clock.ts";
import { rawRow } from "../support/raw-row.ts";

/** A disk that refuses from the n-th row on for as many as reported. */
function refusing(code: string, from: number, times: number): { disk: JournalDisk; count: () => number } {
  let nth = 0;
  const disk: JournalDisk = {
    ...realDisk,
    open: (path) => {
      const db = realDisk.open(path);
      return {
        ...db,
        run: (sql, ...values) => {
          if (sql.startsWith("INSERT INTO rows")) {
            nth += 1;
            if (nth >= from && nth < from + times) throw Object.assign(new Error(`disk: ${code}`), { code });
          }
          db.run(sql, ...values);
        },
      };
    },
  };
  return { disk, count: () => nth };
}

interface Rig {
  readonly w: World;
  readonly journal: Journal;
  readonly venue: ReturnType<typeof fakeVenue>;
  readonly fatal: unknown[];
  readonly clock: VirtualClock;
  /** Feeds an event through the real loop and lets everything that follows happen. */
  step(event: Omit<AgentEvent, "atMs"> & { kind: AgentEvent["kind"] }): Promise<void>;
}

/** A ready agent that wants one long BTC, its loop, its desk and its journal; only the venue is a small object. */
async function rig(disk: JournalDisk, wanting = true): Promise<Rig> {
  const answer = scripted("wants", () => ({
    kind: "targets",
    targets: wanting ? [target({ size: 0.2 })] : [],
    note: "",
  }));
  const w = ready({ strategies: { chosen: answer, fallback: holding() } });
  const clock = virtualClock(w.nowMs);
  const entropy = seededEntropy(1);
  const env = { clock, entropy, ids: timedIds(() => clock.nowMs(), entropy) };
  const journal = openJournal({ path: freshJournalPath(), env, runId: "b", disk });
  onTestFinished(() => journal.close());
  const venue = fakeVenue();
  const desk = createDesk({
    env,
    log: silentLog,
    venue,
    sessions: memorySessionStore(),
    previews: memoryPreviewStore(),
    record: (row, decisionId) => void journal.append(row, decisionId),
    runtime: "daemon-b",
  });
  const started = await desk.startSession(consent({ symbols: [BTC, ETH], maxTotalNotional: "20000" }));
  if (!started.ok) throw new Error(started.error.message);
  const view = sessionView(started.value, clock.nowMs());
  const fatal: unknown[] = [];
  const loop = createLoop({
    env,
    log: silentLog,
    agent: w.agent,
    venue,
    desk,
    model: { ask: () => Promise.reject(new Error("no model here")) },
    journal: agentRows(journal),
    consent: { renew: () => Promise.resolve({ session: view, reason: "" }), view: () => Promise.resolve(view) },
    onFatal: (cause) => fatal.push(cause),
  });
  const step: Rig["step"] = async (event) => {
    loop.dispatch({ ...event, atMs: w.nowMs } as AgentEvent);
    await loop.drain(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  };
  await step({ kind: "session", session: view, reason: "" } as never);
  return { w, journal, venue, fatal, clock, step };
}

/** Time passes: the context hears the market, the loop a tick. */
async function decide(r: Rig): Promise<void> {
  r.clock.advanceSync(1_500);
  r.w.quote(1_500);
  await r.step({ kind: "tick" } as never);
}

const placed = (r: Rig): number => r.venue.calls.filter((call) => call.name === "placeOrder").length;

/** Every order on the wire has its intent and its wire-out row before it. */
function authorised(r: Rig): void {
  const rows = r.journal.rows();
  const ids = (kind: string): unknown[] =>
    rows.filter((row) => row.kind === kind).map((row) => (row.body as { clientOrderId?: string }).clientOrderId);
  for (const call of r.venue.calls.filter((each) => each.name === "placeOrder")) {
    const { clientOrderId } = call.args[0] as { clientOrderId: string };
    expect(ids("intent")).toContain(clientOrderId);
    expect(ids("wire-out")).toContain(clientOrderId);
  }
  expect(r.journal.verify().ok).toBe(true);
}

test("with a sound disk the order leaves, and its rows stand before it", async () => {
  const { disk, count } = refusing("SQLITE_FULL", Infinity, 0);
  const r = await rig(disk);
  await decide(r);
  expect(placed(r)).toBe(1);
  authorised(r);
  expect(count()).toBeGreaterThan(6);
});

describe.each(["SQLITE_FULL", "SQLITE_BUSY"])("%s at one row", (code) => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
    "the %ith: nothing leaves without its rows, the agent goes on",
    async (n) => {
      const { disk } = refusing(code, n + 1, 1);
      const r = await rig(disk);
      await decide(r);
      authorised(r);
      expect(r.fatal).toEqual([]);
      await decide(r);
      authorised(r);
      // Whatever was promised and not sent has an end by now, or is still being asked for.
      for (const intent of openIntents(r.journal))
        expect(r.w.agent.status(r.w.nowMs).orders.map((o) => o.clientOrderId)).toContain(intent.clientOrderId);
    },
  );
});

test("a disk that stays full: no opening leaves, no exception, and the rows come once there is room", async () => {
  const { disk } = refusing("SQLITE_FULL", 2, 9);
  const r = await rig(disk);
  await decide(r);
  expect(placed(r)).toBe(0);
  expect(r.fatal).toEqual([]);
  for (let n = 0; n < 40 && openIntents(r.journal).length === 0 && r.journal.count() < 8; n++) await decide(r);
  const events = r.journal.rows({ kinds: ["intent"] }).map((row) => (row.body as { event: string }).event);
  expect(events).toContain("end");
  authorised(r);
});

test("an exit goes on past a row of the agent's that was lost, once its own rows can be written", async () => {
  const { disk } = refusing("SQLITE_BUSY", 2, 1);
  const r = await rig(disk, false);
  const held = position(BTC, "0.003", "60000");
  await r.step({
    kind: "account-read",
    account: { startedAtMs: r.w.nowMs, account: [account("1000")], positions: [held], openOrders: [], openAlgos: [] },
  } as never);
  r.w.nowMs += 20_000;
  await decide(r);
  expect(r.fatal).toEqual([]);
  expect(r.venue.calls.some((call) => call.name === "placeAlgo" || call.name === "closePosition")).toBe(true);
});

test("a disk that takes seconds: the price is looked at again after the row, and an old order stays", async () => {
  let slow: () => void = () => undefined;
  const disk: JournalDisk = {
    ...realDisk,
    open: (path) => {
      const db = realDisk.open(path);
      return {
        ...db,
        run: (sql, ...values) => {
          if (values.includes("wire-out")) slow();
          db.run(sql, ...values);
        },
      };
    },
  };
  const r = await rig(disk);
  slow = () => r.clock.advanceSync(5_000);
  await decide(r);
  expect(placed(r)).toBe(0);
  const end = r.journal.rows({ kinds: ["intent"] }).map((row) => row.body as { event: string; reason?: string });
  expect(end.at(-1)).toMatchObject({ event: "end", how: "not-sent", reason: expect.stringContaining("freshness") });
});

test("a broken disk ends the process, and nothing more leaves", async () => {
  const { disk } = refusing("SQLITE_IOERR_FSYNC", 4, 1);
  const r = await rig(disk);
  await decide(r);
  expect(r.fatal.length).toBeGreaterThan(0);
  expect(placed(r)).toBe(0);
});

/** Rows over a disk that is busy until it is asked otherwise, and the kinds of what it took. */
function busyRows() {
  const disk = { busy: true };
  const written: string[] = [];
  const rows = agentRows({
    appendMany: (batch) => {
      if (disk.busy) throw new JournalError("write-failed", "cannot write", { code: "SQLITE_BUSY" });
      written.push(...batch.map(({ kind }) => kind));
      return [];
    },
  });
  return { rows, written, disk };
}

test("a row that must stand before acting fails on a busy disk, the others wait in their order", () => {
  const { rows, written, disk } = busyRows();
  expect(() => rows.record(rawRow("wire-out", {}))).toThrow("cannot write");
  rows.record(rawRow("wire-in", {}));
  rows.append(rawRow("intent", {}), null);
  disk.busy = false;
  rows.record(rawRow("preview", {}));
  expect(written).toEqual(["wire-in", "intent", "preview"]);
});

test("a decision whose row had to wait for the disk is written before what follows from it", () => {
  const { rows, written, disk } = busyRows();
  for (const kind of ["decision", "beat", "verdict"] as const)
    expect(rows.append(rawRow(kind, {}), null)?.lost).toBeDefined();
  disk.busy = false;
  rows.append(rawRow("intent", {}), null);
  expect(written).toEqual(["decision", "verdict", "intent"]);
});

// The log of the database has room of its own, which it uses again; the mark is a new file each time.
test("rows that stand, though the mark behind them found no room, are not written again once it does", () => {
  const disk = { full: true };
  const journal = openJournal({
    path: freshJournalPath(),
    env: { clock: virtualClock(0), entropy: seededEntropy(1), ids: timedIds(() => 0, seededEntropy(1)) },
    runId: "b",
    disk: {
      ...realDisk,
      mark: (file, mark) => {
        if (disk.full && mark.seq > 0) throw Object.assign(new Error("no room"), { code: "ENOSPC" });
        realDisk.mark(file, mark);
      },
    },
  });
  onTestFinished(() => journal.close());
  const rows = agentRows(journal);
  for (const n of [1, 2, 3]) expect(rows.append(rawRow("fill", { n }), null)?.lost).toBeDefined();
  expect(() => rows.record(rawRow("wire-out", { n: 4 }))).toThrow("no room");
  rows.record(rawRow("wire-in", { n: 5 }));
  disk.full = false;
  rows.append(rawRow("fill", { n: 6 }), null);
  expect(journal.rows().map(({ body }) => (body as { n: number }).n)).toEqual([1, 2, 3, 4, 5, 6]);
});
