/** One held position: its size, why it was opened, and what is known of the stop that protects it (`held-stop.ts`). */
import { SHOWN_WITHIN_MS } from "../books/read-lag.ts";
import { type Decimal, minDecimal, ZERO } from "../../core/decimal.ts";
import type { TradeBasis } from "../../domain/closed-trade.ts";
import { positionKeyOf, type Position, type PositionUpdate } from "../../domain/position.ts";
import { saferThan, type TrailRules } from "../books/trailing.ts";

/** The stop at the venue: none, requested but not yet seen, or seen live. */
export type ProtectionState = "none" | "asked" | "live";

/**
 * How a stop is requested: to close the whole position when it fires, with the quantity that its entry may reach, with the
 * quantity that is held, each with a target, or with that quantity alone. Venues differ in which forms they accept. Spec: 1 §2.5;
 * records §6.2.
 */
export type StopForm = "entire" | "sized" | "exact" | "one-sided";

/** `unknown`: an answer under its id is lost, so it may stand at the venue. */
export interface StopRequest {
  readonly clientOrderId: string;
  readonly isRepetition: boolean;
  readonly fate: "sent" | "unknown" | "answered";
}

/** Why a position was opened, kept across restarts. The stop and target are the wanted ones, not those at the venue. */
export interface PositionMeta {
  readonly decisionId: string | null;
  readonly strategy: string | null;
  readonly thesis: string | null;
  /** The data the opening was based on; absent where unknown. */
  readonly basis?: TradeBasis;
  readonly stopPrice: Decimal | null;
  /** The stop with which an order of this run opened or enlarged it, and as which limits counted it; absent where unknown. */
  readonly promisedStop?: Decimal;
  readonly targetPrice: Decimal | null;
  readonly openedAtMs: number;
  /** The earliest that the venue's clock may have shown when the order was promised whose plan this is; absent where unknown. */
  readonly notBeforeMs?: number;
  /** How its stop trails the price; absent where the configuration decides. */
  readonly trail?: TrailRules;
}

/** Why a position is held once an order of that plan has filled in it. Adding to it never moves its stop away from safety. */
export function planAfter(side: "LONG" | "SHORT", before: PositionMeta, promised: PositionMeta): PositionMeta {
  const [stop, other] = [before.stopPrice, promised.stopPrice];
  if (!other || (stop && saferThan(side, stop, other))) return before;
  return { ...promised, strategy: promised.strategy ?? before.strategy, openedAtMs: before.openedAtMs };
}

/** Mutable, from the first report until it is flat. Times are ours, in ms, unless noted; -Infinity means never. */
export interface HeldPosition {
  readonly key: string;
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  position: Position;
  meta: PositionMeta;
  /** Only the journal of earlier runs says that it is held: nothing in this run has shown it yet. */
  isUnconfirmed: boolean;
  /** Nothing with a venue time has shown it in this run: its size may include what orders of earlier runs are reported to have filled. */
  isUndated: boolean;
  protection: ProtectionState;
  algoOrderId: string | null;
  /** Whether the agent placed the live stop: it never changes or cancels an order placed by others. */
  stopIsOurs: boolean;
  /** Quantity that the live stop covers; zero when it covers the whole position at any size. */
  protectedQty: Decimal;
  /**
   * A smaller quantity that was requested: it may be in force until a record newer than this venue time shows the
   * actual one.
   */
  shrinking: { readonly algoOrderId: string | null; readonly qty: Decimal; readonly updatedMs: number } | null;
  /** The price of the live stop at the venue. */
  standingStop: Decimal | null;
  standingTarget: Decimal | null;
  /** The field of the live order that carries the stop price: an amendment must name the same field. */
  stopField: "triggerPrice" | "stopLossPrice";
  /** The venue's time of the newest report of the live stop. */
  algoUpdatedMs: number;
  /** Our time of the newest push that shows a live stop on it. */
  stopPushedMs: number;
  amendAskedMs: number;
  /** An amendment of its stop was sent and has no outcome yet. */
  amending: boolean;
  /** When an amendment of its stop last had no answer, or one that refused the key or the clock. */
  amendUnheardMs: number;
  /** The stop price of the last amendment; null before the first, and where the venue has not looked at it. */
  amendedTo: Decimal | null;
  /** The most favourable fresh mark price that this run has seen while it was held. */
  best: Decimal | null;
  /** Since when the mark has been beyond its stop; null while it is not. */
  crossedSinceMs: number | null;
  /** Since when it has had no confirmed stop at the venue; null while protected. */
  unprotectedSinceMs: number | null;
  /** Since when its live stop has covered less than the position; null while it covers all. */
  outgrownSinceMs: number | null;
  /** When its stop, thought to be live, was found to be gone. */
  missedMs: number;
  /** Finished spans without a stop: the last, the longest and their sum, ms. */
  readonly bare: { lastMs: number; longestMs: number; totalMs: number };
  /** When the journal last recorded that the agent watches its stop price. */
  supervisedMs: number;
  protectAskedMs: number;
  /** The last requested stop, and what is known of the request. */
  stopRequest: StopRequest | null;
  /** The form to request next; null means the form that the venue accepted last. */
  stopForm: StopForm | null;
  /** The venue's id from the reply: the stop may be live although no push or list shows it yet. */
  repliedAlgoId: string | null;
  /** The stop that an earlier run heard to stand, whoever placed it, and when, our time; else null. */
  stood: { readonly algoOrderId: string; readonly heardMs: number } | null;
  /** When its stop was last looked up by id after a hint that it is over. */
  stopAskedMs: number;
  closeAskedMs: number | null;
  /** Since when it is unclear whether it is held: a late push reported it, or fills closed all of it; null while clear. */
  unsureSinceMs: number | null;
  /** Our time of the newest report. */
  readAtMs: number;
  /** Our time of the newest push or fill that no list has shown yet, because lists lag; of a fill, when it was made at the latest. */
  aheadMs: number;
  /** Our time of the first report of the present size. */
  sizedMs: number;
  /** When the position began according to the last list; null before a list has shown it. */
  listedSinceMs: number | null;
  /** Our time at which the list was requested that its mark price is from; -Infinity before the first. */
  markListedMs: number;
  /** The proven size: that of the newest record with a venue time, plus our fills after it; `heardMs`: when it came. */
  proven: { qty: Decimal; readonly atMs: number; readonly heardMs: number };
  /** The venue's time of the newest record of it that a row reports; -Infinity before the first. */
  reportedMs: number;
  /** When it began by the venue's time, from its first fill or a list; -Infinity while only pushes have shown it. */
  begunMs: number;
  /** The venue's time of the last fill that reduced it; -Infinity before the first. */
  takenMs: number;
  /** The quantity that fills have closed since then. Where that is all of it, a list without the position is right. */
  takenQty: Decimal;
  /** The part of that quantity whose result equity has booked as realised: the mark price no longer affects it. */
  bookedQty: Decimal;
}

/** How a push, a list or a refusal changed a position; `reportPosition` journals it. `same` is no change. */
export interface PositionChange {
  readonly held: HeldPosition;
  readonly kind: "opened" | "resized" | "closed" | "same";
  /** It shrank or is flat: no account reading includes the realised result yet. */
  readonly shrank?: true;
  /** Only a fill reported it, so it shows no order placed by others. */
  readonly grown?: true;
  /** Closed only because a list did not show it. */
  readonly missed?: true;
  /** Reopened because a list shows it again after another one did not. */
  readonly back?: true;
  /**
   * It was flat a moment ago. Only a push reports that it is held, or that it is flat again after a new start: a list
   * decides.
   */
  readonly unsure?: true;
  /**
   * A list shows that the stop fired or was ended, and no push reported it: the list shows another position than
   * before, or less than fills have left.
   */
  readonly stopUnsure?: true;
}

/** Fills have closed all of it, as far as is known. */
export const isTaken = ({ takenQty, position }: HeldPosition): boolean => takenQty.gte(position.qty);

/** The quantity that fills have left, as far as is known. */
export const leftOf = ({ position, takenQty }: HeldPosition): Decimal => position.qty.sub(takenQty);

/**
 * Equity has booked a closing fill made at `atMs`, venue time. It counts as far as fills have taken from what was reported: a
 * report that shows less includes it.
 */
export function bookFill(held: HeldPosition, qty: Decimal, atMs: number): void {
  const { position, proven, takenQty, bookedQty } = held;
  if (atMs > proven.atMs) held.bookedQty = minDecimal(position.qty, minDecimal(takenQty, bookedQty.add(qty)));
}

/** A position that has just been opened: nothing protects it yet. */
export const newHeld = (position: Position, meta: PositionMeta, atMs: number): HeldPosition => ({
  key: positionKeyOf(position.symbol, position.side),
  symbol: position.symbol,
  side: position.side,
  position,
  meta,
  isUnconfirmed: false,
  isUndated: false,
  protection: "none",
  algoOrderId: null,
  stopIsOurs: true,
  protectedQty: ZERO,
  shrinking: null,
  standingStop: null,
  standingTarget: null,
  stopField: "triggerPrice",
  algoUpdatedMs: -Infinity,
  stopPushedMs: -Infinity,
  amendAskedMs: -Infinity,
  amending: false,
  amendUnheardMs: -Infinity,
  amendedTo: null,
  best: null,
  crossedSinceMs: null,
  unprotectedSinceMs: atMs,
  outgrownSinceMs: null,
  missedMs: -Infinity,
  bare: { lastMs: 0, longestMs: 0, totalMs: 0 },
  supervisedMs: -Infinity,
  protectAskedMs: -Infinity,
  stopRequest: null,
  stopForm: null,
  closeAskedMs: null,
  unsureSinceMs: null,
  repliedAlgoId: null,
  stood: null,
  stopAskedMs: -Infinity,
  readAtMs: atMs,
  aheadMs: atMs,
  sizedMs: atMs,
  listedSinceMs: null,
  markListedMs: -Infinity,
  proven: { qty: ZERO, atMs: -Infinity, heardMs: -Infinity },
  reportedMs: -Infinity,
  begunMs: -Infinity,
  takenMs: -Infinity,
  takenQty: ZERO,
  bookedQty: ZERO,
});

/** Until a list should have settled whether it is held; no stop is requested meanwhile. If none does, it counts as held. */
export const isUnsure = ({ unsureSinceMs }: HeldPosition, nowMs: number): boolean =>
  unsureSinceMs !== null && nowMs - unsureSinceMs < SHOWN_WITHIN_MS;

/** A close that has not finished by then has failed: it is sent again, and the position needs its stop meanwhile. */
export const CLOSE_ENDS_WITHIN_MS = 8_000;

/** A close was requested less than 8 s ago: no second one is sent, and no stop is requested. */
export const isClosing = ({ closeAskedMs }: HeldPosition, nowMs: number): boolean =>
  closeAskedMs !== null && nowMs - closeAskedMs < CLOSE_ENDS_WITHIN_MS;

/**
 * In one-way mode a flat push carries no sign: it means the side that is held, and of two held sides the one that fills
 * have closed.
 */
export function sideOfPush({ qty, symbol }: PositionUpdate, held: ReadonlyMap<string, HeldPosition>): "LONG" | "SHORT" {
  if (!qty.isZero()) return qty.isNegative() ? "SHORT" : "LONG";
  const long = held.get(positionKeyOf(symbol, "LONG"));
  if (long && isTaken(long)) return "LONG";
  return held.has(positionKeyOf(symbol, "SHORT")) ? "SHORT" : "LONG";
}
