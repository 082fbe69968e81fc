import { afterEach, describe, expect, test } from "vitest";
import type { MarketSink, MarketSubscription } from "../../src/domain/market.ts";
import { createBookSequence } from "../../src/venue/book-sequence.ts";
import { EMPTY_PLAN, planSockets } from "../../src/venue/market-plan.ts";
import { createMarketStream, type MarketStreamOptions } from "../../src/venue/market-stream.ts";
import { createVenueClock } from "../../src/venue/venue-clock.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { type Peer, realEnv, recordingLog, socketServer, until } from "../net/servers.ts";
import { BTC, ETH, keys } from "./venue-server.ts";

const open: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

interface Item {
  readonly channel: string;
  readonly sym: string;
}
type Message = { event?: string; arg?: Item[]; action?: string; ping?: number };

function storySink(story: string[]): MarketSink {
  const say =
    (name: string) =>
    (...args: unknown[]): void =>
      void story.push([name, ...args].join(" "));
  return {
    received: () => undefined,
    ticker: say("ticker"),
    bbo: say("bbo"),
    bookBegin: say("book"),
    bookSide: (bid, levels, count) => {
      for (let at = 0; at < count; at++) say("level")(bid, levels[2 * at], levels[2 * at + 1]);
    },
    bookEnd: () => undefined,
    trade: say("trade"),
    mark: say("mark"),
    index: say("index"),
    openInterest: say("interest"),
    kline: say("kline"),
  };
}

/** Acknowledges whatever is asked, unless `refuse` names a code for it. */
async function venue(options: {
  refuse?: (item: Item, peer: Peer) => number | null;
  onSubscribe?: (peer: Peer, items: readonly Item[]) => void;
  login?: (peer: Peer) => void;
}) {
  const server = await socketServer((peer, text) => {
    const message = JSON.parse(text) as Message;
    if (message.ping) return peer.say({ pong: message.ping + 1 });
    if (message.action === "login") {
      return options.login ? options.login(peer) : peer.say({ event: "login", code: "200000", msg: "success" });
    }
    const items = message.arg ?? [];
    const refused = items.filter((item) => options.refuse?.(item, peer));
    const good = items.filter((item) => !refused.includes(item));
    if (good.length > 0) peer.say({ event: message.event, arg: good, code: 0 });
    for (const item of refused) {
      peer.say({ event: message.event, arg: [item], code: options.refuse?.(item, peer), msg: "no" });
    }
    if (message.event === "subscribe") options.onSubscribe?.(peer, good);
  });
  open.push(server.close);
  return server;
}

function stream(url: string, { scale = 1, ...given }: Partial<MarketStreamOptions> & { scale?: number } = {}) {
  const story: string[] = [];
  const log = recordingLog();
  const market = createMarketStream({
    env: realEnv(scale),
    log,
    url: `${url}/marketdata/v2/public`,
    sink: storySink(story),
    binary: false,
    ...given,
  });
  open.push(() => market.stop());
  market.start();
  return { market, story, log };
}

const subs = (symbols: readonly string[], ...channels: MarketSubscription["channel"][]): MarketSubscription[] =>
  symbols.flatMap((symbol) => channels.map((channel) => ({ channel, symbol })));
const asked = (peer: Peer | undefined, event = "subscribe"): string[] =>
  (peer?.heard ?? [])
    .map((text) => JSON.parse(text) as Message)
    .filter((message) => message.event === event)
    .flatMap((message) => message.arg ?? [])
    .map((item) => `${item.channel} ${item.sym}`);

describe("the plan of sockets", () => {
  const symbols = (count: number): string[] => Array.from({ length: count }, (_, i) => `S${i}`);
  test("five symbols a socket without a login, fifty with one", () => {
    const anonymous = planSockets(EMPTY_PLAN, symbols(27), false);
    expect(new Set(anonymous.bySymbol.values()).size).toBe(5);
    expect(anonymous.left).toEqual(["S25", "S26"]);
    const known = planSockets(EMPTY_PLAN, symbols(51), true);
    expect(new Set(known.bySymbol.values()).size).toBe(2);
    expect(known.left).toEqual([]);
  });
  test("a symbol keeps its socket when others leave", () => {
    const before = planSockets(EMPTY_PLAN, symbols(10), false);
    const after = planSockets(before, ["S9", "S7", "new"], false);
    expect(after.bySymbol.get("S9")).toBe(before.bySymbol.get("S9"));
    expect(after.bySymbol.get("new")).toBe(0);
  });
});

describe("subscribing", () => {
  test("splits over sockets, asks for text frames, and knows what was promised", async () => {
    const server = await venue({});
    const { market } = stream(server.url, { scale: 20 });
    const symbols = Array.from({ length: 7 }, (_, i) => `EXCHANGE_A_PERP_S${i}_USDT`);
    market.want(subs(symbols, "TICKER", "BBO"));
    await until(() => market.health().acknowledged === 14, "all acks");
    expect(market.health()).toMatchObject({ up: true, sockets: { up: 2, needed: 2 }, wanted: 14, refused: [] });
    expect(server.peers.map((peer) => asked(peer).length).sort((a, b) => a - b)).toEqual([4, 10]);
    expect(server.peers[0]?.path).toBe("/marketdata/v2/public?binary=false");
  });
  test("logs in first where keys are given", async () => {
    const server = await venue({});
    const { market } = stream(server.url, { keys });
    market.want(subs([BTC], "TICKER"));
    await until(() => market.health().acknowledged === 1, "the ack");
    const kinds = server.peers[0]?.heard.map((text) => Object.keys(JSON.parse(text) as object)[0]);
    expect(kinds?.filter((kind) => kind !== "ping")).toEqual(["action", "event"]);
  });
  test("a refused login does not stop the subscriptions", async () => {
    const server = await venue({ login: (peer) => peer.say({ event: "login", code: "11107", msg: "sign" }) });
    const { market, log } = stream(server.url, { keys });
    market.want(subs([BTC], "TICKER"));
    await until(() => market.health().acknowledged === 1, "the ack");
    expect(log.lines.some((line) => line.level === "error" && line.fields["code"] === "11107")).toBe(true);
  });
  test("a refused item is named with its code, the others flow", async () => {
    const server = await venue({ refuse: (item) => (item.sym === ETH ? 11250 : null) });
    const { market } = stream(server.url);
    market.want(subs([BTC, ETH], "MARK_PRICE"));
    await until(() => market.health().refused.length === 1, "the refusal");
    expect(market.health()).toMatchObject({
      acknowledged: 1,
      refused: [{ symbol: ETH, channel: "MARK_PRICE", code: "11250" }],
    });
  });
  test.each([
    ["lost", () => null],
    ["without items", () => ({ event: "subscribe", code: 0 })],
    [
      "without the intervals",
      (arg: readonly Item[]) => ({
        event: "subscribe",
        code: 0,
        arg: arg.map(({ channel, sym }) => ({ channel, sym })),
      }),
    ],
  ])("where an ack is %s, the first push stands for it, and health reports it", async (_what, ackOf) => {
    const server = await socketServer((peer, text) => {
      const { ping, arg = [] } = JSON.parse(text) as Message;
      if (ping) return peer.say({ pong: ping + 1 });
      const ack = ackOf(arg);
      if (ack) peer.say(ack);
      for (const item of arg) peer.say({ arg: item, data: [["60000", "1", "1", "1", "1", "0"]] });
    });
    open.push(server.close);
    const reported: number[] = [];
    const { market } = stream(server.url, { onHealth: ({ acknowledged }) => void reported.push(acknowledged) });
    market.want([BTC, ETH].map((symbol) => ({ channel: "KLINE", symbol, interval: "1m" })));
    await until(() => market.health().acknowledged === 2, "the pushes");
    expect(reported.at(-1)).toBe(2);
  });
  test("an error without items costs the one refused item, and the others flow", async () => {
    const server = await socketServer((peer, text) => {
      const { event, ping, arg = [] } = JSON.parse(text) as Message;
      if (ping) return peer.say({ pong: ping + 1 });
      const bad = arg.some(({ channel, sym }) => channel === "MARK_PRICE" && sym === ETH);
      peer.say(bad ? { event: "error", code: 11100, msg: "no" } : { event, arg, code: 0 });
    });
    open.push(server.close);
    const { market } = stream(server.url, { scale: 20 });
    market.want(subs([BTC, ETH], "TICKER", "MARK_PRICE"));
    await until(() => market.health().acknowledged === 3, "the acks");
    await until(() => market.health().refused.length === 1, "the refusal");
    expect(market.health().refused).toEqual([{ symbol: ETH, channel: "MARK_PRICE", code: "11100" }]);
  });
  test("what is not wanted any more is unsubscribed, what is new is added", async () => {
    const server = await venue({});
    const { market } = stream(server.url, { scale: 20 });
    market.want(subs([BTC], "TICKER"));
    await until(() => market.health().acknowledged === 1, "the first ack");
    market.want(subs([ETH], "TICKER"));
    await until(() => asked(server.peers[0]).includes(`TICKER ${ETH}`), "the new one");
    expect(asked(server.peers[0], "unsubscribe")).toEqual([`TICKER ${BTC}`]);
  });
  test("after a reconnect everything is asked for again and the old book is emptied", async () => {
    const server = await venue({});
    const { market, story } = stream(server.url, { scale: 50 });
    market.want(subs([BTC], "ORDER_BOOK", "TICKER"));
    await until(() => market.health().acknowledged === 2, "the acks");
    server.peers[0]?.socket.terminate();
    await until(() => asked(server.peers[1]).length === 2, "the new subscriptions");
    expect(story).toContain(`book ${BTC} true 0 0`);
    expect(asked(server.peers[1])).toEqual([`ORDER_BOOK ${BTC}`, `TICKER ${BTC}`]);
  });
  test("one silent channel is asked for again while the other one flows", async () => {
    const server = await venue({});
    const { market } = stream(server.url, { scale: 100 });
    market.want(subs([BTC, ETH], "TICKER"));
    await until(() => market.health().acknowledged === 2, "the acks");
    const tick = { last: "1", chg: "0", high24h: "1", low24h: "1", vol24h: "1", ts: 1 };
    const flow = setInterval(() => server.peers[0]?.say({ arg: { channel: "TICKER", sym: BTC }, data: tick }), 10);
    open.push(() => clearInterval(flow));
    await until(() => asked(server.peers[0]).filter((line) => line === `TICKER ${ETH}`).length >= 2, "the renewal");
    expect(asked(server.peers[0], "unsubscribe")).not.toContain(`TICKER ${BTC}`);
    expect(asked(server.peers[0]).filter((line) => line === `TICKER ${BTC}`)).toHaveLength(1);
  });
});

describe("frames", () => {
  const book = (updatetype: string, seq: number, preSeq?: number) => ({
    arg: { channel: "ORDER_BOOK", sym: BTC },
    data: { updatetype, seq, ...(preSeq ? { pre_seq: preSeq } : {}), Bids: [["100", "1"]], Asks: [], ts: 5 },
  });
  test("go to the sink; unsound, unknown and unwanted ones do not", async () => {
    const server = await venue({});
    const { market, story, log } = stream(server.url);
    market.want(subs([BTC], "BBO", "TRADE"));
    await until(() => market.health().acknowledged === 2, "the acks");
    const peer = server.peers[0];
    peer?.say({ arg: { channel: "BBO", sym: ETH }, data: { bid: "1", bidqty: "1", ask: "2", askqty: "1", ts: 1 } });
    peer?.say({ arg: { channel: "BBO", sym: BTC }, data: { bid: "NaN", bidqty: "1", ask: "2", askqty: "1", ts: 1 } });
    peer?.say({ arg: { channel: "BBO", sym: BTC }, data: { bid: "1", bidqty: "3", ask: "2", askqty: "4", ts: 9 } });
    peer?.say({
      arg: { channel: "TRADE", sym: BTC },
      data: [{ tradeid: "1", side: "SELL", price: "1.5", qty: "2", ts: 10 }],
    });
    await until(() => story.length === 2, "two frames");
    expect(story).toEqual([`bbo ${BTC} 1 3 2 4 9`, `trade ${BTC} false 1.5 2 10`]);
    expect(log.lines.filter((line) => line.evt === "frame.refused")).toHaveLength(1);
  });
  /** One book that has had its snapshot, 10; a renewed one is 50. */
  const withBook = async () => {
    const server = await venue({
      onSubscribe: (peer) => peer.say(book("snapshot", peer.heard.length > 3 ? 50 : 10)),
    });
    const { market, story } = stream(server.url, { scale: 20 });
    market.want(subs([BTC], "ORDER_BOOK"));
    await until(() => story.length >= 2, "the snapshot");
    return { peer: server.peers[0], story };
  };
  test("an old sequence number is dropped; a gap empties the book and asks for a new one", async () => {
    const { peer, story } = await withBook();
    peer?.say(book("update", 11, 10));
    peer?.say(book("update", 11, 10));
    await until(() => story.length >= 4, "the update");
    // Settled for longer than a renewal takes, then message 12 is lost.
    await realEnv().clock.sleep(150);
    peer?.say(book("update", 13, 12));
    await until(() => asked(peer).length === 2, "the renewal");
    await until(() => story.some((line) => line.startsWith(`book ${BTC} true 50`)), "the new snapshot");
    expect(story.filter((line) => line.startsWith("book"))).toEqual([
      `book ${BTC} true 10 5`,
      `book ${BTC} false 11 5`,
      `book ${BTC} true 0 0`,
      `book ${BTC} true 50 5`,
    ]);
    expect(asked(peer, "unsubscribe")).toEqual([`ORDER_BOOK ${BTC}`]);
  });
  test("a book message that cannot be read leaves no hole behind: the book begins again", async () => {
    const { peer, story } = await withBook();
    await realEnv().clock.sleep(150);
    const unsound = book("update", 11, 10);
    peer?.say({ ...unsound, data: { ...unsound.data, Bids: [["1e2", "0"]] } });
    peer?.say(book("update", 12, 11));
    await until(() => story.some((line) => line.startsWith(`book ${BTC} true 50`)), "the new snapshot");
    expect(story.filter((line) => line.startsWith("book"))).toEqual([
      `book ${BTC} true 10 5`,
      `book ${BTC} true 0 0`,
      `book ${BTC} true 50 5`,
    ]);
  });
  test("pongs teach the venue's time", async () => {
    const server = await venue({});
    const env = realEnv();
    const venueClock = createVenueClock(env.clock);
    const { market } = stream(server.url, { env, venueClock });
    market.want(subs([BTC], "TICKER"));
    await until(() => venueClock.offset().measuredAtMs !== null, "a pong");
    expect(Math.abs(venueClock.offset().offsetMs)).toBeLessThan(200);
  });
});

describe("book sequence", () => {
  const say = (seq: number, preSeq?: number) => ({ updatetype: "update", seq, preSeq });
  test("reports continuing, repeated and missing messages apart, with and without pre_seq", () => {
    const books = createBookSequence();
    expect(books.judge(BTC, say(5))).toBe("gap");
    expect(books.judge(BTC, { updatetype: "snapshot", seq: "10", preSeq: undefined })).toBe("take");
    expect(books.judge(BTC, say(12))).toBe("take");
    expect(books.judge(BTC, say(12))).toBe("drop");
    expect(books.judge(BTC, say(14, 13))).toBe("gap");
    expect(books.judge(BTC, say(15, 14))).toBe("gap");
    expect(books.judge(BTC, { updatetype: "all", seq: 3, preSeq: null })).toBe("take");
    expect(books.judge(ETH, say(4))).toBe("gap");
  });
  test("without pre_seq a hole in numbers is a gap; a venue that skips numbers is soon left alone", () => {
    const books = createBookSequence();
    let seq = 0;
    const snapshot = (): string => books.judge(BTC, { updatetype: "snapshot", seq: (seq = 1_000), preSeq: undefined });
    const run = (count: number): readonly string[] => Array.from({ length: count }, () => books.judge(BTC, say(++seq)));
    const hole = (): string => books.judge(BTC, say((seq += 2)));
    snapshot();
    expect([...run(2), hole()]).toEqual(["take", "take", "take"]);
    expect([...run(3), hole()]).toEqual(["take", "take", "take", "gap"]);
    expect(books.judge(BTC, say(++seq))).toBe("gap");
    const asked = Array.from({ length: 50 }, () => (snapshot(), run(5), hole())).filter((said) => said === "gap");
    expect(asked).toHaveLength(0);
    snapshot();
    expect([...run(6), hole()].at(-1)).toBe("gap");
    snapshot();
    expect([...run(6), hole()].at(-1)).toBe("take");
    // What was let pass may have been a loss after all: a minute without a hole says so.
    expect(run(240).filter((said) => said === "gap")).toHaveLength(1);
    snapshot();
    expect([...run(3), hole()].at(-1)).toBe("gap");
  });
});

describe("the venue clock", () => {
  test("keeps the surer sample, ages by drift, and takes what contradicts", async () => {
    const clock = virtualClock(1_000_000);
    const venueClock = createVenueClock(clock);
    venueClock.note({ venueMs: 1_000_900, uncertaintyMs: 500, atMonotonicMs: 0 });
    venueClock.note({ venueMs: 1_000_600, uncertaintyMs: 20, atMonotonicMs: 0 });
    venueClock.note({ venueMs: 1_000_900, uncertaintyMs: 500, atMonotonicMs: 0 });
    expect(venueClock.offset()).toMatchObject({ offsetMs: 600, uncertaintyMs: 20 });
    await clock.advance(100_000);
    expect(venueClock.offset().uncertaintyMs).toBe(70);
    clock.stepWall(5_000);
    expect(venueClock.offset().offsetMs).toBe(-4_400);
    venueClock.note({ venueMs: 5_000_000, uncertaintyMs: 500, atMonotonicMs: 100_000 });
    expect(venueClock.nowMs()).toBe(5_000_000);
  });
});
