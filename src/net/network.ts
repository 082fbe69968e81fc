/**
 * The way to the outside as something handed in: the machine's own network, or a service that lives in the same process.
 * Clients above this file cannot tell which.
 */
import type { Clock } from "../core/clock.ts";
import type { Env } from "../core/env.ts";
import type { Log } from "../core/log.ts";
import { connect, type Connection, type ConnectionEvents } from "./connection.ts";
import { createGate, type Gate } from "./gate.ts";
import { createHttpClient, type HttpClient, type HttpOptions } from "./http.ts";
import type { RateLimiter } from "./rate-limit.ts";

/** A rehearsal hands in its own, so that a whole agent meets a whole service on one virtual clock. */
export interface Network {
  http(clock: Clock, options: HttpOptions): HttpClient;
  /** Begins a WebSocket; events follow later, never before it returns. */
  connect(url: string, on: ConnectionEvents): Connection;
  /** Who goes first when more exchanges wait than are wise at once. */
  gate(): Gate;
  /** A service whose market moves only so often says nothing in between: silence means nothing sooner. Absent: as documented. */
  readonly beatMs?: number;
  /** A service in the same process compresses nothing unless this says so. */
  readonly compressed?: boolean;
}

/** `network` is absent in programs that talk to the world. */
export interface NetEnv extends Env {
  readonly network?: Network;
}

/** What any venue is connected with, whichever it is and wherever it lies. */
export interface ConnectOptions {
  readonly env: NetEnv;
  readonly log: Log;
  /** The operator's identifiers of the exchanges, the one that is traded on first. Empty takes every account there is. */
  readonly exchanges: readonly string[];
  /** Windows that other clients of the same key share, or that earlier runs have used up; default: none used. */
  readonly limiter?: RateLimiter;
  /** What carries orders, where the venue takes them over its user stream too. Default `rest`. */
  readonly orderRoute?: "rest" | "user-stream";
  /** How long an opening, or a change of one, may wait for its slot. The default suits a person; a program decides again. */
  readonly openPatienceMs?: number;
}

const MACHINE: Network = { http: createHttpClient, connect, gate: () => createGate() };

/** What was handed in, else the machine's own. */
export const networkOf = ({ network }: NetEnv): Network => network ?? MACHINE;
