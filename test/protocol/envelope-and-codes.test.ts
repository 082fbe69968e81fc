import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeCode, httpVerdict, isDefiniteRefusal, isRateLimitCode, reasonOf } from "../../src/protocol/codes.ts";
import { errorEnvelope, readEnvelope, readReply, successEnvelope } from "../../src/protocol/envelope.ts";
import { listOf, pageCountOf } from "../../src/protocol/page.ts";
import { hasRepeatedKey } from "../../src/protocol/repeated-key.ts";
import { openAlgos } from "../../src/protocol/trading/open-algos.ts";
import { openOrders } from "../../src/protocol/trading/open-orders.ts";
import { placeOrder } from "../../src/protocol/trading/place-order.ts";
import { cancelAlgo } from "../../src/protocol/trading/cancel-algo.ts";
import { queryNews } from "../../src/protocol/feeds/query-news.ts";

const body = (value: unknown): string => JSON.stringify(value);

describe("envelope", () => {
  test.each([
    [placeOrder, { code: 200000, message: "Success", data: { a: 1 } }, { kind: "success", data: { a: 1 } }],
    [placeOrder, { code: "200000", data: null }, { kind: "success", data: {} }],
    [placeOrder, { code: 200000 }, { kind: "success", data: {} }],
    [placeOrder, { orderId: "1" }, { kind: "success", data: { orderId: "1" } }],
    [placeOrder, [1], { kind: "success", data: [1] }],
    [
      placeOrder,
      { code: 401018, message: "Order not found", data: {} },
      { kind: "refused", code: "401018", message: "Order not found" },
    ],
    [placeOrder, { code: 200, message: "success", data: {} }, { kind: "refused", code: "200", message: "success" }],
    [queryNews, { code: 200, data: {} }, { kind: "success", data: {} }],
    [queryNews, { code: 200000, data: {} }, { kind: "refused", code: "200000", message: "" }],
  ])("%#", (endpoint, sent, reading) => expect(readEnvelope(endpoint, body(sent))).toEqual(reading));

  test.each(["", "<html>502</html>", '{"code":', "null", "5", '"text"', '{"code":{}}'])("%j proves nothing", (text) => {
    expect(readEnvelope(placeOrder, text).kind).toBe("unreadable");
  });

  test.each([
    '{"code":200000,"data":{"positionQty":"2","sym":"S","positionQty":"0"}}',
    '{"code":200000,"data":{"list":[{"a":1},{"a" : 1,"b":{"c":1,"c":2}}]}}',
    '{"code":200000,"data":{"orderId":"1","order\\u0049d":"2"}}',
    '{"code":401018,"code":200000}',
  ])("%s says two things at once, and so proves nothing", (text) => {
    expect(readEnvelope(placeOrder, text)).toEqual({ kind: "unreadable", why: "a key stands twice" });
  });

  test("a key that stands twice is found in any JSON, and nowhere else", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.string(), (value, key) => {
        const text = JSON.stringify([value, { [key]: { value, [`${key}:`]: key } }]);
        expect(hasRepeatedKey(text)).toBe(false);
        const quoted = JSON.stringify(key);
        expect(hasRepeatedKey(`[${text},{${quoted}:${text} ,${quoted} :1}]`)).toBe(true);
      }),
    );
  });

  test("what a server writes, a client reads", () => {
    expect(readReply(placeOrder, body(successEnvelope(placeOrder, { orderId: "2190000000590001" })))).toEqual({
      kind: "success",
      data: { orderId: "2190000000590001" },
    });
    expect(readReply(placeOrder, body(errorEnvelope(401023, "Insufficient margin")))).toMatchObject({
      kind: "refused",
      code: "401023",
    });
  });

  test("a payload that breaks its schema is unreadable, with field and rule", () => {
    const page = { page: 1, list: [{ orderId: "1", orderState: "OPEN", sym: "S", side: "BUY", orderQty: "x" }] };
    expect(readReply(openOrders, body({ code: 200000, data: page }))).toEqual({
      kind: "unreadable",
      why: 'data.list.0.orderQty: must be a plain decimal as text, or "" or null where there is none',
    });
    expect(readReply(placeOrder, body({ code: 200000, data: {} }))).toMatchObject({ kind: "unreadable" });
  });

  test("lists come as array or page object", () => {
    const algo = { algoOrderId: "1", sym: "S", orderState: "NEW" };
    for (const data of [[algo], { page: 1, pageSize: 1, pageNum: 3, totalSize: 3, list: [algo] }]) {
      const reply = readReply(openAlgos, body({ code: 200000, data }));
      expect(reply.kind === "success" && listOf(reply.data)).toEqual([algo]);
    }
    expect(pageCountOf({ list: [], pageNum: 3 })).toBe(3);
    expect(listOf({ list: null })).toEqual([]);
  });

  test("the bare reply of an algo cancel", () => {
    expect(readReply(cancelAlgo, body({ algoOrderId: "2190000000597001", clientOrderId: "sl-1" }))).toMatchObject({
      kind: "success",
    });
  });
});

describe("codes", () => {
  test.each(["401018", "400001", "401023", "2002", "7000", "406010", "11101", "601009", "1004"])(
    "%s is a definite refusal",
    (code) => {
      expect(isDefiniteRefusal(code)).toBe(true);
      expect(describeCode(code)).not.toBe("unknown code");
    },
  );

  test.each(["40000", "50001", "400000", "500", "200000", "429", "999999", "", "toString", "__proto__"])(
    "%j proves nothing",
    (code) => {
      expect(isDefiniteRefusal(code)).toBe(false);
    },
  );

  test("patience and endings", () => {
    expect([isRateLimitCode("429"), isRateLimitCode("401023")]).toEqual([true, false]);
    expect(describeCode("constructor")).toBe("unknown code");
  });

  test.each([
    ["401018", "not-found"],
    ["401058", "already-ended"],
    ["401117", "already-ended"],
    ["401097", "nothing-to-close"],
    ["406010", "duplicate-id"],
    ["401011", "stale-rules"],
    ["401023", "stale-rules"],
    ["100018", "unauthorized"],
    ["7000", "clock"],
    ["http-404", "not-served"],
    ["http-403", "other"],
    ["406012", "other"],
    ["constructor", "other"],
  ])("a refusal with %s means %s", (code, reason) => {
    expect(reasonOf(code)).toBe(reason);
  });

  test.each([
    [200, "read-body"],
    [202, "read-body"],
    [301, "uncertain"],
    [404, "refused"],
    [408, "uncertain"],
    [429, "rate-limited"],
    [500, "uncertain"],
    [502, "uncertain"],
  ])("HTTP %i: %s", (status, verdict) => expect(httpVerdict(status)).toBe(verdict));
});
