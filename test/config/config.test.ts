import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asWritten, ConfigSchema } from "../../src/config/config.ts";
import { dec } from "../../src/core/decimal.ts";
import { describeConfigProblem, inspectConfig, readConfig } from "../../src/config/read.ts";

const problemsOf = (text: string): string[] => {
  const read = readConfig(text);
  return read.ok ? [] : read.error.map((problem) => describeConfigProblem("a.yaml", problem));
};

describe("a configuration file", () => {
  test.each(["agent.yaml", "backtest.yaml"])("config/%s is good", (name) => {
    expect(problemsOf(readFileSync(`config/${name}`, "utf8"))).toEqual([]);
  });

  test.each(["phase1.yaml", "phase2.yaml"])("config/%s lacks the model that the organiser gives", (name) => {
    expect(problemsOf(readFileSync(`config/${name}`, "utf8"))).toEqual([
      expect.stringMatching(/^a\.yaml:\d+:\d+ model\.names\.0\.name: model-1: a placeholder for the organiser/),
    ]);
  });

  test("a short file is all defaults besides, frozen to the depth", () => {
    const read = readConfig("phase: 1\n");
    if (!read.ok) throw new Error("refused");
    expect(read.value).toMatchObject({ phase: 1, model: { dayLimitUsd: dec("10") }, session: { consent: "" } });
    expect(() => Object.assign(read.value.risk, { maxPositions: 99 })).toThrow(TypeError);
  });

  test.each([
    ["an empty file", "", /^a\.yaml:1:1 \(file\): the file is empty: copy config/],
    ["comments alone", "# nothing yet\n", /the file is empty/],
    [
      "a rung under 810",
      'risk:\n  flattenUsdt: "805"\n',
      /^a\.yaml:2:16 risk\.flattenUsdt: 805: must be at least 810 USDT: .*; write "810" or more/,
    ],
    [
      "rungs out of order",
      'risk: { holdUsdt: "890" }\n',
      /risk\.warnUsdt: 880: must not be below risk\.holdUsdt \(890\)/,
    ],
    [
      "an order cap above the total",
      'session:\n  maxNotionalPerOrder: "500"\n  maxTotalNotional: "400"\n',
      /^a\.yaml:2:24 session\.maxNotionalPerOrder: 500: must not be above session\.maxTotalNotional \(400\)/,
    ],
    [
      "Phase II before the start",
      'competition: { start: "2026-12-08T00:00:00Z", phaseTwo: "2026-12-01T00:00:00Z" }\n',
      /competition\.phaseTwo: 2026-12-01T00:00:00Z: must not be before competition\.start/,
    ],
    ["a cache over five minutes", "model: { cache: 6m }\n", /^a\.yaml:1:17 model\.cache: 6m: must be at most 5m/],
    ["venue.kind auto", "venue: { kind: auto }\n", /venue\.kind: auto was removed, .* write embedded to practise/],
  ])("%s is refused", (_what, text, wanted) => {
    expect(problemsOf(text).join("\n")).toMatch(wanted);
  });

  test("a gap above the rhythm is a warning, and the file can be used", () => {
    const { config, findings } = inspectConfig("cadence: { every: 1m, minGap: 2m }\n");
    expect(config?.cadence.minGap).toBe(120_000);
    expect(findings).toMatchObject([{ severity: "warning", path: "cadence.minGap", value: "2m", line: 1 }]);
  });

  test("each finding has its value, rule and remedy apart", () => {
    expect(inspectConfig("phase: 7\nrisk: { maxPositons: 3 }\n").findings).toMatchObject([
      { path: "phase", value: "7", rule: expect.any(String) as string },
      { path: "risk.maxPositons", value: "maxPositons", rule: "unknown setting", remedy: "did you mean maxPositions?" },
    ]);
  });

  test.each([
    [
      "an unknown setting gets the nearest name",
      "risk:\n  maxPositons: 3\n",
      "a.yaml:2:16 risk.maxPositons: unknown setting; did you mean maxPositions?",
    ],
    ["an unknown section, at its name", "phase: 1\nfoo:\n  a: 1\n", "a.yaml:2:1 foo: unknown setting"],
    [
      "money as a float",
      "session:\n  maxNotionalPerOrder: 400\n",
      /^a\.yaml:2:24 session\.maxNotionalPerOrder: write it as a quoted plain decimal, .*, found 400$/,
    ],
    [
      "money with a thousands comma",
      'risk:\n  bufferUsdt: "1,000"\n',
      /risk\.bufferUsdt: write it as a quoted plain decimal/,
    ],
    ["money with an exponent", 'risk:\n  bufferUsdt: "2e3"\n', /risk\.bufferUsdt: write it as a quoted plain decimal/],
    [
      "more model money than a day has",
      'model:\n  dayLimitUsd: "10.01"\n',
      /^a\.yaml:2:16 model\.dayLimitUsd: at most 10: .*, found "10\.01"$/,
    ],
    ["a percentage for a share", "risk:\n  gapMajors: 12\n", "a.yaml:2:14 risk.gapMajors: must be at most 1, found 12"],
    [
      "a count below one",
      "risk:\n  maxPositions: -3\n",
      /^a\.yaml:2:17 risk\.maxPositions: must be at least \d, found -3$/,
    ],
    [
      "an interval of a millisecond",
      "cadence: { every: 1ms }\n",
      /every: 1ms: must be at least 1s, at most 7d: .*; write 1s or more$/,
    ],
    [
      "an interval of years",
      "cadence: { every: 3000d }\n",
      /every: 3000d: must be at least 1s, at most 7d: .*; write 7d or less$/,
    ],
    [
      "no gap between decisions",
      "cadence: { minGap: 0s }\n",
      /minGap: 0ms: must be at least 1s, at most 1d: .*; write 1s or more$/,
    ],
    ["a span without a unit", 'cadence:\n  every: "5"\n', /cadence\.every: write a span such as 30s/],
    ["not a number", "risk:\n  maxPositions: .nan\n", /risk\.maxPositions: .*, found NaN$/],
    [
      "a place in recorded data without the data",
      'venue:\n  embedded:\n    from: "2025-06-12T00:00:00Z"\n',
      /^a\.yaml:3:11 venue\.embedded\.from: .*set data to its folder too, found "2025-06-12T00:00:00Z"$/,
    ],
    ["broken YAML", "risk: [\n", /^a\.yaml:\d+:\d+ \(file\): (?!.* line \d).*[^:]$/],
    [
      "a colon in a plain text",
      "phase: 1\ncadence:\n  every: 30s: 4\n",
      /^a\.yaml:3:10 \(file\): not YAML at every: Nested mappings .*; correct that line or the one above: .*$/,
    ],
    ["a file that is no text", `phase: "${"\u0000\uFFFD\u0007\u001B[31mx".repeat(300)}\n`, /^[\x20-\x7E]{1,240}$/],
    ["a name that is no text", `"${"\uFFFDx".repeat(3000)}": 1\n`, /^[\x20-\x7E]{1,240}$/],
    ["the same key twice", "phase: 1\nphase: 2\n", /^a\.yaml:2:1 \(file\): .*unique/i],
  ])("%s is refused with line and rule", (_what, text, said) => {
    const [problem] = problemsOf(text);
    if (typeof said === "string") expect(problem).toBe(said);
    else expect(problem).toMatch(said);
  });

  test.each(["agent.yaml", "backtest.yaml", "phase1.yaml", "phase2.yaml"])(
    "config/%s is read back from its journal row",
    (name) => {
      const { parsed } = inspectConfig(readFileSync(`config/${name}`, "utf8"));
      if (!parsed) throw new Error("refused");
      const row: unknown = JSON.parse(JSON.stringify(asWritten(parsed)));
      expect(ConfigSchema.parse(row)).toEqual(parsed);
    },
  );

  test("amounts, spans and instants are written as a file has them", () => {
    const text =
      'risk: { warnUsdt: "870.5", maxBookAge: 1500ms, gapMajors: 0.13 }\ncadence: { every: 90s }\ncompetition: { start: "2026-12-08T02:00:00+02:00" }\n';
    const read = readConfig(text);
    if (!read.ok) throw new Error("refused");
    expect(asWritten(read.value)).toMatchObject({
      risk: { warnUsdt: "870.5", holdUsdt: "850", maxBookAge: "1500ms", minHolding: "15m", gapMajors: 0.13 },
      cadence: { every: "90s", minGap: "30s" },
      competition: { start: "2026-12-08T00:00:00Z" },
    });
  });

  test("no text makes it throw, and what it accepts it accepts again", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        const read = readConfig(text);
        if (read.ok) expect(ConfigSchema.parse(asWritten(read.value))).toEqual(read.value);
        else expect(read.error.length).toBeGreaterThan(0);
      }),
    );
  });
});
