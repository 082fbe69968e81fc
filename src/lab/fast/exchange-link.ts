/**
 * The link between the agent and the bare venue: requests with the wire's fields, replies read by the protocol's
 * readers, a delay in each direction, and injected failures. Nothing is serialised or validated: the conformance suite
 * tests the replies against the schemas.
 */
import type { z } from "zod";
import type { AlgoOrder } from "../../domain/algo-order.ts";
import type { Order } from "../../domain/order.ts";
import type { Outcome } from "../../core/outcome.ts";
import type { VirtualClock } from "../../core/virtual-clock.ts";
import type { AccountSnapshot } from "../../agent/contract/events.ts";
import type { Untimed } from "../../agent/shell/parts.ts";
import { rejected } from "../../protocol/codes.ts";
import { listOf } from "../../protocol/page.ts";
import { type AccountRecord, readExchangeAccount } from "../../protocol/records/account-record.ts";
import { readAlgoOrder } from "../../protocol/records/algo-record.ts";
import { readExecution } from "../../protocol/records/execution-record.ts";
import { readOrder } from "../../protocol/records/order-record.ts";
import { readPositions } from "../../protocol/records/position-record.ts";
import { account } from "../../protocol/trading/account.ts";
import { executions } from "../../protocol/trading/executions.ts";
import { fundingOf, fundingRate } from "../../protocol/trading/funding-rate.ts";
import { leverage, readLeverage } from "../../protocol/trading/leverage.ts";
import { openAlgos } from "../../protocol/trading/open-algos.ts";
import { openOrders } from "../../protocol/trading/open-orders.ts";
import { positions } from "../../protocol/trading/positions.ts";
import { queryAlgo } from "../../protocol/trading/query-algo.ts";
import { queryOrder } from "../../protocol/trading/query-order.ts";
import { readSymbolInfo, symbolInfo } from "../../protocol/trading/symbol-info.ts";
import { readOwnPush } from "../../protocol/user/pushes.ts";
import type { VenueResult, Exchange, UserPush } from "../../sim/exchange/contract/api.ts";
import type { AccountReading } from "./account-reading.ts";
import { ACCOUNT, type BareExchange } from "./bare-exchange.ts";

/**
 * Writes: `up`; `lost` before they reach the venue; `deaf` after they were carried out, so that only the reply is lost.
 */
export type RestState = "up" | "lost" | "deaf";

export interface ExchangeLink {
  rest: RestState;
  /** Whether pushes of the user stream arrive. */
  user: boolean;
  /** Counts every write that arrives and every push. */
  readonly changes: () => number;
  /** Writes that were sent and have no reply yet. */
  readonly writing: () => number;
  /** Pushes in transit. */
  readonly arriving: () => number;
  /** The share of pushes that are lost although the stream is up. */
  lossy: number;
  /**
   * Carries out a write after the outbound delay. After the return delay `reported` gets its outcome, or that no reply
   * came. `symbol` is null for a write that names none.
   */
  write<T>(
    symbol: string | null,
    work: (exchange: Exchange, nowMs: number) => VenueResult<T>,
    reported: (outcome: Outcome<T>) => void,
  ): void;
  /** The same for a read; `reported` gets null when no reply came. */
  read<T>(work: (exchange: Exchange, nowMs: number) => T | null, reported: (value: T | null) => void): void;
  /** The same for a read that depends on no price. */
  readTerms<T>(work: (exchange: Exchange, nowMs: number) => T, reported: (value: T | null) => void): void;
}

/** How long to wait for a reply. */
const PATIENCE_MS = 8_000;

export function createExchangeLink(
  bare: BareExchange,
  clock: VirtualClock,
  given: {
    readonly latencyMs: number;
    readonly feed: (event: Untimed) => void;
    readonly lose: () => number;
    readonly deliver?: (push: UserPush) => readonly number[];
    readonly reads?: Exchange;
  },
): ExchangeLink {
  const { exchange } = bare;
  const { latencyMs, feed, deliver = atOnce, reads = exchange } = given;
  let writing = 0;
  let arriving = 0;
  let changes = 0;
  const readLate = <T>(work: (nowMs: number) => T | null, reported: (value: T | null) => void): void =>
    void clock.after(latencyMs, () => {
      if (link.rest !== "up") return void clock.after(PATIENCE_MS, () => reported(null));
      const value = work(Math.floor(clock.nowMs()));
      clock.after(latencyMs, () => reported(value));
    });
  const link: ExchangeLink = {
    writing: () => writing,
    arriving: () => arriving,
    changes: () => changes,
    rest: "up",
    user: true,
    lossy: 0,
    write: (symbol, work, reported) => {
      writing += 1;
      const ended = (outcome: Parameters<typeof reported>[0]): void => {
        writing -= 1;
        reported(outcome);
      };
      clock.after(latencyMs, () => {
        const state = link.rest;
        const nowMs = Math.floor(clock.nowMs());
        changes += 1;
        if (state !== "lost") bare.fresh(nowMs, symbol);
        const answer = state === "lost" ? null : work(exchange, nowMs);
        if (answer && state === "up") clock.after(latencyMs, () => ended(outcomeOf(answer)));
        else clock.after(PATIENCE_MS, () => ended({ kind: "unknown", message: "no answer came" }));
      });
    },
    read: (work, reported) =>
      readLate((nowMs) => {
        bare.current(nowMs);
        return work(reads, nowMs);
      }, reported),
    readTerms: (work, reported) => readLate((nowMs) => work(reads, nowMs), reported),
  };
  exchange.onUserPush((push) => {
    changes += 1;
    if (!link.user || (link.lossy > 0 && given.lose() < link.lossy)) return;
    const events = eventsOf(push);
    for (const lateMs of deliver(push)) {
      arriving += 1;
      clock.after(latencyMs + lateMs, () => {
        arriving -= 1;
        if (link.user) for (const event of events) feed(event);
      });
    }
  });
  return link;
}

const atOnce = (): readonly number[] => [0];

function outcomeOf<T>(answer: VenueResult<T>): Outcome<T> {
  if (answer.ok) return { kind: "done", value: answer.value };
  return rejected(String(answer.error.code), answer.error.message);
}

/** Turns them into events as `daemon/streams.ts` does. */
function eventsOf({ channel, data }: UserPush): readonly Untimed[] {
  return readOwnPush(channel, data).flatMap((push): Untimed[] => {
    switch (push.kind) {
      case "order":
        return [{ kind: "order", update: push.order }];
      case "execution":
        return [{ kind: "fill", execution: push.execution }];
      case "position":
        return [{ kind: "position", update: push.position }];
      case "asset":
        return [{ kind: "asset", asset: push.asset }];
      case "algo":
        return [{ kind: "algo", algo: push.algo }];
      case "margin-call":
        return [{ kind: "venue-alarm", what: `margin call on ${push.account.exchange}` }];
      case "liquidation":
        return [{ kind: "venue-alarm", what: `liquidation on ${push.liquidation.symbol}` }];
      case "refused":
      case "unknown-channel":
        throw new Error(`the venue pushed an unknown record: ${JSON.stringify(push)}`);
    }
  });
}

/** Reads something of the exchange at an instant. */
export type ExchangeRead<T> = (exchange: Exchange, nowMs: number) => T;

/**
 * The reply in the form of its schema, unchecked: the exchange is our own, the conformance suite checks its replies, and
 * no schema changes what it reads.
 */
function replied<Reply extends z.ZodType>(
  _to: { readonly reply: Reply },
  answer: VenueResult<unknown>,
): z.output<Reply> {
  if (!answer.ok) throw new Error(`a read was refused: ${answer.error.code} ${answer.error.message}`);
  return answer.value as z.output<Reply>;
}

/**
 * A read of the account, from its replies or by `taken` from the exchange's current state. The latter repeats orders and
 * stops until something is written or pushed, and the whole account while it has no positions, whose value changes with
 * every price.
 */
export function createSweep(
  link: Pick<ExchangeLink, "changes">,
  taken: ExchangeRead<AccountReading> | null = null,
): (startedAtMs: number, withAlgos: boolean) => ExchangeRead<AccountSnapshot> {
  let kept: Kept | null = null;
  return (startedAtMs, withAlgos) => (exchange, nowMs) => {
    const changes = link.changes();
    if (taken === null || kept?.changes !== changes) kept = { changes, orders: null, algos: null, flat: null };
    kept.orders ??= readOrders(exchange, nowMs);
    if (withAlgos) kept.algos ??= readAlgos(exchange, nowMs);
    const held = kept.flat ?? (taken ?? readHeld)(exchange, nowMs);
    kept.flat = held.positions.length === 0 ? held : null;
    return { startedAtMs, ...held, openOrders: kept.orders, openAlgos: withAlgos ? kept.algos : null };
  };
}

/** Reads since the last write or push. */
interface Kept {
  readonly changes: number;
  orders: readonly Order[] | null;
  algos: readonly AlgoOrder[] | null;
  /** The account without positions; null while there are any. */
  flat: AccountReading | null;
}

export const readHeld: ExchangeRead<AccountReading> = (exchange, nowMs) => ({
  account: replied(account, exchange.account(ACCOUNT, {}, nowMs)).map((row) =>
    readExchangeAccount(row as AccountRecord),
  ),
  positions: readPositions(listOf(replied(positions, exchange.positions(ACCOUNT, {}, nowMs)))),
});

const readOrders = (exchange: Exchange, nowMs: number): readonly Order[] =>
  listOf(replied(openOrders, exchange.openOrders(ACCOUNT, { pageSize: "1000" }, nowMs))).map(readOrder);

const readAlgos = (exchange: Exchange, nowMs: number): readonly AlgoOrder[] =>
  listOf(replied(openAlgos, exchange.openAlgos(ACCOUNT, {}, nowMs))).map(readAlgoOrder);

export const readFillsSince = (sinceMs: number) => (exchange: Exchange, nowMs: number) =>
  listOf(
    replied(executions, exchange.executions(ACCOUNT, { begin: String(Math.floor(sinceMs)), limit: "1000" }, nowMs)),
  ).map(readExecution);

export const readRules = (exchange: Exchange, nowMs: number) =>
  readSymbolInfo(replied(symbolInfo, exchange.symbolInfo(ACCOUNT, {}, nowMs)));

export const readLeverages = (exchange: Exchange, nowMs: number) =>
  readLeverage(replied(leverage, exchange.leverage(ACCOUNT, {}, nowMs)));

export const readFundingOf = (symbol: string) => (exchange: Exchange, nowMs: number) =>
  fundingOf(replied(fundingRate, exchange.fundingRate(ACCOUNT, { sym: symbol }, nowMs)), symbol);

export const lookUpOrder =
  (clientOrderId: string) =>
  (exchange: Exchange, nowMs: number): Outcome<ReturnType<typeof readOrder>> => {
    const outcome = outcomeOf(exchange.order(ACCOUNT, { clientOrderId }, nowMs));
    return outcome.kind === "done"
      ? { kind: "done", value: readOrder(queryOrder.reply.parse(outcome.value)) }
      : (outcome as Outcome<never>);
  };

export const lookUpAlgo =
  (key: { algoOrderId: string } | { clientOrderId: string }) =>
  (exchange: Exchange, nowMs: number): Outcome<AlgoOrder> => {
    const outcome = outcomeOf(exchange.algo(ACCOUNT, key, nowMs));
    return outcome.kind === "done"
      ? { kind: "done", value: readAlgoOrder(queryAlgo.reply.parse(outcome.value)) }
      : (outcome as Outcome<never>);
  };
