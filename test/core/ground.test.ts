import fc from "fast-check";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { BoundedList, BoundedMap } from "../../src/core/bounded.ts";
import { scaledClock } from "../../src/core/clock.ts";
import { dec, Decimal, quantize, roundToStep, toWire } from "../../src/core/decimal.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { canonicalJson, hashOf } from "../../src/core/hash.ts";
import { timedIds } from "../../src/core/ids.ts";
import { LOG_EVENTS } from "../../src/core/log-events.ts";
import { redactor, Secret } from "../../src/core/secret.ts";
import { exactSpan, formatSpan, parseSpan, utcDay, utcDayStartMs } from "../../src/core/time.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";

describe("decimals", () => {
  test.each(["NaN", "Infinity", "1e5", "0x10", "1_000", "", " 1", "1,0", "--1"])(
    "%j is not a plain decimal",
    (text) => {
      expect(() => dec(text)).toThrow(/not a plain decimal/);
    },
  );
  test("quantize says its rounding and lands on the step, never beyond it", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e9, max: 1e9, noNaN: true }),
        fc.constantFrom("0.1", "0.001", "5", "0.00000001"),
        (value, text) => {
          const step = new Decimal(text);
          const [down, up] = [quantize(value, step, "down"), quantize(value, step, "up")];
          expect(down.mod(step).isZero() && up.mod(step).isZero()).toBe(true);
          expect(down.lte(value) && up.gte(value) && up.sub(down).lte(step)).toBe(true);
        },
      ),
    );
    expect(() => quantize(Number.NaN, new Decimal(1), "down")).toThrow();
    expect(toWire(roundToStep(dec("-0.05"), dec("0.1"), "up"))).toBe("0");
  });
  test("quantize rounds every float as exact division would", () => {
    const near = fc.tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.constantFrom(0, 0.5, 1e-12, 0.5 - 1e-12, 0.3));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.double({ min: -1e12, max: 1e12, noNaN: true }),
          near.map(([steps, off]) => (steps + off) * 0.001),
        ),
        fc.constantFrom("0.1", "0.001", "5", "0.00000001"),
        fc.constantFrom("down", "up", "nearest" as const),
        (value, text, rounding) => {
          const step = new Decimal(text);
          expect(quantize(value, step, rounding).eq(roundToStep(new Decimal(value), step, rounding))).toBe(true);
        },
      ),
    );
  });
  test("the wire sees no exponent", () => {
    expect(toWire(new Decimal("1e-18"))).toBe("0.000000000000000001");
    expect(toWire(new Decimal("1e21"))).toBe("1000000000000000000000");
  });
});

describe("clocks", () => {
  test("virtual timers fire in order of due time, then of setting, and only when time is moved", async () => {
    const clock = virtualClock(1_000);
    const fired: string[] = [];
    clock.after(20, () => fired.push("late"));
    clock.after(10, () => fired.push("first"));
    clock.after(10, () => fired.push("second"));
    const stop = clock.every(7, () => fired.push("tick"));
    expect(fired).toEqual([]);
    await clock.advance(15);
    expect(fired).toEqual(["tick", "first", "second", "tick"]);
    stop();
    await clock.advance(100);
    expect(fired.at(-1)).toBe("late");
    expect(clock.nowMs()).toBe(1_115);
    clock.stepWall(-60_000);
    expect(clock.monotonicMs()).toBe(115);
  });
  test("a scaled clock keeps every span in proportion", async () => {
    const base = virtualClock(0);
    const fast = scaledClock(base, 60, 5_000);
    let done = false;
    void fast.sleep(60_000).then(() => (done = true));
    await base.advance(999);
    expect(done).toBe(false);
    await base.advance(1);
    expect(done).toBe(true);
    expect(fast.nowMs()).toBe(65_000);
    expect(fast.scale).toBe(60);
  });
  test("a sleep ends early when its signal aborts", async () => {
    const clock = virtualClock(0);
    const signal = new AbortController();
    const slept = clock.sleep(1e9, signal.signal);
    signal.abort();
    await slept;
    expect(clock.nowMs()).toBe(0);
  });
});

describe("chance and ids", () => {
  test("one seed, one sequence; forks are independent of what the parent drew", () => {
    const [a, b] = [seededEntropy(7), seededEntropy(7)];
    const first = Array.from({ length: 50 }, () => a.next("x"));
    expect(Array.from({ length: 50 }, () => b.next("x"))).toEqual(first);
    expect(a.fork("child").next("x")).toBe(seededEntropy(7).fork("child").next("x"));
    expect(seededEntropy(8).next("x")).not.toBe(first[0]);
    const mean = Array.from({ length: 20_000 }, () => a.next("x")).reduce((sum, value) => sum + value, 0) / 20_000;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.02);
  });
  test("ids of one millisecond differ, sort by time and fit a client order id", () => {
    let now = Date.UTC(2026, 0, 1);
    const ids = timedIds(() => now, seededEntropy(1));
    const made = Array.from({ length: 500 }, (_, index) => {
      if (index % 100 === 0) now += 1;
      return ids.next("i");
    });
    expect(new Set(made).size).toBe(500);
    expect([...made].sort()).toEqual(made);
    for (const id of made) expect(id).toMatch(/^[A-Za-z0-9_-]{1,40}$/);
  });
});

describe("texts", () => {
  test("equal values have equal text whatever the order of their keys", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(turned)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(hashOf({ a: 1, b: undefined })).toBe(hashOf({ a: 1 }));
  });
  test("a secret prints as its mask, however it is printed", () => {
    const secret = new Secret("sk-canary-0123456789");
    for (const text of [
      `${secret}`,
      JSON.stringify({ secret }),
      inspect(secret),
      inspect({ deep: { secret } }),
      String(secret),
    ]) {
      expect(text).not.toContain("canary");
    }
    expect(redactor([secret])("key=sk-canary-0123456789;")).toBe("key=sk-c***6789;");
  });

  test.each([
    ["", ""],
    ["abcdefghi", "***"],
    ["nineteen-characters", "***"],
    ["exactly-20-character", "exac***cter"],
    ["https://hooks.example.com/services/T000/B000/very-secret", "https://hooks.example.com/***"],
    ["https://user:password@hooks.example.com:8443/?token=very-secret", "https://hooks.example.com:8443/***"],
  ])("of %j the mask shows %j", (text, mask) => {
    expect(new Secret(text).masked).toBe(mask);
  });

  test("a secret of signs that a replacement would expand stays hidden", () => {
    const secret = new Secret("a$&b-and-some-more-of-it");
    expect(redactor([secret])(`key=${secret.reveal()};`)).toBe("key=a$&b***f-it;");
  });
  test("an exact span reads back as the same span", () => {
    fc.assert(fc.property(fc.nat({ max: 400_000_000 }), (ms) => parseSpan(exactSpan(ms)) === ms));
    expect([90_000, 2_500, 86_400_000, 300_000, 0].map(exactSpan)).toEqual(["90s", "2500ms", "1d", "5m", "0ms"]);
  });

  test("spans and days", () => {
    expect([parseSpan("250ms"), parseSpan("1.5h"), parseSpan("5"), parseSpan("1w")]).toEqual([
      250,
      5_400_000,
      null,
      null,
    ]);
    expect([formatSpan(840), formatSpan(725_000), formatSpan(100_800_000)]).toEqual(["840ms", "12m 5s", "1d 4h"]);
    const late = Date.UTC(2026, 0, 31, 23, 59, 59, 999);
    expect([utcDay(late), utcDayStartMs(late)]).toEqual(["2026-01-31", Date.UTC(2026, 0, 31)]);
  });
  test("event names are words and dots", () => {
    for (const name of Object.keys(LOG_EVENTS)) expect(name).toMatch(/^[a-z]+\.[a-z-]+$/);
  });
});

describe("bounded collections", () => {
  test("never hold more than their cap, and forget the oldest first", () => {
    const map = new BoundedMap<number, number>(3);
    const list = new BoundedList<number>(3);
    for (let i = 0; i < 100; i++) {
      map.set(i, i);
      list.push(i);
      expect(map.size).toBeLessThanOrEqual(3);
      expect(list.items().length).toBeLessThanOrEqual(3);
    }
    expect(list.items()).toEqual([97, 98, 99]);
    map.set(97, 0);
    map.set(100, 100);
    expect([...map.entries()].map(([key]) => key)).toEqual([99, 97, 100]);
  });
});
