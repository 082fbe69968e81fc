/** The public news stream. Spec: 2 §4, §5.3, §6, §7.2, §8; records §13. */
import { expect } from "vitest";
import { card, type Surface } from "../harness.ts";
import { at, type Json } from "../json.ts";
import type { Venue } from "../venue.ts";
import type { Wire } from "../wire.ts";

const NEWS = "news.category.all";
const HOT = "news.hot.all";

async function subscribed(wire: Wire, ...channels: readonly string[]): Promise<Json> {
  wire.say({ event: "subscribe", arg: channels.map((channel) => ({ channel })) });
  return (await wire.next((frame) => at(frame.json, "event") === "subscribe", "a reply")).json;
}

/** Publishes an item and answers its title. */
async function publish(v: Venue, kind: "news" | "hot", mark: string): Promise<string> {
  const title = `${mark} ${v.account.id}`;
  await v.control("POST", "/control/news", { kind, title });
  return title;
}

const titled = (title: string) => (frame: { json: Json }) => at(frame.json, "data", "title") === title;

export const feedStream: Surface = {
  name: "feed-stream",
  cards: [
    card(
      "F-6.1-01",
      "2 §5.3, §6.1",
      "subscribe without login: event, the text 0, msg, arg and invalidArg",
      async (v) => {
        expect(await subscribed(await v.feed(), NEWS)).toEqual({
          event: "subscribe",
          code: "0",
          msg: expect.any(String) as unknown,
          arg: [{ channel: NEWS }],
          invalidArg: [],
        });
      },
    ),
    card("F-6.1-02", "2 §6.1", "an unknown channel stands in invalidArg and hurts nobody else", async (v) => {
      const reply = await subscribed(await v.feed(), HOT, "news.horoscope");
      expect(reply).toMatchObject({ code: "0", arg: [{ channel: HOT }], invalidArg: [{ channel: "news.horoscope" }] });
    }),
    card("F-4-10", "2 §4", "several channels are batched in one message", async (v) => {
      expect(at(await subscribed(await v.feed(), NEWS, HOT), "arg")).toEqual([{ channel: NEWS }, { channel: HOT }]);
    }),
    card("F-4-11", "2 §4", "subscribing again is idempotent: an item comes once", async (v) => {
      const wire = await v.feed();
      await subscribed(wire, NEWS);
      await subscribed(wire, NEWS);
      const title = await publish(v, "news", "once");
      await wire.some(titled(title), "the item");
      await v.wait(2_000);
      expect(wire.seen().filter(titled(title))).toHaveLength(1);
    }),
    card("F-6.2-01", "2 §6.2", "the news channel pushes NewsVO items", async (v) => {
      const wire = await v.feed();
      await subscribed(wire, NEWS);
      const push = await wire.some(titled(await publish(v, "news", "news")), "the item");
      expect(push.json).toMatchObject({ channel: NEWS, data: { newsType: "news" } });
      expect(push.binary).toBe(false);
    }),
    card("F-6.2-02", "2 §6.2", "the hot channel pushes HotNewsVO items", async (v) => {
      const wire = await v.feed();
      await subscribed(wire, HOT);
      const push = await wire.some(titled(await publish(v, "hot", "hot")), "the item");
      expect(push.json).toMatchObject({
        channel: HOT,
        data: { newsType: "hot", ingestTime: expect.any(Number) as unknown },
      });
    }),
    card("F-6.2-03", "2 §6.2", "a channel that is not subscribed stays silent", async (v) => {
      const wire = await v.feed();
      await subscribed(wire, HOT);
      await publish(v, "news", "unheard");
      await v.wait(3_000);
      expect(wire.seen().filter((frame) => at(frame.json, "channel") === NEWS)).toEqual([]);
    }),
    card("F-6.2-04", "2 §6.2", "every subscriber gets the same bytes", async (v) => {
      const wires = await Promise.all([v.feed(), v.feed()]);
      await Promise.all(wires.map((wire) => subscribed(wire, NEWS)));
      const title = await publish(v, "news", "same");
      const [first, second] = await Promise.all(wires.map((wire) => wire.some(titled(title), "the item")));
      expect(first?.text).toBe(second?.text);
    }),
    card("F-6.2-05", "2 §6.2", "subscriptions are not kept across reconnects", async (v) => {
      const first = await v.feed();
      await subscribed(first, NEWS);
      first.close();
      await first.closed;
      const second = await v.feed();
      await publish(v, "news", "after");
      await v.wait(3_000);
      expect(second.seen()).toEqual([]);
    }),
    card("R-13-02", "records §13", "nothing is replayed on subscribe", async (v) => {
      const title = await publish(v, "news", "before");
      const wire = await v.feed();
      await subscribed(wire, NEWS);
      await v.wait(3_000);
      expect(wire.seen().filter(titled(title))).toEqual([]);
    }),
    card("R-13-03", "records §13", "unsubscribe answers like subscribe and ends the pushes", async (v) => {
      const wire = await v.feed();
      await subscribed(wire, NEWS);
      wire.say({ event: "unsubscribe", arg: [{ channel: NEWS }] });
      const reply = await wire.next((frame) => at(frame.json, "event") === "unsubscribe", "a reply");
      expect(reply.json).toMatchObject({ code: "0", arg: [{ channel: NEWS }], invalidArg: [] });
      const title = await publish(v, "news", "gone");
      await v.wait(3_000);
      expect(wire.seen().filter(titled(title))).toEqual([]);
    }),
    card("F-4-12", "2 §4; records §13", "ping is answered by pong with the service's milliseconds", async (v) => {
      const wire = await v.feed();
      wire.say({ ping: 1 });
      const pong = (await wire.next((frame) => at(frame.json, "pong") !== null, "a pong")).json;
      expect(Math.abs(Number(at(pong, "pong")) - v.clock.nowMs())).toBeLessThan(60_000);
    }),
    card(
      "F-7.2-500",
      "2 §7.2; records §13",
      "what it cannot read is event error, the text 500, and the socket stays",
      async (v) => {
        const wire = await v.feed();
        wire.sayText("hello");
        expect((await wire.next(() => true, "an error")).json).toMatchObject({ event: "error", code: "500" });
        expect(wire.isOpen()).toBe(true);
      },
    ),
    card("F-7.2-429", "2 §7.2, §8", "a sixth connection of one address is refused with HTTP 429", async (v) => {
      await Promise.all(Array.from({ length: 5 }, () => v.feed()));
      expect(await v.rawSocket("feed")).toEqual({ status: 429 });
    }),
    card("F-8-02", "2 §8", "the address is the first X-Forwarded-For segment", async (v) => {
      await Promise.all(Array.from({ length: 5 }, () => v.feed()));
      const elsewhere = await v.rawSocket("feed", "", `203.0.113.9, ${v.addressHeaders["X-Forwarded-For"] ?? ""}`);
      expect("status" in elsewhere).toBe(false);
    }),
    card("F-8-03", "2 §8", "90 s without ping close the connection, looked at every 30 s", async (v) => {
      const wire = await v.feed();
      const beganMs = v.clock.nowMs();
      await wire.closed;
      expect(v.clock.nowMs() - beganMs).toBeGreaterThan(80_000);
      expect(v.clock.nowMs() - beganMs).toBeLessThan(150_000);
    }),
    card("F-8-04", "2 §8", "a client that pings stays", async (v) => {
      const wire = await v.feed();
      for (let count = 0; count < 5; count++) {
        await v.wait(30_000);
        wire.say({ ping: 1 });
      }
      expect(wire.isOpen()).toBe(true);
    }),
  ],
};
