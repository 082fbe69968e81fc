/**
 * The parameters of a run, as name and value: enough to repeat it, and to see whether two runs had the same market and
 * settings.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Config } from "../../config/config.ts";
import { hashOf } from "../../core/hash.ts";
import { formatSpan, isoTime } from "../../core/time.ts";
import { PACKAGE_ROOT } from "../../ops/paths.ts";
import type { Recorded } from "../../sim/market/recorded.ts";

const HASH_CHARS = 16;

/** Equal for equal bars and funding from any file. */
export function marketHash(recorded: readonly Recorded[]): string {
  const hash = createHash("sha256");
  for (const { candles, funding, spec } of recorded) {
    hash.update(spec.rules.symbol);
    for (const column of [candles.openMs, candles.open, candles.high, candles.low, candles.close, candles.volume])
      hash.update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
    hash.update(JSON.stringify([candles.priceDecimals, candles.volumeDecimals, funding]));
  }
  return hash.digest("hex").slice(0, HASH_CHARS);
}

/** The settings that determine a run: strategy, limits, cadence, session, universe. */
export const settingsHash = (config: Config): string => hashOf(JSON.parse(JSON.stringify(config))).slice(0, HASH_CHARS);

export function programVersion(): string {
  const file = JSON.parse(readFileSync(path.join(PACKAGE_ROOT, "package.json"), "utf8")) as {
    readonly version?: string;
  };
  return file.version ?? "unknown";
}

/** How a report names the models that answered. */
export const modelsText = (models: readonly string[]): string => (models.length === 0 ? "none" : models.join(", "));

export interface RunChoice {
  readonly configFile: string;
  readonly fidelity: "fast" | "full";
  readonly fromMs: number;
  readonly forMs: number;
  readonly seed: number;
  /** Names of the models that answered. */
  readonly models: readonly string[];
  /** Empty if the market is generated during the run. */
  readonly bars: readonly Recorded[];
}

export function runAbout(config: Config, choice: RunChoice): readonly (readonly [string, string])[] {
  const { configFile, fidelity, fromMs, forMs, seed, bars, models } = choice;
  const { data, window, profile } = config.venue.embedded;
  const { universe, phase } = config;
  const own = config.strategy.settings[config.strategy.use];
  return [
    ["strategy", config.strategy.use],
    ["its settings", own === undefined ? "defaults" : JSON.stringify(own)],
    ["model", modelsText(models)],
    ["configuration", `${configFile}, hash ${settingsHash(config)}`],
    [
      "market",
      data === undefined ? `made, seed ${seed}` : `${data}${window === undefined ? "" : `, window ${window}`}`,
    ],
    ...(bars.length > 0 ? ([["hash of the market", marketHash(bars)]] as const) : []),
    ["symbols", universe === "phase" ? `all of phase ${phase}` : universe.join(",")],
    ["from", isoTime(fromMs)],
    ["for", formatSpan(forMs)],
    ["fidelity", fidelity],
    ["profile of the venue", profile],
    ["program", `ballast ${programVersion()}`],
  ];
}
