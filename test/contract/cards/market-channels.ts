/** What each channel of the market stream pushes. Spec: 1 §6.1; records §10.4 to §10.6. */
import { expect } from "vitest";
import { type Card, card, type Surface } from "../harness.ts";
import { at, isObject, type Json, num, rows, text } from "../json.ts";
import { BTC, BTC_SPOT, type Venue } from "../venue.ts";
import type { Wire } from "../wire.ts";
import { pushOf } from "./market-stream.ts";

const DECIMAL = /^-?\d+(\.\d+)?$/;

const dataOf = async (v: Venue, channel: string, interval?: string, sym = BTC): Promise<Json> => {
  const wanted = interval === undefined ? { channel, sym } : { channel, sym, interval };
  return at((await pushOf(await v.market(), channel, wanted)).json, "data");
};

/** Every named field is decimal text and `ts` is a time of now. */
const figures = (id: string, channel: string, fields: readonly string[]): Card =>
  card(id, "1 §6.1; records §10.4", `${channel} pushes ${fields.join(", ")} as text, and ts`, async (v) => {
    const data = await dataOf(v, channel);
    for (const field of fields) expect(text(at(data, field)), field).toMatch(DECIMAL);
    expect(Math.abs(num(at(data, "ts")) - v.clock.nowMs())).toBeLessThan(120_000);
  });

const INTERVALS = ["1m", "3m", "5m", "15m", "30m", "1H", "2H", "4H", "8H", "12H", "1D", "2D", "5D", "1W", "1M"];

const kline = (id: string, channel: string): Card =>
  card(id, "1 §6.1; records §10.6", `${channel} pushes rows of six texts, arg repeating the interval`, async (v) => {
    const push = (await pushOf(await v.market(), channel, { channel, sym: BTC, interval: "1m" })).json;
    expect(at(push, "arg", "interval")).toBe("1m");
    const row = at(push, "data", 0);
    for (let cell = 0; cell < 6; cell++) expect(typeof at(row, cell), `cell ${cell}`).toBe("string");
    const [openMs, open, high, low, close, volume] = rows(row).map(num);
    expect((openMs ?? 1) % 60_000).toBe(0);
    expect(high).toBeGreaterThanOrEqual(Math.max(open ?? 0, close ?? 0));
    expect(low).toBeLessThanOrEqual(Math.min(open ?? 0, close ?? 0));
    if (channel !== "KLINE") expect(volume).toBe(0);
  });

/** The next book message of a wire. */
const nextBook = async (wire: Wire): Promise<Json> =>
  at((await wire.next((frame) => at(frame.json, "arg", "channel") === "ORDER_BOOK", "a book")).json, "data");

function applied(book: Map<string, string>, side: Json): void {
  for (const level of rows(side)) {
    const [price, qty] = [text(at(level, 0)), text(at(level, 1))];
    if (num(qty) === 0) book.delete(price);
    else book.set(price, qty);
  }
}

export const marketChannels: Surface = {
  name: "market-channels",
  cards: [
    figures("T-6.1-01", "TICKER", ["last", "chg", "high24h", "low24h", "vol24h"]),
    figures("T-6.1-02", "BBO", ["bid", "bidqty", "ask", "askqty"]),
    figures("T-6.1-03", "MARK_PRICE", ["markpx"]),
    figures("T-6.1-04", "INDEX_PRICE", ["indexpx"]),
    figures("T-6.1-05", "OPEN_INTEREST", ["open_interest"]),
    card("T-6.1-06", "1 §6.1; records §10.4", "TICKER comes every 2000 ms", async (v) => {
      const wire = await v.market();
      await pushOf(wire, "TICKER", { channel: "TICKER", sym: BTC });
      await v.wait(20_000);
      const count = wire.seen().filter((frame) => at(frame.json, "arg", "channel") === "TICKER").length;
      expect(count).toBeGreaterThanOrEqual(8);
      expect(count).toBeLessThanOrEqual(16);
    }),
    card("T-6.1-07", "1 §6.1; records §10.4", "TRADE pushes an array of trades with the taker's side", async (v) => {
      const data = await dataOf(v, "TRADE");
      expect(Array.isArray(data)).toBe(true);
      const trade = at(data, 0);
      expect(text(at(trade, "side"))).toMatch(/^(BUY|SELL)$/);
      for (const field of ["price", "qty"]) expect(text(at(trade, field))).toMatch(DECIMAL);
      expect(text(at(trade, "tradeid")).length).toBeGreaterThan(0);
    }),
    card("R-10.4-01", "records §10.4", "the bid is below the ask", async (v) => {
      const data = await dataOf(v, "BBO");
      expect(num(at(data, "bid"))).toBeLessThan(num(at(data, "ask")));
    }),
    card("R-10.4-02", "records §10.4", "ts is a JSON number", async (v) => {
      expect(typeof at(await dataOf(v, "MARK_PRICE"), "ts")).toBe("number");
    }),
    card("T-6.1-08", "1 §6.1", "channels for all also carry SPOT", async (v) => {
      expect(num(at(await dataOf(v, "BBO", undefined, BTC_SPOT), "bid"))).toBeGreaterThan(0);
    }),
    card("R-10.5-01", "records §10.5", "the first book is a snapshot, sorted, without empty levels", async (v) => {
      const data = await dataOf(v, "ORDER_BOOK");
      expect(at(data, "updatetype")).toBe("snapshot");
      const bids = rows(at(data, "Bids")).map((level) => num(at(level, 0)));
      const asks = rows(at(data, "Asks")).map((level) => num(at(level, 0)));
      expect(bids).toEqual([...bids].sort((a, b) => b - a));
      expect(asks).toEqual([...asks].sort((a, b) => a - b));
      expect(bids[0]).toBeLessThan(asks[0] ?? 0);
      for (const level of [...rows(at(data, "Bids")), ...rows(at(data, "Asks"))])
        expect(num(at(level, 1))).toBeGreaterThan(0);
    }),
    card("R-10.5-02", "records §10.5", "seq grows with every book message of the symbol", async (v) => {
      const wire = await v.market();
      let seq = num(at((await pushOf(wire, "ORDER_BOOK", { channel: "ORDER_BOOK", sym: BTC })).json, "data", "seq"));
      for (let count = 0; count < 5; count++) {
        const next = num(at(await nextBook(wire), "seq"));
        expect(next).toBeGreaterThan(seq);
        seq = next;
      }
    }),
    card("R-10.5-03", "records §10.5", "changes applied to a snapshot give the book of a later snapshot", async (v) => {
      const sides = { Bids: new Map<string, string>(), Asks: new Map<string, string>() };
      const [first, second] = await Promise.all([v.market(), v.market()]);
      let data = at((await pushOf(first, "ORDER_BOOK", { channel: "ORDER_BOOK", sym: BTC })).json, "data");
      await v.wait(2_000);
      const fresh = at((await pushOf(second, "ORDER_BOOK", { channel: "ORDER_BOOK", sym: BTC })).json, "data");
      for (;;) {
        if (at(data, "updatetype") === "snapshot") for (const side of Object.values(sides)) side.clear();
        for (const side of ["Bids", "Asks"] as const) applied(sides[side], at(data, side));
        if (num(at(data, "seq")) >= num(at(fresh, "seq"))) break;
        data = await nextBook(first);
      }
      for (const side of ["Bids", "Asks"] as const) {
        expect(Object.fromEntries(sides[side])).toEqual(
          Object.fromEntries(rows(at(fresh, side)).map((level) => [text(at(level, 0)), text(at(level, 1))])),
        );
      }
    }),
    card("T-6.1-09", "1 §6.1; records §10.5", "book changes come about every 250 ms", async (v) => {
      const wire = await v.market();
      await pushOf(wire, "ORDER_BOOK", { channel: "ORDER_BOOK", sym: BTC });
      await v.wait(10_000);
      const times = wire.seen().filter((frame) => at(frame.json, "arg", "channel") === "ORDER_BOOK").length;
      expect(times).toBeGreaterThan(5);
      expect(times).toBeLessThanOrEqual(60);
    }),
    kline("T-6.1-10", "KLINE"),
    kline("T-6.1-11", "INDEX_KLINE"),
    kline("T-6.1-12", "MARK_PRICE_KLINE"),
    card("R-10.6-02", "records §10.6", "every interval of the list is accepted", async (v) => {
      const wire = await v.market();
      wire.say({ event: "subscribe", arg: INTERVALS.map((interval) => ({ channel: "KLINE", sym: BTC, interval })) });
      const ack = (await wire.next((frame) => at(frame.json, "event") === "subscribe", "an ack")).json;
      expect(at(ack, "code")).toBe(0);
      expect(rows(at(ack, "arg"))).toHaveLength(INTERVALS.length);
    }),
    card("R-10.6-03", "records §10.6", "the earlier lower-case spelling of hours is accepted", async (v) => {
      const wire = await v.market();
      wire.say({ event: "subscribe", arg: [{ channel: "KLINE", sym: BTC, interval: "1h" }] });
      expect(at((await wire.next((frame) => at(frame.json, "event") === "subscribe")).json, "code")).toBe(0);
    }),
    card("R-10.6-04", "records §10.6", "a new bar begins when the interval is over", async (v) => {
      const wire = await v.market();
      const first = at(
        (await pushOf(wire, "KLINE", { channel: "KLINE", sym: BTC, interval: "1m" })).json,
        "data",
        0,
        0,
      );
      const stayUp = v.clock.every(15_000, () => wire.isOpen() && wire.say({ ping: 1 }));
      const later = await wire.next((frame) => {
        const openMs = at(frame.json, "data", 0, 0);
        return openMs !== null && num(openMs) > num(first);
      }, "the next bar");
      stayUp();
      expect(num(at(later.json, "data", 0, 0)) - num(first)).toBe(60_000);
      expect(isObject(later.json)).toBe(true);
    }),
  ],
};
