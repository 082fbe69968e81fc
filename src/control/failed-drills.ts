/** The self-tests of every limit under one configuration: what must be refused is refused, what is sound passes. */
import type { Config } from "../config/config.ts";
import { failedWireDrills } from "../desk/wire-drills.ts";
import { describeDrill, runDrills } from "../risk/drills.ts";
import { riskSettings } from "../risk/settings.ts";

/** The drills under a configuration, of the review in both position modes and of the wire: what failed, in words. */
export function failedDrills(config: Config, nowMs: number): readonly string[] {
  const { phase, session } = config;
  const caps = { perOrderUsdt: session.maxNotionalPerOrder, totalUsdt: session.maxTotalNotional };
  const settings = riskSettings(config.risk);
  const results = [true, false].flatMap((hedgeMode) => runDrills(settings, { phase, hedgeMode, nowMs, caps }));
  const failed = results.filter((result) => !result.passed).map(describeDrill);
  return [...new Set([...failed, ...failedWireDrills({ ...settings, phase })])];
}
