/** Account figures and the position mode over REST. Spec: 1 §3.2, §4.1; records §4. */
import { mapOutcome, type Outcome } from "../core/outcome.ts";
import type { Asset, ExchangeAccount, PositionMode } from "../domain/position.ts";
import { readExchangeAccount } from "../protocol/records/account-record.ts";
import { readAsset } from "../protocol/records/asset-record.ts";
import { account } from "../protocol/trading/account.ts";
import { portfolioAssets } from "../protocol/trading/portfolio-assets.ts";
import { setPositionMode } from "../protocol/trading/set-position-mode.ts";
import type { Call } from "./call.ts";
import { allPages } from "./pages.ts";

/** Reads are tried again, the change of mode is sent once. */
export interface AccountCalls {
  /** One record for each exchange account the operator named; the portfolio's equity is their sum. */
  account(): Promise<Outcome<readonly ExchangeAccount[]>>;
  assets(): Promise<Outcome<readonly Asset[]>>;
  /** 406012 while positions or orders are open. Read the account again to confirm. */
  setPositionMode(exchange: string, mode: PositionMode): Promise<Outcome<void>>;
}

/** `exchanges` as the operator names them; an account of another exchange is none of ours and left out. */
export function accountCalls(call: Call, exchanges: readonly string[]): AccountCalls {
  const isOurs = (record: { readonly exchange: string }): boolean =>
    exchanges.length === 0 || exchanges.includes(record.exchange);
  return {
    account: async () => mapOutcome(await call(account, {}), (rows) => rows.map(readExchangeAccount).filter(isOurs)),
    assets: async () =>
      mapOutcome(await allPages(call, portfolioAssets, {}), (rows) => rows.map(readAsset).filter(isOurs)),
    setPositionMode: async (exchange, mode) =>
      mapOutcome(await call(setPositionMode, { exchange, mode }), () => undefined),
  };
}
