import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canonicalQuery,
  headerPayload,
  hmacHex,
  plainParams,
  queryTimestamp,
  sameSignature,
  signHeaders,
  signQuery,
  signSocketLogin,
  urlQuery,
} from "../../src/net/sign.ts";

const keys = { accessKey: "access", secretKey: "secret" };
const hmac = (text: string): string => createHmac("sha256", "secret").update(text).digest("hex");
const plain = (params: Record<string, unknown>): ReadonlyMap<string, string> => {
  const result = plainParams(params);
  if (!result.ok) throw new Error(result.error);
  return result.value;
};

describe("the header scheme", () => {
  test("signs sorted parameters, an ampersand and the nonce", () => {
    const params = plain({ sym: "EXCHANGE_A_PERP_BTC_USDT", side: "BUY", orderQty: "0.01" });
    const headers = signHeaders(keys, params, 1_784_500_000);
    expect(headers.signature).toBe(hmac("orderQty=0.01&side=BUY&sym=EXCHANGE_A_PERP_BTC_USDT&1784500000"));
    const { signature } = headers;
    expect(headers).toEqual({
      "X-MBX-APIKEY": "access",
      nonce: "1784500000",
      signature,
      "Content-Type": "application/json",
    });
  });
  test("without parameters signs an ampersand and the nonce", () => {
    expect(signHeaders(keys, plain({}), 5).signature).toBe(hmac("&5"));
  });
  test("leaves out what is null, undefined or empty, and writes booleans and numbers as plain text", () => {
    expect(canonicalQuery(plain({ a: null, b: undefined, c: "", d: true, e: 5 }))).toBe("d=true&e=5");
  });
  test("sorts by code units, upper case before lower case", () => {
    expect(canonicalQuery(plain({ b: "1", B: "2", a: "3" }))).toBe("B=2&a=3&b=1");
  });
});

describe("the query scheme", () => {
  test("adds key, timestamp and a signature over all of them", () => {
    const signed = signQuery(keys, plain({ page: 2, categories: "" }), Date.UTC(2026, 0, 2, 3, 4, 5));
    expect(signed.get("timestamp")).toBe("2026-01-02T03:04:05");
    expect(signed.get("sign")).toBe(hmac("apiKey=access&page=2&timestamp=2026-01-02T03:04:05"));
    expect(urlQuery(signed)).toContain("timestamp=2026-01-02T03%3A04%3A05");
  });
  test("timestamps are UTC, without milliseconds", () => {
    expect(queryTimestamp(999)).toBe("1970-01-01T00:00:00");
  });
});

test("the digest is HMAC-SHA256 in lower-case hex over UTF-8 (RFC 4231, case 2, and non-ASCII)", () => {
  expect(hmacHex("Jefe", "what do ya want for nothing?")).toBe(
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
  expect(hmacHex("secret", "naïve €")).toBe(
    createHmac("sha256", "secret").update(Buffer.from("naïve €", "utf8")).digest("hex"),
  );
});

describe("the URL", () => {
  test("has no question mark without parameters", () => {
    expect(urlQuery(plain({ a: "" }))).toBe("");
  });
  test("joins parameters and encodes what has a meaning in it", () => {
    expect(urlQuery(plain({ sym: "A", note: "1+1 ?#%" }))).toBe("?sym=A&note=1%2B1%20%3F%23%25");
  });
});

test("the socket signature is over timestamp, GET and the verify path", () => {
  expect(signSocketLogin("secret", "1784500000")).toBe(hmac("1784500000GET/users/self/verify"));
});

test("signatures compare in either case, and unequal lengths are unequal", () => {
  expect(sameSignature("AB", "ab")).toBe(true);
  expect(sameSignature("ab", "abc")).toBe(false);
});

describe("what could splice the signed text", () => {
  test.each([
    [{ "a&b": "1" }, "name"],
    [{ "a=b": "1" }, "name"],
    [{ sym: "X&side=SELL" }, "must not contain &"],
    [{ list: ["a"] }, "neither text"],
    [{ n: Number.NaN }, "neither text"],
    [{ n: 1e21 }, "neither text"],
  ])("%j is refused", (params, words) => {
    const result = plainParams(params);
    expect(result).toMatchObject({ ok: false });
    if (!result.ok) expect(result.error).toContain(words);
  });

  test("what is accepted can be read back from the signed text", () => {
    const params = fc.dictionary(fc.string({ maxLength: 8 }), fc.string({ maxLength: 12 }));
    fc.assert(
      fc.property(params, (given) => {
        const result = plainParams(given);
        if (!result.ok) return;
        const text = headerPayload(result.value, "17");
        const back = new Map<string, string>();
        for (const pair of text.split("&").slice(0, -1)) {
          if (pair === "" && result.value.size === 0) continue;
          const cut = pair.indexOf("=");
          back.set(pair.slice(0, cut), pair.slice(cut + 1));
        }
        expect([...back].sort()).toEqual([...result.value].sort());
      }),
    );
  });
});
