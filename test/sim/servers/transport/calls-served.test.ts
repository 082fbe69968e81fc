/** Which calls count as served under each fault of the REST interface: deadlines are judged by it. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inProcess } from "../../../../src/sim/servers/transport/in-process.ts";
import { BTC } from "../fake-exchange.ts";
import { type Rig, settled, startFaultyRig } from "../rig.ts";

let rig: Rig;
beforeEach(async () => {
  rig = await startFaultyRig();
});
afterEach(() => rig.stop());

const ORDER = "/api/v1/trading/order";
const order = { sym: BTC, side: "BUY", positionSide: "LONG", orderType: "MARKET", orderQty: "1", clientOrderId: "c" };
const on = (name: string, params: unknown): void => void expect(rig.faults.start(name, params, null).ok).toBe(true);
const place = (): Promise<unknown> =>
  settled(
    rig,
    rig.call("POST", ORDER, order).catch(() => null),
  );
const query = (): Promise<unknown> =>
  settled(
    rig,
    rig.call("GET", ORDER, { orderId: "1" }).catch(() => null),
  );

const ALL = { methods: ["GET", "POST", "PUT", "DELETE"] };

/** Null: no such call is ever struck. */
describe("a write is served once the venue has carried it out, a read once its answer is whole and true", () => {
  test.each([
    ["drop-before-apply", ALL, { write: false, read: false }],
    ["drop-after-apply", ALL, { write: true, read: false }],
    ["server-error", { applied: false }, { write: false, read: false }],
    ["server-error", { applied: true }, { write: true, read: false }],
    ["html-body", {}, { write: true, read: false }],
    ["cut-json", {}, { write: true, read: false }],
    ["rate-limit-burst", {}, { write: false, read: false }],
    ["maintenance", {}, { write: false, read: false }],
    ["key-revoked", {}, { write: false, read: false }],
    ["clock-skew", { ms: 90_000 }, { write: false, read: false }],
    ["clock-skew", { ms: 4_000 }, { write: true, read: true }],
    ["rest-delay", { afterMs: 500 }, { write: true, read: true }],
    ["schema-drift", { kind: "exponent" }, { write: true, read: false }],
    ["schema-drift", { kind: "number-for-text", share: 0 }, { write: null, read: null }],
    ["duplicate-delivery", {}, { write: null, read: null }],
    ["mute", {}, { write: null, read: null }],
  ])("%s %j", async (name, params, served) => {
    on(name, params);
    const before = rig.watched.length;
    await place();
    await query();
    const of = (method: string) => rig.watched.slice(before).find(({ call }) => call === `${method} ${ORDER}`)?.served;
    expect({ write: of("POST") ?? null, read: of("GET") ?? null }).toEqual(served);
  });

  test.each([
    ["drop-after-apply", { methods: ["POST"] }, [false]],
    ["html-body", {}, [false]],
    ["stalled-body", {}, []],
    ["rest-delay", { afterMs: 500 }, [true]],
  ])("a write that the venue refuses is served once its answer is whole: %s %j", async (name, params, served) => {
    on(name, params);
    const before = rig.watched.length;
    const refused = rig.call("POST", ORDER, { ...order, side: "NEITHER" }).catch(() => null);
    await settled(rig, Promise.race([refused, rig.clock.sleep(3_000)]));
    expect(rig.watched.slice(before).map((call) => call.served)).toEqual(served);
  });

  test("a refusal for its rate says for how long", async () => {
    on("rate-limit-burst", { retryAfterSec: 7 });
    await query();
    expect(rig.watched).toEqual([{ call: `GET ${ORDER}`, served: false, retryAfterMs: 7_000 }]);
  });

  test.each([
    [1_000, false],
    [5_000, true],
  ])("a read that is answered after 3 s to a client that waits for %d ms: %s", async (timeoutMs, served) => {
    const network = inProcess({ clock: rig.clock, hosts: { venue: rig.servers.handlers } });
    const client = network.http(rig.clock, { baseUrl: "http://venue" });
    on("rest-delay", { afterMs: 3_000 });
    const sent = client.send({ method: "GET", path: `${ORDER}?orderId=1`, headers: {}, timeoutMs });
    await rig.clock.advance(6_000);
    await sent;
    expect(rig.watched.map((call) => call.served)).toEqual([served]);
  });
});

describe("the reach of a fault", () => {
  const reach = (method: string, path: string) => rig.faults.restReach({ method, path });

  test("is every call where none is let through, some where a share is struck, and none elsewhere", () => {
    on("server-error", { path: "/algo", share: 1 });
    expect(reach("POST", "/api/v1/algo/order")).toBe("every");
    expect(reach("POST", ORDER)).toBeNull();
    on("server-error", { path: "", share: 0.2 });
    expect(reach("POST", "/api/v1/algo/order")).toBe("every");
    expect(reach("POST", ORDER)).toBe("some");
    rig.faults.stop();
    expect(reach("POST", "/api/v1/algo/order")).toBeNull();
  });

  test("of old reads is every read of orders and states, and no write", () => {
    on("read-lag", {});
    expect([reach("GET", "/api/v1/trading/position"), reach("DELETE", "/api/v1/trading/position")]).toEqual([
      "every",
      null,
    ]);
    expect(reach("GET", "/api/v1/market/markPrice")).toBeNull();
  });
});
