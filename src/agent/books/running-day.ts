/**
 * The UTC day that runs: our own count since it began, and whether the venue's figure may begin the next one, or the first. A new
 * day waits while that figure is unconfirmed: our own count would adopt a single wrong reading and then confirm it.
 */
import type { Decimal } from "../../core/decimal.ts";
import { MINUTE_MS, utcDay } from "../../core/time.ts";
import type { Execution } from "../../domain/order.ts";
import { type DayAnchors, dayBegun, isBeforeDay, ownCount, withFill } from "./day-anchors.ts";
import { isNear, NEAR_USDT } from "./equity-reading.ts";

/** A day does not begin with a figure that no other source confirms, unless that lasts this long. */
const UNSURE_FOR_MS = 10 * MINUTE_MS;

/** What a day begins with, in USDT; fills since `fromMs` come on top. */
interface Opening {
  readonly equity: Decimal;
  readonly unrealized: Decimal;
  readonly fromMs: number;
}

/** What a figure of the venue is compared with; `repeated` where the reading before it said the same. */
interface Beside {
  readonly unrealized: Decimal;
  readonly pushed: Decimal | null;
  readonly repeated: boolean;
}

export class RunningDay {
  #anchors: DayAnchors | null;
  /** Since when the day has waited to begin because its figure is unconfirmed. */
  #unsureSinceMs: number | null = null;
  /** Whether the venue's figure and our own count have agreed in this run; until then two readings outweigh the count. */
  #agreed = false;
  /** Since when all readings have said the same, and no other source has. */
  #outvotedSinceMs: number | null = null;

  constructor(restored: DayAnchors | null) {
    this.#anchors = restored;
  }

  /** Null until the first day begins. */
  get anchors(): DayAnchors | null {
    return this.#anchors;
  }
  /** The clock may go back; the day never does. */
  isOver(atMs: number): boolean {
    return this.#anchors === null || utcDay(atMs) > this.#anchors.day;
  }
  begin({ equity, unrealized, fromMs }: Opening, atMs: number): void {
    this.#anchors = dayBegun({ day: utcDay(atMs), fromMs }, equity, unrealized);
    this.#unsureSinceMs = null;
    this.#outvotedSinceMs = null;
  }
  /** False where what the day began with includes it. */
  fill(execution: Execution, atMs: number): boolean {
    if (this.#anchors && isBeforeDay(this.#anchors, atMs)) return false;
    if (this.#anchors) this.#anchors = withFill(this.#anchors, execution);
    return true;
  }

  /** What the account is worth by our own count; null before the first day. */
  ownCount(unrealized: Decimal): Decimal | null {
    return this.#anchors && ownCount(this.#anchors, unrealized);
  }
  /** Notes whether a figure of the venue agrees with our own count, or else with the `pushed` balances. */
  compare(equity: Decimal, atMs: number, { unrealized, pushed, repeated }: Beside): void {
    const own = this.ownCount(unrealized);
    if (!own) return;
    const agrees = isNear(own, equity);
    const isConfirmed = agrees || (pushed !== null && isNear(pushed, equity));
    this.#outvotedSinceMs = isConfirmed || !repeated ? null : (this.#outvotedSinceMs ?? atMs);
    if (!agrees) return;
    this.#agreed = true;
    this.#unsureSinceMs = null;
  }
  /** The venue has moved money that no push reported: what its readings repeat replaces our own count. Fault V9. */
  isOutvoted(atMs: number): boolean {
    return this.#outvotedSinceMs !== null && atMs - this.#outvotedSinceMs >= UNSURE_FOR_MS;
  }
  /** Whether a figure differs from our own count by more than funding and rounding explain. */
  differs(equity: Decimal, unrealized: Decimal): boolean {
    return this.ownCount(unrealized)?.sub(equity).abs().gt(NEAR_USDT) ?? false;
  }
  /**
   * Whether a figure may not begin a day yet, because neither our own count nor the `pushed` balances confirm it, nor, in a run
   * that has no count to rely on, the reading before it.
   */
  isUnconfirmed(equity: Decimal, atMs: number, { unrealized, pushed, repeated }: Beside): boolean {
    if (repeated && !this.#agreed) return false;
    if ([this.ownCount(unrealized), pushed].some((other) => other && isNear(other, equity))) return false;
    this.#unsureSinceMs ??= atMs;
    return atMs - this.#unsureSinceMs < UNSURE_FOR_MS;
  }
}
