/** Headers, signature, nonce, permissions, and what every answer looks like. Spec: 1 §2.2, §5; records §1. */
import { expect } from "vitest";
import { card, type Surface } from "../harness.ts";
import { at, isObject, text } from "../json.ts";
import { hmac, signature, signedHeaders, sorted } from "../rest-client.ts";
import { accepted, BTC, ETH, ORDER, refused, type Venue } from "../venue.ts";
import { resting, UNKNOWN } from "./order-steps.ts";

const ACCOUNT = "/api/v1/trading/account";
const POSITION = "/api/v1/trading/position";

/** Every write of document 1, with parameters that would be sound. */
const WRITES = [
  ["POST", ACCOUNT, { exchange: "EXCHANGE_A", mode: "BOTH" }],
  ["POST", ORDER, { sym: BTC, side: "BUY", positionSide: "LONG", orderType: "MARKET", orderQty: "0.001" }],
  ["PUT", ORDER, { orderId: "2190000000000001", replacePrice: "1" }],
  ["DELETE", ORDER, { orderId: "2190000000000001" }],
  ["DELETE", "/api/v1/trading/cancelAll", {}],
  ["POST", "/api/v1/algo/order", {}],
  ["PUT", "/api/v1/algo/order", {}],
  ["DELETE", "/api/v1/algo/order", {}],
  ["DELETE", "/api/v1/algo/cancelAll", {}],
  ["DELETE", POSITION, { sym: BTC, positionSide: "LONG" }],
  ["DELETE", "/api/v1/trading/positions", { closeAllPos: "true" }],
  ["POST", "/api/v1/trading/position/leverage", { sym: BTC, leverage: 2 }],
] as const;

/** A signed GET of the account with headers changed; "" takes a header away. */
async function withHeaders(v: Venue, change: Record<string, string>): ReturnType<Venue["raw"]> {
  const headers = { ...signedHeaders(v.account, {}, v.nonce()), ...change };
  const kept = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""));
  return v.raw({ method: "GET", path: ACCOUNT, headers: kept });
}

const nonceAt = (shiftSeconds: number) => async (v: Venue) => {
  const nonce = v.nonce(shiftSeconds);
  return v.raw({ method: "GET", path: ACCOUNT, headers: signedHeaders(v.account, {}, nonce) });
};

const keyRefused = (kind: Parameters<Venue["key"]>[0], code: number) => async (v: Venue) =>
  refused(await v.get(ACCOUNT, {}, v.key(kind)), code);

export const restAuth: Surface = {
  name: "rest-auth",
  cards: [
    card("T-5.1-01", "1 §5.1", "a call without X-MBX-APIKEY is refused with 2000", async (v) =>
      refused(await withHeaders(v, { "X-MBX-APIKEY": "" }), 2000),
    ),
    card("T-5.1-02", "1 §5.1", "a call without nonce is refused with 2000", async (v) =>
      refused(await withHeaders(v, { nonce: "" }), 2000),
    ),
    card("T-5.1-03", "1 §5.1", "a call without signature is refused with 2000", async (v) =>
      refused(await withHeaders(v, { signature: "" }), 2000),
    ),
    card("T-5.1-04", "1 §5.1", "the signature is hex HMAC-SHA256, and another one is refused with 2000", async (v) =>
      refused(await withHeaders(v, { signature: hmac("not the secret", `&${v.nonce()}`) }), 2000),
    ),
    card("T-5.1-05", "1 §5.1", "the nonce is Unix seconds: milliseconds are refused with 7000", async (v) => {
      const nonce = `${v.nonce()}000`;
      refused(await v.raw({ method: "GET", path: ACCOUNT, headers: signedHeaders(v.account, {}, nonce) }), 7000);
    }),
    card("T-5.2-01", "1 §5.2", "GET parameters are signed sorted by key, in whatever order they travel", async (v) => {
      const params = { sym: BTC, exchange: "EXCHANGE_A" };
      expect(sorted(params)).toBe(`exchange=EXCHANGE_A&sym=${BTC}`);
      accepted(await v.get(POSITION, params));
    }),
    card("T-5.2-02", "1 §5.2", "a GET signed in unsorted order is refused with 2000", async (v) => {
      const nonce = v.nonce();
      const unsorted = hmac(v.account.secretKey, `sym=${BTC}&exchange=EXCHANGE_A&${nonce}`);
      const headers = { ...signedHeaders(v.account, {}, nonce), signature: unsorted };
      refused(
        await v.raw({ method: "GET", path: POSITION, query: { sym: BTC, exchange: "EXCHANGE_A" }, headers }),
        2000,
      );
    }),
    card("T-5.2-03", "1 §5.2", "with no parameters the payload is & and the nonce", async (v) => {
      const nonce = v.nonce();
      const headers = { ...signedHeaders(v.account, {}, nonce), signature: hmac(v.account.secretKey, `&${nonce}`) };
      accepted(await v.raw({ method: "GET", path: ACCOUNT, headers }));
    }),
    card("T-5.2-04", "1 §5.2", "a payload without the & before the nonce is refused with 2000", async (v) => {
      const nonce = v.nonce();
      const headers = { ...signedHeaders(v.account, {}, nonce), signature: hmac(v.account.secretKey, nonce) };
      refused(await v.raw({ method: "GET", path: ACCOUNT, headers }), 2000);
    }),
    card("T-5.2-05", "1 §5.2", "a parameter changed after signing is refused with 2000", async (v) => {
      const headers = signedHeaders(v.account, { sym: BTC }, v.nonce());
      refused(await v.raw({ method: "GET", path: POSITION, query: { sym: ETH }, headers }), 2000);
    }),
    card("T-5.2-06", "1 §5.2", "a parameter added after signing is refused with 2000", async (v) => {
      const headers = signedHeaders(v.account, {}, v.nonce());
      refused(await v.raw({ method: "GET", path: POSITION, query: { sym: BTC }, headers }), 2000);
    }),
    card("T-5.2-07", "1 §5.2; records §1.2", "POST signs the fields of the JSON body", async (v) =>
      accepted(await v.post(ORDER, await v.farOrder())),
    ),
    card("T-5.2-08", "1 §5.2; records §1.2", "a POST body changed after signing is refused with 2000", async (v) => {
      const order = await v.farOrder();
      const headers = signedHeaders(v.account, order, v.nonce());
      const body = JSON.stringify({ ...order, side: "SELL" });
      refused(await v.raw({ method: "POST", path: ORDER, body, headers }), 2000);
    }),
    card("T-4-01", "1 §4", "DELETE takes query parameters, signed", async (v) =>
      accepted(await v.del("/api/v1/trading/cancelAll", { sym: BTC }), 202),
    ),
    card("R-1.2-01", "records §1.2", "DELETE with a JSON body, signed over the body, is accepted too", async (v) => {
      const params = { sym: BTC };
      const headers = signedHeaders(v.account, params, v.nonce());
      const body = JSON.stringify(params);
      accepted(await v.raw({ method: "DELETE", path: "/api/v1/trading/cancelAll", body, headers }), 202);
    }),
    card("R-1.2-12", "records §1.2", "of a DELETE with query and body the signed one counts", async (v) => {
      const orderId = await resting(v);
      const headers = (): Record<string, string> => signedHeaders(v.account, { orderId }, v.nonce());
      const other = { orderId: UNKNOWN };
      const inQuery = { query: { orderId }, body: JSON.stringify(other) };
      accepted(await v.raw({ method: "DELETE", path: ORDER, ...inQuery, headers: headers() }));
      await v.settled(orderId, ["CANCELLED"]);
      await v.wait(5_100);
      const inBody = { query: other, body: JSON.stringify({ orderId }) };
      refused(await v.raw({ method: "DELETE", path: ORDER, ...inBody, headers: headers() }), 401117);
    }),
    card("R-1.2-02", "records §1.2", "non-string body values are signed as their plain text", async (v) =>
      accepted(await v.post("/api/v1/trading/position/leverage", { sym: BTC, leverage: 2 }), 202),
    ),
    card("R-1.2-03", "records §1.2", "values are signed raw, not URL-encoded", async (v) => {
      const sym = `${BTC},${ETH}`;
      accepted(await v.get("/api/v1/trading/positionBracket", { sym }));
    }),
    card("R-1.2-04", "records §1.2", "a nonce 50 s old is inside the window", async (v) => {
      accepted(await nonceAt(-50)(v));
    }),
    card("R-1.2-05", "records §1.2", "a nonce more than 60 s old is refused with 7000", async (v) =>
      refused(await nonceAt(-70)(v), 7000),
    ),
    card("R-1.2-06", "records §1.2", "a nonce more than 60 s ahead is refused with 7000", async (v) =>
      refused(await nonceAt(70)(v), 7000),
    ),
    card("R-1.2-07", "records §1.2", "a nonce may be used twice inside its window", async (v) => {
      const headers = signedHeaders(v.account, {}, v.nonce());
      const call = { method: "GET", path: POSITION, headers } as const;
      accepted(await v.raw(call));
      accepted(await v.raw(call));
    }),
    card("R-1.2-08", "records §1.2", "an upper-case signature is accepted", async (v) => {
      const nonce = v.nonce();
      const upper = signature(v.account.secretKey, {}, nonce).toUpperCase();
      const headers = { ...signedHeaders(v.account, {}, nonce), signature: upper };
      accepted(await v.raw({ method: "GET", path: ACCOUNT, headers }));
    }),
    card("R-1.2-09", "records §1.2", "an unknown key is reported before a bad nonce", async (v) => {
      const externalOrder = { accessKey: "nobody-knows-me", secretKey: "s" };
      refused(
        await v.raw({ method: "GET", path: ACCOUNT, headers: signedHeaders(externalOrder, {}, v.nonce(-900)) }),
        100018,
      );
    }),
    card("R-1.2-10", "records §1.2", "a bad nonce is reported before a bad signature", async (v) => {
      const headers = { ...signedHeaders(v.account, {}, v.nonce(-900)), signature: "00" };
      refused(await v.raw({ method: "GET", path: ACCOUNT, headers }), 7000);
    }),
    card("R-1.2-11", "records §1.2", "permission is reported before bad parameters", async (v) =>
      refused(await v.post(ORDER, { sym: "nonsense" }, v.key("read-only")), 2003),
    ),
    card("R-2-2000", "records §2", "code 2000: signature mismatch", async (v) =>
      refused(await withHeaders(v, { signature: "0".repeat(64) }), 2000),
    ),
    card(
      "R-2-2001",
      "records §2, §16",
      "code 2001: the source address is not on the key's allow-list",
      keyRefused("walled", 2001),
    ),
    card("T-7.1-2002", "1 §7.1; records §4.7", "code 2002: broker fee rates with a portfolio key", async (v) =>
      refused(await v.get("/api/v1/broker/feeRate"), 2002),
    ),
    card("R-2-2003", "1 §5.4; records §16", "code 2003: a key without Trade may not write anything", async (v) => {
      const key = v.key("read-only");
      for (const [method, path, params] of WRITES) refused(await v.call(method, path, params, key), 2003);
    }),
    card("T-5.4-01", "1 §5.4", "a key with Read alone reads balances, positions and history", async (v) => {
      for (const path of [ACCOUNT, POSITION, "/api/v1/trading/history/orders"]) {
        accepted(await v.get(path, {}, v.key("read-only")));
      }
    }),
    card("R-2-7000", "records §2", "code 7000: nonce too far from server time", async (v) =>
      refused(await nonceAt(-3_600)(v), 7000),
    ),
    card("R-2-100018", "records §2, §16", "code 100018: the key is disabled", keyRefused("disabled", 100018)),
    card("R-2-100018b", "records §2", "code 100018: the key is unknown", async (v) =>
      refused(await v.get(ACCOUNT, {}, { accessKey: "nobody-knows-me", secretKey: "s" }), 100018),
    ),
    card("R-2-100041", "records §2, §16", "code 100041: the key is frozen", keyRefused("frozen", 100041)),
    card("T-2.2-01", "1 §2.2", "success is code 200000 as a JSON number, a message and data", async (v) => {
      const reply = await v.get(ACCOUNT);
      accepted(reply);
      expect(typeof at(reply.body, "code")).toBe("number");
      expect(reply.contentType).toContain("application/json");
    }),
    card(
      "T-2.2-02",
      "1 §2.2; records §1.1",
      "a business error is HTTP 200 with a code, a message and data {}",
      async (v) => {
        const reply = await v.get(ORDER, { orderId: "2190999999999999" });
        refused(reply, 401018);
        expect(reply.data).toEqual({});
      },
    ),
    card("R-1.1-01", "records §1.1", "an unknown path is HTTP 404", async (v) => {
      expect((await v.get("/api/v1/trading/horoscope")).status).toBe(404);
    }),
    card("R-1.1-02", "records §1.1", "the text of 401018 holds the words not found", async (v) => {
      expect((await v.get(ORDER, { orderId: "2190999999999999" })).message.toLowerCase()).toContain("not found");
    }),
    card("R-1.1-03", "records §1.1", "asynchronous writes succeed with HTTP 202", async (v) => {
      accepted(await v.post("/api/v1/trading/position/leverage", { sym: ETH, leverage: 2 }), 202);
      accepted(await v.del("/api/v1/trading/cancelAll"), 202);
    }),
    card("R-1.1-04", "records §1.1 note 2", "data is {} where there is no payload", async (v) => {
      expect((await v.del("/api/v1/trading/cancelAll")).data).toEqual({});
    }),
    card("R-2-400001", "records §2", "code 400001: a body that is no JSON object", async (v) => {
      for (const body of ["[1]", '{"sym":', "5"]) {
        const reply = await v.raw({
          method: "POST",
          path: ORDER,
          body,
          headers: signedHeaders(v.account, {}, v.nonce()),
        });
        refused(reply, 400001);
      }
    }),
    card("R-0.2-01", "records §0.2", "unknown parameters are ignored", async (v) => {
      accepted(await v.get(POSITION, { sym: BTC, surprise: "yes" }));
    }),
    card("R-16-01", "records §4.7, §16", "a main key sees the broker fee rates", async (v) => {
      const first = at(accepted(await v.get("/api/v1/broker/feeRate", {}, v.key("main"))), 0);
      expect(isObject(first) && text(at(first, "taker"))).toMatch(/^0\.\d+$/);
    }),
  ],
};
