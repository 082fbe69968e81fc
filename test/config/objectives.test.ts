/** An objective is a set of settings under what the file writes itself; none goes past a bound. */
import { describe, expect, test } from "vitest";
import { ConfigSchema } from "../../src/config/config.ts";
import { OBJECTIVE_NAMES, OBJECTIVES, objectiveSettings } from "../../src/config/objectives.ts";
import { settingOrigins } from "../../src/config/origins.ts";
import { inspectConfig, readConfig } from "../../src/config/read.ts";
import { agentSettings } from "../../src/control/agent-settings.ts";
import { Settings } from "../../strategies/settings/trend-carry.ts";

const read = (text: string) => {
  const found = readConfig(text);
  if (!found.ok) throw new Error(found.error.map(({ message }) => message).join("; "));
  return found.value;
};
const originsOf = (text: string) => new Map(settingOrigins(inspectConfig(text)).map((each) => [each.path, each]));

describe("an objective", () => {
  test.each(OBJECTIVE_NAMES)("%s breaks no rule and no bound, and its strategies take its settings", (name) => {
    expect(inspectConfig(`objective: ${name}\n`).findings).toEqual([]);
    const { risk, strategy } = read(`objective: ${name}\n`);
    for (const [setting, value] of Object.entries(OBJECTIVES[name].risk))
      expect([setting, Number(risk[setting as keyof typeof risk])]).toEqual([setting, value]);
    expect(strategy.settings).toEqual(OBJECTIVES[name].strategies);
    expect(() => Settings.parse(strategy.settings["trend-carry"])).not.toThrow();
  });

  test("score is what the defaults are", () => {
    const { strategy, ...rest } = read("objective: score\n");
    const { strategy: plain, ...defaults } = ConfigSchema.parse({});
    expect(rest).toEqual(defaults);
    expect(Settings.parse(strategy.settings["trend-carry"])).toEqual(Settings.parse({}));
    expect(strategy.use).toBe(plain.use);
  });

  test("gives way to what the file writes, setting by setting", () => {
    const text = "objective: prize\nrisk: { gapOthers: 0.2 }\nstrategy: { settings: { trend-carry: { band: 0.3 } } }\n";
    const config = read(text);
    expect(config.risk.gapOthers.toFixed()).toBe("0.2");
    expect(config.risk.gapMajors.toFixed()).toBe("0.06");
    expect(config.strategy.settings["trend-carry"]).toEqual({ band: 0.3, volatilityTarget: 0.6, maxPositions: 6 });
    const origins = originsOf(text);
    expect(origins.get("risk.gapOthers")).toMatchObject({ place: { line: 2 }, objective: null });
    expect(origins.get("risk.gapMajors")).toMatchObject({ place: null, objective: "prize" });
    expect(origins.get("strategy.settings.trend-carry.volatilityTarget")).toMatchObject({ objective: "prize" });
    expect(origins.get("risk.holdUsdt")).toMatchObject({ place: null, objective: null });
  });

  test("keeps the bounds of a file, and refuses a name that it does not know", () => {
    const low = inspectConfig("objective: prize\nrisk: { gapMajors: 0.04 }\n");
    expect(low.config).toBeNull();
    expect(low.findings[0]).toMatchObject({ path: "risk.gapMajors", line: 2 });
    expect(inspectConfig("objective: win\n").findings[0]?.path).toBe("objective");
    expect(inspectConfig("objective: prize\nrisk: 3\n").findings[0]?.path).toBe("risk");
  });

  test("takes more risk from one to the next, and only prize exceeds what Phase I can lever", () => {
    const of = OBJECTIVE_NAMES.map((name) => agentSettings(read(`objective: ${name}\n`), "EXCHANGE_A").risk);
    const gaps = of.map(({ gapMajors }) => gapMajors.toNumber());
    const oneWay = of.map(({ perDirectionEquityShare }) => perDirectionEquityShare.toNumber());
    expect(gaps).toEqual([...gaps].sort((a, b) => b - a));
    expect(oneWay).toEqual([...oneWay].sort((a, b) => a - b));
    expect(oneWay.map((share) => share > 2)).toEqual([false, false, true]);
    expect(objectiveSettings("prize")).toHaveProperty("risk.perDirectionEquityShare", 3);
  });
});
