/** One exchange account of the portfolio, as GET account and the MarginCall push give it. Spec: records §4.1, §4.2. */
import { z } from "zod";
import type { ExchangeAccount, PositionMode } from "../../domain/position.ts";
import { idMaybe, moneyMaybe, moneyNeeded, moneyOf, moneyOrNull, textMaybe, textOf, unread } from "../reply-fields.ts";

/** Only the exchange and its equity are required; all else may be missing. */
export const accountRecord = z.looseObject({
  portfolioId: idMaybe,
  exchangeType: z.string().min(1),
  /** Account value in USDT, open profit included. */
  equity: moneyNeeded,
  /** Total maintenance margin, USDT. */
  maintainMargin: moneyMaybe,
  /** Total absolute position value, USDT. */
  positionValue: unread,
  /** validMargin / maintainMargin; a huge figure when there is no maintenance margin. */
  uniMMR: unread,
  /** maintainMargin / validMargin, 4 decimals; 0 when flat. */
  riskRatio: unread,
  /** NORMAL, MARGIN_CALL, CANCEL_OPEN, CANCEL_ALL, LIQUIDATING (alias LIQUIDATION), TAKEOVER. */
  accountStatus: textMaybe,
  /** Collateral value before reserves. */
  marginValue: unread,
  /** Initial margin in use = perpMargin + debtMargin. */
  frozenMargin: unread,
  /** Initial margin of perpetual positions and open orders. */
  perpMargin: unread,
  /** Initial margin of borrowings. */
  debtMargin: unread,
  /** Reserve for fees and discount losses of open orders. */
  openLossMargin: unread,
  /** marginValue - openLossMargin. */
  validMargin: unread,
  /** validMargin - frozenMargin. */
  availableMargin: moneyMaybe,
  /** Unrealised profit, USDT. */
  upnl: moneyMaybe,
  /** BOTH or NET. */
  positionMode: textMaybe,
  perpAvailableMargin: moneyMaybe,
  updateAt: unread,
});
/** As the account call lists it: an exchange that the portfolio does not use may have empty figures (records §0.2). */
export const accountRow = accountRecord.extend({ equity: moneyMaybe });

/** The wire form; `readExchangeAccount` converts it. */
export type AccountRecord = z.output<typeof accountRecord>;

function readPositionMode(word: string | null | undefined): PositionMode | null {
  const upper = textOf(word).toUpperCase();
  return upper === "BOTH" || upper === "NET" ? upper : null;
}

/** Older servers send `perpAvailableMargin` only. */
export function readExchangeAccount(wire: AccountRecord): ExchangeAccount {
  const status = textOf(wire.accountStatus).toUpperCase();
  const portfolioId = String(wire.portfolioId ?? "");
  return {
    ...(portfolioId === "" ? {} : { portfolioId }),
    exchange: wire.exchangeType,
    equity: moneyOf(wire.equity),
    availableMargin: moneyOrNull(wire.availableMargin) ?? moneyOf(wire.perpAvailableMargin),
    maintenanceMargin: moneyOf(wire.maintainMargin),
    unrealizedPnl: moneyOrNull(wire.upnl),
    positionMode: readPositionMode(wire.positionMode),
    status: status === "LIQUIDATION" ? "LIQUIDATING" : status || "NORMAL",
  };
}
