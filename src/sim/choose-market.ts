/** Which tape moves the market: recorded data if a folder is given, otherwise a market generated from the seed. */
import type { Env } from "../core/ids.ts";
import { parseInstant } from "../core/time.ts";
import type { Scenario } from "./faults/scenario.ts";
import { combined } from "./market/reference-prices.ts";
import { createGenerator } from "./market/generator.ts";
import { createReplay } from "./market/replay.ts";
import type { Tape } from "./market/tape.ts";
import type { HostedOptions } from "./options.ts";
import { profileNamed } from "./profiles.ts";
import { symbolSpecs } from "./symbol-table.ts";

/** The tape that `host.ts` plays, and the offset of its time, which recorded news needs. */
export interface ChosenMarket {
  readonly tape: Tape;
  /** Venue time minus recorded time, once the tape runs; null for a generated market. */
  readonly offsetMs: (() => number | null) | null;
}

/** Throws, with the reason, when the data folder, the window, the instant or a symbol cannot be used. */
export function chooseMarket(options: HostedOptions, env: Env, scenario: Scenario | null): ChosenMarket {
  const { exchanges, phase, data, window, disguise } = options;
  const only = disguise ? options.symbols?.map((symbol) => disguise.trueSymbol(symbol)) : options.symbols;
  const { defaultLeverage, market } = profileNamed(options.profile);
  const symbols = symbolSpecs({ exchanges, phase, defaultLeverage, ...(only ? { only } : {}) });
  const entropy = env.entropy.fork("market");
  if (data === undefined) {
    if (disguise) throw new RangeError("only recorded data can be disguised: name its folder");
    const conditions = scenario?.market ? combined(market, scenario.market) : market;
    return {
      tape: createGenerator({ symbols, entropy, conditions, prices: options.kept?.prices ?? new Map() }),
      offsetMs: null,
    };
  }
  if (scenario?.market)
    throw new RangeError(`scenario ${scenario.name} needs a generated market: omit the data folder`);
  const fromMs = options.from === undefined ? undefined : parseInstant(options.from);
  if (fromMs === null)
    throw new RangeError(`from ${JSON.stringify(options.from)} is not a time; write 2025-06-13T00:00Z`);
  const replay = createReplay({
    dir: data,
    symbols,
    entropy,
    ...(options.stepMs === undefined ? {} : { stepMs: options.stepMs }),
    ...(window === undefined ? {} : { window }),
    ...(disguise ? { disguise: (recorded) => disguise.recorded(recorded) } : {}),
    ...(fromMs === undefined ? {} : { fromMs }),
  });
  if (!replay.ok) throw new RangeError(`market data in ${data}: ${replay.error}`);
  return { tape: replay.value, offsetMs: () => replay.value.offsetMs() };
}
