/** Recorded books: what the exchange shows is what was recorded, and participants stand in it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { seededEntropy } from "../../../src/core/entropy.ts";
import type { RequestOf } from "../../../src/sim/exchange/contract/requests.ts";
import { bookText, REAL_DATA, writeFolder } from "./data-folder.ts";
import { ALICE, applyNaively, readNaively, readQuotes, served, sorted, stage, type Stage } from "./played-books.ts";
import { specFor } from "./recorder.ts";

const T0 = Date.UTC(2026, 0, 5, 9);
const DAY = "20260105";
const TRADE_HEAD = "trade_time_ms,price,qty,is_buyer_maker";
const trade = (afterMs: number, price: string, qty: string, sells: 0 | 1): string =>
  `${T0 + afterMs},${price},${qty},${sells}`;

/** One second of quiet before the book is known, then what the test says. */
function folder(
  events: readonly { readonly after: number; readonly rows: readonly (readonly ["bid" | "ask", string, string])[] }[],
  trades: readonly string[],
): string {
  const book = bookText.snapshot(100, [
    ["bid", "100.0", "5"],
    ["bid", "99.9", "4"],
    ["ask", "100.2", "6"],
    ["ask", "100.3", "8"],
  ]);
  const deltas = [{ after: 1_000, rows: [["bid", "90", "1"]] as const }, ...events].map(({ after, rows }, i) => ({
    atMs: T0 + after,
    ids: [i === 0 ? 95 : 100 + i, 100 + i, null] as const,
    rows,
  }));
  return writeFolder({
    [`book/usdm-BTCUSDT-${DAY}.snapshot.csv.gz`]: book,
    [`book/usdm-BTCUSDT-${DAY}.deltas.csv.gz`]: bookText.deltas(deltas),
    [`trades/usdm-BTCUSDT-${DAY}.csv.gz`]: [TRADE_HEAD, trade(10, "100.1", "0.5", 0), ...trades, ""].join("\n"),
  });
}

const window = `book/usdm-${DAY}`;
const last = { after: 50_000, rows: [["bid", "90", "2"]] as const };

function order(
  on: Stage,
  changes: Partial<RequestOf<"placeOrder">> & Pick<RequestOf<"placeOrder">, "side">,
  atMs: number,
) {
  const request = {
    sym: on.spec.rules.symbol,
    positionSide: "LONG",
    orderType: "LIMIT",
    timeInForce: "GTC",
    ...changes,
  } as const;
  const answer = on.exchange.place(ALICE, request, atMs);
  if (!answer.ok) throw new Error(answer.error.message);
  const { orderId } = answer.value as { orderId: string };
  return (): unknown => {
    const found = on.exchange.order(ALICE, { orderId }, atMs);
    if (!found.ok) throw new Error(found.error.message);
    const { orderState, executedQty } = found.value as Record<string, string>;
    return `${orderState} ${executedQty}`;
  };
}

describe("a made recording", () => {
  test("is shown from its first event on, level by level; before it and after it the book is made", () => {
    const dir = folder(
      [
        {
          after: 2_000,
          rows: [
            ["ask", "100.2", "0"],
            ["ask", "100.1", "3"],
          ],
        },
      ],
      [],
    );
    const on = stage({ dir, window }, T0);
    on.tape.step(T0 + 900);
    expect(served(on).bids.length).toBeGreaterThan(20);
    on.tape.step(T0 + 1_000);
    expect(served(on)).toEqual({
      bids: [
        [100, 5],
        [99.9, 4],
        [90, 1],
      ],
      asks: [
        [100.2, 6],
        [100.3, 8],
      ],
    });
    on.tape.step(T0 + 2_000);
    expect(served(on).asks).toEqual([
      [100.1, 3],
      [100.3, 8],
    ]);
    on.tape.step(T0 + 2_500);
    expect(served(on).bids.length).toBeGreaterThan(20);
  });

  test("an order waits behind what was recorded before it, and ahead of what came later", () => {
    const events = [{ after: 3_000, rows: [["bid", "100", "9"]] as const }, last];
    const trades = [trade(4_000, "100", "5", 1), trade(5_000, "100", "1", 1), trade(6_000, "100", "9", 1)];
    const on = stage({ dir: folder(events, trades), window }, T0);
    on.tape.step(T0 + 2_000);
    const mine = order(on, { side: "BUY", orderQty: "2", limitPrice: "100" }, T0 + 2_000);
    on.tape.step(T0 + 4_500);
    expect(mine()).toBe("OPEN 0");
    on.tape.step(T0 + 5_500);
    expect(mine()).toBe("PARTIALLY_FILLED 1");
    on.tape.step(T0 + 6_000);
    expect(mine()).toBe("FILLED 2");
  });

  test("a trade reaches an order behind levels that the recorded book still shows", () => {
    const on = stage({ dir: folder([last], [trade(3_000, "99.8", "1", 1)]), window }, T0);
    on.tape.step(T0 + 2_000);
    const mine = order(on, { side: "BUY", orderQty: "1", limitPrice: "99.8" }, T0 + 2_000);
    on.tape.step(T0 + 3_000);
    expect(mine()).toBe("FILLED 1");
    expect(served(on).bids).toEqual([[90, 1]]);
  });

  test("what a participant takes comes back within a second", () => {
    const on = stage({ dir: folder([last], []), window }, T0);
    on.tape.step(T0 + 2_000);
    order(on, { side: "BUY", orderType: "MARKET", orderQty: "6.5" }, T0 + 2_000);
    expect(served(on).asks).toEqual([[100.3, 7.5]]);
    on.tape.step(T0 + 3_250);
    expect(served(on).asks).toEqual([
      [100.2, 6],
      [100.3, 8],
    ]);
  });

  test("an order inside the spread is met once by what arrives at its price, and by no more than arrived", () => {
    const events = [
      {
        after: 3_000,
        rows: [
          ["ask", "100.2", "0"],
          ["ask", "100.05", "2"],
        ] as const,
      },
      last,
    ];
    const on = stage({ dir: folder(events, []), window }, T0);
    on.tape.step(T0 + 2_000);
    const mine = order(on, { side: "BUY", orderQty: "7", limitPrice: "100.1" }, T0 + 2_000);
    on.tape.step(T0 + 10_000);
    expect(mine()).toBe("PARTIALLY_FILLED 2");
    const { bids, asks } = served(on);
    expect([bids[0], asks[0]]).toEqual([
      [100.1, 5],
      [100.3, 8],
    ]);
  });

  test("a tick and a lot finer than the instrument's become the instrument's", () => {
    const events = [{ after: 3_000, rows: [["bid", "100.00075", "0.00002"]] as const }, last];
    const on = stage({ dir: folder(events, []), window }, T0);
    on.tape.step(T0 + 3_000);
    expect([on.spec.rules.tickSize, on.spec.rules.lotSize].map((step) => step.toFixed())).toEqual([
      "0.00001",
      "0.00001",
    ]);
    expect(served(on).bids[0]).toEqual([100.00075, 0.00002]);
  });

  test("a book without trades is not played, and a window of books names only what has both", () => {
    const dir = folder([last], []);
    expect(stage({ dir, window: `trades/usdm-${DAY}` }, T0).tape.symbols.length).toBe(1);
    const two = { dir, window, symbols: [specFor("BTC"), specFor("ETH")] };
    expect(stage(two, T0).tape.absent).toEqual([specFor("ETH").rules.symbol]);
    const candles = ["open_time_ms,open,high,low,close,volume", `${T0},100,101,99,100,50`].join("\n");
    const alone = writeFolder({
      "klines-1m/perp-2026-01/BTCUSDT.csv": candles,
      [`book/usdm-BTCUSDT-${DAY}.snapshot.csv`]: bookText.snapshot(1, [["bid", "1", "1"]]),
      [`book/usdm-BTCUSDT-${DAY}.deltas.csv`]: "broken",
    });
    const on = stage({ dir: alone, fromMs: T0 }, T0);
    on.tape.step(T0 + 5_000);
    expect(served(on).bids.length).toBeGreaterThan(20);
  });
});

/** A walk of a book that is never crossed, with trades at its touch: texts of the three files. */
function walk(seed: number, events: number) {
  const chance = seededEntropy(seed);
  const int = (from: number, to: number): number => chance.int("walk", from, to);
  let middle = 10_000;
  const text = (ticks: number): string => (ticks / 10).toFixed(1);
  const around = (side: "bid" | "ask", away: number): string => text(side === "bid" ? middle - away : middle + away);
  const sides = ["bid", "ask"] as const;
  const levels = sides.flatMap((side) =>
    Array.from({ length: 40 }, (_, i) => [side, around(side, i + 1), String(int(1, 50))] as const),
  );
  const standing = {
    bid: new Set(levels.slice(0, 40).map(([, p]) => p)),
    ask: new Set(levels.slice(40).map(([, p]) => p)),
  };
  const trades: string[] = [];
  const deltas = Array.from({ length: events }, (_, i) => {
    const atMs = T0 + 1_000 + i * 50;
    middle += int(-3, 4);
    // What the middle has passed is gone, as it must be in a book that was open to takers.
    const gone = sides.flatMap((side) =>
      [...standing[side]]
        .filter((price) => (side === "bid" ? Number(price) * 10 >= middle : Number(price) * 10 <= middle))
        .map((price) => [side, price, "0"] as const),
    );
    const changed = sides.flatMap((side) =>
      Array.from({ length: int(0, 4) }, () => [side, around(side, int(1, 60)), String(int(0, 40))] as const),
    );
    const rows = [
      ...gone,
      ...changed.filter(([side, price], at) => changed.findIndex((c) => c[0] === side && c[1] === price) === at),
    ];
    for (const [side, price, qty] of rows) standing[side][qty === "0" ? "delete" : "add"](price);
    if (int(0, 3) === 0)
      trades.push(trade(atMs - T0 - int(0, 50), text(middle + int(-6, 7)), String(int(1, 80)), int(0, 2) as 0 | 1));
    return {
      atMs,
      ids: [i === 0 ? 95 : 100 + i, 100 + i, null] as const,
      rows: rows.length > 0 ? rows : [["bid", "1", "1"] as const],
    };
  });
  return {
    snapshot: bookText.snapshot(100, levels),
    deltas: bookText.deltas(deltas),
    trades: [TRADE_HEAD, trade(10, "1000", "1", 0), ...trades, ""].join("\n"),
  };
}

const NONE: readonly [number, number] = [0, 0];

/** Plays to the instant of every event and answers at which of them the exchange shows anything else than the files. */
function compare(
  on: Stage,
  files: { readonly snapshot: string; readonly deltas: string; readonly quotes?: string },
  { every, events: most }: { readonly every: number; readonly events: number },
) {
  const { book, events } = readNaively(files.snapshot, files.deltas);
  const quotes = files.quotes === undefined ? null : readQuotes(files.quotes);
  const offsetMs = on.tape.offsetMs() ?? 0;
  const wrong: unknown[] = [];
  let compared = 0;
  events.slice(0, most).forEach((event, i) => {
    applyNaively(book, event);
    // Events of one instant are one for whoever looks at instants.
    if (events[i + 1]?.atMs === event.atMs) return;
    on.tape.step(event.atMs + offsetMs);
    const quote = quotes?.get(event.finalId);
    if (!quote && i % every !== 0) return;
    const [shown, wanted] = [served(on), sorted(book)];
    const [bid, ask] = [shown.bids[0] ?? NONE, shown.asks[0] ?? NONE];
    const right = i % every !== 0 || JSON.stringify(shown) === JSON.stringify(wanted);
    if (quote) compared++;
    if (!right || bid[0] >= ask[0] || (quote && JSON.stringify(quote) !== JSON.stringify([...bid, ...ask])))
      wrong.push(event.finalId);
  });
  return { compared, wrong };
}

describe("a recording of a walk", () => {
  const made = walk(7, 900);
  const names = { snapshot: `book/usdm-BTCUSDT-${DAY}.snapshot.csv.gz`, deltas: `book/usdm-BTCUSDT-${DAY}.deltas.csv` };
  const dir = writeFolder({
    [names.snapshot]: made.snapshot,
    [names.deltas]: made.deltas,
    [`trades/usdm-BTCUSDT-${DAY}.csv`]: made.trades,
  });
  const files = { snapshot: join(dir, names.snapshot), deltas: join(dir, names.deltas) };

  test("is shown exactly at every event, however often the market moves and whoever trades", () => {
    expect(compare(stage({ dir, window }, T0), files, { every: 1, events: 900 })).toEqual({ compared: 0, wrong: [] });
    const busy = stage({ dir, window }, T0);
    const chance = seededEntropy(3);
    for (let atMs = T0; atMs < T0 + 45_000; atMs += 700) {
      busy.tape.step(atMs);
      const side = chance.chance("side", 0.5) ? "BUY" : "SELL";
      const positionSide = side === "BUY" ? "LONG" : "SHORT";
      order(busy, { side, positionSide, orderType: "MARKET", orderQty: "20" }, atMs);
      const { bids, asks } = served(busy);
      expect(bids[0]?.[0] ?? 0).toBeLessThan(asks[0]?.[0] ?? Infinity);
    }
    busy.tape.step(T0 + 45_900);
    const { book, events } = readNaively(files.snapshot, files.deltas);
    for (const event of events.filter((each) => each.atMs <= T0 + 45_900)) applyNaively(book, event);
    expect(served(busy)).toEqual(sorted(book));
  });

  test("is the same twice, call by call, and ends in the same state", () => {
    const play = () => {
      const on = stage({ dir, window, stepMs: 2_000, noted: true }, T0);
      for (let atMs = T0; atMs <= T0 + 50_000; atMs += 2_000) {
        on.tape.step(atMs);
        const price = served(on).bids[4]?.[0] ?? 0;
        order(on, { side: "BUY", orderQty: "3", limitPrice: price.toFixed(1) }, atMs);
      }
      return { calls: on.calls, end: on.exchange.snapshot() };
    };
    expect(play()).toEqual(play());
  });
});

test("a second recording that begins before the first has ended is refused", () => {
  const { snapshot, deltas, trades } = walk(1, 10);
  const dir = writeFolder({
    "book/usdm-BTCUSDT-20260105.snapshot.csv": snapshot,
    "book/usdm-BTCUSDT-20260105.deltas.csv": deltas,
    "book/usdm-BTCUSDT-20260105_06.snapshot.csv": snapshot,
    "book/usdm-BTCUSDT-20260105_06.deltas.csv": deltas,
    "trades/usdm-BTCUSDT-20260105.csv": trades,
  });
  expect(() => stage({ dir }, T0)).toThrow("begins before usdm-BTCUSDT-20260105.deltas.csv has ended");
});

/** Whole, these two have 6,547 and 6,493 events, 629 and 1,072 of them with a quote of the same id; all agree. */
const REAL_BOOKS = [
  { name: "usdm-BTCUSDT-20240808", of: "usdm-20240808", events: 1_000, comparable: 60 },
  { name: "spot-BTCUSDT-20240808_09", of: "spot-20240808_09", events: 800, comparable: 60 },
];
describe.each(REAL_BOOKS)("the real book $name", ({ name, of, events, comparable }) => {
  const path = (part: string): string => join(REAL_DATA, `book/${name}.${part}.csv.gz`);
  const there = existsSync(path("deltas"));
  test.skipIf(!there)(
    `of ${REAL_DATA} is shown as recorded, and its quotes agree wherever they can be compared`,
    { timeout: 240_000 },
    () => {
      const on = stage({ dir: REAL_DATA, window: `book/${of}` }, T0);
      const files = { snapshot: path("snapshot"), deltas: path("deltas"), quotes: path("quotes") };
      const { compared, wrong } = compare(on, files, { every: 100, events });
      expect(wrong).toEqual([]);
      expect(compared).toBeGreaterThan(comparable);
    },
  );
});
