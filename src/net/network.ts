/**
 * The network as a dependency: the machine's own, or a service in the same process. Clients cannot know the two
 * apart.
 */
import type { Clock } from "../core/clock.ts";
import type { Env } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { connect, type Connection, type ConnectionEvents } from "./connection.ts";
import { createGate, type Gate } from "./gate.ts";
import { createHttpClient, type HttpClient, type HttpOptions } from "./http.ts";
import type { RateLimiter } from "./rate-limit.ts";

/** A simulation passes its own, so that the whole agent and the whole service share one virtual clock. */
export interface Network {
  http(clock: Clock, options: HttpOptions): HttpClient;
  /** Opens a WebSocket; events arrive only after it has returned. */
  connect(url: string, on: ConnectionEvents): Connection;
  /** Orders the exchanges that wait when too many are in flight. */
  gate(): Gate;
  /** Step of a simulated market, ms: within a step silence is normal. Absent: the documented timeouts apply. */
  readonly stepMs?: number;
  /** Whether an in-process service compresses its frames. Default: no. */
  readonly compressed?: boolean;
}

/** `network` is absent in programs that use the real network. */
export interface NetEnv extends Env {
  readonly network?: Network;
}

/** Options to connect to any venue. */
export interface ConnectOptions {
  readonly env: NetEnv;
  readonly log: Log;
  /** The operator's exchange identifiers, the traded one first. Empty includes every account. */
  readonly exchanges: readonly string[];
  /** Whether a "done" holds the venue's whole answer too. Default: no. */
  readonly keepAnswers?: boolean;
  /** Rate windows shared with other clients of the same key, or used up by earlier runs. Default: unused. */
  readonly limiter?: RateLimiter;
  /** Route of orders, where the venue also accepts them over its user stream. Default `rest`. */
  readonly orderRoute?: "rest" | "user-stream";
  /**
   * How long an opening or an amendment of one may wait for its slot. The default suits a person; a program decides
   * again.
   */
  readonly openPatienceMs?: number;
}

const MACHINE: Network = { http: createHttpClient, connect, gate: () => createGate() };

/** The injected network, or the machine's own. */
export const networkOf = ({ network }: NetEnv): Network => network ?? MACHINE;
