/** The private WebSocket: session, actions, pushes. Spec: 1 §2.4, §4.8, §5.3, §6.2, §7.3, §8.3; records §11, §12. */
import { expect } from "vitest";
import { card, type Surface } from "../harness.ts";
import { at, num, text } from "../json.ts";
import { accepted, BTC, ORDER } from "../venue.ts";
import { socket, login, act, onChannel, orderIn, placed, resting, externalOrder } from "./user-steps.ts";

export const userStream: Surface = {
  name: "user-stream",
  cards: [
    card("T-6.2-01", "1 §6.2, §7.3", "login success: event login, the number 0, an empty msg", async (v) => {
      expect(await login(v, v.socketLogin(v.account, v.nonce()))).toEqual({ event: "login", code: 0, msg: "" });
    }),
    card("T-7.3-601009", "1 §6.2, §7.3", "code 601009: login failed, with a text", async (v) => {
      const reply = await login(v, { ...v.socketLogin(v.account, v.nonce()), sign: "00" });
      expect(reply).toMatchObject({ event: "login", code: 601009 });
      expect(text(at(reply, "msg")).length).toBeGreaterThan(0);
    }),
    card("T-7.3-601009b", "1 §7.3", "code 601009: an unknown key", async (v) => {
      expect(at(await login(v, v.socketLogin(externalOrder, v.nonce())), "code")).toBe(601009);
    }),
    card("T-7.3-601016", "1 §5.3, §7.3", "code 601016: a timestamp of 13 digits", async (v) => {
      expect(at(await login(v, v.socketLogin(v.account, `${v.nonce()}000`)), "code")).toBe(601016);
    }),
    card("R-11.1-01", "records §11.1", "a login timestamp more than 60 s off is 601009", async (v) => {
      expect(at(await login(v, v.socketLogin(v.account, v.nonce(-120))), "code")).toBe(601009);
    }),
    card("T-8.3-01", "1 §8.3", "one login per second and key", async (v) => {
      const [first, second] = await Promise.all([socket(v), socket(v)]);
      const args = v.socketLogin(v.account, v.nonce());
      const codes = (await Promise.all([login(v, args, first), login(v, args, second)])).map((reply) =>
        at(reply, "code"),
      );
      expect([...codes].sort()).toEqual([0, 601009]);
    }),
    card("R-11.1-02", "records §11.1", "a second connection of one key is allowed and both get pushes", async (v) => {
      const first = await v.user();
      await v.wait(1_500);
      const second = await v.user();
      const orderId = await placed(v, first);
      await first.some(onChannel("Orders", orderId), "a push");
      await second.some(onChannel("Orders", orderId), "a push");
    }),
    card("T-4.8-01", "1 §4.8", "the raw text ping is answered by the raw text pong", async (v) => {
      const wire = await socket(v);
      wire.sayText("ping");
      expect((await wire.next(() => true, "a pong")).text).toBe("pong");
    }),
    card("T-8.3-02", "1 §8.3", "30 s of silence close the connection", async (v) => {
      const wire = await socket(v);
      const beganMs = v.clock.nowMs();
      await wire.closed;
      expect(v.clock.nowMs() - beganMs).toBeGreaterThan(25_000);
      expect(v.clock.nowMs() - beganMs).toBeLessThan(60_000);
    }),
    card("T-8.3-03", "1 §8.3", "a ping every 10 s keeps it", async (v) => {
      const wire = await socket(v);
      for (let count = 0; count < 6; count++) {
        await v.wait(10_000);
        wire.sayText("ping");
      }
      expect(wire.isOpen()).toBe(true);
    }),
    card("R-11.1-03", "records §11.1", "frames are plain text", async (v) => {
      const wire = await v.user();
      await placed(v, wire);
      expect(wire.seen().every((frame) => !frame.binary)).toBe(true);
    }),
    card(
      "R-11.1-04",
      "records §11.1",
      "an action before login is refused with 601009 under its name and id",
      async (v) => {
        const reply = await act(await socket(v), "place_order", await v.farOrder(), "p9");
        expect(reply).toMatchObject({ id: "p9", event: "place_order", code: 601009 });
      },
    ),
    card("R-11.1-05", "records §11.1", "no snapshot follows the login", async (v) => {
      accepted(await v.post(ORDER, await v.farOrder()));
      const wire = await v.user();
      await v.wait(3_000);
      expect(wire.seen().filter((frame) => at(frame.json, "channel") === "Orders")).toEqual([]);
    }),
    card("T-4.8-02", "1 §4.8; records §11.2", "place_order answers id, event, 200000 and the order ids", async (v) => {
      const wire = await v.user();
      const reply = await act(wire, "place_order", await v.farOrder({ clientOrderId: "ws-1" }), "p1");
      expect(reply).toMatchObject({
        id: "p1",
        event: "place_order",
        code: 200000,
        msg: "Success",
        data: { clientOrderId: "ws-1" },
      });
      expect(text(at(reply, "data", "orderId"))).toMatch(/^\d{16}$/);
    }),
    card("T-4.8-03", "1 §4.8; records §11.2", "replace_order takes orderId and replacePrice", async (v) => {
      const wire = await v.user();
      const orderId = await resting(v, wire);
      const { tick, decimals } = await v.rules(BTC);
      const replacePrice = (num(at(await v.order(orderId), "limitPrice")) - tick * 5).toFixed(decimals);
      const reply = await act(wire, "replace_order", { orderId, replacePrice }, "r1");
      expect(reply).toMatchObject({ id: "r1", event: "replace_order", code: 200000, data: { orderId } });
      const push = await wire.some(
        (f) => onChannel("Orders", orderId)(f) && at(f.json, "data", "action") === "AMEND_COMPLETED",
        "the amend",
      );
      expect(num(at(push.json, "data", "limitPrice"))).toBe(num(replacePrice));
    }),
    card("T-4.8-04", "1 §4.8; records §11.2", "cancel_order answers CANCEL_PENDING", async (v) => {
      const wire = await v.user();
      const orderId = await resting(v, wire);
      const reply = await act(wire, "cancel_order", { orderId }, "c1");
      expect(reply).toMatchObject({
        event: "cancel_order",
        code: 200000,
        data: { orderId, orderState: "OPEN", action: "CANCEL_PENDING" },
      });
      await wire.some(orderIn(orderId, "CANCELLED"), "CANCELLED");
    }),
    card("R-11.2-01", "records §11.2", "cancel_orders cancels all and answers {}", async (v) => {
      const wire = await v.user();
      const orderId = await resting(v, wire);
      expect(await act(wire, "cancel_orders", {}, "b1")).toMatchObject({
        event: "cancel_orders",
        code: 200000,
        data: {},
      });
      await wire.some(orderIn(orderId, "CANCELLED"), "CANCELLED");
    }),
    card("R-11.2-02", "records §11.2", "an action's error carries the REST code", async (v) => {
      const wire = await v.user();
      const reply = await act(wire, "cancel_order", { orderId: "2190999999999999" }, "c2");
      expect(reply).toMatchObject({ id: "c2", event: "cancel_order", code: 401018 });
    }),
    card("R-11.2-03", "records §11.2", "an unknown action is 400001", async (v) => {
      expect(await act(await v.user(), "dance", {}, "x")).toMatchObject({ id: "x", code: 400001 });
    }),
    card(
      "R-11.2-08",
      "1 §4.8; records §11.2",
      "a frame without action or with an id that is no text says so",
      async (v) => {
        const wire = await v.user();
        const complaint = async (frame: Readonly<Record<string, unknown>>) => {
          wire.say(frame);
          const reply = await wire.next(({ json }) => at(json, "code") === 400001, "a complaint");
          return text(at(reply.json, "msg"));
        };
        expect(await complaint({ id: "a1", args: {} })).toBe("action must be text, and is missing");
        expect(await complaint({ id: "a2", action: 7, args: {} })).toBe("action must be text, found 7");
        expect(await complaint({ id: ["a3"], action: "cancel_orders" })).toBe('id must be text, found ["a3"]');
      },
    ),
    card("R-11.2-04", "records §11.2", "place_order obeys the same field rules as REST", async (v) => {
      const wire = await v.user();
      expect(at(await act(wire, "place_order", { ...(await v.farOrder()), sym: "BTCUSDT" }, "1"), "code")).toBe(400009);
      expect(at(await act(wire, "place_order", { ...(await v.farOrder()), orderQty: "0.0015" }, "2"), "code")).toBe(
        401015,
      );
      expect(at(await act(wire, "place_order", { ...(await v.farOrder()), side: "HOLD" }, "3"), "code")).toBe(400001);
    }),
    card("T-8.3-04", "1 §8.3, §18.9", "orders by stream are not bound to one in 5 s", async (v) => {
      const wire = await v.user();
      for (let count = 0; count < 6; count++) {
        expect(at(await act(wire, "cancel_order", { orderId: "2190999999999999" }, `c${count}`), "code")).toBe(401018);
      }
    }),
    card("T-8.3-05", "1 §8.3", "replace_order: 300 per 60 s, then a rate refusal", async (v) => {
      const wire = await v.user();
      for (let count = 0; count < 301; count++) {
        wire.say({
          id: `r${count}`,
          action: "replace_order",
          args: { orderId: "2190999999999999", replacePrice: "1" },
        });
      }
      const last = await wire.next((frame) => at(frame.json, "id") === "r300", "the last reply");
      expect(at(last.json, "code")).toBe(429);
      const refusals = wire.seen().filter((frame) => at(frame.json, "code") === 429);
      expect(refusals).toHaveLength(1);
    }),
    card("T-8.3-06", "1 §8.3", "cancel_order: 1200 per 60 s, then a rate refusal", async (v) => {
      const wire = await v.user();
      for (let count = 0; count < 1201; count++) {
        wire.say({ id: `c${count}`, action: "cancel_order", args: { orderId: "2190999999999999" } });
      }
      const last = await wire.next((frame) => at(frame.json, "id") === "c1200", "the last reply");
      expect(at(last.json, "code")).toBe(429);
    }),
    card("T-8.3-07", "1 §8.3", "place_order: 1200 per 60 s, then a rate refusal", async (v) => {
      const wire = await v.user();
      for (let count = 0; count < 1201; count++)
        wire.say({ id: `p${count}`, action: "place_order", args: { sym: "x" } });
      const last = await wire.next((frame) => at(frame.json, "id") === "p1200", "the last reply");
      expect(at(last.json, "code")).toBe(429);
    }),
  ],
};
