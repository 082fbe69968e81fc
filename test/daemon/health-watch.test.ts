/** The health monitor: self-tests, disk, journal and the venue's records, and what each reports to the agent. */
import { describe, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/config/read.ts";
import { silentLog } from "../../src/core/log.ts";
import type { Outcome } from "../../src/core/outcome.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import type { Order } from "../../src/domain/order.ts";
import { type JournalDisk, realDisk } from "../../src/journal/committer.ts";
import { openJournal } from "../../src/journal/journal.ts";
import { diskFacts, type DiskFacts, judgeDisk, WAL_ALARM_BYTES, WAL_HOLD_BYTES } from "../../src/ops/disk-watch.ts";
import { failedDrills } from "../../src/control/switching.ts";
import { watchHealth } from "../../src/daemon/watch-health.ts";
import { unknownOf } from "../../src/daemon/unknown-orders.ts";
import { order } from "../desk/support.ts";
import { freshJournalPath, START_MS, virtualEnv } from "../journal/support.ts";
import { rawRow } from "../support/raw-row.ts";
import { wholeRow } from "../support/rows.ts";

/** An empty file is refused; one that names the phase alone has every default. */
const configOf = (text: string) => {
  const read = readConfig(text === "" ? "phase: 1\n" : text);
  if (!read.ok) throw new Error(read.error.map((problem) => problem.message).join());
  return read.value;
};

const GIB = 1_073_741_824;
const roomy: DiskFacts = { walBytes: 0, usedShare: 0.3, freeBytes: 50 * GIB };

interface Reported {
  readonly kind: string;
  readonly cause?: string;
  readonly reason?: string | null;
}

function healthWatch(given: {
  config?: string;
  disk?: () => DiskFacts;
  history?: () => Promise<Outcome<readonly Order[]>>;
  open?: readonly Order[];
  journalDisk?: JournalDisk;
  rows?: (journal: ReturnType<typeof openJournal>) => void;
}) {
  const env = virtualEnv();
  const path = freshJournalPath();
  const journal = openJournal({
    path,
    env,
    runId: "b",
    ...(given.journalDisk ? { disk: given.journalDisk } : {}),
  });
  onTestFinished(() => journal.close());
  given.rows?.(journal);
  const reported: Reported[] = [];
  const fatal: unknown[] = [];
  const stop = watchHealth({
    clock: env.clock,
    log: silentLog,
    journal,
    journalFile: path,
    dataDir: path,
    config: configOf(given.config ?? ""),
    venue: {
      orderHistory: given.history ?? (() => Promise.resolve({ kind: "done", value: [] })),
      openOrders: () => Promise.resolve({ kind: "done", value: given.open ?? [] }),
    },
    feed: (event) => reported.push(event as Reported),
    onFatal: (cause) => fatal.push(cause),
    disk: given.disk ?? (() => roomy),
  });
  onTestFinished(stop);
  /** The last word on a cause of a hold. */
  const hold = (cause: string): string | null | undefined =>
    reported.filter((event) => event.kind === "hold" && event.cause === cause).at(-1)?.reason;
  const halts = (): readonly Reported[] => reported.filter((event) => event.kind === "halt");
  return { clock: env.clock, journal, hold, halts, fatal, stop };
}

describe("drills at start", () => {
  test("pass under the defaults and under every shipped configuration's caps", async () => {
    expect(failedDrills(configOf(""), START_MS)).toEqual([]);
    expect(healthWatch({}).hold("drills")).toBeNull();
  });

  test("that fail hold all openings, and say which and why", () => {
    const { hold } = healthWatch({ config: "risk: { perOrderEquityShare: 0.001 }" });
    expect(hold("drills")).toMatch(/a drill failed: the smallest sound order is refused by per-order-notional/);
  });
});

describe("the disk", () => {
  test("over its mark holds until there is room again, with some to spare", async () => {
    let facts: DiskFacts = roomy;
    const { clock, hold } = healthWatch({ disk: () => facts });
    expect(hold("disk")).toBeNull();
    facts = { ...roomy, usedShare: 0.91, freeBytes: GIB };
    await clock.advance(10_000);
    expect(hold("disk")).toBe("the disk is 91 % full, 1024 MB are left");
    facts = { ...facts, usedShare: 0.89 };
    await clock.advance(10_000);
    expect(hold("disk")).toMatch(/89 % full/);
    facts = { ...facts, usedShare: 0.87 };
    await clock.advance(10_000);
    expect(hold("disk")).toBeNull();
  });

  test("a large disk that is nearly full and has room enough is no trouble, unless configured so", async () => {
    const large = { ...roomy, usedShare: 0.95, freeBytes: 40 * GIB };
    expect(healthWatch({ disk: () => large }).hold("disk")).toBeNull();
    expect(healthWatch({ disk: () => large, config: "journal: { diskFreeEnough: 100 }" }).hold("disk")).toMatch(
      /95 % full/,
    );
  });

  test("the write-ahead log warns at 64 MB and holds at 256 MB", () => {
    const marks = { holdAtUsed: 0.9, freeEnoughBytes: 0 };
    const at = (walBytes: number) => judgeDisk({ ...roomy, walBytes }, marks, false);
    expect(at(WAL_ALARM_BYTES)).toEqual({ walHold: null, diskHold: null, alarm: null });
    expect(at(WAL_ALARM_BYTES + 1).alarm).toMatch(/has grown to 64 MB/);
    expect(at(WAL_HOLD_BYTES)).toMatchObject({ walHold: null });
    expect(at(WAL_HOLD_BYTES + 1)).toMatchObject({ walHold: expect.stringContaining("256 MB"), alarm: null });
    expect(healthWatch({ disk: () => ({ ...roomy, walBytes: WAL_HOLD_BYTES + 1 }) }).hold("wal")).toMatch(/256 MB/);
  });

  test("is really read: the log's size as it is, the disk's share between nothing and all", () => {
    const path = freshJournalPath();
    const journal = openJournal({ path, env: virtualEnv(), runId: "b" });
    onTestFinished(() => journal.close());
    journal.append(rawRow("boot", {}));
    const facts = diskFacts(path.replace(/journal\.db$/, ""), path);
    expect(facts.walBytes).toBeGreaterThan(4_096);
    expect(facts.usedShare).toBeGreaterThan(0);
    expect(facts.usedShare).toBeLessThanOrEqual(1);
    expect(diskFacts("/no/such/folder", path).freeBytes).toBe(Infinity);
  });
});

describe("the journal's disk", () => {
  const failing = (codes: readonly (string | null)[]): JournalDisk => {
    const left = [...codes];
    return {
      ...realDisk,
      open: (path) => {
        const db = realDisk.open(path);
        return {
          ...db,
          run: (sql, ...values) => {
            const code = sql.startsWith("INSERT INTO rows") ? left.shift() : null;
            if (code) throw Object.assign(new Error(code), { code });
            db.run(sql, ...values);
          },
        };
      },
    };
  };
  const tries = async (journalDisk: JournalDisk, times: number) => {
    const made = healthWatch({ journalDisk });
    for (let n = 0; n < times; n++) {
      try {
        made.journal.append(rawRow("order", { n }));
      } catch {
        // What the agent does with it is tested elsewhere.
      }
      await made.clock.advance(0);
    }
    return made;
  };

  test("a lock of somebody else: two rows are bad luck, three in a row hold, the first that passes ends it", async () => {
    const two = await tries(failing(["SQLITE_BUSY", "SQLITE_BUSY"]), 2);
    expect(two.hold("journal")).toBeUndefined();
    const three = await tries(failing(["SQLITE_BUSY", "SQLITE_BUSY", "SQLITE_BUSY"]), 3);
    expect(three.hold("journal")).toMatch(/locked/);
    three.journal.append(rawRow("order", {}));
    await three.clock.advance(0);
    expect(three.hold("journal")).toBeNull();
    expect(three.fatal).toEqual([]);
  });

  test("a full disk halts until a person has looked", async () => {
    const { halts } = await tries(failing(["SQLITE_FULL"]), 1);
    expect(halts()).toMatchObject([{ reason: "the disk of the journal is full" }]);
  });

  test("a broken disk ends the process", async () => {
    const { fatal } = await tries(failing(["SQLITE_IOERR_FSYNC"]), 1);
    expect(String(fatal[0])).toMatch(/no row can be written any more/);
  });
});

describe("the venue's memory", () => {
  const ours = (clientOrderId: string): Order =>
    order({ clientOrderId, state: "FILLED", createdAtMs: START_MS - 1_000 });
  const settle = (clock: ReturnType<typeof virtualClock>): Promise<void> => clock.advance(0);

  test("holds openings until it was compared, and nothing after", async () => {
    const { clock, hold, halts } = healthWatch({});
    expect(hold("history")).toMatch(/have not been compared/);
    await settle(clock);
    expect(hold("history")).toBeNull();
    expect(halts()).toEqual([]);
  });

  test("orders of ours that no row knows halt, once; they are history from then on", async () => {
    const found = [ours("i-oldboot-1"), ours("i-oldboot-2"), ours("my-own-order"), ours("i-b-known")];
    const known = (journal: ReturnType<typeof openJournal>) =>
      void journal.append(wholeRow("intent", { event: "open", clientOrderId: "i-b-known" }));
    const history = () => Promise.resolve({ kind: "done" as const, value: found });
    const first = healthWatch({ history, rows: known });
    await settle(first.clock);
    expect(first.halts()).toMatchObject([{ reason: expect.stringContaining("2 orders of ours") }]);
    expect(first.hold("history")).toBeNull();
    const row = first.journal.latest("reconcile")?.body;
    expect(row).toEqual({ event: "adopted-orders", ids: ["i-oldboot-1", "i-oldboot-2"] });
    const again = healthWatch({
      history,
      rows: (journal) => {
        known(journal);
        journal.append(rawRow("reconcile", row as object));
      },
    });
    await settle(again.clock);
    expect(again.halts()).toEqual([]);
  });

  test("an open order of ours counts as well, one of a moment ago does not", async () => {
    const before = healthWatch({ open: [ours("i-oldboot-7")] });
    await settle(before.clock);
    expect(before.halts()).toHaveLength(1);
    const now = healthWatch({ open: [{ ...ours("i-b-1"), createdAtMs: START_MS + 500 }] });
    await settle(now.clock);
    expect(now.halts()).toEqual([]);
  });

  test("a venue that cannot be read keeps openings held, and is asked again", async () => {
    let answers = 0;
    const { clock, hold } = healthWatch({
      history: () => {
        answers += 1;
        return Promise.resolve(answers < 3 ? { kind: "unknown", message: "no answer" } : { kind: "done", value: [] });
      },
    });
    await clock.advance(15_000);
    expect(hold("history")).toMatch(/not been compared/);
    await clock.advance(15_000);
    expect(hold("history")).toBeNull();
    expect(answers).toBe(3);
  });

  test("a disk that takes no row of what was found keeps openings held, and is tried again. Fault D1", async () => {
    const full = { left: 1 };
    const journalDisk: JournalDisk = {
      ...realDisk,
      open: (path) => {
        const db = realDisk.open(path);
        const run: typeof db.run = (sql, ...values) => {
          if (sql.startsWith("INSERT INTO rows") && full.left-- > 0)
            throw Object.assign(new Error("full"), { code: "SQLITE_FULL" });
          db.run(sql, ...values);
        };
        return { ...db, run };
      },
    };
    const { clock, hold, halts, fatal } = healthWatch({ open: [ours("i-0mk0y-7")], journalDisk });
    const found = () => halts().filter(({ reason }) => /orders? of ours/.test(reason ?? "")).length;
    await clock.advance(1_000);
    expect([hold("history"), found()]).toEqual([expect.stringMatching(/not been compared/), 0]);
    await clock.advance(30_000);
    expect([hold("history"), found(), fatal]).toEqual([null, 1, []]);
  });

  test("ids of people and of the command line are nobody's business here", () => {
    const strange = ["agent-1", "i-", "i-x", "I-b-1", "p-b-1", "i-b-1-2", "0ax", ""].map((id) => ours(id));
    expect(unknownOf(strange, new Set())).toEqual([]);
  });
});
