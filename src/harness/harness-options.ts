/** The options of a simulated run: its market, its models, and the step of virtual time. */
import type { Strategies } from "../agent/contract/events.ts";
import type { Config } from "../config/config.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { JournalDisk } from "../journal/committer.ts";
import type { ChatClient } from "../llm/dialects/chat.ts";
import type { HostedOptions } from "../sim/options.ts";

export interface HarnessOptions {
  readonly config: Config;
  readonly seed: number | string;
  /** Epoch ms at which the clock starts. */
  readonly startMs: number;
  /** An empty folder for the agent's data. */
  readonly dataDir: string;
  readonly log: Log;
  readonly exchanges?: readonly string[];
  /** The delay from the agent to the venue, and back again. Default 20 ms. */
  readonly latencyMs?: number;
  /**
   * The interval of market steps and of the agent's ticks, ms. By default both are as in real operation (100 and 250
   * ms); a few seconds make weeks affordable.
   */
  readonly stepMs?: number;
  /** Compresses market frames as over a port: for faults that damage the compressed form. */
  readonly compressed?: boolean;
  /** Settings of the service that the configuration does not have. */
  readonly venue?: Partial<HostedOptions>;
  /** Default: a disk without durable writes. */
  readonly disk?: JournalDisk;
  /** Keeps the decision pages beside the journal, as the daemon does. By default they are only named and hashed. */
  readonly keepPages?: boolean;
  /** The agent loads the market's history, as the daemon does. By default it begins with none. */
  readonly history?: boolean;
  /** Replaces the configured strategies. */
  readonly strategies?: Strategies;
  /** Answers the questions to models; default: the practice model of the service. */
  readonly models?: HarnessModels;
  /** The health monitor as the daemon runs it: self-tests, faults of the journal, the venue's records against ours. */
  readonly healthWatch?: boolean;
}

/** Models elsewhere. Real time may pass until they answer; virtual time stands still meanwhile. */
export interface HarnessModels {
  client(clock: Clock): ChatClient;
  /** Settles with the answers that are awaited; null if none is. */
  awaited(): Promise<unknown> | null;
}
