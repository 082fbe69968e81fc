/** The trading service as the client layer needs it: reads by endpoint name, the desk's venue, looks at the market. */
import type { Env } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import type { Outcome } from "../core/outcome.ts";
import type { VenuePort } from "../domain/venue-calls.ts";
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

const WRITES: ReadonlySet<string> = new Set<keyof VenuePort>([
  "setLeverage",
  "setPositionMode",
  "placeOrder",
  "amendOrder",
  "cancelOrder",
  "cancelAll",
  "closePosition",
  "closeAllPositions",
  "placeAlgo",
  "amendAlgo",
  "cancelAlgo",
]);

type Ask = (...given: readonly unknown[]) => Promise<Outcome<unknown>>;

/**
 * Makes no request by itself. After a call refused because of this machine's clock the time is corrected, for later commands
 * too. A read is repeated with it; a write is never sent twice.
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
  const timely = async <T>(send: () => Promise<Outcome<T>>, isRead: boolean): Promise<Outcome<T>> => {
    const outcome = await send();
    if (outcome.kind !== "rejected" || outcome.reason !== "clock") return outcome;
    const measured = await clock.measure();
    return isRead && measured.kind === "done" ? send() : outcome;
  };
  return {
    baseUrl: access.restUrl,
    read: (name, params) => timely(() => ask(name, params), true),
    venue: new Proxy<VenuePort>(client, {
      get: (venue, name) => {
        const call = venue[name as keyof VenuePort] as Ask;
        return (...given: readonly unknown[]) => timely(() => call(...given), !WRITES.has(String(name)));
      },
    }),
    market: createMarketLook(env, streams),
    limits,
    clock,
    close: () => client.close(),
  };
}
