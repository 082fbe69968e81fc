/** The pushes of the user stream after a login, and their one reader. Spec: 1 §2.4, §6.2; records §11.3 to §11.5. */
import { z } from "zod";
import type { AlgoOrder } from "../../domain/algo-order.ts";
import type { Execution, OrderUpdate } from "../../domain/order.ts";
import type { Asset, ExchangeAccount, Liquidation, PositionUpdate } from "../../domain/position.ts";
import { accountRecord, readExchangeAccount } from "../records/account-record.ts";
import { algoRecord, readAlgoOrder } from "../records/algo-record.ts";
import { assetRecord, readAsset } from "../records/asset-record.ts";
import { executionRecord, readExecution } from "../records/execution-record.ts";
import { orderPush, readOrderUpdate, readPositionSide } from "../records/order-record.ts";
import { positionPush, readPositionUpdate } from "../records/position-record.ts";
import { idMaybe, moneyMaybe, moneyOf, textMaybe, textOf, timeMaybe, timeOf } from "../reply-fields.ts";

/** One forced order. A LiquidationEvent may also carry account snapshots; unknown fields are kept. Records §11.5. */
export const liquidationRecord = z.looseObject({
  liquidationEventId: idMaybe,
  portfolioId: idMaybe,
  exchangeType: textMaybe,
  orderId: idMaybe,
  positionId: idMaybe,
  sym: textMaybe,
  /** LONG, SHORT or NONE. */
  positionSide: textMaybe,
  reduceQty: moneyMaybe,
  closedPnl: moneyMaybe,
  liqFee: moneyMaybe,
  totalTradingFee: moneyMaybe,
  /** JSON numbers here. */
  createAt: timeMaybe,
  updateAt: timeMaybe,
});
/** The wire form; `readLiquidation` converts it. */
export type LiquidationRecord = z.output<typeof liquidationRecord>;

/** The time is that of the last update, else of the creation; missing words read as empty. */
export const readLiquidation = (wire: LiquidationRecord): Liquidation => ({
  exchange: textOf(wire.exchangeType),
  symbol: textOf(wire.sym),
  positionSide: readPositionSide(wire.positionSide),
  reducedQty: moneyOf(wire.reduceQty),
  closedPnl: moneyOf(wire.closedPnl),
  fee: moneyOf(wire.liqFee),
  atMs: timeOf(wire.updateAt ?? wire.createAt),
});

/** The record of each channel. MarginCall's name and record are a guess; ALGO_ORDER on this socket is one too. */
export const USER_PUSH_SCHEMAS = {
  Orders: orderPush,
  Trades: executionRecord,
  Positions: positionPush,
  Assets: assetRecord,
  MarginCall: accountRecord,
  LiquidationEvent: liquidationRecord,
  LiquidationPosition: liquidationRecord,
  LiquidationPositionByUser: liquidationRecord,
  ALGO_ORDER: algoRecord,
} as const;

/** One push after it was read. */
export type UserPushReading =
  | { readonly kind: "order"; readonly order: OrderUpdate }
  | { readonly kind: "execution"; readonly execution: Execution }
  | { readonly kind: "position"; readonly position: PositionUpdate }
  | { readonly kind: "asset"; readonly asset: Asset }
  | { readonly kind: "margin-call"; readonly account: ExchangeAccount }
  | { readonly kind: "liquidation"; readonly channel: string; readonly liquidation: Liquidation }
  | { readonly kind: "algo"; readonly algo: AlgoOrder }
  /** An unknown channel: counted, harmless. */
  | { readonly kind: "unknown-channel"; readonly channel: string }
  | { readonly kind: "refused"; readonly reason: string };

/** Fits a record to its schema, or says what is wrong with it. */
type Fit = <Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
) => { readonly data: z.output<Schema> } | { readonly error: z.core.$ZodError };

const checked: Fit = (schema, data) => {
  const { error, data: wire } = schema.safeParse(data);
  return error ? { error } : { data: wire as never };
};

/** No schema of a push changes what it reads. */
const trusted: Fit = (_schema, data) => ({ data: data as never });

function readChannel(channel: string, data: unknown, fit: Fit): UserPushReading {
  const readAs = <Schema extends z.ZodType>(
    schema: Schema,
    reading: (wire: z.output<Schema>) => UserPushReading,
  ): UserPushReading => {
    const fitted = fit(schema, data);
    if ("data" in fitted) return reading(fitted.data);
    const issue = fitted.error.issues[0];
    return {
      kind: "refused",
      reason: `${channel} ${issue?.path.join(".") ?? "data"}: must be ${issue?.message ?? "sound"}`,
    };
  };
  switch (channel.toLowerCase()) {
    case "orders":
      return readAs(orderPush, (wire) => ({ kind: "order", order: readOrderUpdate(wire) }));
    case "trades":
      return readAs(executionRecord, (wire) => ({ kind: "execution", execution: readExecution(wire) }));
    case "positions":
      return readAs(positionPush, (wire) => ({ kind: "position", position: readPositionUpdate(wire) }));
    case "assets":
      return readAs(assetRecord, (wire) => ({ kind: "asset", asset: readAsset(wire) }));
    case "margincall":
      return readAs(accountRecord, (wire) => ({ kind: "margin-call", account: readExchangeAccount(wire) }));
    case "algo_order":
      return readAs(algoRecord, (wire) => ({ kind: "algo", algo: readAlgoOrder(wire) }));
    case "liquidationevent":
    case "liquidationposition":
    case "liquidationpositionbyuser":
      return readAs(liquidationRecord, (wire) => ({
        kind: "liquidation",
        channel,
        liquidation: readLiquidation(wire),
      }));
    default:
      return { kind: "unknown-channel", channel };
  }
}

/**
 * Null for a frame that is not a push (no `channel`). A push carries one record; a list of records is read as several.
 */
export function readUserPush(frame: unknown): readonly UserPushReading[] | null {
  if (typeof frame !== "object" || frame === null || Array.isArray(frame)) return null;
  const { channel, data } = frame as Readonly<Record<string, unknown>>;
  if (typeof channel !== "string") return null;
  return readRecords(channel, data, checked);
}

const readRecords = (channel: string, data: unknown, fit: Fit): readonly UserPushReading[] =>
  Array.isArray(data) ? data.map((record) => readChannel(channel, record, fit)) : [readChannel(channel, data, fit)];

/** The same for a push of our own simulated exchange, whose records the conformance suite checks. */
export const readOwnPush = (channel: string, data: unknown): readonly UserPushReading[] =>
  readRecords(channel, data, trusted);
