/** The trading service as the client layer needs it: reads by endpoint name, the desk's venue, looks at the market. */
import type { Env } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import type { ReadName, Service } from "../faces/contract/client.ts";
import type { Endpoint } from "../protocol/endpoint.ts";
import { TRADING_ENDPOINTS } from "../protocol/endpoints.ts";
import { connectService, type ServiceVenue } from "../venue/service-venue.ts";
import type { ServiceAccess } from "../control/environment.ts";
import { createMarketLook } from "./market-look.ts";

/** `plug.ts` keeps limits and clock offset from one command to the next. */
export interface OpenService extends Service {
  readonly limits: ServiceVenue["limits"];
  readonly clock: ServiceVenue["clock"];
  close(): Promise<void>;
}

/**
 * Makes no request by itself. A read refused because of this machine's clock is repeated once with the time corrected.
 */
export function openService(env: Env, log: Log, access: ServiceAccess, exchanges: readonly string[]): OpenService {
  const { client, call, clock, limits, streams } = connectService(access, {
    env,
    log,
    exchanges,
    keepAnswers: true,
  });
  const ask = (name: ReadName, params: Readonly<Record<string, unknown>>) =>
    call(TRADING_ENDPOINTS[name] as Endpoint, params);
  return {
    baseUrl: access.restUrl,
    read: async (name, params) => {
      const outcome = await ask(name, params);
      // This machine's clock is off: read the service's time, then repeat the read.
      if (outcome.kind !== "rejected" || outcome.reason !== "clock") return outcome;
      const measured = await clock.measure();
      return measured.kind === "done" ? ask(name, params) : outcome;
    },
    venue: client,
    market: createMarketLook(env, streams),
    limits,
    clock,
    close: () => client.close(),
  };
}
