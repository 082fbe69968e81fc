/** The exchange's own account of a run, for the single account on it. */
import { type Decimal, dec, ONE, sumDecimals } from "../../core/decimal.ts";
import { listOf } from "../../protocol/page.ts";
import { readPositions } from "../../protocol/records/position-record.ts";
import { positions } from "../../protocol/trading/positions.ts";
import type { Exchange } from "../../sim/exchange/contract/api.ts";
import type { BacktestRun } from "./run-figures.ts";

/** Positive fees and funding are amounts that the account paid. */
export function accountOf(
  exchange: Exchange,
  nowMs: number,
): Pick<BacktestRun, "executions" | "winRate" | "feesUsdt" | "fundingUsdt" | "eliminated"> {
  const [row] = exchange.scoreboard(Math.floor(nowMs));
  const ownAccount = ownAccountsOf(exchange);
  return {
    executions: row?.trades ?? 0,
    winRate: row?.winRate ?? null,
    feesUsdt: ownAccount("fees"),
    fundingUsdt: ownAccount("funding"),
    eliminated: row?.eliminated ?? false,
  };
}

/** Balance of one of the exchange's own accounts, USDT: the sum of the payments to it. */
export function ownAccountsOf(
  exchange: Exchange,
): (name: "fees" | "funding" | "counterparty" | "insurance") => Decimal {
  const balances = Object.entries(exchange.ledger().balances["USDT"] ?? {});
  return (name) =>
    sumDecimals(balances.filter(([account]) => account.startsWith(`${name}/`)).map(([, amount]) => dec(amount)));
}

/** The parts of an account's equity, USDT, exact. */
export interface AccountParts {
  readonly startUsdt: Decimal;
  readonly realisedUsdt: Decimal;
  readonly unrealisedUsdt: Decimal;
  readonly feesUsdt: Decimal;
  readonly fundingUsdt: Decimal;
  readonly endUsdt: Decimal;
}

/** Computed independently of the equity: cash movements from the ledger, the open result from positions and marks. */
export function partsOf(
  exchange: Exchange,
  given: {
    readonly accountId: string;
    readonly startUsdt: Decimal;
    readonly endUsdt: Decimal;
    /** Balance of the insurance fund at the start of the run. */
    readonly insuranceUsdt: Decimal;
    readonly nowMs: number;
  },
): AccountParts {
  const { accountId, startUsdt, endUsdt, insuranceUsdt, nowMs } = given;
  const ownAccount = ownAccountsOf(exchange);
  const reply = exchange.positions(accountId, {}, nowMs);
  const held = reply.ok ? readPositions(listOf(positions.reply.parse(reply.value))) : [];
  const contractSize = (symbol: string): Decimal =>
    exchange.symbols.find(({ rules }) => rules.symbol === symbol)?.rules.contractSize ?? ONE;
  return {
    startUsdt,
    endUsdt,
    realisedUsdt: ownAccount("counterparty").add(ownAccount("insurance")).sub(insuranceUsdt).neg(),
    unrealisedUsdt: sumDecimals(
      held.map(({ symbol, side, qty, avgPrice, markPrice }) => {
        const rise = markPrice.sub(avgPrice).mul(qty).mul(contractSize(symbol));
        return side === "SHORT" ? rise.neg() : rise;
      }),
    ),
    feesUsdt: ownAccount("fees"),
    fundingUsdt: ownAccount("funding"),
  };
}
