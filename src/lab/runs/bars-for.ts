/** The bars that a configuration asks for: a window of a data folder, or a generated market. */
import path from "node:path";
import type { Config } from "../../config/config.ts";
import { universeProblem, watchedOf } from "../../control/universe.ts";
import type { Decimal } from "../../core/decimal.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { formatSpan, isoTime, MINUTE_MS } from "../../core/time.ts";
import { homeExchange } from "../../domain/symbol.ts";
import type { Recorded } from "../../sim/market/recorded.ts";
import { type RecordedWindow, readWindow } from "../../sim/market/replay.ts";
import { profileNamed } from "../../sim/profiles.ts";
import { symbolSpecs } from "../../sim/symbol-table.ts";
import { generateBars } from "../fast/generated-bars.ts";
import { existsSync, readdirSync } from "node:fs";

/** The start of a run in the data's own time, its length, and the parameters of a generated market. */
export interface RunPeriod {
  readonly fromMs: number;
  readonly forMs: number;
  readonly seed: number;
  /** Step of a generated market; equal to the full run's step if both must see the same prices. */
  readonly stepMs?: number;
}

/** Base units per contract, by symbol of the universe. */
export function contractSizes(config: Config, exchanges: readonly string[]): ReadonlyMap<string, Decimal> {
  return new Map(specsOf(config, exchanges).map(({ rules }) => [rules.symbol, rules.contractSize]));
}

function specsOf(config: Config, exchanges: readonly string[]) {
  const { defaultLeverage } = profileNamed(config.venue.embedded.profile);
  const only = watchedOf(config, homeExchange(exchanges));
  return symbolSpecs({ exchanges, phase: config.phase, only, defaultLeverage });
}

/** Twelve prices a minute are enough for bars, and twenty times cheaper to generate than the steps of a full run. */
const MADE_STEP_MS = 10 * MINUTE_MS;

/** The configured window of a data folder, with the configured universe. */
export function recordedWindow(
  config: Config,
  exchanges: readonly string[],
  dir: string,
  fromMs?: number,
): Result<RecordedWindow, string> {
  const { window } = config.venue.embedded;
  const read = readWindow({
    dir,
    symbols: specsOf(config, exchanges),
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(window === undefined ? {} : { window }),
  });
  return read.ok ? read : err(`market data in ${dir}: ${read.error}`);
}

/** Bars of the configured universe. The error says what is missing. */
export function barsFor(
  config: Config,
  exchanges: readonly string[],
  { fromMs, forMs, seed, stepMs = MADE_STEP_MS }: RunPeriod,
): Result<readonly Recorded[], string> {
  const { embedded } = config.venue;
  const wrong = universeProblem(config, exchanges);
  if (wrong !== null) return err(wrong);
  if (embedded.data === undefined) {
    const { market } = profileNamed(embedded.profile);
    return ok(generateBars({ symbols: specsOf(config, exchanges), seed, conditions: market, fromMs, forMs, stepMs }));
  }
  const read = recordedWindow(config, exchanges, embedded.data, fromMs);
  if (!read.ok) return read;
  const { spanMs, recorded, window } = read.value;
  if (fromMs % MINUTE_MS !== 0) return err(`--from ${isoTime(fromMs)} must be a whole minute`);
  if (fromMs + forMs > spanMs[1])
    return err(
      `--for ${formatSpan(forMs)} is too long: the window ${window.name} ends at ${isoTime(spanMs[1])}; from ${isoTime(fromMs)} there are ${formatSpan(spanMs[1] - fromMs)}`,
    );
  return ok(recorded);
}

/** The folder of the bars that an agent recorded in its data folder; null unless it recorded exactly one venue. */
export function ownRecording(dataDir: string): string | null {
  const dir = path.join(dataDir, "recording");
  const venues = existsSync(dir) ? readdirSync(dir) : [];
  const [venue] = venues;
  return venue === undefined || venues.length > 1 ? null : path.join(dir, venue);
}
