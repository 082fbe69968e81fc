/** The settings that the agent and the phase go by, from the configuration in force. No rules of trading live here. */
import type { UptimeWindow } from "../agent/books/uptime.ts";
import type { AgentSettings } from "../agent/contract/settings.ts";
import type { Config } from "../config/config.ts";
import { DAY_MS, MINUTE_MS } from "../core/time.ts";
import { OPENING_LEVERAGE_MAX } from "../domain/competition.ts";
import type { PhaseDates } from "../domain/live-score.ts";
import { type RiskSettings, riskSettings } from "../risk/settings.ts";
import { ownScoring } from "./scoring-file.ts";
import { universeOf } from "./universe.ts";

/** A clock that has not been compared with the venue's may be this far ahead. */
const CLOCK_ERROR_MS = 60_000;

type Dated = Pick<Config, "phase" | "competition">;

/** The file as it applies at a start: in Phase II when its start time has certainly passed. */
export const atStart = <C extends Dated>(config: C, nowMs: number): C =>
  phaseTwoDue(config, nowMs - CLOCK_ERROR_MS) ? { ...config, phase: 2 } : config;

/** True when Phase II has begun by `venueMs`, the earliest time the venue's clock may show, and is not in force yet. */
export const phaseTwoDue = ({ phase, competition }: Dated, venueMs: number): boolean =>
  phase === 1 && venueMs >= (competition.phaseTwo ?? Infinity);

/** `startMs` is null where the file names no start: then the first heartbeat of the journal counts. */
export const uptimeWindow = ({ competition: { start, days } }: Dated): UptimeWindow => ({
  startMs: start ?? null,
  lengthMs: days * DAY_MS,
});

/** By which the live score knows when the phase began and when it ends. */
export const phaseDates = ({ competition: { start, days, phaseTwo } }: Dated): PhaseDates => ({
  startMs: start ?? null,
  days,
  phaseTwoMs: phaseTwo ?? null,
});

/** The minimum, even if the gateway's timeout is shorter: on a faster practice clock an answer takes longer. */
const ANSWERS_WITHIN_MS = 5 * MINUTE_MS;

/** A made-up name of a disguised backtest is a major if its coin is one. */
function withStandIns(settings: RiskSettings, { standsFor = {} }: Config): RiskSettings {
  const majors = Object.keys(standsFor).filter((name) => settings.majors.includes(standsFor[name] ?? ""));
  return majors.length === 0 ? settings : Object.freeze({ ...settings, majors: [...settings.majors, ...majors] });
}

/** Created again for every saved file, switch and phase. `exchange` is the first one, to which bare names belong. */
export function agentSettings(config: Config, exchange: string): AgentSettings {
  const { phase, cadence, execution, funding, protection, strategy } = config;
  return {
    ...{ phase, cadence, execution, funding, protection },
    universe: universeOf(config, exchange),
    exchange,
    leverage: OPENING_LEVERAGE_MAX[phase],
    risk: withStandIns(riskSettings(config.risk), config),
    windDownMs: strategy.windDown,
    shadowModelUsd: strategy.shadowModelUsd,
    answersWithinMs: Math.max(ANSWERS_WITHIN_MS, config.model.timeout + MINUTE_MS),
    needsNews: false,
    uptimeWindow: uptimeWindow(config),
    competition: { dates: phaseDates(config), scoring: ownScoring() },
  };
}
