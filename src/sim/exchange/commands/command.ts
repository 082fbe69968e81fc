/** A command to the venue: the world advances to its time, it does its work, and the consequences follow. */
import { ok } from "../../../core/result.ts";
import type * as api from "../contract/api.ts";
import { runTo, settle } from "./clockwork.ts";
import { handOut } from "../records/push.ts";
import { refuse } from "../contract/refuse.ts";
import type { Portfolio, World } from "../state/state.ts";

type Do<Request, Data> = (portfolio: Portfolio, request: Request) => api.VenueResult<Data>;

/** Processes the consequences of the work, and notifies the listeners. */
function finish(world: World, nowMs: number, wrote = false): void {
  settle(world);
  runTo(world, nowMs);
  world.commit?.(wrote);
  handOut(world);
}

/** Advances the world to `nowMs`, does the work, and finishes it. */
export function during<Value>(world: World, nowMs: number, work: () => Value, wrote = false): Value {
  runTo(world, nowMs);
  const value = work();
  finish(world, nowMs, wrote);
  return value;
}

/** Why an account may not write; null if it may. */
function barOf({ frozen, eliminatedAtMs }: Portfolio): api.VenueResult<never> | null {
  if (eliminatedAtMs !== null) return refuse(100041, "the account was eliminated and is read-only");
  return frozen ? refuse(100041) : null;
}

/**
 * Turns functions that take a portfolio into commands. An eliminated account can still read; its `writes` return
 * 100041.
 */
export function commands(world: World) {
  const command =
    <Request, Data>(writes: boolean, work: Do<Request, Data>): api.Command<Request, Data> =>
    (accountId, request, nowMs) => {
      runTo(world, nowMs);
      const portfolio = world.portfolios.get(accountId);
      const barred = writes && portfolio !== undefined ? barOf(portfolio) : null;
      const answer = portfolio === undefined ? refuse(100018) : (barred ?? work(portfolio, request));
      finish(world, nowMs, writes);
      return answer;
    };
  return {
    read: <Request, Data>(work: Do<Request, Data>) => command(false, work),
    write: <Request, Data>(work: Do<Request, Data>) => command(true, work),
  };
}

/** The answer, with its value in wire form. */
export const mapped = <Value, Data>(
  answer: api.VenueResult<Value>,
  change: (value: Value) => Data,
): api.VenueResult<Data> => (answer.ok ? ok(change(answer.value)) : answer);
/** The answer without a value. */
export const empty = (answer: api.VenueResult<unknown>): api.VenueResult<api.WireRecord> => mapped(answer, () => ({}));
