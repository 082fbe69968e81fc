/** position.close and position.close-all. Spec: 3 §3.1, §4.6; records §17.5, §17.8. */
import { type Decimal, ZERO } from "../../../core/decimal.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import type { Position } from "../../../domain/position.ts";
import { readBackClose } from "../../../desk/readback.ts";
import { blocked, type Failure, readFailure } from "../../contract/statuses.ts";
import * as fields from "../fields.ts";
import { recordOf, recordsOf, rowsIn } from "../read.ts";
import { exchangeOf, positionProblem, positionModeOf } from "./account.ts";
import { aboveCeiling, rulesOf } from "./rules.ts";
import { type DoneAt, type PlanAt, type Planned, type ReadBack, remembering, type WriteTarget } from "./target.ts";

/** A position in our form, and the service's record of it. */
export interface Held {
  readonly position: Position;
  readonly record: unknown;
}

/** The position to close. In one-way mode it may have either side. */
export async function heldPosition(
  { service, call }: PlanAt,
  symbol: string,
  positionSide: string | null,
): Promise<Result<Held, Failure>> {
  const found = await service.venue.positions(symbol);
  if (found.kind !== "done") return err(readFailure(found));
  call.seen.real = true;
  const position = found.value.find(
    (row) => row.symbol === symbol && row.qty.gt(0) && (positionSide === null || row.side === positionSide),
  );
  const what = positionSide ? `${positionSide} position` : "position";
  const record = rowsIn(recordOf(found)).find(
    (row) =>
      row["sym"] === symbol &&
      Number(row["positionQty"]) !== 0 &&
      (positionSide === null || row["positionSide"] === positionSide),
  );
  return position
    ? ok({ position, record })
    : err(blocked("24003", `NO_POSITION_TO_CLOSE: there is no ${what} in ${symbol}`));
}

/** The position's value at its mark, in USDT. */
export async function positionValue({ service, call }: PlanAt, position: Position): Promise<Result<Decimal, Failure>> {
  const rules = await rulesOf({ client: call.client, service, symbol: position.symbol });
  return rules.ok ? ok(position.qty.mul(rules.value.rules.contractSize).mul(position.markPrice)) : rules;
}

async function planClose(at: PlanAt): Promise<Result<Planned, Failure>> {
  const { input, call, service } = at;
  const symbol = input.text("symbol") ?? "";
  const positionSide = input.text("positionSide");
  if (!input.flag("reduceOnly")) return err(blocked("00001", "REDUCE_ONLY_REQUIRED: a close needs reduceOnly true"));
  const mode = await positionModeOf(call, service, exchangeOf(symbol));
  if (!mode.ok) return mode;
  const sideProblem = positionProblem(mode.value, positionSide);
  if (sideProblem) return err(sideProblem);
  const held = await heldPosition(at, symbol, positionSide);
  if (!held.ok) return held;
  const { position, record } = held.value;
  const value = await positionValue(at, position);
  if (!value.ok) return value;
  const maxNotional = input.decimal("maxNotional") ?? ZERO;
  const ceiling = aboveCeiling(value.value, maxNotional, "the position's value");
  if (ceiling) return err(ceiling);
  const hedgeMode = mode.value === "BOTH";
  return ok({
    action: {
      kind: "position.close",
      symbol,
      leg: position.side,
      hedgeMode,
      maxNotional,
      known: position,
      also: input.params,
    },
    notes: { positionReadback: record },
  });
}

async function afterClose({ action, call, service, answer }: DoneAt): Promise<ReadBack> {
  if (action.kind !== "position.close") return { data: {} };
  const { symbol, leg: positionSide, hedgeMode, maxNotional } = action;
  const positions = remembering((of?: string) => service.venue.positions(of));
  const { flat } = await readBackClose(
    call.client.env.clock,
    { positions: positions.ask },
    { symbol, leg: positionSide },
  );
  return {
    data: {
      closePosition: true,
      sourceCapability: "position.close",
      reduceOnlyRequested: true,
      request: { symbol, ...(hedgeMode ? { positionSide: positionSide } : {}), maxNotional },
      readbackNote: flat ? "the position is closed" : "the position was still open at the last read",
      flat,
      response: answer,
      readback: recordsOf({ positions: positions.last() }),
    },
  };
}

const lookUpPositions = async ({ action, service }: DoneAt): Promise<Readonly<Record<string, unknown>>> =>
  recordsOf({ positions: await service.venue.positions(action.kind === "position.close" ? action.symbol : undefined) });

/** Needs `reduceOnly: true`, and a ceiling that is at least the position's value at its mark. */
export const closeTarget: WriteTarget = {
  id: "position.close",
  shape: {
    symbol: fields.symbol,
    positionSide: fields.positionSide.optional(),
    reduceOnly: fields.flag("Must be true: a close never opens."),
    maxNotional: fields.maxNotional,
  },
  plan: planClose,
  readBack: afterClose,
  lookUp: lookUpPositions,
};

async function planCloseAll({ input }: PlanAt): Promise<Result<Planned, Failure>> {
  const symbols = input.text("symbolList")?.split(",");
  const exchange = input.text("exchange") ?? (symbols?.[0] ? exchangeOf(symbols[0]) : null);
  if (exchange === null) return err(blocked("00001", "EXCHANGE_REQUIRED: close-all needs exchange or symbolList"));
  const side = input.text("positionSide") as "LONG" | "SHORT" | "NONE" | null;
  const only = { ...(symbols ? { symbols } : {}), ...(side === null ? {} : { positionSide: side }) };
  const filter = Object.keys(only).length > 0 ? { only } : {};
  return ok({ action: { kind: "position.close-all", exchange, ...filter, also: input.params }, notes: {} });
}

/** The service answers with one row for each position, even if it closes some and refuses others. */
async function afterCloseAll(at: DoneAt): Promise<ReadBack> {
  const { notClosed } = at.reply as { notClosed: readonly string[] };
  const data = { ...at.answer, readback: await lookUpPositions(at) };
  if (notClosed.length === 0) return { data };
  const reasons = notClosed.join("; ").slice(0, 300);
  const details = { upstreamMessage: reasons, hint: "the other positions are closing; check with position query" };
  const message = `upstream business error: not closed: ${reasons}`;
  return { data, failure: { status: "BUSINESS_ERROR", digits: "22001", message, details } };
}

/** Needs `exchange`, or `symbolList`, whose first symbol then determines the exchange. There is no ceiling. */
export const closeAllTarget: WriteTarget = {
  id: "position.close-all",
  shape: {
    exchange: fields.exchange.optional(),
    exchangeType: fields.exchange.optional(),
    symbolList: fields.text("Only these symbols, separated by commas.").optional(),
    positionSide: fields.words(["LONG", "SHORT", "NONE"], "Only this position.").optional(),
    closeAllPositions: fields.flag("Close every position of the exchange.").optional(),
  },
  plan: planCloseAll,
  readBack: afterCloseAll,
  lookUp: lookUpPositions,
};
