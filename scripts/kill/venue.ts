/** A simulated service for one run: its own account, market and record, on local ports. */
import { type Clock, scaledClock, systemClock } from "../../src/core/clock.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { timedIds } from "../../src/core/ids.ts";
import { silentLog } from "../../src/core/log.ts";
import { perpSymbol } from "../../src/domain/symbol.ts";
import { recordFilesIn, type RecordFiles } from "../../src/daemon/practice-record.ts";
import type { DuplicatePolicy } from "../../src/sim/exchange/contract/settings.ts";
import { accountOfSeed } from "../../src/sim/servers/service/accounts.ts";
import { startSimService, type SimService } from "../../src/sim/service.ts";
import type { AtVenue } from "../../test/support/venue-books.ts";
import type { Story } from "./stories.ts";

export interface Venue {
  readonly service: SimService;
  readonly files: RecordFiles;
  /** The service's own time. */
  readonly clock: Clock;
}

const SEED = 7;

export interface VenuePlan {
  readonly story: Story;
  readonly policy: DuplicatePolicy;
  /** Venue milliseconds per real one; the daemon adopts this clock. */
  readonly speed: number;
  /** Receives the record. */
  readonly dir: string;
}

export async function openVenue({ story, policy, speed, dir }: VenuePlan): Promise<Venue> {
  const machine = systemClock();
  const clock = scaledClock(machine, speed, machine.nowMs());
  const entropy = seededEntropy(SEED);
  const env = { clock, entropy, ids: timedIds(clock.nowMs, entropy.fork("ids")) };
  const files = recordFilesIn(dir);
  const service = await startSimService({
    env,
    log: silentLog,
    host: "127.0.0.1",
    port: 0,
    controlPort: 0,
    exchanges: ["EXCHANGE_A"],
    phase: 1,
    seed: SEED,
    symbols: story.bases.map((base) => perpSymbol("EXCHANGE_A", base)),
    // An unverified account is refused the news of earlier days.
    accounts: [{ ...accountOfSeed(SEED), mode: story.mode, ...(story.news ? {} : { kyc: 0 }) }],
    venueLog: true,
    stepMs: 500,
    settings: { ...story.venue, duplicatePolicy: policy, algoDuplicatePolicy: policy },
    ...files,
  });
  return { service, files, clock };
}

/** The present state of the venue. */
export const atVenue = ({ service: { exchange }, clock }: Venue): AtVenue => ({
  exchange,
  nowMs: Math.floor(clock.nowMs()),
});
