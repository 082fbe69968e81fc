import { describe, expect, test } from "vitest";
import { dec } from "../../../src/core/decimal.ts";
import { DAY_MS, HOUR_MS } from "../../../src/core/time.ts";
import { compareFigures, type OwnFigures, readKeyInfo, readUsd } from "../../../src/llm/budget/key-info.ts";

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
