/** The public market-data WebSocket: session, subscriptions, codes and limits. Spec: 1 §4.7, §6.1, §7.2, §8.2; records §10. */
import { expect } from "vitest";
import { type Card, card, type Surface } from "../harness.ts";
import { at, isObject, type Json, rows } from "../json.ts";
import { BTC, BTC_SPOT, ETH, type Venue } from "../venue.ts";
import type { Frame, Wire } from "../wire.ts";

const isEvent = (event: string) => (frame: Frame) => at(frame.json, "event") === event;
const item = (channel: string, sym = BTC, interval?: string): Record<string, string> =>
  interval === undefined ? { channel, sym } : { channel, sym, interval };

/** Subscribes and answers the first acknowledgement. */
async function subscribed(wire: Wire, ...arg: readonly Record<string, string>[]): Promise<Json> {
  wire.say({ event: "subscribe", arg });
  return (await wire.next(isEvent("subscribe"), "an ack")).json;
}

/** An error acknowledgement that names the offending item. */
async function refusedItem(v: Venue, code: number, bad: Record<string, string>): Promise<void> {
  const wire = await v.market();
  const ack = await subscribed(wire, bad);
  expect(at(ack, "code")).toBe(code);
  expect(at(ack, "arg", 0)).toMatchObject(bad);
  expect(typeof at(ack, "msg")).toBe("string");
}

const refusal = (id: string, code: number, sentence: string, bad: Record<string, string>): Card =>
  card(id, "1 §7.2; records §10.2", sentence, (v) => refusedItem(v, code, bad));

async function login(v: Venue, args: Record<string, unknown>, wire?: Wire): Promise<Json> {
  const socket = wire ?? (await v.market());
  socket.say({ action: "login", args });
  return (await socket.next(isEvent("login"), "a login reply")).json;
}

/** Symbols that the service carries, enough to pass the limit of 50. */
async function carried(v: Venue): Promise<readonly string[]> {
  const data = (await v.get("/api/v1/trading/sym/info")).data;
  return isObject(data) ? Object.keys(data) : [];
}

const subscribeMany = (wire: Wire, symbols: readonly string[]): Promise<Json> =>
  subscribed(wire, ...symbols.map((sym) => item("BBO", sym)));

const PERP_ONLY = ["MARK_PRICE", "INDEX_PRICE", "OPEN_INTEREST", "INDEX_KLINE", "MARK_PRICE_KLINE"];

export const marketStream: Surface = {
  name: "market-stream",
  cards: [
    card("T-4.7-01", "1 §4.7", "ping with a number is answered by pong with milliseconds of the service", async (v) => {
      const wire = await v.market();
      wire.say({ ping: 1 });
      const pong = (await wire.next((frame) => at(frame.json, "pong") !== null, "a pong")).json;
      expect(Math.abs(Number(at(pong, "pong")) - v.clock.nowMs())).toBeLessThan(60_000);
    }),
    card("T-4.7-02", "1 §4.7", "frames are GZIP-compressed by default", async (v) => {
      const wire = await v.market({ binary: true });
      wire.say({ ping: 1 });
      expect((await wire.next(() => true, "a frame")).binary).toBe(true);
      expect((await pushOf(wire, "BBO", item("BBO"))).binary).toBe(true);
    }),
    card("T-4.7-03", "1 §4.7", "binary=false gives plain-text frames", async (v) => {
      const wire = await v.market();
      expect((await pushOf(wire, "BBO", item("BBO"))).binary).toBe(false);
    }),
    card(
      "T-4.7-04",
      "1 §4.7; records §10.2",
      "subscribe is acknowledged with the items and the number 0",
      async (v) => {
        const ack = await subscribed(await v.market(), item("BBO"), item("TRADE"));
        expect(at(ack, "code")).toBe(0);
        expect(at(ack, "arg")).toEqual([item("BBO"), item("TRADE")]);
      },
    ),
    card("T-4.7-05", "1 §4.7; records §10.2", "unsubscribe is acknowledged and ends the pushes", async (v) => {
      const wire = await v.market();
      await pushOf(wire, "TICKER", item("TICKER"));
      wire.say({ event: "unsubscribe", arg: [item("TICKER")] });
      const ack = await wire.next(isEvent("unsubscribe"), "an ack");
      expect(ack.json).toMatchObject({ code: 0, arg: [item("TICKER")] });
      const before = wire.seen().length;
      await v.wait(6_000);
      expect(wire.seen().length).toBe(before);
    }),
    card("T-4.7-06", "1 §4.7", "login is optional: pushes come without it", async (v) => {
      await pushOf(await v.market(), "BBO", item("BBO"));
    }),
    card("T-6.1-20", "1 §6.1", "login success is event login, code the text 200000, msg", async (v) => {
      const reply = await login(v, v.socketLogin(v.account, v.nonce()));
      expect(reply).toMatchObject({ event: "login", code: "200000", msg: expect.any(String) as unknown });
    }),
    card("T-5.3-01", "1 §5.3", "the market stream takes a timestamp of 13 digits", async (v) => {
      const timestamp = String(Math.floor(v.clock.nowMs()));
      expect(at(await login(v, v.socketLogin(v.account, timestamp)), "code")).toBe("200000");
    }),
    card("T-7.2-11106", "1 §7.2", "code 11106: an unknown access key", async (v) => {
      const externalOrder = { accessKey: "nobody-knows-me", secretKey: "s" };
      expect(at(await login(v, v.socketLogin(externalOrder, v.nonce())), "code")).toBe("11106");
    }),
    card("T-7.2-11107", "1 §7.2", "code 11107: a wrong signature", async (v) => {
      const args = { ...v.socketLogin(v.account, v.nonce()), sign: "00" };
      expect(at(await login(v, args), "code")).toBe("11107");
    }),
    card("T-7.2-11108", "1 §7.2", "code 11108: a timestamp that is neither seconds nor milliseconds", async (v) => {
      expect(at(await login(v, v.socketLogin(v.account, "yesterday")), "code")).toBe("11108");
    }),
    card("T-7.2-11108b", "1 §7.2; records §11.1", "code 11108: a timestamp more than 60 s off", async (v) => {
      expect(at(await login(v, v.socketLogin(v.account, v.nonce(-120))), "code")).toBe("11108");
    }),
    card("T-7.2-11109", "1 §7.2", "code 11109: the address may not use the key", async (v) => {
      const key = v.key("walled");
      expect(at(await login(v, v.socketLogin(key, v.nonce())), "code")).toBe("11109");
    }),
    card("R-10.2-01", "records §10.2", "a failed login leaves the connection open and anonymous", async (v) => {
      const wire = await v.market();
      await login(v, { ...v.socketLogin(v.account, v.nonce()), sign: "00" }, wire);
      await pushOf(wire, "BBO", item("BBO"));
    }),
    refusal("T-7.2-11100", 11100, "code 11100: a malformed symbol", item("BBO", "BTCUSDT")),
    ...PERP_ONLY.map((channel, index) =>
      refusal(
        `T-2.1-1${index}`,
        11100,
        `code 11100: ${channel} is perpetual-only and refuses SPOT`,
        item(channel, BTC_SPOT, channel.includes("KLINE") ? "1m" : undefined),
      ),
    ),
    refusal("T-7.2-11101", 11101, "code 11101: an unknown channel", item("HOROSCOPE")),
    refusal("T-4.7-07", 11101, "channel names are case-sensitive", item("bbo")),
    refusal("T-7.2-11102", 11102, "code 11102: a kline without interval", item("KLINE")),
    refusal("R-10.6-01", 11102, "code 11102: a kline with an unknown interval", item("KLINE", BTC, "7m")),
    refusal("T-7.2-11250", 11250, "code 11250: a symbol that is not carried", item("BBO", "EXCHANGE_A_PERP_NOPE_USDT")),
    card("T-7.2-11103", "1 §7.2; records §10.2", "code 11103: a frame that is not JSON", async (v) => {
      const wire = await v.market();
      wire.sayText("hello");
      expect((await wire.next(isEvent("error"), "an error")).json).toMatchObject({ code: 11103 });
    }),
    card(
      "T-7.2-11103b",
      "1 §7.2; records §10.2",
      "code 11103: a frame with neither event, action nor ping",
      async (v) => {
        const wire = await v.market();
        wire.say({ hello: 1 });
        expect((await wire.next(isEvent("error"), "an error")).json).toMatchObject({ code: 11103 });
      },
    ),
    card("T-7.2-11112", "1 §7.2", "code 11112: unsubscribing what was not subscribed", async (v) => {
      const wire = await v.market();
      wire.say({ event: "unsubscribe", arg: [item("BBO")] });
      expect(at((await wire.next(isEvent("unsubscribe"), "an ack")).json, "code")).toBe(11112);
    }),
    card("R-10.2-02", "records §10.2", "sound items of a request are subscribed beside refused ones", async (v) => {
      const wire = await v.market();
      wire.say({ event: "subscribe", arg: [item("BBO"), item("HOROSCOPE")] });
      const codes = [await wire.next(isEvent("subscribe")), await wire.next(isEvent("subscribe"))].map((frame) =>
        at(frame.json, "code"),
      );
      expect([...codes].sort()).toEqual([0, 11101]);
      await wire.next((frame) => at(frame.json, "arg", "channel") === "BBO", "a BBO");
    }),
    card("R-10.2-03", "records §10.2", "subscribing twice is harmless", async (v) => {
      const wire = await v.market();
      await subscribed(wire, item("BBO"));
      expect(at(await subscribed(wire, item("BBO")), "code")).toBe(0);
    }),
    card("T-7.2-11210", "1 §7.2, §8.2", "code 11210: a sixth symbol on an anonymous connection", async (v) => {
      const wire = await v.market();
      const symbols = (await carried(v)).slice(0, 6);
      await subscribeMany(wire, symbols.slice(0, 5));
      expect(at(await subscribeMany(wire, symbols.slice(5)), "code")).toBe(11210);
    }),
    card("T-8.2-01", "1 §8.2", "pairs are counted by symbol, not by channel", async (v) => {
      const wire = await v.market();
      const symbols = (await carried(v)).filter((symbol) => symbol.includes("_PERP_")).slice(0, 5);
      await subscribeMany(wire, symbols);
      const more = symbols.map((sym) => item("TICKER", sym));
      expect(at(await subscribed(wire, ...more), "code")).toBe(0);
    }),
    card("T-8.2-02", "1 §8.2", "unsubscribing frees a pair", async (v) => {
      const wire = await v.market();
      const symbols = (await carried(v)).slice(0, 6);
      await subscribeMany(wire, symbols.slice(0, 5));
      wire.say({ event: "unsubscribe", arg: [item("BBO", symbols[0])] });
      await wire.next(isEvent("unsubscribe"), "an ack");
      expect(at(await subscribeMany(wire, symbols.slice(5)), "code")).toBe(0);
    }),
    card("T-7.2-11200", "1 §7.2, §8.2", "code 11200: a sixth anonymous connection of one address", async (v) => {
      await Promise.all(Array.from({ length: 5 }, () => v.market()));
      const sixth = await v.rawSocket("market", "?binary=false");
      if ("status" in sixth) return expect(sixth.status).toBe(429);
      const frame = await sixth.next(() => true, "the refusal");
      expect(at(frame.json, "code")).toBe(11200);
      await sixth.closed;
    }),
    card("T-8.2-03", "1 §8.2", "authenticated connections have room for more than five", async (v) => {
      const wires = [];
      for (let count = 0; count < 8; count++) {
        const wire = await v.market();
        expect(at(await login(v, v.socketLogin(v.account, v.nonce()), wire), "code")).toBe("200000");
        wires.push(wire);
      }
      expect(wires.every((wire) => wire.isOpen())).toBe(true);
    }),
    card(
      "T-8.2-04",
      "1 §8.2",
      "the forty-first authenticated connection of one address is refused with 11200",
      async (v) => {
        for (let count = 0; count < 40; count++) await login(v, v.socketLogin(v.account, v.nonce()), await v.market());
        const wire = await v.market();
        wire.say({ action: "login", args: v.socketLogin(v.account, v.nonce()) });
        const frame = await wire.next((seen) => at(seen.json, "code") !== null, "the refusal");
        expect(String(at(frame.json, "code"))).toBe("11200");
      },
    ),
    card("T-7.2-11260", "1 §7.2, §8.2", "code 11260: more than 50 subscribe requests in a second", async (v) => {
      const wire = await v.market();
      for (let count = 0; count < 60; count++) wire.say({ event: "subscribe", arg: [item("BBO")] });
      const limited = await wire.next((frame) => [11240, 11260].includes(Number(at(frame.json, "code"))), "11260");
      expect(at(limited.json, "code")).toBe(11260);
    }),
    card("T-7.2-11240", "1 §7.2", "code 11240: more than 1,000 items subscribed in a second", async (v) => {
      const wire = await v.market();
      const arg = Array.from({ length: 1_001 }, () => item("BBO"));
      wire.say({ event: "subscribe", arg });
      expect((await wire.next(isEvent("subscribe"), "11240")).json).toMatchObject({ code: 11240, arg: [] });
      await v.wait(1_100);
      await pushOf(wire, "BBO", item("BBO"));
    }),
    card("T-7.2-11230", "1 §7.2", "code 11230: an action before the login; after it 11103", async (v) => {
      const wire = await v.market();
      wire.say({ action: "place_order", id: "1", args: {} });
      expect((await wire.next(isEvent("error"), "11230")).json).toMatchObject({ code: 11230 });
      await login(v, v.socketLogin(v.account, v.nonce()), wire);
      wire.say({ action: "place_order", id: "2", args: {} });
      expect((await wire.next(isEvent("error"), "11103")).json).toMatchObject({ code: 11103 });
    }),
    card("T-8.2-05", "1 §8.2", "a client that says nothing for 60 s is closed", async (v) => {
      const wire = await v.market();
      const beganMs = v.clock.nowMs();
      await wire.closed;
      expect(v.clock.nowMs() - beganMs).toBeGreaterThan(50_000);
      expect(v.clock.nowMs() - beganMs).toBeLessThan(120_000);
    }),
    card("T-8.2-06", "1 §8.2", "a client that pings every 20 s stays", async (v) => {
      const wire = await v.market();
      for (let count = 0; count < 5; count++) {
        await v.wait(20_000);
        wire.say({ ping: 1 });
      }
      expect(wire.isOpen()).toBe(true);
    }),
    card("R-10.1-01", "records §10.1", "nothing is kept over a reconnect", async (v) => {
      const first = await v.market();
      await pushOf(first, "TICKER", item("TICKER"));
      first.close();
      await first.closed;
      const second = await v.market();
      await v.wait(6_000);
      expect(second.seen()).toEqual([]);
    }),
    card("R-10.3-01", "records §10.3", "a push has arg and data, and neither event nor code", async (v) => {
      const push = (await pushOf(await v.market(), "BBO", item("BBO", ETH))).json;
      expect(isObject(push) && Object.keys(push).sort()).toEqual(["arg", "data"]);
      expect(at(push, "arg")).toEqual(item("BBO", ETH));
      expect(rows(at(push, "arg"))).toEqual([]);
    }),
  ],
};

/** Subscribes to an item and answers its first push. */
export async function pushOf(wire: Wire, channel: string, wanted: Record<string, string>): Promise<Frame> {
  wire.say({ event: "subscribe", arg: [wanted] });
  return wire.next((frame) => at(frame.json, "arg", "channel") === channel, `a ${channel} push`);
}
