/**
 * The line between agent and bare venue: requests in the wire's own fields, answers read by the protocol's own readers, a
 * delay each way, and the ways in which it can fail. No bytes: what the schemas check is the conformance suite's matter.
 */
import type { AlgoOrder } from "../../src/domain/algo-order.ts";
import type { Outcome } from "../../src/core/outcome.ts";
import type { VirtualClock } from "../../src/core/virtual-clock.ts";
import type { AgentEvent, AccountSnapshot } from "../../src/agent/contract/events.ts";
import { rejected } from "../../src/protocol/codes.ts";
import { listOf } from "../../src/protocol/page.ts";
import { accountRecord, readExchangeAccount } from "../../src/protocol/records/account-record.ts";
import { readAlgoOrder } from "../../src/protocol/records/algo-record.ts";
import { readExecution } from "../../src/protocol/records/execution-record.ts";
import { readOrder } from "../../src/protocol/records/order-record.ts";
import { readPositions } from "../../src/protocol/records/position-record.ts";
import { account } from "../../src/protocol/trading/account.ts";
import { executions } from "../../src/protocol/trading/executions.ts";
import { fundingOf, fundingRate } from "../../src/protocol/trading/funding-rate.ts";
import { leverage, readLeverage } from "../../src/protocol/trading/leverage.ts";
import { openAlgos } from "../../src/protocol/trading/open-algos.ts";
import { openOrders } from "../../src/protocol/trading/open-orders.ts";
import { positions } from "../../src/protocol/trading/positions.ts";
import { queryAlgo } from "../../src/protocol/trading/query-algo.ts";
import { queryOrder } from "../../src/protocol/trading/query-order.ts";
import { readSymbolInfo, symbolInfo } from "../../src/protocol/trading/symbol-info.ts";
import { readUserPush } from "../../src/protocol/user/pushes.ts";
import type { Answer, Exchange, UserPush } from "../../src/sim/exchange/api.ts";
import { ACCOUNT, type BareVenue } from "./bare-venue.ts";

type DistributiveOmit<T, K extends keyof T> = T extends unknown ? Omit<T, K> : never;
export type Untimed = DistributiveOmit<AgentEvent, "atMs">;

/** Writes: `up`; `lost` before the venue sees them; `deaf` once they are carried out, so that only the answer is lost. */
export type RestState = "up" | "lost" | "deaf";

export interface Line {
  rest: RestState;
  /** Pushes of the user stream arrive. */
  user: boolean;
  /** What share of pushes gets lost although the stream is up. */
  lossy: number;
  /** Carries out a write after the way there; `told` hears its outcome after the way back, or that none came. */
  write<T>(work: (exchange: Exchange, nowMs: number) => Answer<T>, reported: (outcome: Outcome<T>) => void): void;
  /** The same for a read; `told` hears null when no answer came. */
  read<T>(work: (exchange: Exchange, nowMs: number) => T | null, reported: (value: T | null) => void): void;
}

/** How long a request without an answer is waited for. */
const PATIENCE_MS = 8_000;

export function createLine(
  venue: BareVenue,
  clock: VirtualClock,
  given: { readonly latencyMs: number; readonly feed: (event: Untimed) => void; readonly lose: () => number },
): Line {
  const { exchange } = venue;
  const { latencyMs, feed } = given;
  const line: Line = {
    rest: "up",
    user: true,
    lossy: 0,
    write: (work, reported) => {
      clock.after(latencyMs, () => {
        const state = line.rest;
        const answer = state === "lost" ? null : work(exchange, Math.floor(clock.nowMs()));
        if (answer && state === "up") clock.after(latencyMs, () => reported(outcomeOf(answer)));
        else clock.after(PATIENCE_MS, () => reported({ kind: "unknown", message: "no answer came" }));
      });
    },
    read: (work, reported) => {
      clock.after(latencyMs, () => {
        if (line.rest !== "up") clock.after(PATIENCE_MS, () => reported(null));
        else {
          const value = work(exchange, Math.floor(clock.nowMs()));
          clock.after(latencyMs, () => reported(value));
        }
      });
    },
  };
  exchange.onUserPush((push) => {
    if (!line.user || (line.lossy > 0 && given.lose() < line.lossy)) return;
    const events = eventsOf(push);
    clock.after(latencyMs, () => {
      if (line.user) for (const event of events) feed(event);
    });
  });
  return line;
}

function outcomeOf<T>(answer: Answer<T>): Outcome<T> {
  if (answer.ok) return { kind: "done", value: answer.value };
  return rejected(String(answer.error.code), answer.error.message);
}

/** As `daemon/streams.ts` turns them into events. */
function eventsOf({ channel, data }: UserPush): readonly Untimed[] {
  return (readUserPush({ channel, data }) ?? []).flatMap((push): Untimed[] => {
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
        throw new Error(`the venue pushed what the protocol does not know: ${JSON.stringify(push)}`);
    }
  });
}

const sound = <T>(answer: Answer<T>): T => {
  if (!answer.ok) throw new Error(`a read was refused: ${answer.error.code} ${answer.error.message}`);
  return answer.value;
};

export const readSweep =
  (startedAtMs: number, withAlgos: boolean) =>
  (exchange: Exchange, nowMs: number): AccountSnapshot => ({
    startedAtMs,
    account: account.reply
      .parse(sound(exchange.account(ACCOUNT, {}, nowMs)))
      .map((row) => readExchangeAccount(accountRecord.parse(row))),
    positions: readPositions(listOf(positions.reply.parse(sound(exchange.positions(ACCOUNT, {}, nowMs))))),
    openOrders: listOf(openOrders.reply.parse(sound(exchange.openOrders(ACCOUNT, { pageSize: "1000" }, nowMs)))).map(
      readOrder,
    ),
    openAlgos: withAlgos
      ? listOf(openAlgos.reply.parse(sound(exchange.openAlgos(ACCOUNT, {}, nowMs)))).map(readAlgoOrder)
      : null,
  });

export const readFillsSince = (sinceMs: number) => (exchange: Exchange, nowMs: number) =>
  listOf(
    executions.reply.parse(
      sound(exchange.executions(ACCOUNT, { begin: String(Math.floor(sinceMs)), limit: "1000" }, nowMs)),
    ),
  ).map(readExecution);

export const readRules = (exchange: Exchange, nowMs: number) =>
  readSymbolInfo(symbolInfo.reply.parse(sound(exchange.symbolInfo(ACCOUNT, {}, nowMs))));

export const readLeverages = (exchange: Exchange, nowMs: number) =>
  readLeverage(leverage.reply.parse(sound(exchange.leverage(ACCOUNT, {}, nowMs))));

export const readFundingOf = (symbol: string) => (exchange: Exchange, nowMs: number) =>
  fundingOf(fundingRate.reply.parse(sound(exchange.fundingRate(ACCOUNT, { sym: symbol }, nowMs))), symbol);

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
