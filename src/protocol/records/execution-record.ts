/** One fill, as REST lists it and as the Trades channel pushes it. Spec: records §5.8, §11.3. */
import { z } from "zod";
import type { Execution } from "../../domain/order.ts";
import {
  idMaybe,
  idNeeded,
  moneyMaybe,
  moneyNeeded,
  moneyOf,
  moneyOrNull,
  textMaybe,
  textOf,
  timeMaybe,
  timeOf,
  unread,
} from "../reply-fields.ts";
import { readSide } from "./order-record.ts";

/** Ids, symbol, side, size and price are required; the fee may be missing. */
export const executionRecord = z.looseObject({
  /** Unique fill id. */
  transactionId: idNeeded,
  portfolioId: idMaybe,
  orderId: idNeeded,
  clientOrderId: textMaybe,
  /** "0" when there is none. */
  algoOrderId: idMaybe,
  exchangeType: textMaybe,
  businessType: unread,
  sym: z.string().min(1),
  side: z.string().min(1),
  /** Fill size, same unit as orderQty. */
  quantity: moneyNeeded,
  price: moneyNeeded,
  /** Computed by the service, positive = paid. */
  tradingFee: moneyMaybe,
  tradingFeeCoin: unread,
  /** The fee charged; on the push a negative fee is a rebate. */
  fee: moneyMaybe,
  feeCoin: unread,
  rebate: unread,
  rebateCoin: unread,
  /** Realised profit of this fill in USDT, before fee. */
  rpnl: moneyMaybe,
  /** TAKER or MAKER. */
  execType: textMaybe,
  tradeSource: unread,
  createAt: timeMaybe,
});
/** The wire form; `readExecution` converts it. */
export type ExecutionRecord = z.output<typeof executionRecord>;

/** An unknown liquidity value reads as TAKER, the more expensive of the two. */
export function readExecution(wire: ExecutionRecord): Execution {
  return {
    transactionId: wire.transactionId,
    orderId: wire.orderId,
    clientOrderId: textOf(wire.clientOrderId) || wire.orderId,
    symbol: wire.sym,
    side: readSide(wire.side),
    qty: moneyOf(wire.quantity),
    price: moneyOf(wire.price),
    fee: moneyOrNull(wire.fee) ?? moneyOf(wire.tradingFee),
    realizedPnl: moneyOrNull(wire.rpnl),
    liquidity: textOf(wire.execType).toUpperCase() === "MAKER" ? "MAKER" : "TAKER",
    atMs: timeOf(wire.createAt),
  };
}
