import { describe, expect, test } from "vitest";
import { consentGap, consentVenue } from "../../src/control/consent-gap.ts";
import { readEnvironment } from "../../src/control/environment.ts";
import { differences } from "../../src/control/watch-config.ts";
import { readConfig } from "../../src/config/read.ts";
import { folder } from "../support/process.ts";

const whole = {
  SVC_ACCESS_KEY: "access-0123456789",
  SVC_SECRET_KEY: "secret-0123456789",
  SVC_API_HOST: "https://venue.example",
};

describe("the environment", () => {
  test("stream addresses are read off the host when they are not given", () => {
    const read = readEnvironment(whole);
    if (!read.ok) throw new Error(read.error.join());
    expect(read.value.service).toMatchObject({
      restUrl: "https://venue.example",
      marketWsUrl: "wss://venue.example/marketdata/v2/public",
      userWsUrl: "wss://venue.example/v1/private",
      feedsWsUrl: "wss://venue.example/feeds/v2/public",
    });
    expect(read.value).toMatchObject({ exchanges: ["EXCHANGE_A", "EXCHANGE_B"], dataDir: "data", aiUrl: null });
    expect(JSON.stringify(read.value)).not.toContain("0123456789");
  });
  test("the gateway's address may end in /v1 or a slash", () => {
    for (const end of ["", "/", "/v1", "/v1/", "//v1//"]) {
      const read = readEnvironment({ AI_BASE_URL: `https://gateway.example/team${end}` });
      expect(read.ok && read.value.aiUrl).toBe("https://gateway.example/team");
    }
    const named = readEnvironment({ AI_BASE_URL: "https://gateway.example/v10" });
    expect(named.ok && named.value.aiUrl).toBe("https://gateway.example/v10");
  });
  test("NAME_FILE names a file that holds the value; both at once is an error", () => {
    const made = folder();
    const file = made.file("key", "secret-from-a-file\n");
    const read = readEnvironment({ ...whole, SVC_SECRET_KEY: undefined, SVC_SECRET_KEY_FILE: file });
    expect(read.ok && read.value.service?.secretKey.reveal()).toBe("secret-from-a-file");
    expect(readEnvironment({ ...whole, SVC_SECRET_KEY_FILE: file })).toMatchObject({
      ok: false,
      error: [expect.stringMatching(/both set/)],
    });
    expect(readEnvironment({ SVC_SECRET_KEY_FILE: "/no/such" })).toMatchObject({
      ok: false,
      error: [expect.stringMatching(/cannot be read \(ENOENT\)/)],
    });
    made.remove();
  });
  test.each([
    [{ SVC_API_HOST: "venue.example" }, /SVC_API_HOST is not an address/],
    [{ SVC_API_HOST: "ftp://venue.example" }, /must begin with https: or http:\/\/, found ftp:/],
    [{ SVC_MARKET_WS_URL: "https://venue.example" }, /SVC_MARKET_WS_URL must begin with wss:/],
    [{ SVC_ACCESS_KEY: '"quoted-key"' }, /SVC_ACCESS_KEY must be .* without quotes/],
    [{ SVC_EXCHANGES: "a,b" }, /SVC_EXCHANGES must be one to four different upper-case/],
    [{ SVC_EXCHANGES: "A,A" }, /SVC_EXCHANGES must be one to four different upper-case/],
  ])("%j is refused by name and rule, never with the value of a secret", (change, said) => {
    const read = readEnvironment({ ...whole, ...change });
    expect(read).toMatchObject({ ok: false });
    if (!read.ok) expect(read.error.join()).toMatch(said);
    if (!read.ok) expect(read.error.join()).not.toContain("quoted-key");
  });
  test("what is missing for the real service is named", () => {
    const read = readEnvironment({ SVC_ACCESS_KEY: "access-0123456789" });
    expect(read.ok && read.value.service).toBeNull();
    expect(read.ok && read.value.missing).toEqual(expect.arrayContaining(["SVC_SECRET_KEY", "SVC_API_HOST"]));
  });
});

describe("consent", () => {
  const HERE = { kind: "embedded", host: "" } as const;
  const terms = (consent: string, consentFor = "embedded") => {
    const read = readConfig(
      `session:\n  maxNotionalPerOrder: "400"\n  maxTotalNotional: "20000"\n  consentFor: "${consentFor}"\n  consent: ${JSON.stringify(consent)}\n`,
    );
    if (!read.ok) throw new Error("config");
    return read.value.session;
  };
  const WORDS = "Up to 400 USDT an order and 20,000 USDT in all.";

  test.each([
    ["", /empty/],
    ["Trade as you like.", /does not name 400 and 20000/],
    ["Up to 400 USDT an order.", /does not name 20000/],
    ["Up to 4000 an order and 20000 in all.", /400/],
    [WORDS, null],
  ])("counts only when it names both caps in figures: %s", (consent, gap) => {
    const found = consentGap(terms(consent), HERE);
    if (gap === null) expect(found).toBeNull();
    else expect(found).toMatch(gap);
  });

  test.each([
    ["embedded", "https://api.example.com", /session.consentFor: api.example.com/],
    ["api.example.com", "https://api.example.com", null],
    ["api.example.com", "https://api.example.com:8443", null],
    ["api.example.com:8443", "https://api.example.com:8443", null],
    ["api.example.com:8443", "https://api.example.com", /does not apply here/],
    ["test.example.com", "https://api.example.com", /does not apply here/],
    ["api.example.com", null, /this run is on embedded/],
  ])("for %s at %s", (consentFor, restUrl, gap) => {
    const venue = consentVenue(restUrl === null ? "embedded" : "service", restUrl);
    const found = consentGap(terms(WORDS, consentFor), venue);
    if (gap === null) expect(found).toBeNull();
    else expect(found).toMatch(gap);
  });

  test.each([
    "I let this agent trade automatically, up to 400 USDT an order and 20000 USDT in all.",
    "I let this agent trade automatically on the  embedded practice venue, up to 400 USDT an order and 20,000 USDT in all.",
  ])("a shipped sentence is nobody's own words on the service", (consent) => {
    const service = consentVenue("service", "https://api.example.com");
    expect(consentGap(terms(consent, "api.example.com"), service)).toMatch(/in your own words/);
    expect(consentGap(terms(consent), HERE)).toBeNull();
  });
});

test("what a saved file changes is reported by path", () => {
  expect(differences({ a: { b: 1, c: [1] }, d: 1 }, { a: { b: 2, c: [1] }, d: 1, e: 3 })).toEqual(["a.b", "e"]);
});
