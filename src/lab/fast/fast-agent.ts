/** The agent of a fast run: its context, and settings and rates that fit its time steps. */
import type { Strategies } from "../../agent/contract/events.ts";
import type { AgentSettings } from "../../agent/contract/settings.ts";
import type { Config } from "../../config/config.ts";
import { createContext } from "../../context/context.ts";
import { agentSettings } from "../../control/agent-settings.ts";
import { watchedOf } from "../../control/universe.ts";
import { MINUTE_MS } from "../../core/time.ts";
import { homeExchange } from "../../domain/symbol.ts";
import type { VenueRates } from "../../domain/venue.ts";
import { REST_RATES } from "../../protocol/rest-rates.ts";
import type { ReplayTimes } from "./decision-times.ts";

interface AgentParts {
  readonly config: Config;
  readonly strategies: Strategies;
  readonly exchanges: readonly string[];
  readonly replay?: ReplayTimes;
  /** Default 20 ms, as in the whole service. */
  readonly latencyMs?: number;
}

export function loopParts({ config, strategies, exchanges, replay, latencyMs = 20 }: AgentParts) {
  const exchange = homeExchange(exchanges);
  const settings = agentSettings(config, exchange);
  return {
    context: createContext({
      universe: watchedOf(config, exchange),
      intervals: ["1m", "5m", "15m", "1H", "4H", "1D"],
    }),
    settings: { ...settings, cadence: replay ? { ...settings.cadence, ...EVERY_LOOK } : cadenceOf(settings.cadence) },
    strategies,
    rates: replay ? REST_RATES : RATES,
    session: config.session,
    latencyMs,
  };
}

/**
 * Lists exist to find missed pushes. No push is lost here, so they are read rarely; what a decision needs is read just
 * before it. A replay reads as a live agent does, because an opening waits for a reading after the last fill.
 */
const SELDOM = { requests: 1, perMs: 15 * MINUTE_MS };
const RATES: VenueRates = { ...REST_RATES, "account.read": SELDOM, "execution.list": SELDOM, "algo.list": SELDOM };

/** In a replay the strategy decides only at the recorded instants. */
const EVERY_LOOK = { every: 1, minGap: 1, firstAfter: 0, moveSigma: 0 };

/**
 * Decisions by the clock fall on whole minutes. Moves within a minute trigger none, because prices inside a bar are
 * interpolated.
 */
const cadenceOf = (cadence: AgentSettings["cadence"]): AgentSettings["cadence"] => ({
  ...cadence,
  every: Math.max(1, Math.ceil(cadence.every / MINUTE_MS)) * MINUTE_MS,
  firstAfter: Math.min(cadence.firstAfter, MINUTE_MS),
  moveSigma: 0,
});
