/**
 * A symbol's trading rules through a cache on disk: fresh for a day, usable for a week if the service cannot be reached,
 * refreshed once if an order fails by cached rules. Records §17.5, §17.7.
 */
import { z } from "zod";
import { type Decimal, toWire } from "../../../core/decimal.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { isoTime } from "../../../core/time.ts";
import type { SymbolRules } from "../../../domain/symbol.ts";
import { DECIMAL } from "../../../rows/fields.ts";
import { cachedBody } from "../../contract/stored-body.ts";
import { blocked, type Failure } from "../../contract/statuses.ts";
import type { Client, Service } from "../../contract/client.ts";

const FRESH_MS = 86_400_000;
const STALE_MS = 604_800_000;
/** HIT: less than a day old. STALE_USED: older, because the service did not answer. The others: just read. */
export type CacheStatus = "HIT" | "MISS_REFRESHED" | "STALE_USED" | "VALIDATION_FAILED_REFRESHED";

/** The rules with their origin; times are ISO 8601, as in previews. */
export interface KnownRules {
  readonly rules: SymbolRules;
  readonly cache: {
    readonly status: CacheStatus;
    readonly fetchedAt: string;
    readonly freshUntil: string;
    readonly staleUntil: string;
    readonly refreshAttempted: boolean;
  };
}

/** By symbol. */
const storedRules: z.ZodType<Readonly<Record<string, SymbolRules>>> = z.record(
  z.string(),
  z.object({
    symbol: z.string(),
    state: z.string(),
    tickSize: DECIMAL,
    pricePrecision: z.number(),
    lotSize: DECIMAL,
    qtyPrecision: z.number(),
    minSize: DECIMAL,
    minNotional: DECIMAL,
    maxLimitSize: DECIMAL,
    maxMarketSize: DECIMAL,
    maxNumOrders: z.number(),
    contractSize: DECIMAL,
    defaultLeverage: z.number(),
  }),
);

const cacheFacts = (status: CacheStatus, fetchedAtMs: number, refreshAttempted: boolean): KnownRules["cache"] => ({
  status,
  fetchedAt: isoTime(fetchedAtMs),
  freshUntil: isoTime(fetchedAtMs + FRESH_MS),
  staleUntil: isoTime(fetchedAtMs + STALE_MS),
  refreshAttempted,
});

/** The cache is per service address and contains all of its symbols. */
export interface RulesQuestion {
  readonly client: Client;
  readonly service: Service;
  readonly symbol: string;
  /** Bypass the cache, because an order failed by cached rules. */
  readonly refresh?: boolean;
}

/** The rules, or why an order in the symbol cannot be checked. */
export async function rulesOf({
  client,
  service,
  symbol,
  refresh = false,
}: RulesQuestion): Promise<Result<KnownRules, Failure>> {
  const nowMs = client.env.clock.nowMs();
  const cache = { kind: "rules", id: service.baseUrl, nowMs, ageMaxMs: STALE_MS };
  const kept = cachedBody(client.documents, cache, storedRules);
  const known = kept?.body[symbol];
  if (!refresh && known && kept && nowMs - kept.atMs < FRESH_MS) {
    return ok({ rules: known, cache: cacheFacts("HIT", kept.atMs, false) });
  }
  const fetched = await service.venue.symbolRules();
  if (fetched.kind === "done") {
    const body = Object.fromEntries(fetched.value.map((rules) => [rules.symbol, rules]));
    client.documents.put("rules", { id: service.baseUrl, body, atMs: nowMs });
    const rules = body[symbol];
    if (!rules) return err(blocked("12001", `INVALID_SYMBOL: the service does not list ${symbol}`));
    const status = refresh ? "VALIDATION_FAILED_REFRESHED" : "MISS_REFRESHED";
    return ok({ rules, cache: cacheFacts(status, nowMs, true) });
  }
  if (known && kept) return ok({ rules: known, cache: cacheFacts("STALE_USED", kept.atMs, true) });
  return err(blocked("24008", `RULES_UNAVAILABLE: the rules of ${symbol} could not be read: ${fetched.message}`));
}

/** The rules as previews show them. Records §17.5. */
export const rulesView = (rules: SymbolRules): Readonly<Record<string, string>> => ({
  symbol: rules.symbol,
  minNotional: toWire(rules.minNotional),
  minSize: toWire(rules.minSize),
  lotSize: toWire(rules.lotSize),
  qtyPrecision: String(rules.qtyPrecision),
  tickSize: toWire(rules.tickSize),
  pricePrecision: String(rules.pricePrecision),
});

const BREACH = {
  price: ["24007", "INVALID_PRICE_TICK"],
  qty: ["24006", "INVALID_QUANTITY"],
  notional: ["24005", "MIN_NOTIONAL_NOT_MET"],
} as const;

/** BLOCKED with the field's own code: 24007 price, 24006 quantity, 24005 minimum value. */
export function breachFailure(breach: { field: "price" | "qty" | "notional"; found: string; rule: string }): Failure {
  const [digits, reason] = BREACH[breach.field];
  return blocked(digits, `${reason}: ${breach.field} ${breach.found} must be ${breach.rule}`);
}

/** Null if the owner's own cap allows an order of this value, in USDT; otherwise BLOCKED 24001. */
export function aboveOwnCap(client: Client, value: Decimal): Failure | null {
  const problem = client.aboveOwnCap(value);
  return problem === null ? null : blocked("24001", `SVC_MAX_NOTIONAL: ${problem}`);
}

/** Null if the value is within the ceiling, both in USDT; otherwise BLOCKED 24001. */
export function aboveCeiling(value: Decimal, maxNotional: Decimal, what = "order value"): Failure | null {
  if (value.lte(maxNotional)) return null;
  return blocked(
    "24001",
    `MAX_NOTIONAL_EXCEEDED: ${what} ${toWire(value)} is above maxNotional ${toWire(maxNotional)}`,
  );
}
