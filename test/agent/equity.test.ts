/** Where the operator pays out again, the day is counted from there; anywhere else a fall stays a fall. */
import { describe, expect, test } from "vitest";
import { createEquityBook } from "../../src/agent/books/equity.ts";
import { dec, ZERO } from "../../src/core/decimal.ts";
import type { Asset, ExchangeAccount } from "../../src/domain/position.ts";
import type { Restored } from "../../src/agent/state/restored.ts";
import { restore } from "../../src/restore/restore.ts";
import {
  account as accountOf,
  BTC,
  position,
  ready,
  settingsOf,
  standingStop,
  START_MS,
} from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";
import { readerOf } from "../support/reader-of.ts";

const NOON = Date.UTC(2026, 0, 5, 12);
const account = (equity: string, unrealizedPnl: string | null = "0"): ExchangeAccount => ({
  exchange: "EXCHANGE_A",
  equity: dec(equity),
  availableMargin: dec(equity),
  maintenanceMargin: ZERO,
  unrealizedPnl: unrealizedPnl === null ? null : dec(unrealizedPnl),
  positionMode: "BOTH",
  status: "NORMAL",
});

function bookAt(equity: string) {
  const book = createEquityBook(null);
  const accountSnapshot = (to: string, atMs: number): void => book.applyAccount([account(to)], ZERO, atMs, atMs);
  accountSnapshot(equity, NOON - 1_000);
  accountSnapshot(equity, NOON);
  book.anchors(NOON, ZERO);
  return { book, sweep: accountSnapshot, start: (atMs: number) => book.anchors(atMs, ZERO)?.equityStartUsdt.toFixed() };
}

test("a reset that is expected begins the day's count again", () => {
  const { book, sweep: accountSnapshot, start } = bookAt("1234");
  book.expectReset(NOON + 60_000);
  accountSnapshot("1234", NOON + 1_000);
  expect(start(NOON + 1_000)).toBe("1234");
  accountSnapshot("1000", NOON + 2_000);
  expect(start(NOON + 2_000)).toBe("1234");
  accountSnapshot("1000", NOON + 3_000);
  expect(start(NOON + 3_000)).toBe("1000");
  expect(book.sources(ZERO)).toMatchObject({ rest: dec("1000"), own: dec("1000") });
});

test("a fill heard of during the reading that begins the day again counts from the start", () => {
  const { book, sweep: accountSnapshot, start } = bookAt("1234");
  book.expectReset(NOON + 60_000);
  accountSnapshot("1000", NOON + 2_000);
  const fill = { transactionId: "1", realizedPnl: dec("-20"), fee: ZERO };
  book.fill(fill as Parameters<typeof book.fill>[0], NOON + 3_200);
  book.applyAccount([account("1000")], ZERO, NOON + 3_000, NOON + 3_500);
  expect(start(NOON + 3_500)).toBe("980");
  expect(book.sources(ZERO)).toMatchObject({ rest: dec("980"), own: dec("980") });
});

test("an unexpected fall is measured from the start of the day, even after a reset", () => {
  const { book, sweep: accountSnapshot, start } = bookAt("1234");
  accountSnapshot("1000", NOON + 1_000);
  expect(start(NOON + 1_000)).toBe("1234");
  book.expectReset(NOON + 2_000);
  accountSnapshot("900", NOON + 3_000);
  expect(start(NOON + 3_000)).toBe("1234");
});

test("what our own fills explain is no reset", () => {
  const { book, sweep: accountSnapshot, start } = bookAt("1000");
  book.expectReset(NOON + 60_000);
  const fill = { transactionId: "1", realizedPnl: dec("-20"), fee: dec("0.5") };
  book.fill(fill as Parameters<typeof book.fill>[0], NOON + 500);
  accountSnapshot("979.5", NOON + 1_000);
  expect(start(NOON + 1_000)).toBe("1000");
});

test("a gap that the venue has reported already is not counted again when our own marks hear of it", () => {
  const book = createEquityBook(null);
  // Our stream is down: by our marks nothing is lost, while the venue's figure holds a loss of 250.
  book.applyAccount([account("750", "-250")], ZERO, NOON, NOON);
  expect(book.live(ZERO)).toEqual(dec("750"));
  expect(book.live(dec("-250"))).toEqual(dec("750"));
  expect(book.live(dec("-260"))).toEqual(dec("740"));
});

test("a venue that does not say what is unrealised: our own marks carry its figure on", () => {
  const book = createEquityBook(null);
  book.applyAccount([account("990", null)], dec("-10"), NOON, NOON);
  expect(book.live(dec("-10"))).toEqual(dec("990"));
  expect(book.live(dec("-30"))).toEqual(dec("970"));
});

test("a fill of before the day began, reported after it, is in what the day began with", () => {
  const { book, sweep: accountSnapshot } = bookAt("1000");
  const midnight = Date.UTC(2026, 0, 6);
  const lateFill = { transactionId: "1", realizedPnl: dec("-40"), fee: ZERO } as Parameters<typeof book.fill>[0];
  accountSnapshot("960", midnight - 2_000);
  book.anchors(midnight, ZERO);
  book.fill(lateFill, midnight - 60_000);
  expect(book.sources(ZERO)).toMatchObject({ rest: dec("960"), own: dec("960") });
  book.fill({ ...lateFill, transactionId: "2" }, midnight - 1_000);
  expect(book.sources(ZERO)).toMatchObject({ rest: dec("920"), own: dec("920") });
});

describe("a payment at the beginning of a phase, reported first to a run that starts after it", () => {
  const anchors = {
    day: "2026-01-15",
    equityStartUsdt: dec("1234"),
    unrealizedStartUsdt: ZERO,
    feesUsdt: ZERO,
    realizedUsdt: ZERO,
  };
  const staleRules = (phase: Restored["phase"]): readonly string[] => {
    const w = ready({ settings: settingsOf({ phase: 2 }), restored: { anchors, ...(phase && { phase }) } });
    w.tick(1_000);
    const reported = (): readonly string[] => w.logs("equity.doubted").filter((line) => line.includes("equity"));
    const { length: before } = reported();
    // A lone reading is no payment: a second one bears it out. The alarm repeats every 30 s.
    w.account();
    w.tick(31_000);
    return reported().slice(before);
  };

  test("the day starts again if the phase began within half an hour, or while no agent ran", () => {
    expect(staleRules({ phase: 2, sinceMs: START_MS - 5 * 60_000 })).toEqual([]);
    expect(staleRules({ phase: 1, sinceMs: null })).toEqual([]);
  });

  test("is doubted at any other time", () => {
    expect(staleRules({ phase: 2, sinceMs: START_MS - 31 * 60_000 })).not.toEqual([]);
    expect(staleRules({ phase: 2, sinceMs: null })).not.toEqual([]);
    expect(staleRules(undefined)).not.toEqual([]);
  });
});

describe("a lone wrong reading at midnight", () => {
  const midnight = Date.UTC(2026, 0, 6);
  const over = (wrong: string) => {
    const found = bookAt("1000");
    found.sweep("1000", midnight - 9_000);
    found.sweep(wrong, midnight - 1_000);
    found.book.anchors(midnight, ZERO);
    return found;
  };

  test.each(["0", "-5", "100", "10000"])("of %s is not what the day begins with", (wrong) => {
    const { book, sweep: accountSnapshot, start } = over(wrong);
    expect(book.sources(ZERO)).toMatchObject({ rest: dec(wrong), own: dec("1000") });
    accountSnapshot("1000", midnight + 7_000);
    expect(start(midnight + 7_000)).toBe("1000");
    expect(book.anchors(midnight + 7_000, ZERO)?.day).toBe("2026-01-06");
  });

  test("that the balances bear out, or that stays, is none", () => {
    const pushed = over("700");
    pushed.book.asset({ exchange: "EXCHANGE_A", coin: "USDT", balance: dec("700") } as Asset, midnight);
    expect(pushed.start(midnight + 250)).toBe("700");
    const stays = over("700");
    expect(stays.start(midnight + 9 * 60_000)).toBe("1000");
    expect(stays.start(midnight + 10 * 60_000)).toBe("700");
  });

  test.each(["0", "100", "10000"])("of %s is no reset either, where one is expected", (wrong) => {
    const { book, sweep: accountSnapshot } = bookAt("1000");
    book.expectReset(NOON + 60_000);
    accountSnapshot(wrong, NOON + 1_000);
    expect(book.sources(ZERO)).toMatchObject({ rest: dec(wrong), own: dec("1000") });
    accountSnapshot("1000", NOON + 2_000);
    expect(book.sources(ZERO)).toMatchObject({ rest: dec("1000"), own: dec("1000") });
  });

  test("that the balances bear out is a reset at once", () => {
    const { book, sweep: accountSnapshot, start } = bookAt("1234");
    book.expectReset(NOON + 60_000);
    book.asset({ exchange: "EXCHANGE_A", coin: "USDT", balance: dec("1000") } as Asset, NOON);
    accountSnapshot("1000", NOON + 1_000);
    expect(start(NOON + 1_000)).toBe("1000");
  });
});

describe.each([
  ["before midnight", -60_000],
  ["after midnight", 60_000],
  ["for the first time", null],
])("a run begins %s", (_, aheadMs) => {
  const midnight = Date.UTC(2026, 0, 16);
  /** Nothing but one reading of the account is known of this run. */
  const begunWith = (equity: string) => {
    const read = {
      account: [accountOf(equity)],
      positions: [position(BTC, "0.004", "60000")],
      openAlgos: [standingStop()],
    };
    if (aheadMs === null) return ready({}, read, null);
    const before = story("70 s with list BTC LONG 0.004, S1", ready({ atMs: midnight - 180_000 }));
    const atMs = midnight + aheadMs;
    return ready({ before, atMs, runId: "t2", restored: restore(readerOf(before), atMs) }, read, null);
  };

  test("one low reading closes nothing, and the next one shows that it was wrong", () => {
    const w = begunWith("300");
    story("1 s", w);
    expect(w.of("close")).toEqual([]);
    story("10 s with list BTC LONG 0.004, S1 -> floor NORMAL", w);
  });

  test("one reading ten times too high opens nothing", () => {
    const w = story("wants ETH LONG 1", begunWith("10000"));
    story("5 s", w);
    expect(w.of("place")).toEqual([]);
  });
});

test("a fall while no agent ran, across midnight, counts as soon as a second reading shows it", () => {
  const before = story("70 s with list BTC LONG 0.004, S1", ready({ atMs: Date.UTC(2026, 0, 15, 23, 50) }));
  const atMs = Date.UTC(2026, 0, 16, 0, 1);
  const fallen = { account: [accountOf("790")], positions: [position(BTC, "0.004", "60000")] };
  const w = ready({ before, atMs, runId: "t2", restored: restore(readerOf(before), atMs) }, fallen, null);
  story("1 s -> floor NORMAL\nlist BTC LONG 0.004, S1, equity 790\n1 s -> floor FLATTEN", w);
});

test.each(["by this run", "by the run before"])(
  "a fill from before the reading that began the day is counted no more, heard %s",
  (by) => {
    const execution = {
      ...{
        transactionId: "t-9",
        orderId: "9",
        clientOrderId: "9",
        symbol: BTC,
        side: "SELL" as const,
        qty: dec("0.001"),
      },
      ...{ price: dec("60000"), fee: dec("0.5"), realizedPnl: dec("-20"), liquidity: "TAKER" as const, atMs: 0 },
    };
    const begunMs = Date.UTC(2026, 0, 16, 0, 10);
    const before = story("70 s with list BTC LONG 0.004, S1", ready({ atMs: begunMs }));
    const fill = { kind: "fill" as const, execution: { ...execution, atMs: begunMs - 10_000 } };
    if (by === "by the run before") before.feed(fill);
    const atMs = before.nowMs + 5_000;
    const anchorsOf = () => {
      const w = ready({ before, atMs, runId: "t2", restored: restore(readerOf(before), atMs) }, {}, null);
      if (by === "by this run") w.feed(fill);
      return w.agent.status(w.nowMs);
    };
    const { dayStartEquityUsdt, realizedTodayUsdt, feesTodayUsdt } = anchorsOf();
    expect({ dayStartEquityUsdt, realizedTodayUsdt, feesTodayUsdt }).toEqual({
      ...{ dayStartEquityUsdt: "1000", realizedTodayUsdt: "0", feesTodayUsdt: "0" },
    });
  },
);

test("an account without a past trades as soon as a second reading confirms the first", () => {
  const w = ready({}, {}, null);
  story("wants BTC LONG 0.5\n4 s -> reads\nlist nothing\n3 s -> places BTC", w);
});

describe("money that the venue moves without a word, while an old push and our own count say otherwise", () => {
  /** An account that had earned 300 by this morning, as its journal, its readings and the last push of its balance say. */
  const earned = () => {
    const none = { unrealizedStartUsdt: ZERO, feesUsdt: ZERO, realizedUsdt: ZERO };
    const anchors = { day: "2026-01-15", equityStartUsdt: dec("1300"), ...none };
    return story("wallet 1300\nlist BTC LONG 0.004, S1, equity 1300\n1 s", ready({ restored: { anchors } }));
  };

  test("opens nothing as soon as a reading must include the push, and counts after ten minutes", () => {
    story(
      `
      wants ETH LONG 0.1
      30 s with list BTC LONG 0.004, S1, equity 1000   -> nothing
      570 s with list BTC LONG 0.004, S1, equity 1000  -> nothing
      60 s with list BTC LONG 0.004, S1, equity 1000   -> equity 1000
      `,
      earned(),
    );
  });

  test("counts for the floor, however slowly the account falls after it", () => {
    story(
      `
      1200 s with list BTC LONG 0.004, S1, equity 1000 -> floor NORMAL
      1200 s with list BTC LONG 0.004, S1, equity 900
      1200 s with list BTC LONG 0.004, S1, equity 805  -> floor FLATTEN
      `,
      earned(),
    );
  });

  test("is a mistake of the venue where the readings return within ten minutes", () => {
    story(
      `
      540 s with list BTC LONG 0.004, S1, equity 805   -> floor NORMAL
      120 s with list BTC LONG 0.004, S1, equity 1300  -> floor NORMAL, equity 1300
      `,
      earned(),
    );
  });
});

test("a loss that a push reports stays a loss of its day, though no fill says what it realised", () => {
  story(`
    list BTC LONG 0.02, S1
    1 s
    fill SELL 0.02 @ 56500 by 301 earning unsaid
    push BTC LONG flat
    wallet 930
    wants ETH LONG 0.1
    60 s with list nothing, equity 930    -> cancels S1
    1140 s with list nothing, equity 930  -> nothing
  `);
});
