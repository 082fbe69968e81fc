/** Every read of the venue that the agent asks for, each reported as an event. */
import { describeOutcome, type Outcome } from "../../core/outcome.ts";
import type { AlgoOrder } from "../../domain/algo-order.ts";
import type { Execution } from "../../domain/order.ts";
import type { ReadEffect } from "../contract/effects.ts";
import type { AlgosRead } from "../contract/events.ts";
import type { Link, LoopParts, Untimed } from "./parts.ts";

/** Null when it could not be read: it is asked for again later. */
export type Reader = (effect: ReadEffect) => Promise<Untimed | null>;

const ALGOS_PATIENCE_MS = 2_500;

/**
 * Fills, look-ups, stops and account snapshots always return an event; the other reads return null on failure, and log
 * it.
 */
export function createReader(parts: LoopParts, link: Link): Reader {
  const { env, log, venue } = parts;

  const readOr = <T>(outcome: Outcome<T>, what: string, make: (value: T) => Untimed): Untimed | null => {
    if (outcome.kind === "done") return make(outcome.value);
    // At shutdown it is aborted and not repeated.
    if (!link.closed()) log.event("warn", "venue.retry", `${what} could not be read: ${describeOutcome(outcome)}`);
    return null;
  };

  return async (effect) => {
    switch (effect.kind) {
      case "read-account":
        return accountSnapshot(parts, link, effect.withAlgos);
      case "read-fills": {
        const startedAtMs = env.clock.nowMs();
        const outcome = await venue.executions({ beginMs: effect.sinceMs });
        // Its turn may come long after it was asked for, and what happened until then it must show.
        const askedMs = (outcome.kind === "done" ? outcome.sentAtMs : undefined) ?? startedAtMs;
        const reported = (fills: readonly Execution[] | null): Untimed => ({
          kind: "fills-read",
          startedAtMs: askedMs,
          fills,
        });
        return readOr(outcome, "executions", reported) ?? reported(null);
      }
      case "load-rules":
        return readOr(await venue.symbolRules(), "symbol rules", (rules) => ({ kind: "rules", rules }));
      case "read-leverage":
        return readOr(await venue.leverage(), "leverage", (settings) => ({ kind: "leverage", settings }));
      case "load-funding":
        return readOr(await venue.fundingRate(effect.symbol), `funding of ${effect.symbol}`, (funding) => ({
          kind: "funding",
          funding,
        }));
      case "read-ranking": {
        const { phase } = effect;
        const outcome = await venue.ranking(phase);
        // There is none before the first day is over, which is no trouble.
        if (outcome.kind === "rejected") return { kind: "ranking", phase, ranking: null };
        return readOr(outcome, "the ranking", (ranking) => ({ kind: "ranking", phase, ranking }));
      }
      case "read-algo": {
        const { kind: _, positionKey, ...key } = effect;
        const asked = "clientOrderId" in key ? key : {};
        return { kind: "algo-found", positionKey, ...asked, found: await venue.algo(key) };
      }
      case "look-up":
        return {
          kind: "looked-up",
          clientOrderId: effect.clientOrderId,
          found: await venue.order(
            effect.orderId === undefined ? { clientOrderId: effect.clientOrderId } : { orderId: effect.orderId },
          ),
        };
    }
  };
}

async function accountSnapshot(parts: LoopParts, link: Link, withAlgos: boolean): Promise<Untimed> {
  const { env, venue } = parts;
  const startedAtMs = env.clock.nowMs();
  const [account, positions, openOrders, openAlgos] = await Promise.all([
    // Its slots are scarce: tried again here, it would hold those that the next account snapshot needs.
    venue.account({ attempts: 1 }),
    venue.positions(),
    venue.openOrders(),
    withAlgos ? algosInTime(parts, link, startedAtMs) : null,
  ]);
  const failed = [account, positions, openOrders].find((outcome) => outcome.kind !== "done");
  return {
    kind: "account-read",
    account: {
      startedAtMs,
      account: answered(account),
      positions: answered(positions),
      openOrders: answered(openOrders),
      openAlgos,
    },
    ...(failed ? { failed: describeOutcome(failed) } : {}),
  };
}

const answered = <T>(outcome: Outcome<T>): T | null => (outcome.kind === "done" ? outcome.value : null);

const algosOf = (outcome: Outcome<readonly AlgoOrder[]>): AlgosRead =>
  outcome.kind === "done" ? outcome.value : { againMs: outcome.kind === "rate-limited" ? outcome.retryAtMs : null };

/** Their rate is scarce: the account snapshot waits a moment for the list, which otherwise follows when its turn has come. */
async function algosInTime(
  { env, venue, onFatal }: LoopParts,
  { feed, closed }: Link,
  startedAtMs: number,
): Promise<AlgosRead | null> {
  const enough = new AbortController();
  const reading = venue.openAlgos();
  const first = await Promise.race([reading, env.clock.sleep(ALGOS_PATIENCE_MS, enough.signal)]);
  enough.abort();
  if (first) return algosOf(first);
  void reading
    .then((late) => {
      if (!closed()) feed({ kind: "algos-read", startedAtMs, algos: algosOf(late) });
    })
    .catch(onFatal);
  return null;
}
