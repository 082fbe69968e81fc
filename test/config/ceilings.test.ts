/** Bounds that no file can pass: each is refused with its place, its reason and what to write, and shipped files keep to all. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CEILINGS } from "../../src/config/ceilings.ts";
import { inspectConfig } from "../../src/config/read.ts";
import { consentGap } from "../../src/control/consent-gap.ts";
import { session } from "../../src/config/session.ts";

/** A file in which that one setting has the figure, written as its unit is written. */
function fileWith(path: string, unit: string, figure: number): string {
  const prices = { inputPerMillionUsd: "1", outputPerMillionUsd: "1", cachedPerMillionUsd: "1" };
  const model = { name: "m", ...prices, longContext: { aboveTokens: 9, ...prices } };
  const root: Record<string, unknown> = path.startsWith("model.names") ? { model: { names: [model] } } : {};
  const steps = path.replace("*", "0").split(".");
  let at = root;
  for (const step of steps.slice(0, -1)) at = (at[step] ??= {}) as Record<string, unknown>;
  const value = unit === "span" ? `${figure}ms` : unit === "fraction" ? figure : String(figure);
  at[steps.at(-1) ?? ""] = value;
  return JSON.stringify(root);
}

/** Figures just within and just beyond the bounds of a setting. */
const cases = CEILINGS.flatMap(({ path, unit, atLeast, above, atMost }) => {
  const step = unit === "span" ? 1 : 0.000001;
  const beyond = [
    ...(atLeast === undefined ? [] : [atLeast - step]),
    ...(above === undefined ? [] : [above]),
    ...(atMost === undefined ? [] : [atMost + step]),
  ];
  return beyond.map((figure) => [path, unit, Number(figure.toFixed(6))] as const);
});

test.each(cases)("%s in %s of %d is refused, with the reason and what to write", (path, unit, figure) => {
  const { config, findings } = inspectConfig(fileWith(path, unit, figure));
  expect(config).toBeNull();
  const errors = findings.filter(({ severity }) => severity === "error");
  expect(errors.map((finding) => finding.path)).toContain(path.replace("*", "0"));
  for (const { line, message } of errors) {
    expect(line).toBe(1);
    expect(message.length).toBeGreaterThan(20);
  }
});

test.each(CEILINGS.flatMap(({ path, unit, atMost }) => (atMost === undefined ? [] : [[path, unit, atMost] as const])))(
  "%s in %s of %d is taken",
  (path, unit, figure) => {
    const own = inspectConfig(fileWith(path, unit, figure)).findings.filter((finding) => finding.path === path);
    expect(own.filter(({ severity }) => severity === "error")).toEqual([]);
  },
);

test.each(readdirSync("config").filter((file) => file.endsWith(".yaml")))("%s as shipped keeps to all", (file) => {
  const { findings } = inspectConfig(readFileSync(`config/${file}`, "utf8"));
  const paths = findings.filter(({ severity }) => severity === "error").map(({ path }) => path);
  // The name of the organiser's model is the owner's to fill in.
  expect(paths.filter((path) => !/^model\.names\.\d+\.name$/.test(path))).toEqual([]);
});

test.each([
  "My agent may NOT trade up to 400 USDT an order and 20000 USDT in all.",
  "I don't allow orders, neither of 400 nor of 20000 USDT.",
  "I refuse: 400 USDT, 20000 USDT.",
])("%s is no consent", (consent) => {
  const given = session.parse({ consent });
  expect(consentGap(given, { kind: "embedded", host: "" })).toMatch(/reads like a refusal/);
});
