/**
 * The user stream: login, heartbeat, pushes as domain values, order entry. The venue does not replay pushes missed
 * while the stream was down: after each `up` the owner reads orders, executions and positions again. Spec: 1 §4.8,
 * §5.3, §6.2, §8.3; records §11.
 */
import type { Log } from "../core/log.ts";
import type { NetEnv } from "../net/network.ts";
import type * as domain from "../domain/venue.ts";
import { createRateLimiter, type RateLimit, type RateLimiter } from "../net/rate-limit.ts";
import { createSocket, type SocketHealth } from "../net/socket.ts";
import { USER_STREAM_LIMITS } from "../protocol/limits.ts";
import type { UserActionName } from "../protocol/user/actions.ts";
import { readUserReply, userLoginMessage, type UserReply } from "../protocol/user/messages.ts";
import { readUserPush, type UserPushReading } from "../protocol/user/pushes.ts";
import { given } from "./call.ts";
import { refusedFrames, signedLogin, type StreamKeys } from "./stream-login.ts";
import { createUserActions } from "./user-actions.ts";
import { type UserOrderCalls, userOrderCalls } from "./user-orders.ts";
import { createVenueClock, type VenueClock } from "./venue-clock.ts";

/** Without `limiter` or `venueClock` the stream has its own. */
export interface UserStreamOptions {
  readonly env: NetEnv;
  readonly log: Log;
  /** `ws(s)://host[:port]/v1/private`. */
  readonly url: string;
  readonly keys: StreamKeys;
  /** Order entry only: the venue sends no pushes. */
  readonly onlyTrade?: boolean;
  readonly on: Partial<domain.UserStreamEvents>;
  /** Logins are signed with the venue's time. */
  readonly venueClock?: VenueClock;
  readonly limiter?: RateLimiter;
  /** The venue's real action rates, where they differ from document 1 §8.3. */
  readonly limits?: Partial<Record<UserActionName, RateLimit>>;
  /** Timeout of a reply to an action. Default 10,000. */
  readonly actionTimeoutMs?: number;
  /** As in `TradingClientOptions`. */
  readonly openPatienceMs?: number;
}

/** While not logged in, every action is "not-sent". */
export interface ServiceUserStreamHealth extends domain.UserStreamHealth, SocketHealth {
  readonly pendingActions: number;
}

/** Pushes go to the listeners; the methods enter orders. */
export interface ServiceUserStream extends domain.UserStream, UserOrderCalls {
  health(): ServiceUserStreamHealth;
}

const LOGIN_WITHIN_MS = 10_000;
/** Wait after a refused login: the key or the clock must be fixed first. */
const LOGIN_AGAIN_MS = 5_000;

/** Opens no connection before `start`. A refused or unanswered login is retried on a new connection 5 s later. */
export function createUserStream(options: UserStreamOptions): ServiceUserStream {
  const { env, log, on } = options;
  const limiter = options.limiter ?? createRateLimiter(env.clock);
  const login = loginOf(options, limiter);
  const refuse = refusedFrames(log, "user");
  let loggedIn = false;
  /** Counts connections, so that a login that waited for its slot goes only to its own connection. */
  let session = 0;
  let stopLoginWait: () => void = () => undefined;

  const socket = createSocket(env, log, {
    url: options.url,
    name: "user",
    heartbeat: { style: "text", everyMs: USER_STREAM_LIMITS.pingEveryMs },
    silenceMs: USER_STREAM_LIMITS.idleMs,
    on: { open: () => void opened(), frame: (value) => heard(value), down: (reason) => lost(reason) },
  });
  const actions = createUserActions({
    env,
    limiter,
    send: (text) => socket.send(text),
    isReady: () => loggedIn,
    ...given({ limits: options.limits, timeoutMs: options.actionTimeoutMs }),
  });

  const opened = async (): Promise<void> => {
    stopLoginWait = env.clock.after(LOGIN_WITHIN_MS, () => {
      if (!loggedIn) socket.rebuild("no answer to the login", LOGIN_AGAIN_MS);
    });
    const mine = ++session;
    const message = await login();
    if (mine === session) socket.send(message);
  };
  const lost = (reason: string): void => {
    stopLoginWait();
    session++;
    const wasUp = loggedIn;
    loggedIn = false;
    actions.abandon(reason);
    if (wasUp) on.down?.(reason);
  };
  const answered = (reply: UserReply): void => {
    if (actions.settle(reply)) return;
    if (reply.event !== "login" && reply.event !== "error") return;
    if (!reply.ok && loggedIn) return refuse(`${reply.event} ${reply.code}: ${reply.message}`);
    stopLoginWait();
    if (!reply.ok) return socket.rebuild(`login refused with ${reply.code}: ${reply.message}`, LOGIN_AGAIN_MS);
    loggedIn = true;
    on.up?.();
  };
  const heard = (frame: unknown): void => {
    const pushes = readUserPush(frame);
    if (pushes) return pushes.forEach((push) => pass(push, on, refuse));
    const reply = readUserReply(frame);
    if (reply) answered(reply);
    else refuse("neither a push nor a reply");
  };

  return {
    start: () => socket.start(),
    stop: () => {
      socket.stop();
      lost("stopped");
    },
    health: () => ({ ...socket.health(), loggedIn, pendingActions: actions.pending() }),
    ...userOrderCalls(actions, options.openPatienceMs),
  };
}

/** The next login message, at most one a second, signed when it is returned. */
function loginOf(options: UserStreamOptions, limiter: RateLimiter): () => Promise<string> {
  const { keys, onlyTrade } = options;
  const venueClock = options.venueClock ?? createVenueClock(options.env.clock);
  const limit = { requests: USER_STREAM_LIMITS.loginsPerSecondPerKey, perMs: 1_000 };
  return async () => {
    await limiter.take("user login", limit, { priority: "read", patienceMs: LOGIN_WITHIN_MS });
    return userLoginMessage({ ...signedLogin(keys, venueClock), ...(onlyTrade ? { onlyTrade: true } : {}) });
  };
}

function pass(push: UserPushReading, on: Partial<domain.UserStreamEvents>, refuse: (reason: string) => void): void {
  switch (push.kind) {
    case "order":
      return on.order?.(push.order);
    case "execution":
      return on.execution?.(push.execution);
    case "position":
      return on.position?.(push.position);
    case "asset":
      return on.asset?.(push.asset);
    case "algo":
      return on.algo?.(push.algo);
    case "margin-call":
      return on.marginCall?.(push.account);
    case "liquidation":
      return on.liquidation?.(push.liquidation);
    case "unknown-channel":
      return refuse(`unknown channel ${push.channel.slice(0, 40)}`);
    case "refused":
      return refuse(push.reason);
  }
}
