/** Statements that a reading of documents 1 and 2 line by line found without a card. */
import { expect } from "vitest";
import { card, type Surface } from "../harness.ts";
import { at, isObject, type Json, num, rows, text } from "../json.ts";
import { accepted, BTC, BTC_B, ORDER, type Venue } from "../venue.ts";
import { openWire, type Wire } from "../wire.ts";
import { pushOf } from "./market-stream.ts";

const NEWS = "/api/v1/feeds/queryNews";
const DAY_MS = 86_400_000;

/** News that the service wrote itself; what other cards inject is younger. */
async function ownNews(v: Venue, params: Readonly<Record<string, string | number>> = {}): Promise<readonly Json[]> {
  const endTime = Math.floor(v.clock.nowMs()) - DAY_MS;
  const replies = [1, 2, 3].map((page) => v.get(NEWS, { endTime, pageSize: 30, page, ...params }));
  return (await Promise.all(replies)).flatMap((reply) => rows(reply.data));
}

const fieldsOf = (value: Json): readonly string[] => (isObject(value) ? Object.keys(value).sort() : []);

const QUOTE_FIELDS = [
  "author",
  "authorAvatarUrl",
  "content",
  "createdAtSource",
  "impressionCount",
  "isBlueVerified",
  "likeCount",
  "mediaAttachments",
  "nickName",
  "originalUrl",
  "replyCount",
  "retweetCount",
  "verifiedType",
];

/** Six handshakes of one address, reported by one header; the statuses of those that are refused. */
async function refusedSix(v: Venue, headers: Readonly<Record<string, string>>): Promise<readonly number[]> {
  const url = `${v.baseUrl.replace("http", "ws")}/feeds/v2/public`;
  const wires: Wire[] = [];
  const refused: number[] = [];
  for (let count = 0; count < 6; count++) {
    const wire = await openWire(v.transport, url, headers);
    if ("status" in wire) refused.push(wire.status);
    else wires.push(wire);
  }
  for (const wire of wires) wire.close();
  return refused;
}

export const lineByLine: Surface = {
  name: "line-by-line",
  cards: [
    card("T-1-02", "1 §1", "both exchanges are carried by market and user stream", async (v) => {
      const market = await v.market();
      for (const sym of [BTC, BTC_B]) {
        await pushOf(market, "TICKER", { channel: "TICKER", sym });
        await market.some((frame) => at(frame.json, "arg", "sym") === sym, `a push of ${sym}`);
      }
      const user = await v.user();
      const orderId = text(at(accepted(await v.post(ORDER, await v.farOrder({ sym: BTC }))), "orderId"));
      const push = await user.some((frame) => at(frame.json, "data", "orderId") === orderId, "an Orders push");
      expect(at(push.json, "data", "exchangeType")).toBe("EXCHANGE_A");
    }),
    card("T-1-03", "1 §1", "there is no way to deposit or to withdraw", async (v) => {
      for (const path of ["/api/v1/trading/deposit", "/api/v1/trading/withdraw"]) {
        expect((await v.post(path, { coin: "USDT", amount: "1" })).status).toBe(404);
      }
    }),
    card("T-8.3-08", "1 §8.3", "batch cancel: 1200 per 60 s, then a rate refusal", async (v) => {
      const wire = await v.user();
      for (let count = 0; count < 1201; count++) wire.say({ id: `b${count}`, action: "cancel_orders", args: {} });
      const last = await wire.next((frame) => at(frame.json, "id") === "b1200", "the last reply");
      expect(at(last.json, "code")).toBe(429);
    }),
    card("T-8.2-07", "1 §8.2", "subscribe requests are counted by address, over its connections", async (v) => {
      const wires = [await v.market(), await v.market()];
      for (let count = 0; count < 40; count++) {
        for (const wire of wires) wire.say({ event: "subscribe", arg: [{ channel: "TICKER", sym: BTC }] });
      }
      const limited = wires.map((wire) => wire.some((frame) => at(frame.json, "code") === 11260, "11260"));
      await Promise.race(limited);
      for (const wait of limited) wait.catch(() => undefined);
    }),
    card("F-2.5-01", "2 §2.5", "categories are those of the table", async (v) => {
      const known = [1, 2, 3, 4, 7, 13];
      const found = (await ownNews(v)).map((item) => at(item, "category")).filter((category) => category !== null);
      expect(found.length).toBeGreaterThan(10);
      for (const category of found) expect(known).toContain(category);
    }),
    card("F-2.6-03", "2 §2.6", "media attachments have the four fields and a known type", async (v) => {
      const media = (await ownNews(v)).flatMap((item) => rows(at(item, "mediaAttachments")));
      expect(media.length).toBeGreaterThan(0);
      for (const one of media) {
        expect(fieldsOf(one)).toEqual(["cdnUrl", "mediaType", "originalUrl", "shortUrl"]);
        expect(["photo", "video", "gif"]).toContain(at(one, "mediaType"));
        expect(typeof at(one, "cdnUrl")).toBe("string");
      }
    }),
    card("F-2.6-04", "2 §2.6", "quoted content has the fields of QuoteContentVO", async (v) => {
      const quotes = (await ownNews(v, { categories: "4" })).map((item) => at(item, "quotedContent"));
      const quote = quotes.find(isObject);
      expect(fieldsOf(quote ?? null)).toEqual(QUOTE_FIELDS);
      expect(num(at(quote ?? null, "createdAtSource"))).toBeGreaterThan(1e12);
    }),
    card("F-8-05", "2 §8", "without X-Forwarded-For the address is X-Real-IP", async (v) => {
      const own = v.addressHeaders["X-Forwarded-For"] ?? "";
      expect(await refusedSix(v, { "X-Real-IP": `${own}9` })).toEqual([429]);
      expect(await refusedSix(v, { "X-Forwarded-For": `${own}8, 1.1.1.1`, "X-Real-IP": `${own}7` })).toEqual([429]);
    }),
  ],
};
