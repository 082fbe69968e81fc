/** The side of the house that trades: the venue's client, the desk before it, and the operator's consent. */
import { createDesk, type Desk } from "../desk/desk.ts";
import { memoryPreviewStore, memorySessionStore } from "../desk/memory-stores.ts";
import { restoredSessions } from "../desk/session-rows.ts";
import type { WireFacts } from "../desk/wire-limits.ts";
import { createTradingClient, type TradingClient } from "../venue/trading-client.ts";
import type { UserStream } from "../venue/user-stream.ts";
import type { AgentRows } from "./agent-rows.ts";
import { universeOf } from "../control/agent-settings.ts";
import { type ConsentKeeper, keepConsent } from "../control/consent.ts";
import { consentVenue } from "../control/consent-gap.ts";
import type { DaemonSetup } from "./daemon-setup.ts";
import type { Environment } from "../control/environment.ts";
import { OPEN_PATIENCE_MS, routedVenue } from "./order-route.ts";
import type { VenueAccess } from "./venue-access.ts";

/** The exchange that is traded on: the first that the environment names. */
export const exchangeOf = ({ exchanges }: Environment): string => exchanges[0] ?? "EXCHANGE_A";

/** What the trading side asks of other rooms; the functions are called only when all stand. */
export interface OtherRooms {
  readonly record: AgentRows["record"];
  readonly userStream: () => UserStream | null;
  readonly wireFacts: (symbol: string) => WireFacts | null;
}

/** The client of the venue, the desk that alone may send orders through it, and the operator's consent. */
export function tradingSide(
  setup: DaemonSetup,
  access: VenueAccess,
  others: OtherRooms,
): { readonly client: TradingClient; readonly desk: Desk; readonly consent: ConsentKeeper } {
  const { env, log, config, environment, journal, boot } = setup;
  const client = createTradingClient({
    env,
    log,
    baseUrl: access.restUrl,
    accessKey: access.accessKey,
    secretKey: access.secretKey,
    exchanges: environment.exchanges,
    ...(setup.limiter ? { limiter: setup.limiter } : {}),
    openPatienceMs: OPEN_PATIENCE_MS,
  });
  const sessions = memorySessionStore(restoredSessions(journal.rows({ kinds: ["session"] })));
  const venue = config.venue.orderRoute === "rest" ? client : routedVenue(client, others.userStream);
  const desk = createDesk({
    env,
    log,
    venue,
    sessions,
    previews: memoryPreviewStore(),
    record: others.record,
    runtime: `daemon-${boot}`,
    wireFacts: others.wireFacts,
    ...(setup.permit ? { forbidden: setup.permit.problem } : {}),
  });
  const consent = keepConsent(desk, env.clock, {
    session: config.session,
    symbols: universeOf(config, exchangeOf(environment)),
    venue: consentVenue(setup.kind, access.restUrl),
    ...(setup.permit ? { permit: setup.permit } : {}),
  });
  return { client, desk, consent };
}
