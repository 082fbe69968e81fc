import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { signQuery, urlQuery } from "../../../../src/net/sign.ts";
import { DAY_MS } from "../../../../src/core/time.ts";
import { itemFrom } from "../../../../src/sim/feed/inject.ts";
import { NOW_MS } from "../fake-exchange.ts";
import { KEY, type Message, type Rig, startRig, until } from "../rig.ts";

const NEWS = "/api/v1/feeds/queryNews";
const STREAM = "/feeds/v2/public";

let rig: Rig;
beforeEach(async () => {
  rig = await startRig();
});
afterEach(() => rig.stop());

const inject = (title: string, ageMs = 0, kind: "news" | "hot" = "news", category = 1): void => {
  const at = { id: rig.store.nextId(), nowMs: NOW_MS - ageMs };
  rig.store.add(itemFrom({ title, kind, category }, at));
};

const titles = (data: unknown): unknown[] => (data as { list: Message[] }).list.map(({ title }) => title);

describe("the queries", () => {
  test("answer code 200 and a page, newest first, within the retention", async () => {
    inject("old", 16 * DAY_MS);
    inject("older", 2 * DAY_MS);
    inject("newer", DAY_MS, "news", 7);
    const all = await rig.call("GET", NEWS, { startTime: "1000000000000" });
    expect(all.body).toMatchObject({ code: 200, data: { page: 1, pageSize: 20, pageNum: 1, totalSize: 2 } });
    expect(titles(all.body.data)).toEqual(["newer", "older"]);
    expect(titles((await rig.call("GET", NEWS, { categories: "7,99" })).body.data)).toEqual(["newer"]);
    expect(titles((await rig.call("GET", NEWS, { page: "2", pageSize: "1" })).body.data)).toEqual(["older"]);
    expect((await rig.call("GET", NEWS, { pageSize: "31" })).body).toMatchObject({ code: 30012, data: null });
  });

  test("report authorization failures by the feed's own codes", async () => {
    const code = async (how: Parameters<Rig["call"]>[3]): Promise<unknown> =>
      (await rig.call("GET", NEWS, {}, how)).body.code;
    expect(await code({ key: { ...KEY, accessKey: "nobody" } })).toBe(1003);
    expect(await code({ key: { ...KEY, secretKey: "wrong" } })).toBe(1004);
    expect(await code({ nonce: String(NOW_MS / 1_000 - 61) })).toBe(1004);
    rig.keys.add({ ...KEY, accessKey: "far-away", allowList: ["10.0.0.1"] });
    expect(await code({ key: { ...KEY, accessKey: "far-away" } })).toBe(1007);
    rig.keys.add({ ...KEY, accessKey: "no-read", permissions: ["trade"] });
    expect(await code({ key: { ...KEY, accessKey: "no-read" } })).toBe(2003);
  });

  test("take the older scheme with everything in the query, five minutes either way", async () => {
    const ask = async (atMs: number, secretKey = KEY.secretKey): Promise<Message> => {
      const params = signQuery({ accessKey: KEY.accessKey, secretKey }, new Map([["pageSize", "5"]]), atMs);
      return (await (await fetch(`http://${rig.base}${NEWS}${urlQuery(params)}`)).json()) as Message;
    };
    expect(await ask(NOW_MS - 299_000)).toMatchObject({ code: 200, data: { pageSize: 5 } });
    expect(await ask(NOW_MS - 301_000)).toMatchObject({ code: 1004 });
    expect(await ask(NOW_MS, "wrong")).toMatchObject({ code: 1004 });
    expect(await (await fetch(`http://${rig.base}${NEWS}`)).json()).toMatchObject({ code: 1004 });
  });
});

describe("the stream", () => {
  const subscribe = { event: "subscribe", arg: [{ channel: "news.category.all" }, { channel: "news.none" }] };

  test("acknowledges what it knows, pushes the same bytes to all, and forgets on unsubscribe", async () => {
    const [one, two] = [await rig.socket(STREAM), await rig.socket(STREAM)];
    for (const client of [one, two]) {
      for (let again = 0; again < 2; again++) {
        expect(await client.ask(subscribe)).toEqual({
          event: "subscribe",
          code: "0",
          msg: "success",
          arg: [{ channel: "news.category.all" }],
          invalidArg: [{ channel: "news.none" }],
        });
      }
    }
    inject("hot topic", 0, "hot");
    inject("headline");
    expect(await one.next()).toMatchObject({
      channel: "news.category.all",
      data: { title: "headline", newsType: "news" },
    });
    await two.next();
    expect(one.raw.at(-1)).toEqual(two.raw.at(-1));
    expect(await one.ask({ ...subscribe, event: "unsubscribe" })).toMatchObject({ event: "unsubscribe", code: "0" });
    inject("nobody hears");
    expect(await one.drained()).toEqual([]);
    expect(await two.drained()).toHaveLength(1);
    expect(await one.ask("what?")).toEqual({ event: "error", code: "500", msg: "Server Error" });
  });

  test("refuses the sixth connection of one address with HTTP 429 at the handshake", async () => {
    for (let i = 0; i < 5; i++) await rig.socket(STREAM, { "X-Forwarded-For": "10.0.0.9" });
    const sixth = new WebSocket(`ws://${rig.base}${STREAM}`, { headers: { "X-Forwarded-For": "10.0.0.9, 1.1.1.1" } });
    const [, response] = (await once(sixth, "unexpected-response")) as [unknown, IncomingMessage];
    expect(response.statusCode).toBe(429);
    expect(await (await rig.socket(STREAM, { "X-Real-IP": "10.0.0.10" })).ask({ ping: 1 })).toHaveProperty("pong");
  });

  test("closes after 90 s without a ping, looking every 30 s", async () => {
    const client = await rig.socket(STREAM);
    await rig.clock.advance(60_000);
    await client.ask({ ping: 1 });
    await rig.clock.advance(89_000);
    expect(rig.servers.feed.connections).toBe(1);
    await rig.clock.advance(31_000);
    await client.closing();
    await until(() => rig.servers.feed.connections === 0);
  });
});
