/** The service behind a command, opened when first needed, with the clock and the rate limits that earlier commands left. */
import { z } from "zod";
import type { Environment } from "../control/environment.ts";
import type { Env } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { VenuePort } from "../domain/venue-calls.ts";
import type { CredentialFacts, Service } from "../faces/contract/client.ts";
import type { Documents } from "../faces/contract/documents.ts";
import { cachedBody } from "../faces/contract/stored-body.ts";
import { type Failure, failure } from "../faces/contract/statuses.ts";
import { areLaneStates } from "../net/lane-state.ts";
import { gapOf } from "./credentials.ts";
import { refusingVenue } from "./refusing-venue.ts";
import { type OpenService, openService } from "./service.ts";

interface Reach {
  readonly service: () => Result<Service, Failure>;
  close(): Promise<void>;
}

/** How long an earlier command's measurement of the service's clock stays valid. */
const CLOCK_KEPT_MS = 600_000;

const storedOffset = z.object({ offsetMs: z.number(), uncertaintyMs: z.number().nonnegative() });

function restoreClock({ clock }: Env, documents: Documents, id: string, { clock: venueClock }: OpenService): void {
  const nowMs = clock.nowMs();
  const kept = cachedBody(documents, { kind: "clock", id, nowMs, ageMaxMs: CLOCK_KEPT_MS }, storedOffset);
  if (!kept) return;
  const { offsetMs, uncertaintyMs } = kept.body;
  venueClock.note({ venueMs: nowMs + offsetMs, uncertaintyMs, atMonotonicMs: clock.monotonicMs() });
}

/** Names the account among the documents: address and key. Null while one of them is missing. */
export const accountId = (environment: Environment | null, facts: CredentialFacts): string | null =>
  environment?.service && facts.accessKeyHash !== null ? `${environment.service.restUrl}|${facts.accessKeyHash}` : null;

/** The service, opened when first needed, with the rate limits that earlier commands have used. */
export function reach(
  { env, log }: { readonly env: Env; readonly log: Log },
  environment: Environment | null,
  facts: CredentialFacts,
  documents: Documents,
): Reach {
  const access = environment?.service ?? null;
  const id = accountId(environment, facts) ?? "";
  let open: OpenService | null = null;
  return {
    service: () => {
      const gap = gapOf(facts);
      if (gap || !access) return err(gap ?? failure("NOT_VERIFIED", "01001", "credentials are missing"));
      if (!open) {
        open = openService(env, log, access, environment?.exchanges ?? []);
        const kept = documents.get("limiter", id)?.body;
        if (areLaneStates(kept)) open.limits.restore(kept);
        restoreClock(env, documents, id, open);
      }
      return ok(open);
    },
    close: async () => {
      if (!open) return;
      const atMs = env.clock.nowMs();
      const offset = open.clock.offset();
      try {
        documents.put("limiter", { id, body: open.limits.snapshot(), atMs });
        if (offset.measuredAtMs !== null) documents.put("clock", { id, body: offset, atMs });
      } catch {
        // The reply has been printed and its exit code must hold: the next command measures again.
      }
      await open.close();
    },
  };
}

/** A venue that opens on its first call. */
export function lateVenue(service: Reach["service"]): VenuePort {
  const refusing = refusingVenue("the credentials of the service are missing");
  const venue = (): VenuePort => {
    const found = service();
    return found.ok ? found.value.venue : refusing;
  };
  return new Proxy(refusing, { get: (_, name) => venue()[name as keyof VenuePort] });
}
