import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dec, type Decimal } from "../../src/core/decimal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/core/time.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { createBreaker, REST_MAX_MS } from "../../src/llm/gateway/breaker.ts";
import { createAnswerCache } from "../../src/llm/gateway/cache.ts";
import { headerCostUsd, readCompletion } from "../../src/llm/dialects/completion.ts";
import { compareFigures, type OwnFigures, readKeyInfo, readUsd } from "../../src/llm/budget/key-info.ts";
import { allowanceUsd, forecastUsd, mayAsk } from "../../src/llm/budget/budget.ts";
import type { ModelPrice } from "../../src/llm/contract/settings.ts";
import { boundUsd, usageCostUsd } from "../../src/llm/calls/invoice.ts";
import { readRefusal, readRetryAfter } from "../../src/llm/dialects/refusal.ts";
import { tokenBound, tokenCeiling } from "../../src/llm/prompts/tokens.ts";

const price: ModelPrice = {
  name: "m",
  speech: "chat",
  inputPerMillionUsd: dec("0.31"),
  outputPerMillionUsd: dec("1.24"),
  cachedPerMillionUsd: dec("0.06"),
  longContext: {
    aboveTokens: 512_000,
    inputPerMillionUsd: dec("0.62"),
    outputPerMillionUsd: dec("2.47"),
    cachedPerMillionUsd: dec("0.12"),
  },
};

describe("prices", () => {
  test("the bound is never below the bill of the same or fewer tokens", () =>
    fc.assert(
      fc.property(
        fc.nat(800_000),
        fc.nat(20_000),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(800_000),
        (prompt, output, share, cached) => {
          const usage = {
            promptTokens: Math.floor(prompt * share),
            completionTokens: Math.floor(output * share),
            cachedTokens: cached,
          };
          expect(boundUsd(price, prompt, output).gte(usageCostUsd(price, usage))).toBe(true);
        },
      ),
    ));

  test("long prompts are bounded by the dearer row", () => {
    expect(boundUsd(price, 512_000, 0).toFixed()).toBe("0.15872");
    expect(boundUsd(price, 512_001, 0).toFixed()).toBe("0.31744062");
  });
});

describe("token bounds", () => {
  test("stand above the count and never above the bytes", async () => {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    for (const text of [
      "",
      "Plain words about markets.",
      "1 | 64250.5 | -0.31\n".repeat(200),
      "价格上涨 ".repeat(100),
      "<|endoftext|>",
    ]) {
      const bound = await tokenBound(text);
      expect(bound).toBeGreaterThan(countTokens(text, { disallowedSpecial: new Set() }));
      expect(bound).toBeLessThanOrEqual(tokenCeiling(text));
    }
  });

  test("count every digit as a token of its own at least", async () => {
    expect(await tokenBound("0123456789".repeat(30))).toBeGreaterThanOrEqual(300);
  });

  test("do not count endless runs, which would take the tokenizer seconds", async () => {
    const run = "x".repeat(500_000);
    expect(await tokenBound(run)).toBe(tokenCeiling(run));
  }, 2_000);
});

describe("the answer cache", () => {
  test("keeps an answer for less than its time to live, by either clock", async () => {
    const clock = virtualClock(Date.parse("2026-01-31T00:00:00Z"));
    const cache = createAnswerCache<{ n: number }>(clock, 300_000);
    cache.set("k", { n: 1 });
    await clock.advance(299_999);
    expect(cache.get("k")).toEqual({ n: 1 });
    await clock.advance(1);
    expect(cache.get("k")).toBeNull();
    for (const step of [300_000, -300_000]) {
      cache.set("k", { n: 2 });
      clock.stepWall(step);
      expect(cache.get("k")).toBeNull();
    }
  });

  test("makes an answer once for all who ask meanwhile, also a failing one", async () => {
    const cache = createAnswerCache<{ n: number }>(virtualClock(0), 1);
    let made = 0;
    const make = async (): Promise<{ n: number }> => {
      await Promise.resolve();
      made += 1;
      if (made === 1) throw new Error("first");
      return { n: made };
    };
    expect((await Promise.allSettled([cache.once("k", make), cache.once("k", make)])).map((one) => one.status)).toEqual(
      ["rejected", "rejected"],
    );
    const second = await Promise.all([cache.once("k", make), cache.once("k", make), cache.once("other", make)]);
    expect(second.map(({ joined }) => joined)).toEqual([false, true, false]);
    expect(made).toBe(3);
  });

  test("forgets the oldest beyond its size", () => {
    const cache = createAnswerCache<{ n: number }>(virtualClock(0), 1_000);
    for (let n = 0; n < 600; n++) cache.set(`k${n}`, { n });
    expect(cache.get("k0")).toBeNull();
    expect(cache.get("k599")).toEqual({ n: 599 });
  });
});

const times = (count: number, act: () => void): void => Array.from({ length: count }).forEach(() => act());

describe("the breaker", () => {
  test("rests after three failures in a row, longer each time, up to the cap, and lets one try through", async () => {
    const clock = virtualClock(0);
    const breaker = createBreaker(clock);
    const rests: number[] = [];
    for (let n = 0; n < 3; n++) {
      expect(breaker.admit()).toBe(true);
      breaker.failed();
    }
    for (let n = 0; n < 7; n++) {
      rests.push(breaker.state().untilMs - clock.nowMs());
      expect(breaker.admit()).toBe(false);
      await clock.advance(rests.at(-1) ?? 0);
      expect([breaker.admit(), breaker.admit()]).toEqual([true, false]);
      breaker.failed();
    }
    expect(rests).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, REST_MAX_MS, REST_MAX_MS]);
  });

  test("is whole again after one success", () => {
    const breaker = createBreaker(virtualClock(0));
    times(2, breaker.failed);
    breaker.succeeded();
    times(2, breaker.failed);
    expect(breaker.admit()).toBe(true);
  });

  test("gives a try back that did not take place", async () => {
    const clock = virtualClock(0);
    const breaker = createBreaker(clock);
    times(3, breaker.failed);
    await clock.advance(30_000);
    expect(breaker.admit()).toBe(true);
    breaker.release();
    expect(breaker.admit()).toBe(true);
  });
});

describe("pacing", () => {
  const pace = { limitUsd: dec(10), reserveForEvents: 0.2, dayStartMs: 0 };
  const spending = (used: string, next = "0.01"): { usedTodayUsd: Decimal; leftUsd: Decimal; nextUsd: Decimal } => ({
    usedTodayUsd: dec(used),
    leftUsd: dec(10).sub(dec(used)),
    nextUsd: dec(next),
  });

  test("spreads the clock's share over the day and never gives it the reserve", () => {
    expect(allowanceUsd(pace, 10 * HOUR_MS).toFixed()).toBe("4");
    expect(mayAsk("cadence", 10 * HOUR_MS, pace, spending("3.99"))).toBe(true);
    expect(mayAsk("cadence", 10 * HOUR_MS, pace, spending("4"))).toBe(false);
    expect(mayAsk("event", 10 * HOUR_MS, pace, spending("4"))).toBe(true);
    expect(mayAsk("cadence", DAY_MS - 1, pace, spending("8"))).toBe(false);
    expect(mayAsk("event", DAY_MS - 1, pace, spending("9.99"))).toBe(true);
    expect(mayAsk("event", DAY_MS - 1, pace, spending("9.995"))).toBe(false);
  });

  test("a day of clock questions as dear as can be ends inside the share and runs dry at no hour", () => {
    let used = dec(0);
    const lastAsked: number[] = [];
    for (let at = 0; at < DAY_MS; at += MINUTE_MS) {
      if (!mayAsk("cadence", at, pace, spending(used.toFixed(), "0.05"))) continue;
      used = used.add("0.05");
      lastAsked.push(at);
    }
    expect(used.lte(8)).toBe(true);
    expect(used.gt("7.5")).toBe(true);
    const gaps = lastAsked.slice(1).map((at, index) => at - (lastAsked[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(2 * HOUR_MS);
  });

  test("forecasts the end of the day from its pace", () => {
    expect(forecastUsd(pace, 6 * HOUR_MS, dec("0.2")).toFixed()).toBe("0.8");
    expect(forecastUsd(pace, MINUTE_MS, dec("0.2")).toFixed()).toBe("0.2");
  });
});

describe("the gateway's own figure", () => {
  const NOW = Date.parse("2026-01-02T10:00:00Z");
  const reset = "2026-01-02T16:00:00+00:00";

  test.each([
    ["at the top", { spend: 1.5 }],
    ["in info", { key: "k", info: { spend: 1.5 } }],
    ["in data", { data: { spend: "1.5" } }],
    ["beside null", { spend: null, info: { spend: 1.5, budget_reset_at: null, budget_duration: null } }],
  ])("is found %s", (_what, body) => {
    expect(readKeyInfo(body)).toMatchObject({ ok: true, value: { spendUsd: dec("1.5"), resetAtMs: null } });
  });

  test.each([[null], [[]], ["x"], [{}], [{ spend: -1 }], [{ spend: "1e400" }], [{ info: { spend: true } }]])(
    "is not read from %j",
    (body) => {
      expect(readKeyInfo(body).ok).toBe(false);
    },
  );

  test("money may be written with an exponent", () => {
    expect(readUsd("1.2e-05")?.toFixed()).toBe("0.000012");
    expect(readUsd(4e-7)?.toFixed()).toBe("0.0000004");
    for (const bad of ["NaN", "Infinity", "0x10", "1_000", "", {}, "-1"]) expect(readUsd(bad)).toBeNull();
  });

  const own = (spent: (sinceMs: number) => string, baseline: OwnFigures["baseline"] = null): OwnFigures => ({
    spentSince: (sinceMs) => dec(spent(sinceMs)),
    baseline,
    limitUsd: dec(10),
  });
  const info = (
    spend: string,
    resetAt: string | null = reset,
    periodMs = DAY_MS,
  ): Parameters<typeof compareFigures>[0] => ({
    spendUsd: dec(spend),
    resetAtMs: resetAt === null ? null : Date.parse(resetAt),
    periodMs,
  });

  test("with a reset ahead it is compared with ours since the last one", () => {
    const since: number[] = [];
    const figures = own((ms) => (since.push(ms), "1.2"));
    expect(compareFigures(info("1.5"), figures, NOW).extraUsd.toFixed()).toBe("0.3");
    expect(since).toEqual([Date.parse("2026-01-01T16:00:00Z")]);
    expect(compareFigures(info("1.1"), figures, NOW).extraUsd.toFixed()).toBe("0");
  });

  test("just after a reset nothing is compared: the old figure may still be shown", () => {
    const at = Date.parse("2026-01-01T16:05:00Z");
    expect(
      compareFigures(
        info("9"),
        own(() => "0"),
        at,
      ).extraUsd.toFixed(),
    ).toBe("0");
  });

  test("without a reset time the growth since a baseline counts, not a lag that is caught up again and again", () => {
    const first = compareFigures(
      info("2", null),
      own(() => "0.5"),
      NOW,
    );
    expect(first.extraUsd.toFixed()).toBe("1.5");
    const then = compareFigures(
      info("2.4", null),
      own(() => "0.3", first.baseline),
      NOW + HOUR_MS,
    );
    expect(then).toMatchObject({ extraUsd: dec("0.1"), baseline: first.baseline });
    expect(
      compareFigures(
        info("2.4", null),
        own(() => "0.4", then.baseline),
        NOW + HOUR_MS,
      ).extraUsd.toFixed(),
    ).toBe("0");
    expect(
      compareFigures(
        info("2.4", null),
        own(() => "0.4", then.baseline),
        NOW + 13 * HOUR_MS,
      ).baseline?.spendUsd.toFixed(),
    ).toBe("2.4");
  });

  test("a counter of a whole life that starts above a day's money is a baseline and no charge", () => {
    expect(
      compareFigures(
        info("50", null),
        own(() => "0"),
        NOW,
      ),
    ).toMatchObject({ extraUsd: dec(0), baseline: { spendUsd: dec(50) } });
  });

  test("a counter that fell was zeroed: what it shows is new", () => {
    const fallen = compareFigures(
      info("0.7", null),
      own(() => "0.2", { spendUsd: dec(8), atMs: NOW - HOUR_MS }),
      NOW,
    );
    expect(fallen).toMatchObject({ extraUsd: dec("0.5"), baseline: { spendUsd: dec("0.7"), atMs: NOW } });
  });
});

describe("a refusal", () => {
  const answer = (status: number, type: string, message: string): Parameters<typeof readRefusal>[0] => ({
    status,
    headers: {},
    body: { type },
    message,
  });
  test.each([
    [400, "budget_exceeded", "x", "budget"],
    [429, "budget_exceeded", "x", "budget"],
    [400, "auth_error", "Budget has been exceeded!", "budget"],
    [429, "rate_limit_error", "slow", "rate-limit"],
    [401, "auth_error", "Expired Key", "key"],
    [403, "key_model_access_denied", "x", "key"],
    [400, "invalid_request_error", "response_format json_schema unsupported", "format"],
    [400, "invalid_request_error", "context too long", "request"],
    [302, "", "moved", "redirect"],
    [402, "", "Payment Required", "budget"],
    [429, "insufficient_quota", "You exceeded your current quota", "budget"],
    [404, "", "404 page not found", "path"],
    [404, "", "The model `model-1` does not exist or you do not have access to it.", "model"],
    [404, "", 'model "model-1" not found, try pulling it first', "model"],
    [400, "invalid_request_error", "Invalid model name passed in model=model-1", "model"],
    [401, "auth_error", "key not allowed to access model. This key can only access models=['a']", "model"],
    [400, "", "This model does not support response_format json_schema", "format"],
    [400, "", "'temperature' is not supported with this model", "format"],
    [400, "", "Bad Request", "request"],
    [408, "", "upstream time-out", null],
    [500, "", "budget of retries is spent", null],
    [503, "", "x", null],
  ])("status %i, type %j, %j is %j", (status, type, message, why) => {
    expect(readRefusal(answer(status, type, message), 0).why).toBe(why);
  });

  test("may say when to come back, in seconds or as a date", () => {
    const now = Date.parse("2026-01-02T10:00:00Z");
    expect(readRetryAfter("7", now)).toBe(7_000);
    expect(readRetryAfter("Fri, 02 Jan 2026 10:00:30 GMT", now)).toBe(30_000);
    expect(readRetryAfter("Fri, 02 Jan 2026 09:00:00 GMT", now)).toBe(0);
    for (const none of [undefined, "", "soon"]) expect(readRetryAfter(none, now)).toBeNull();
  });
});

describe("a completion", () => {
  test("is read from text, parts, a refusal or a tool call", () => {
    const of = (message: unknown): string | null => readCompletion({ choices: [{ message }] }).text;
    expect(of({ content: "a" })).toBe("a");
    expect(of({ content: [{ type: "text", text: "a" }, { text: "b" }] })).toBe("ab");
    expect(of({ content: null, refusal: "no" })).toBe("no");
    expect(of({ content: null, tool_calls: [{ function: { name: "f", arguments: "{}" } }] })).toBe("{}");
    for (const bad of [null, "text", {}, { choices: [] }, { choices: [{}] }])
      expect(readCompletion(bad).text).toBeNull();
  });

  test("has usage only when it can be true", () => {
    const of = (usage: unknown): unknown => readCompletion({ choices: [], usage }).usage;
    expect(of({ prompt_tokens: 5, completion_tokens: 1 })).toEqual({
      promptTokens: 5,
      completionTokens: 1,
      cachedTokens: 0,
    });
    expect(of({ prompt_tokens: 5, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 9 } })).toMatchObject({
      cachedTokens: 5,
    });
    for (const bad of [
      undefined,
      {},
      { prompt_tokens: -1, completion_tokens: 1 },
      { prompt_tokens: 1.5, completion_tokens: 1 },
    ])
      expect(of(bad)).toBeNull();
  });

  test("has its cost in a header whatever the product is called", () => {
    for (const name of ["x-proxy-response-cost", "X-Some-Thing-Response-Cost", "x-response-cost"]) {
      expect(headerCostUsd({ [name]: "0.5" })?.toFixed()).toBe("0.5");
    }
    expect(headerCostUsd({ "x-proxy-key-spend": "1" })).toBeNull();
    expect(headerCostUsd({ "x-proxy-response-cost": "None" })).toBeNull();
  });
});
