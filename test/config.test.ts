import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ConfigSchema } from "../src/config.ts";
import { describeConfigProblem, readConfig } from "../src/config/read.ts";

const problemsOf = (text: string): string[] => {
  const read = readConfig(text);
  return read.ok ? [] : read.error.map((problem) => describeConfigProblem("a.yaml", problem));
};

describe("a configuration file", () => {
  test.each(readdirSync("config").filter((name) => name.endsWith(".yaml")))("config/%s is good", (name) => {
    expect(problemsOf(readFileSync(`config/${name}`, "utf8"))).toEqual([]);
  });

  test("an empty file is all defaults, frozen to the depth", () => {
    const read = readConfig("");
    if (!read.ok) throw new Error("refused");
    expect(read.value).toMatchObject({ phase: 1, model: { dayLimitUsd: "10" }, session: { consent: "" } });
    expect(() => Object.assign(read.value.risk, { maxPositions: 99 })).toThrow(TypeError);
  });

  test.each([
    [
      "an unknown setting gets the nearest name",
      "risk:\n  maxPositons: 3\n",
      "a.yaml:2:16 risk.maxPositons: unknown setting; did you mean maxPositions?",
    ],
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
    ["a percentage for a share", "risk:\n  gapMajors: 12\n", /^a\.yaml:2:14 risk\.gapMajors: .*<=1, found 12$/],
    ["a span without a unit", 'cadence:\n  every: "5"\n', /cadence\.every: write a span such as 30s/],
    ["not a number", "risk:\n  maxPositions: .nan\n", /risk\.maxPositions: .*, found NaN$/],
    [
      "a place in recorded data without the data",
      'venue:\n  embedded:\n    from: "2025-06-12T00:00:00Z"\n',
      /^a\.yaml:3:11 venue\.embedded\.from: .*name their folder as data too, found "2025-06-12T00:00:00Z"$/,
    ],
    ["broken YAML", "risk: [\n", /^a\.yaml:\d+:\d+ \(file\): /],
    ["the same key twice", "phase: 1\nphase: 2\n", /^a\.yaml:2:1 \(file\): .*unique/i],
  ])("%s is refused with line and rule", (_what, text, said) => {
    const [problem] = problemsOf(text);
    if (typeof said === "string") expect(problem).toBe(said);
    else expect(problem).toMatch(said);
  });

  test("no text makes it throw, and what it accepts it accepts again", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        const read = readConfig(text);
        if (read.ok) expect(ConfigSchema.safeParse(read.value).success).toBe(true);
        else expect(read.error.length).toBeGreaterThan(0);
      }),
    );
  });
});
