/** The start options of a simulated service. All optional ones have defaults for practice. */
import type { Env } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import type { Phase } from "../domain/competition.ts";
import type { Saved } from "./exchange/persistence/saved.ts";
import type { ExchangeSettings } from "./exchange/contract/settings.ts";
import type { ProfileName } from "./profiles.ts";
import type { AccountSetup } from "./servers/service/accounts.ts";
import type { SlowReaderLimits } from "./servers/transport/stream-socket.ts";
import type { NewsVO } from "./feed/news-source.ts";
import type { Recorded } from "./market/recorded.ts";

/** Storage that outlives the process of a service; `daemon/` supplies files. */
export interface SavedVenue {
  /** Number of previous runs; each run draws its market from the seed and this number. */
  readonly runs: number;
  readonly accounts: Saved | null;
  /** Last prices by base: a generated market continues from them. */
  readonly prices: ReadonlyMap<string, number>;
  /** Has stored the state when it returns, or keeps it for the next try. */
  save(accounts: Saved): void;
  /** Called every few seconds. */
  savePrices(prices: ReadonlyMap<string, number>): void;
}

/** The service on local ports. */
export interface SimOptions extends HostedOptions {
  /** The service never listens beyond this machine. */
  readonly host: "127.0.0.1";
  /** 0 takes any free port. */
  readonly port: number;
  readonly controlPort: number;
}

/** The service itself, on ports or in process. */
export interface HostedOptions {
  readonly env: Env;
  readonly log: Log;
  /** Exchange identifiers; the first receives the initial capital. */
  readonly exchanges: readonly string[];
  readonly phase: Phase;
  /** When phase 2 begins, epoch ms: accounts start again as under `/control/phase`. Default never. */
  readonly phaseTwoMs?: number;
  readonly seed: number | string;
  /** Folder of recorded market data; default a generated market. */
  readonly data?: string;
  /** Shows that data under other names and at other prices; `symbols` then name what is shown. Needs `data`. */
  readonly disguise?: MarketDisguise;
  /** One of the folder's windows, `klines-1m/perp-2025-05_06` or its last part; default the newest 1-minute one. */
  readonly window?: string;
  /** First recorded instant to play, ISO 8601 UTC; for the default see `chooseFrom` of `market/replay.ts`. */
  readonly from?: string;
  /** Fees, delays, policies, leverage, mode and market by name; default those of the records. */
  readonly profile?: ProfileName;
  /** Path of a scenario file. */
  readonly scenario?: string;
  /** Milliseconds of the service per millisecond of `env.clock`. For a service that runs alone; default 1. */
  readonly speed?: number;
  /** Path of an accounts file, or the accounts themselves; default one account generated from the seed. */
  readonly accounts?: string | readonly AccountSetup[];
  /** Offers only these symbols; default all of the phase. */
  readonly symbols?: readonly string[];
  /** JSONL file that receives every write of a participant. */
  readonly wireLogFile?: string;
  /** Records every order, fill, position and mark price at the venue, for a verifier. Slightly slower. */
  readonly venueLog?: boolean;
  /** JSONL file that receives it. */
  readonly venueLogFile?: string;
  /** JSONL file that receives every charge of the model gateway. */
  readonly modelLogFile?: string;
  readonly settings?: Partial<ExchangeSettings>;
  /** Minimum answer time of the simulated model. */
  readonly modelLatencyMs?: number;
  readonly slowReader?: SlowReaderLimits;
  /** The interval of market steps and reports, ms; default 100. Larger for long stretches on virtual time. */
  readonly stepMs?: number;
  /**
   * How far back generated news goes at the start; by default as far as queries of the feed reach, which is months.
   * Less for many short runs.
   */
  readonly newsPastMs?: number;
  /** Continues with the accounts of an earlier run, and stores changes. By default nothing is stored. */
  readonly kept?: SavedVenue;
}

/** The addresses and keys of the service, printed as one line of JSON. */
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
  /** The first account's money at the start, by exchange: an order on an exchange without money is refused. */
  readonly usdtByExchange: Readonly<Record<string, string>>;
}

/**
 * A recorded market under other names and prices, for runs that test whether a model remembers the true one. Times need
 * no change, because a tape follows the venue's clock, not the calendar. `lab/disguise/` implements it.
 */
export interface MarketDisguise {
  /** The symbol of the data that an offered symbol stands for. */
  trueSymbol(symbol: string): string;
  recorded(recorded: Recorded): Recorded;
  /** `offsetMs` is venue time less the time of the data. */
  news(item: NewsVO, offsetMs: number): NewsVO;
}
