/**
 * Order entry over the user stream: one message out, one reply matched by id, or "unknown" if none arrives. Spec: 1
 * §4.8, §8.3; records §11.2.
 */
import type { z } from "zod";
import type { Env } from "../core/ids.ts";
import type { Outcome } from "../core/outcome.ts";
import type { Priority, RateLimit, RateLimiter } from "../net/rate-limit.ts";
import { tightenedText } from "../net/rest.ts";
import { isDefiniteRefusal, isRateLimitCode, rejected } from "../protocol/codes.ts";
import { actionMessage, USER_ACTIONS, type UserActionName } from "../protocol/user/actions.ts";
import type { UserReply } from "../protocol/user/messages.ts";
import { PATIENCE_MS } from "./call.ts";

type Args<Name extends UserActionName> = z.input<(typeof USER_ACTIONS)[Name]["request"]>;
type Reply<Name extends UserActionName> = z.output<(typeof USER_ACTIONS)[Name]["reply"]>;

/** A reply is matched to its action by our message id (`ws-...`). */
export interface UserActions {
  act<Name extends UserActionName>(
    action: Name,
    args: Args<Name>,
    priority: Priority,
    patienceMs?: number,
  ): Promise<Outcome<Reply<Name>>>;
  /** Handles a reply; true if an action waited for it. */
  settle(reply: UserReply): boolean;
  /** The connection is lost: pending actions may have been executed. */
  abandon(reason: string): void;
  pending(): number;
}

/** `limiter` has a window for each action; `isReady` is checked before the slot and again after it. */
export interface UserActionsOptions {
  readonly env: Env;
  readonly limiter: RateLimiter;
  /** False if not connected and logged in; nothing was sent then. */
  readonly send: (text: string) => boolean;
  readonly isReady: () => boolean;
  /** The venue's real rates, where they differ from document 1 §8.3. */
  readonly limits?: Partial<Record<UserActionName, RateLimit>>;
  /** Timeout of a reply, in milliseconds of the clock. Default 10,000. */
  readonly timeoutMs?: number;
}

interface Waiting {
  readonly action: UserActionName;
  readonly settle: (outcome: Outcome<unknown>) => void;
}

const TIMEOUT_MS = 10_000;
/**
 * First pause after a rate-limit refusal; doubles while refusals continue. Public pages report one action per 5 s
 * (records §18 row 9).
 */
const HASTE_PAUSE_MS = 5_000;
const HASTE_PAUSE_MAX_MS = 60_000;

/**
 * `act` waits for its slot as requested or as `PATIENCE_MS` allows. Without a reply in time the outcome is "unknown".
 */
export function createUserActions(options: UserActionsOptions): UserActions {
  const { env, limiter } = options;
  const { clock } = env;
  const waiting = new Map<string, Waiting>();
  const pauseMs = new Map<UserActionName, number>();

  const exchange = (action: UserActionName, id: string, text: string): Promise<Outcome<unknown>> =>
    new Promise((resolve) => {
      const stop = clock.after(options.timeoutMs ?? TIMEOUT_MS, () =>
        settle({ kind: "unknown", message: `no reply to ${action} ${id}` }),
      );
      const settle = (outcome: Outcome<unknown>): void => {
        stop();
        waiting.delete(id);
        resolve(outcome);
      };
      waiting.set(id, { action, settle });
      if (!options.send(text)) settle({ kind: "not-sent", message: "the user stream is not connected" });
    });
  const tooHasty = (action: UserActionName, message: string): Outcome<never> => {
    const waitMs = pauseMs.get(action) ?? HASTE_PAUSE_MS;
    pauseMs.set(action, Math.min(waitMs * 2, HASTE_PAUSE_MAX_MS));
    const retryAtMs = clock.nowMs() + waitMs;
    const learned = tightenedText(limiter.refused(action, retryAtMs));
    return { kind: "rate-limited", retryAtMs, message: `${message}${learned}` };
  };
  const outcomeOf = (action: UserActionName, reply: UserReply): Outcome<unknown> => {
    if (reply.ok) {
      pauseMs.delete(action);
      return readData(action, reply.data);
    }
    if (isRateLimitCode(reply.code)) return tooHasty(action, reply.message || "too many requests");
    if (!isDefiniteRefusal(reply.code)) return { kind: "unknown", message: `code ${reply.code}: ${reply.message}` };
    return rejected(reply.code, reply.message);
  };

  return {
    act: async (action, args, priority, patienceMs = PATIENCE_MS[priority]) => {
      const request = USER_ACTIONS[action].request.safeParse(args);
      if (!request.success)
        return { kind: "not-sent", message: `${action}: ${request.error.issues[0]?.message ?? ""}` };
      if (!options.isReady()) return { kind: "not-sent", message: "the user stream is not logged in" };
      const limit = options.limits?.[action] ?? USER_ACTIONS[action].limit;
      const slot = await limiter.take(action, limit, { priority, patienceMs });
      if (!slot.ok) return { kind: "rate-limited", ...slot.error };
      if (!options.isReady())
        return { kind: "not-sent", message: "the user stream was lost while the action waited for its slot" };
      const id = env.ids.next("ws");
      const outcome = await exchange(action, id, actionMessage(id, action, args));
      slot.value.arrived();
      return outcome as Outcome<Reply<typeof action>>;
    },
    settle: (reply) => {
      const waiter = reply.id === null ? undefined : waiting.get(reply.id);
      if (!waiter) return false;
      waiter.settle(outcomeOf(waiter.action, reply));
      return true;
    },
    abandon: (reason) => {
      for (const waiter of [...waiting.values()]) {
        waiter.settle({ kind: "unknown", message: `${waiter.action}: the stream was lost before a reply (${reason})` });
      }
    },
    pending: () => waiting.size,
  };
}

function readData(action: UserActionName, data: unknown): Outcome<unknown> {
  const parsed = USER_ACTIONS[action].reply.safeParse(data ?? {});
  if (parsed.success) return { kind: "done", value: parsed.data };
  const path = parsed.error.issues[0]?.path.join(".") ?? "data";
  return { kind: "unknown", message: `${action} was accepted, but its reply is not as documented at ${path}` };
}
