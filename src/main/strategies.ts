/** The chosen strategy and its fallback, loaded with their settings from the configuration file. */
import type { Strategies } from "../agent/events.ts";
import type { Config } from "../config.ts";
import { err, ok, type Result } from "../core/result.ts";
import { loadStrategy } from "../strategy/registry.ts";

export async function loadStrategies({ strategy }: Config): Promise<Result<Strategies, string>> {
  const chosen = await loadStrategy(strategy.use, strategy.settings[strategy.use]);
  if (!chosen.ok) return chosen;
  const fallback = await loadStrategy(strategy.fallback, strategy.settings[strategy.fallback]);
  if (!fallback.ok) return fallback;
  if (fallback.value.strategy.needsModel) {
    return err(`strategy.fallback is ${strategy.fallback}, which needs a model itself; choose a rule such as hold`);
  }
  return ok({ chosen: chosen.value, fallback: fallback.value });
}
