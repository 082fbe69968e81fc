/** What a simulated service is started with. Everything optional has a default that suits practice. */
import type { Env } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import type { Phase } from "../domain/competition.ts";
import type { Saved } from "./exchange/saved.ts";
import type { ExchangeSettings } from "./exchange/settings.ts";
import type { ProfileName } from "./profiles.ts";
import type { AccountSetup } from "./servers/accounts.ts";
import type { SlowReaderLimits } from "./servers/stream-socket.ts";

/** What outlives the process of a service; `main/` plugs in files. */
export interface KeptVenue {
  /** How many runs there were before; each draws its market from the seed and this number. */
  readonly runs: number;
  readonly accounts: Saved | null;
  /** Last prices by base: a generated market goes on from them. */
  readonly prices: ReadonlyMap<string, number>;
  /** Must be written down when it returns. */
  save(accounts: Saved): void;
  /** Every few seconds. */
  savePrices(prices: ReadonlyMap<string, number>): void;
}

/** The service on ports of this machine. */
export interface SimOptions extends HostedOptions {
  /** The service never listens beyond this machine. */
  readonly host: "127.0.0.1";
  /** 0 takes any free port. */
  readonly port: number;
  readonly controlPort: number;
}

/** The service itself, whichever way it is reached. */
export interface HostedOptions {
  readonly env: Env;
  readonly log: Log;
  /** Exchange identifiers; the first receives the initial capital. */
  readonly exchanges: readonly string[];
  readonly phase: Phase;
  /** When phase 2 begins, epoch ms: accounts start again as under `/control/phase`. Never when absent. */
  readonly phaseTwoMs?: number;
  readonly seed: number | string;
  /** Folder of recorded market data; generated markets when absent. */
  readonly data?: string;
  /** Which of the folder's windows, `klines-1m/perp-2025-05_06` or its last part; the newest 1-minute one when absent. */
  readonly window?: string;
  /** First recorded instant to play, ISO 8601 UTC; `chooseFrom` of `market/replay.ts` reports the default. */
  readonly from?: string;
  /** Fees, delays, policies, leverage, mode and market by name; the records' defaults when absent. */
  readonly profile?: ProfileName;
  /** Path of a scenario file. */
  readonly scenario?: string;
  /** Milliseconds of the service per millisecond of `env.clock`. For a service that runs alone; default 1. */
  readonly speed?: number;
  /** Path of an accounts file, or the accounts themselves; one account made from the seed when absent. */
  readonly accounts?: string | readonly AccountSetup[];
  /** Only these symbols are carried; all of the phase when absent. */
  readonly symbols?: readonly string[];
  /** JSONL file that receives every write of a participant. */
  readonly wireLogFile?: string;
  /** Keeps the venue's own account of every order, fill, position and mark, for a verifier. Costs a little time. */
  readonly venueLog?: boolean;
  /** JSONL file that receives it. */
  readonly venueLogFile?: string;
  /** JSONL file that receives every charge of the model gateway. */
  readonly modelLogFile?: string;
  readonly settings?: Partial<ExchangeSettings>;
  /** Least time that the simulated model takes for an answer. */
  readonly modelLatencyMs?: number;
  readonly slowReader?: SlowReaderLimits;
  /** The market moves and is reported every so many milliseconds; 100 when absent. Larger for long stretches on virtual time. */
  readonly beatMs?: number;
  /** How far back generated news goes at the start; months when absent, as of the feed. Less for many short runs. */
  readonly newsPastMs?: number;
  /** Goes on with the accounts of a run before, and keeps what happens to them. Nothing is kept when absent. */
  readonly kept?: KeptVenue;
}

/** Where the service can be reached, and with which keys: one line of JSON gives it all. */
export interface SimReady {
  readonly restUrl: string;
  readonly marketWsUrl: string;
  readonly userWsUrl: string;
  readonly feedsWsUrl: string;
  readonly aiUrl: string;
  readonly controlUrl: string;
  /** Keys of the first account. */
  readonly accessKey: string;
  readonly secretKey: string;
  readonly aiKey: string;
  /** The first account's money at the start, by exchange: an order on an exchange without any is refused. */
  readonly usdtByExchange: Readonly<Record<string, string>>;
}
