import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { listSpellings } from "../normalize.ts";
import { pageOf } from "../page.ts";
import { idMaybe, moneyMaybe, textMaybe, timeMaybe } from "../reply-fields.ts";
import { epochMs, exchange, pageFields, symbol } from "../request-fields.ts";

/** One position that was closed, wholly or in part; times in epoch ms. */
export const positionHistoryRecord = z.looseObject({
  positionId: idMaybe,
  portfolioId: idMaybe,
  sym: z.string().min(1),
  /** COMPLETE_CLOSED; PARTIAL_CLOSED, LIQUIDATION_CLOSED, ADL_CLOSED [guess]. */
  closedType: textMaybe,
  /** Realised, before fees, USDT. */
  closedPnl: moneyMaybe,
  /** closedPnl / (openAvgPrice x qty / leverage). */
  closedPnlRatio: moneyMaybe,
  closedAvgPrice: moneyMaybe,
  openAvgPrice: moneyMaybe,
  maxPositionQty: moneyMaybe,
  closedQty: moneyMaybe,
  fee: moneyMaybe,
  fundingFee: moneyMaybe,
  liqFee: moneyMaybe,
  /** A JSON integer here. */
  leverage: moneyMaybe,
  /** LONG or SHORT. */
  positionHistorySide: textMaybe,
  positionMode: textMaybe,
  /** Open time. */
  createAt: timeMaybe,
  /** Close time. */
  updateAt: timeMaybe,
});

/** Positions that were closed, newest first [guess]. */
export const positionHistory = endpoint({
  method: "GET",
  path: "/api/v1/trading/history/position",
  section: "1 §4.4; records §7.2",
  limit: { requests: 6, perMs: 10_000 },
  permission: "read",
  paging: { defaultSize: 100, maxSize: 1000 },
  normalize: listSpellings,
  request: z.strictObject({
    sym: symbol.optional(),
    exchange: exchange.optional(),
    begin: epochMs.optional(),
    end: epochMs.optional(),
    ...pageFields,
  }),
  reply: pageOf(positionHistoryRecord),
});
