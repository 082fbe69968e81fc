/**
 * One strategy over recorded bars, fast: the agent's own step against the bare exchange in one synchronous loop, minute
 * by minute (`play-minute.ts`).
 */
import type { Strategies } from "../../agent/contract/events.ts";
import type { Config } from "../../config/config.ts";
import { type Decimal, dec, toFloat, toWire, ZERO } from "../../core/decimal.ts";
import { MINUTE_MS, SECOND_MS } from "../../core/time.ts";
import type { RowBody } from "../../rows/row.ts";
import { readTrade } from "../../rows/trade.ts";
import type { Recorded } from "../../sim/market/recorded.ts";
import { profileNamed } from "../../sim/profiles.ts";
import { type AccountParts, accountOf, ownAccountsOf, partsOf } from "../figures/exchange-account.ts";
import type { EquityPoint } from "../../domain/competition-figures.ts";
import type { FailedDecisions, TradedRun } from "../figures/run-figures.ts";
import { createBarMarket } from "./bar-market.ts";
import { ACCOUNT, createBareExchange } from "./bare-exchange.ts";
import { decisionTimes, type ReplayTimes } from "./decision-times.ts";
import { loopParts } from "./fast-agent.ts";
import { createDirectLoop } from "./direct-loop.ts";
import type { RowListener } from "./loop-state.ts";
import { warmPast } from "./past.ts";
import { becomeReady, playMinute, type FastRunState } from "./play-minute.ts";

/** The floor of the competition; spec: 3 §8. */
const ELIMINATION_USDT = dec("800");
const START_USDT = dec("1000");
/** Interval of the agent's ticks for a while after its last write or push, until any reply has arrived. */
const BUSY_STEP_MS = 3 * SECOND_MS;
/** For a replay: a stop that is requested later than in the record may meet an exhausted rate limit. */
const REPLAY_STEP_MS = SECOND_MS;
/** The agent ticks after equity has changed by this share of its distance to the elimination. */
const EQUITY_MOVE = 0.01;
const ELIMINATION_USD = toFloat(ELIMINATION_USDT);

export interface FastRunOptions {
  readonly config: Config;
  readonly strategies: Strategies;
  /** All instruments of the run, over one window. */
  readonly recorded: readonly Recorded[];
  /** In the data's own time, on a whole minute. */
  readonly fromMs: number;
  readonly forMs: number;
  readonly exchanges: readonly string[];
  /** Default 1,000 USDT. */
  readonly startUsdt?: Decimal;
  /** Set for a replay: what a recorded run shows about the time between whole minutes. */
  readonly replay?: ReplayTimes;
  /** The delay from the agent to the exchange. Default 20 ms, as in the whole service. */
  readonly latencyMs?: number;
  /** Receives every row that would be written to the journal. */
  readonly onRow?: RowListener;
  /** Called after every minute with the completed share and the equity. */
  readonly onMinute?: (done: number, equityUsdt: number) => void;
}

/** The run with the parts of its last equity: start + realised + unrealised - fees - funding. */
export interface FastRun extends TradedRun {
  /** Null if the strategy made every decision itself. */
  readonly failures: FailedDecisions | null;
  readonly accounts: AccountParts;
  /** Value of all fills, USDT; a float for statistics. */
  readonly tradedUsdt: number;
}

/** A run that its caller advances, so that it can do other work between two minutes. */
export interface FastRunUnderWay {
  /** Simulates the next minute; false at the end of the span or after the account's elimination. */
  minute(): boolean;
  /** The run up to the last simulated minute. */
  result(): FastRun;
}

/** Runs to its end at once. Throws what the strategy or the agent throws. */
export function runFast(options: FastRunOptions): FastRun {
  const run = beginFast(options);
  while (run.minute());
  return run.result();
}

/** This call and each minute throw what the strategy or the agent throws. */
export function beginFast(options: FastRunOptions): FastRunUnderWay {
  const { config, recorded, fromMs, forMs, onRow, startUsdt = START_USDT } = options;
  const market = createBarMarket(recorded, options.replay?.seen);
  const profile = profileNamed(config.venue.embedded.profile);
  const bare = createBareExchange({
    specs: recorded.map(({ spec }) => spec),
    phase: config.phase,
    mode: profile.mode,
    startUsdt: toWire(startUsdt),
    depth: market.depth,
    settings: profile.settings,
    eliminationBelowUsdt: ELIMINATION_USDT,
    startMs: fromMs,
  });
  market.start(bare, fromMs);
  const run: FastRunState = {
    market,
    bare,
    counts: { decisions: 0, tradedUsdt: 0 },
    trades: [],
    failures: null,
    books: true,
    startUsdt,
    nowMs: fromMs,
    lookedMs: fromMs,
    busyStepMs: options.replay ? REPLAY_STEP_MS : BUSY_STEP_MS,
    decides: options.replay ? decisionTimes(options.replay.decidesAtMs) : null,
    insuranceUsdt: ownAccountsOf(bare.exchange)("insurance"),
    // A replay follows every price, because it does not know the recorded agent's stops and targets.
    watch: {
      follows: (symbol) => options.replay !== undefined || loop.agent.followsPrice(symbol),
      equityMoveUsdt: () => EQUITY_MOVE * Math.max(0, run.equityUsdt - ELIMINATION_USD),
    },
    equityUsdt: toFloat(startUsdt),
  };
  const { counts } = run;
  const sizes = new Map(recorded.map(({ spec: { rules } }) => [rules.symbol, toFloat(rules.contractSize)]));
  const parts = loopParts(options);
  warmPast(parts.context, recorded, fromMs);
  const loop = createDirectLoop({
    ...parts,
    bare,
    startMs: fromMs,
    quote: (sink, nowMs) => market.quote(sink, nowMs, run.books),
    onRow: (row, atMs) => {
      if (row.row === "trade") {
        const trade = readTrade({ seq: run.trades.length + 1, kind: row.row, body: row.body });
        if (trade.event === "closed") run.trades.push(trade);
      } else if (row.row === "decision" && "trigger" in row.body) {
        counts.decisions += 1;
      } else if (row.row === "decision" && "failed" in row.body) {
        const { count, firstMs, reason } = run.failures ?? {
          count: 0,
          firstMs: atMs,
          reason: String(row.body["reason"]),
        };
        run.failures = { count: count + 1, firstMs, reason };
      } else if (row.row === "fill") counts.tradedUsdt += worth(row.body, sizes);
      onRow?.(row, atMs);
    },
  });
  market.openMinute(fromMs);
  market.putPrices(fromMs);
  const points: EquityPoint[] = [{ atMs: fromMs, equityUsdt: toFloat(bare.equity()) }];
  becomeReady(run, loop);
  const untilMs = fromMs + forMs;
  let openMs = fromMs;
  return {
    minute: () => {
      if (openMs >= untilMs || bare.eliminated()) return false;
      const looked = playMinute(run, loop, openMs);
      const equityUsdt = looked ? toFloat(bare.equity()) : (points.at(-1)?.equityUsdt ?? 0);
      run.equityUsdt = equityUsdt;
      openMs += MINUTE_MS;
      points.push({ atMs: openMs, equityUsdt });
      options.onMinute?.((openMs - fromMs) / forMs, equityUsdt);
      return true;
    },
    result: () => resultOf(run, config.strategy.use, points),
  };
}

/** Value of a fill's row in USDT. */
const worth = ({ symbol, qty, price }: RowBody, sizes: ReadonlyMap<string, number>): number =>
  Number(qty) * Number(price) * (sizes.get(String(symbol)) ?? 1);

function resultOf(
  { bare, counts, trades, failures, nowMs, startUsdt, insuranceUsdt }: FastRunState,
  strategy: string,
  points: readonly EquityPoint[],
): FastRun {
  bare.current(nowMs);
  const account = accountOf(bare.exchange, nowMs);
  return {
    strategy,
    points,
    ...account,
    trades,
    failures,
    closedPositions: trades.length,
    decisions: counts.decisions,
    tradedUsdt: counts.tradedUsdt,
    modelUsd: ZERO,
    models: [],
    accounts: partsOf(bare.exchange, {
      accountId: ACCOUNT,
      startUsdt,
      endUsdt: bare.equity(),
      insuranceUsdt,
      nowMs,
    }),
    ended: account.eliminated ? `eliminated at ${bare.equity().toFixed(2)} USDT` : null,
  };
}
