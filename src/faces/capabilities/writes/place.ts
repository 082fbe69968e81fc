/** order.place: from an input to a reviewed order. Spec: 3 §4.4; records §17.5. */
import { type Decimal, ZERO } from "../../../core/decimal.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { OPENING_LEVERAGE_MAX } from "../../../domain/competition.ts";
import {
  isOpening,
  type OrderType,
  type PlaceOrder,
  type PositionSide,
  type Side,
  type TimeInForce,
} from "../../../domain/order.ts";
import { checkOrderShape, type SymbolRules } from "../../../domain/symbol.ts";
import { readBackPlaced } from "../../../desk/readback.ts";
import { blocked, type Failure } from "../../contract/statuses.ts";
import * as fields from "../fields.ts";
import { recordOf, recordsOf, rowsIn } from "../read.ts";
import { exchangeOf, positionProblem, positionModeOf } from "./account.ts";
import type { Business } from "./business.ts";
import { marketPriceOf } from "./market-price.ts";
import { aboveCeiling, aboveOwnCap, breachFailure, type KnownRules, rulesOf, rulesView } from "./rules.ts";
import { type DoneAt, type PlanAt, type Planned, type ReadBack, type WriteTarget } from "./target.ts";

const needed = (message: string): Failure => blocked("00001", message);

const isMarket = (input: Business): boolean => input.text("orderType") === "MARKET";
const PRICE_IGNORED = "The price is ignored: a MARKET order takes the best prices in the book.";

function fieldProblem(input: Business): Failure | null {
  const market = isMarket(input);
  const price = input.decimal("price");
  const postOnly = input.flag("postOnly");
  const force = input.text("timeInForce");
  if (!market && !price) return needed("PRICE_REQUIRED: a LIMIT order needs price");
  if (market && (postOnly || force === "GTX"))
    return needed("POST_ONLY_NOT_ALLOWED: a MARKET order cannot be post-only");
  if (postOnly && force !== null && force !== "GTX") return needed("POST_ONLY_CONFLICT: postOnly is timeInForce GTX");
  const maxNotional = input.decimal("maxNotional") ?? ZERO;
  const notional = input.decimal("notional");
  return notional ? aboveCeiling(notional, maxNotional, "notional") : null;
}

function orderOf(input: Business): PlaceOrder {
  const postOnly = input.flag("postOnly");
  return {
    symbol: input.text("symbol") ?? "",
    side: input.text("side") as Side,
    positionSide: (input.text("positionSide") ?? "NONE") as PositionSide,
    orderType: input.text("orderType") as OrderType,
    qty: input.decimal("quantity") ?? ZERO,
    limitPrice: isMarket(input) ? null : input.decimal("price"),
    timeInForce: postOnly ? "GTX" : (input.text("timeInForce") as TimeInForce | null),
    reduceOnly: input.flag("reduceOnly"),
    clientOrderId: input.text("clientOrderId") ?? "",
  };
}

function shapeProblem(order: PlaceOrder, rules: SymbolRules, referencePrice: Decimal): Failure | null {
  if (rules.state !== "live") return blocked("12001", `SYMBOL_NOT_TRADABLE: ${rules.symbol} is ${rules.state}`);
  const breach = checkOrderShape(rules, { ...order, price: order.limitPrice, referencePrice });
  return breach ? breachFailure(breach) : null;
}

/** Checks by cached rules, and again by fresh ones if that fails. */
async function fittingRules(
  at: PlanAt,
  order: PlaceOrder,
  referencePrice: Decimal,
): Promise<Result<KnownRules, Failure>> {
  const question = { client: at.call.client, service: at.service, symbol: order.symbol };
  const known = await rulesOf(question);
  if (!known.ok) return known;
  const problem = shapeProblem(order, known.value.rules, referencePrice);
  if (!problem) return known;
  if (known.value.cache.refreshAttempted) return err(problem);
  const fresh = await rulesOf({ ...question, refresh: true });
  if (!fresh.ok) return fresh;
  const still = shapeProblem(order, fresh.value.rules, referencePrice);
  return still ? err(still) : fresh;
}

/** Leverage and position of the symbol, so that the approver sees what the order adds to. */
async function surroundings(
  { service, input }: PlanAt,
  order: PlaceOrder,
  positionMode: string,
): Promise<Planned["notes"]> {
  const { symbol } = order;
  const [settings, held] = await Promise.all([service.venue.leverage(symbol), service.venue.positions(symbol)]);
  const leverage = settings.kind === "done" ? settings.value.find((row) => row.symbol === symbol)?.leverage : undefined;
  const positions = held.kind === "done" ? rowsIn(recordOf(held)).filter((row) => row["sym"] === symbol) : null;
  const { 1: first, 2: second } = OPENING_LEVERAGE_MAX;
  const high = leverage !== undefined && leverage > first && isOpening(order);
  const warning = `The leverage set for the symbol is ${leverage ?? 0}: Phase I refuses openings above ${first}, Phase II above ${second}.`;
  const warnings = [
    ...(isMarket(input) && input.text("price") !== null ? [PRICE_IGNORED] : []),
    ...(high ? [warning] : []),
  ];
  return { accountReadback: { positionMode, leverage: leverage ?? null, positions }, warnings };
}

function sentBefore({ call }: PlanAt, clientOrderId: string): Failure | null {
  if (!call.client.documents.get("sent", clientOrderId)) return null;
  return blocked("24004", `DUPLICATE_CLIENT_ORDER_ID: an order with client order id ${clientOrderId} was already sent`);
}

async function plan(at: PlanAt): Promise<Result<Planned, Failure>> {
  const { call, service, input, previewing } = at;
  const order = orderOf(input);
  const wrong = fieldProblem(input) ?? (previewing ? sentBefore(at, order.clientOrderId) : null);
  if (wrong) return err(wrong);
  const mode = await positionModeOf(call, service, exchangeOf(order.symbol));
  if (!mode.ok) return mode;
  const sideProblem = positionProblem(mode.value, input.text("positionSide"));
  if (sideProblem) return err(sideProblem);
  const priced = order.limitPrice
    ? ok(order.limitPrice)
    : await marketPriceOf(call, service, { symbol: order.symbol, side: order.side, quantity: order.qty });
  if (!priced.ok) return priced;
  const known = await fittingRules(at, order, priced.value);
  if (!known.ok) return known;
  const { rules, cache } = known.value;
  const maxNotional = input.decimal("maxNotional") ?? ZERO;
  const value = order.qty.mul(rules.contractSize).mul(priced.value);
  const ceiling = aboveCeiling(value, maxNotional) ?? aboveOwnCap(call.client, value);
  if (ceiling) return err(ceiling);
  const reviewed = call.client.review({ order, rules, referencePrice: priced.value, maxNotional });
  if (!reviewed.ok) return err(blocked("00001", `${reviewed.error.limit}: ${reviewed.error.reason}`));
  const looked = previewing ? await surroundings(at, order, mode.value) : {};
  return ok({
    action: {
      kind: "order.place",
      draft: reviewed.value,
      contractSize: rules.contractSize,
      marketPrice: order.limitPrice ? null : priced.value,
      maxNotional,
      also: input.params,
    },
    notes: { marketRules: rulesView(rules), marketRulesCache: cache, ...looked },
  });
}

async function readBack({ service, reply, answer }: DoneAt): Promise<ReadBack> {
  const { order, executions } = await readBackPlaced(service.venue, (reply as { orderId: string }).orderId);
  const data = { ...answer, readback: recordsOf({ order, ...(executions && { executions }) }) };
  if (order.kind !== "done" || order.value.state !== "REJECTED") return { data };
  return {
    data,
    failure: {
      status: "BUSINESS_ERROR",
      digits: "22001",
      message: `the service rejected the order: ${order.value.reason}`,
    },
  };
}

/** The only write that passes `Client.review`. A MARKET order is valued by walking the book to its quantity. */
export const placeTarget: WriteTarget = {
  id: "order.place",
  shape: {
    symbol: fields.symbol,
    side: fields.side,
    orderType: fields.orderType,
    price: fields.price.optional(),
    quantity: fields.quantity,
    notional: fields.decimalText("Value in quote currency, as a cross-check against maxNotional.").optional(),
    timeInForce: fields.timeInForce.optional(),
    postOnly: fields.flag("Rest in the book or be refused; never take.").optional(),
    reduceOnly: fields.flag("Only reduce a position.").optional(),
    maxNotional: fields.maxNotional,
    clientOrderId: fields.clientOrderId,
    positionSide: fields.positionSide.optional(),
  },
  plan,
  readBack,
  lookUp: async ({ action, service }) =>
    action.kind === "order.place"
      ? {
          by: "clientOrderId",
          ...recordsOf({ order: await service.venue.order({ clientOrderId: action.draft.order.clientOrderId }) }),
        }
      : null,
};
