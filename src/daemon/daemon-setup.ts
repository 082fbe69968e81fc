/** The parts that the daemon is built from, and the resulting daemon. */
import type { Agent } from "../agent/shell/agent.ts";
import type { Strategies } from "../agent/contract/events.ts";
import type { Loop } from "../agent/shell/loop.ts";
import type { Config, VenueKind } from "../config/config.ts";
import type { Context } from "../context/context.ts";
import type { Gauge } from "../core/bounded.ts";
import type { Log } from "../core/log.ts";
import type { Phase } from "../domain/competition.ts";
import type { Venue } from "../domain/venue.ts";
import type { Journal } from "../journal/journal.ts";
import type { PageStore } from "../journal/page-store.ts";
import type { ChatClient } from "../llm/dialects/chat.ts";
import type { ModelGateway } from "../llm/contract/port.ts";
import type { NetEnv } from "../net/network.ts";
import type { RateLimiter } from "../net/rate-limit.ts";
import type { PinnedAccount } from "../control/account-pin.ts";
import type { BeatFacts, BeatSources } from "./beat-facts.ts";
import type { CauseWatch } from "../causes/cause-watch.ts";
import type { ConsentKeeper } from "../control/consent.ts";
import type { PageKeeper } from "./decision-pages.ts";
import type { Environment } from "../control/environment.ts";
import type { PlannedSource } from "../control/sources.ts";
import type { LivePermit } from "../control/go-live.ts";
import type { HistoryLoader } from "../history/fill-history.ts";
import type { Recording } from "./recording.ts";
import type { Sources } from "./sources.ts";
import type { Streams } from "./streams.ts";
import type { PageRoutes } from "../faces/status/server.ts";
import type { StatusReport } from "./status-report.ts";
import type { ReloadSignal } from "../ops/reload-signal.ts";
import type { BootFacts } from "../rows/boot.ts";

/** The inputs of a run, before any of its parts is built. */
export interface DaemonSetup {
  readonly file: string;
  /** `--strategy` on the command line overrides a saved file. */
  readonly strategyFlag: string | undefined;
  /** `--live`: allows writes to this account of the real service from now on. */
  readonly live?: boolean;
  /** The strategy that the file names, if a later command replaced it. */
  readonly fileUse?: string;
  /** The phase that the file names, if a later one has begun. */
  readonly filePhase?: Phase;
  readonly environment: Environment;
  readonly config: Config;
  readonly strategies: Strategies;
  /** The real time that reading a source's text may take, ms; Infinity on virtual time. */
  readonly sources?: readonly PlannedSource[];
  /** Real time that one reading of a source's text may take, ms; Infinity on virtual time. */
  readonly sourceReadMsMax?: number;
  readonly kind: VenueKind;
  readonly env: NetEnv;
  readonly log: Log;
  /** Masks secrets in what the status shows; the log, the journal and the pages mask theirs. */
  readonly redact?: (text: string) => string;
  readonly runId: string;
  /** Recorded in the boot row; the process's own when absent. */
  readonly pid?: number;
  readonly journal: Journal;
  /** The rate-limit windows, where they outlive the process. */
  readonly limiter?: RateLimiter;
  /** The account that every account reading is checked against, where the folder belongs to one. */
  readonly account?: PinnedAccount;
  /** Whether writes to the account are allowed; always, when absent. */
  readonly permit?: LivePermit;
  /** What heartbeats report about the process besides its collections; nothing on virtual time. */
  readonly telemetry?: Omit<BeatSources, "gauges">;
  /** The files and hosts that this run may use, for the boot row. */
  readonly bootFacts?: BootFacts;
  /** Asks for the configuration file to be read again; never, when absent. */
  readonly reloads?: ReloadSignal;
  /** Answers the questions to models in place of the gateway. */
  readonly chat?: ChatClient;
  /** Stores the decision pages. */
  readonly pages: PageStore;
  /** Explains an order from its reasons, as a text for a chat. */
  readonly why?: (id: string) => string;
  /** Creates the page that the status endpoint serves; none when absent. */
  readonly page?: (parts: PageParts) => Page;
}

/** The parts of a page. */
export interface PageParts {
  readonly setup: DaemonSetup;
  readonly running: Running;
  readonly status: () => StatusReport;
}

export interface Page {
  readonly routes: PageRoutes;
  stop(): void;
}

/** The running parts, created and connected. */
export interface Running {
  readonly agent: Agent;
  readonly loop: Loop;
  readonly streams: Streams;
  readonly venue: Venue;
  readonly sources: Sources;
  readonly context: Context;
  readonly gateway: ModelGateway;
  readonly consent: ConsentKeeper;
  /** What keeps it from working fully. */
  readonly causes: CauseWatch;
  /** Why the configuration file as it is saved now was refused; null while a start could use it. */
  readonly savedConfig: { refused: string | null };
  /** Null when recording is off. */
  readonly recording: Recording | null;
  /** The known history, and the sources of the rest. */
  readonly history: HistoryLoader;
  readonly pages: PageKeeper;
  /** Every bounded collection with its cap. Invariant I30. */
  gauges(): readonly Gauge[];
  /** What the last row reports about the whole run. */
  readonly facts: BeatFacts;
}
