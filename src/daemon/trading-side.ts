/** The trading side: the venue, the desk in front of it, and the operator's consent. */
import { createDesk, type Desk } from "../desk/desk.ts";
import { memoryPreviewStore, memorySessionStore } from "../desk/memory-stores.ts";
import { restoredSessions } from "../desk/sessions.ts";
import type { WireFacts } from "../desk/wire-limits.ts";
import { homeExchange } from "../domain/symbol.ts";
import type { Venue } from "../domain/venue.ts";
import type { AgentRows } from "./agent-rows.ts";
import { universeOf } from "../control/universe.ts";
import { type ConsentKeeper, keepConsent } from "../control/consent.ts";
import { consentVenue } from "../control/consent-gap.ts";
import type { DaemonSetup } from "./daemon-setup.ts";
import type { VenueAccess } from "./venue-access.ts";

/** A reviewed opening, or a change of one, waits no longer than the data of its review stays fresh. I15. */
const OPEN_PATIENCE_MS = 1_000;

/** What the trading side needs from other parts; the functions are called only once all exist. */
export interface OtherRooms {
  readonly record: AgentRows["record"];
  readonly wireFacts: (symbol: string) => WireFacts | null;
}

/** The connected venue, the desk, which alone may send orders to it, and the operator's consent. */
export function tradingSide(
  setup: DaemonSetup,
  access: VenueAccess,
  others: OtherRooms,
): { readonly venue: Venue; readonly desk: Desk; readonly consent: ConsentKeeper } {
  const { env, log, config, environment, journal, runId } = setup;
  const { exchanges } = environment;
  const venue = access.connect({
    env,
    log,
    exchanges,
    ...(setup.limiter ? { limiter: setup.limiter } : {}),
    orderRoute: config.venue.orderRoute,
    openPatienceMs: OPEN_PATIENCE_MS,
  });
  const sessions = memorySessionStore(restoredSessions(journal.rows({ kinds: ["session"] })));
  const desk = createDesk({
    env,
    log,
    venue: venue.client,
    sessions,
    previews: memoryPreviewStore(),
    record: others.record,
    runtime: `daemon-${runId}`,
    wireFacts: others.wireFacts,
    ...(setup.permit ? { forbidden: setup.permit.problem } : {}),
  });
  const consent = keepConsent(desk, env.clock, {
    session: config.session,
    symbols: universeOf(config, homeExchange(exchanges)),
    venue: consentVenue(setup.kind, access.restUrl),
    ...(setup.permit ? { permit: setup.permit } : {}),
  });
  return { venue, desk, consent };
}
