/** The last word of earlier runs on every leg: what was held, why and under which stop, and what was over, since when. */
import type { LegFill } from "../agent/legs/leg-fills.ts";
import type { RestoredLeg } from "../agent/legs/legs.ts";
import type { ClosedLeg } from "../agent/legs/past-legs.ts";
import type { TrailRules } from "../agent/books/trailing.ts";
import { type Decimal, ZERO } from "../core/decimal.ts";
import { isTradeBasis } from "../domain/closed-trade.ts";
import type { JournalReader } from "../journal/reader.ts";
import type { JournalRow } from "../journal/rows.ts";
import { price, text } from "./restore-fields.ts";

const ROWS_READ = 10_000;

type Body = Readonly<Record<string, unknown>>;

/** By leg key, from the newest 10,000 rows about positions, their stops and their fills. */
export interface PastOfLegs {
  readonly legs: ReadonlyMap<string, RestoredLeg>;
  /** Oldest first. */
  readonly closed: readonly ClosedLeg[];
}

/** A leg that was closed has no thesis any more. */
export function legsOf(reader: JournalReader): PastOfLegs {
  const legs = new Map<string, RestoredLeg>();
  const closed: ClosedLeg[] = [];
  /** What fills have taken from each since it was last told, and the last of them. */
  const taken = new Map<string, Decimal>();
  const takenBy = new Map<string, LegFill>();
  /** Of those that a list merely lacked, what no fill had taken by then. */
  const lacked = new Map<string, { readonly leg: ClosedLeg; readonly left: Decimal }>();
  for (const row of reader.rows({ kinds: ["position", "protection", "fill"], limit: ROWS_READ, newest: true })) {
    const body = row.body as Body;
    const key = text(body["leg"]);
    if (!key) continue;
    const held = legs.get(key);
    if (row.kind === "position" && body["kind"] !== "closed") {
      taken.delete(key);
      lacked.delete(key);
    }
    if (row.kind === "fill") {
      if (body["opening"] !== false) continue;
      taken.set(key, (taken.get(key) ?? ZERO).add(price(body["qty"]) ?? ZERO));
      takenBy.set(key, fillOf(row));
    } else if (row.kind === "protection") {
      // Where a stop was moved to; the order at the venue may not have followed yet.
      const stopPrice = body["moving"] === true ? price(body["stopPrice"]) : null;
      if (held) legs.set(key, { ...held, ...(stopPrice ? { stopPrice } : {}), ...standingIn(body) });
    } else if (body["kind"] === "closed") {
      const leg = closedLeg(body, row.atMs);
      if (leg.missed && held) lacked.set(key, { leg, left: held.qty.sub(taken.get(key) ?? ZERO) });
      taken.delete(key);
      legs.delete(key);
      closed.push(leg);
    } else legs.set(key, heldLeg(row, held));
  }
  const isOver = (one: ClosedLeg): boolean =>
    [...lacked].some(([key, { leg, left }]) => leg === one && (taken.get(key)?.gte(left) ?? false));
  for (const [key, leg] of legs) {
    const fill = taken.get(key)?.gte(leg.qty) ? takenBy.get(key) : undefined;
    // The first list knows better of one that fills have taken whole, unless it lags behind them.
    if (fill) legs.set(key, { ...leg, toldMs: 0, takenBy: fill });
  }
  // No later list brings back what its fills tell to be over.
  return { legs, closed: closed.map((leg) => (isOver(leg) ? { ...leg, missed: false } : leg)) };
}

/** The venue's time of a fill, and ours of its row. */
export const fillOf = ({ body, atMs }: JournalRow): LegFill => ({
  atMs: Number((body as Body)["atMs"]) || 0,
  heardMs: atMs,
});

const closedLeg = (body: Body, closedAtMs: number): ClosedLeg => ({
  symbol: String(body["symbol"]),
  side: body["side"] === "SHORT" ? "SHORT" : "LONG",
  closedAtMs,
  missed: body["missed"] === true,
});

function heldLeg({ body: told, decisionId, atMs }: JournalRow, before: RestoredLeg | undefined): RestoredLeg {
  const body = told as Body;
  return {
    decisionId,
    strategy: text(body["strategy"]),
    thesis: text(body["thesis"]),
    basis: isTradeBasis(body["basis"]) ? body["basis"] : "none",
    stopPrice: price(body["stopPrice"]),
    targetPrice: price(body["targetPrice"]),
    openedAtMs: Number(body["openedAtMs"]) || atMs,
    qty: price(body["qty"]) ?? ZERO,
    avgPrice: price(body["avgPrice"]) ?? ZERO,
    // Of one that only a late push told of, the first list knows better.
    toldMs: before?.toldMs ?? (body["doubted"] === true ? 0 : atMs),
    standingAlgoId: before?.standingAlgoId ?? null,
    ...trailIn(body["trail"]),
  };
}

/** Who asks for a stop knows of none that stands; what else is said of protection does not say whether it does. */
function standingIn(body: Body): { readonly standingAlgoId?: string | null } {
  if (body["standing"] === true) return { standingAlgoId: text(body["algoOrderId"]) };
  return body["clientOrderId"] === undefined ? {} : { standingAlgoId: null };
}

/** The rules of a row that bears them whole; else nothing. */
export function trailIn(value: unknown): { readonly trail?: TrailRules } {
  const trail = value as Partial<TrailRules> | null | undefined;
  const { breakEvenAfter, activation, distance } = trail ?? {};
  if (typeof breakEvenAfter !== "number" || typeof activation !== "number" || typeof distance !== "number") return {};
  return { trail: { breakEvenAfter, activation, distance } };
}
