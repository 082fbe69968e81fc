/**
 * The order of trade verify-live: the consent text that allows it, and the smallest order that rests away from the
 * market. Spec: 3 §4.7; records §17.13.
 */
import { type Decimal, dec, Decimal as Decimals, DECIMAL_PATTERN, roundToStep, toWire } from "../../core/decimal.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { SymbolRules } from "../../domain/symbol.ts";
import { type Failure, failure } from "../contract/statuses.ts";
import type { Call } from "../contract/capability.ts";
import type { Service } from "../contract/client.ts";
import { exchangeOf, positionModeOf } from "./writes/account.ts";
import { rulesOf } from "./writes/rules.ts";

/** The owner's request and consent. */
export interface VerificationInput {
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly maxNotional: string;
  readonly clientOrderId: string;
  readonly positionSide?: "LONG" | "SHORT" | undefined;
  readonly explicitUserConsent: boolean;
  readonly acceptedRiskText: string;
}

interface Request {
  readonly call: Call;
  readonly service: Service;
  readonly input: VerificationInput;
}

/** The order rests this far behind the best price of its side, so that the market does not fill it meanwhile. */
const AWAY = dec("0.005");

/** The consent must describe the order: at least twenty characters, with every figure. */
export function consentGap({
  symbol,
  side,
  positionSide,
  maxNotional,
  explicitUserConsent,
  acceptedRiskText,
}: VerificationInput): string | null {
  if (!explicitUserConsent) return "explicitUserConsent must be true";
  const words = acceptedRiskText.split(/[^\w.]+/).map((word) => word.replace(/\.$/, ""));
  const upper = new Set(words.map((word) => word.toUpperCase()));
  const figures = words.filter((word) => DECIMAL_PATTERN.test(word));
  if (acceptedRiskText.trim().length < 20) return "acceptedRiskText must have 20 characters or more";
  const missing = [symbol, side, ...(positionSide ? [positionSide] : []), "REAL"].filter((word) => !upper.has(word));
  if (!figures.some((figure) => dec(figure).eq(dec(maxNotional)))) missing.push(maxNotional);
  if (!upper.has("CANCEL") && !upper.has("CLEANUP")) missing.push("cancel or cleanup");
  return missing.length > 0 ? `acceptedRiskText must name ${missing.join(", ")}` : null;
}

/** The smallest quantity that the rules allow at the price. */
function smallest(rules: SymbolRules, price: Decimal): Decimal {
  const forValue = rules.minNotional.div(rules.contractSize.mul(price));
  return roundToStep(Decimals.max(forValue, rules.minSize), rules.lotSize, "up");
}

/** The order to place: post-only and away from the market. */
export async function restingOrder({
  call,
  service,
  input,
}: Request): Promise<Result<Readonly<Record<string, unknown>>, Failure>> {
  const known = await rulesOf({ client: call.client, service, symbol: input.symbol });
  if (!known.ok) return known;
  const book = await service.market.book(input.symbol, call.signal);
  if (book.kind !== "done") return err(failure("FAIL", "23002", `the book could not be read: ${book.message}`));
  const { rules } = known.value;
  const best = input.side === "BUY" ? book.value.bids[0] : book.value.asks[0];
  if (!best) return err(failure("NOT_VERIFIED", "23001", "the book is empty"));
  const away = input.side === "BUY" ? dec(1).sub(AWAY) : dec(1).add(AWAY);
  const price = roundToStep(new Decimals(best.price).mul(away), rules.tickSize, input.side === "BUY" ? "down" : "up");
  const quantity = smallest(rules, price);
  const { symbol, side, maxNotional, clientOrderId } = input;
  const mode = await positionModeOf(call, service, exchangeOf(symbol));
  if (!mode.ok) return mode;
  // The document's input has no position side: in hedge mode a BUY opens LONG and a SELL opens SHORT.
  const opened = side === "BUY" ? "LONG" : "SHORT";
  const positionSide = input.positionSide ?? (mode.value === "BOTH" ? opened : undefined);
  return ok({
    symbol,
    side,
    ...(positionSide ? { positionSide } : {}),
    orderType: "LIMIT",
    price: toWire(price),
    quantity: toWire(quantity),
    postOnly: true,
    maxNotional,
    clientOrderId,
  });
}
