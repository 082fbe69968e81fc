/**
 * A paper account: what a strategy would have if it traded. Every fill pays the taker's fee and crosses the spread and a
 * little more, also where the target would have waited at the best price: a score that flatters is worth nothing. Funding is
 * paid and received. Money is `Decimal`, USDT; the statistics made of it are floats.
 */
import { openingsOfDay, type RecentOpening } from "../../risk/view.ts";
import { BoundedMap } from "../../core/bounded.ts";
import { dec, type Decimal, maxDecimal, minDecimal, sumDecimals, ZERO } from "../../core/decimal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, utcDay } from "../../core/time.ts";
import { annualised } from "../../domain/competition-figures.ts";
import { INITIAL_CAPITAL_USDT } from "../../domain/competition.ts";
import { positionKeyOf } from "../../domain/position.ts";

/** `qty` counts contracts, each of `contractSize` base units. Stop and target are watched by `watchPaper`. */
export interface PaperPosition {
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  readonly qty: Decimal;
  readonly avgPrice: Decimal;
  readonly stopPrice: Decimal | null;
  readonly targetPrice: Decimal | null;
  readonly openedAtMs: number;
  readonly thesis: string;
  readonly contractSize: Decimal;
}

/** At what a paper order is filled; `feeRate` is a fraction of value. */
export interface PaperFill {
  readonly price: Decimal;
  readonly feeRate: Decimal;
  /** Middle of the book, for reporting what spread and slippage cost. */
  readonly mid: Decimal;
  readonly atMs: number;
}

/** Null where no mark is known; a position is then valued at its average entry price. */
export type MarkOf = (symbol: string) => Decimal | null;

/** What the organiser would count: completed days, and the largest fall over full hours. */
export interface PaperScore {
  /** The reading of 00:00 of the running day, and when that was; null where there was none near it. */
  dayOpen: { readonly atMs: number; readonly equity: number } | null;
  /** Returns of completed days, oldest first, bounded. */
  days: number[];
  peak: number;
  drawdown: number;
  lastHourMs: number;
}

/** Since the account began: USDT paid, funding negative where received; `modelUsd` is USD. */
export interface PaperTotals {
  decisions: number;
  failed: number;
  trades: number;
  wins: number;
  fees: Decimal;
  spread: Decimal;
  funding: Decimal;
  /** Value of all fills; null for an account that began before it was counted. */
  traded: Decimal | null;
  modelUsd: Decimal;
}

/** A reading so long after a full hour counts as the hour's. */
const HOUR_NEAR_MS = 5 * MINUTE_MS;
const DAYS_KEPT = 60;
const CLOSES_CAP = 60;

/** What every paper account begins with, USDT: the competition's initial capital. */
export const PAPER_CAPITAL = dec(INITIAL_CAPITAL_USDT);

/** Mutable; `positions` and `closes` are by `positionKeyOf`. Asks no limit itself. */
export class PaperAccount {
  readonly sinceMs: number;
  balance: Decimal = PAPER_CAPITAL;
  readonly positions = new Map<string, PaperPosition>();
  readonly totals: PaperTotals;
  readonly closes = new BoundedMap<string, number>(CLOSES_CAP);
  /** Oldest first; of the last day whenever one is added. */
  recentOpenings: readonly RecentOpening[] = [];
  day: { name: string; startEquity: Decimal; fees: Decimal; modelUsd: Decimal };
  peak = PAPER_CAPITAL.toNumber();
  maxDrawdown = 0;
  readonly score: PaperScore;
  /** What the parts given up so far of a position brought, after fees. A restart forgets the sum: it only distinguishes a win from a loss. */
  readonly #earned = new Map<string, Decimal>();

  constructor(sinceMs: number) {
    this.sinceMs = sinceMs;
    this.totals = {
      decisions: 0,
      failed: 0,
      trades: 0,
      wins: 0,
      fees: ZERO,
      spread: ZERO,
      funding: ZERO,
      traded: ZERO,
      modelUsd: ZERO,
    };
    this.day = { name: utcDay(sinceMs), startEquity: PAPER_CAPITAL, fees: ZERO, modelUsd: ZERO };
    this.score = { dayOpen: null, days: [], peak: this.peak, drawdown: 0, lastHourMs: sinceMs };
  }

  unrealized(markOf: MarkOf): Decimal {
    return sumDecimals(
      [...this.positions.values()].map((held) => gainOf(held, held.qty, markOf(held.symbol) ?? held.avgPrice)),
    );
  }

  equity(markOf: MarkOf): Decimal {
    return this.balance.add(this.unrealized(markOf));
  }

  /** Opens or adds. The stop of a position never moves away from safety. */
  open(position: PaperPosition, fill: PaperFill): void {
    const key = positionKeyOf(position.symbol, position.side);
    const held = this.positions.get(key);
    const qty = position.qty.add(held?.qty ?? ZERO);
    const value = position.qty.mul(fill.price).add(held ? held.qty.mul(held.avgPrice) : ZERO);
    const safer = position.side === "LONG" ? maxDecimal : minDecimal;
    const stopPrice =
      position.stopPrice && held?.stopPrice ? safer(position.stopPrice, held.stopPrice) : position.stopPrice;
    const openedAtMs = held?.openedAtMs ?? position.openedAtMs;
    this.positions.set(key, { ...position, qty, avgPrice: value.div(qty), stopPrice, openedAtMs });
    const { symbol, side } = position;
    this.recentOpenings = openingsOfDay([...this.recentOpenings, { symbol, side, atMs: fill.atMs }], fill.atMs);
    this.#pay(position, position.qty, fill);
  }

  /** Gives up `qty` of a position, all of it at most. Answers the result of that part before fees. */
  reduce(key: string, qty: Decimal, fill: PaperFill): Decimal {
    const held = this.positions.get(key);
    if (!held) return ZERO;
    const part = minDecimal(qty, held.qty);
    const gain = gainOf(held, part, fill.price);
    this.balance = this.balance.add(gain);
    const fee = this.#pay(held, part, fill);
    // The way in has paid about the same fee.
    const net = gain.sub(fee.mul(2)).add(this.#earned.get(key) ?? ZERO);
    const left = held.qty.sub(part);
    if (left.gt(0)) {
      this.#earned.set(key, net);
      this.positions.set(key, { ...held, qty: left });
    } else this.#flat(key, net.gt(0), fill.atMs);
    return gain;
  }

  /** A settlement: the rate is paid by longs to shorts. */
  settleFunding(symbol: string, rate: Decimal, mark: Decimal): void {
    for (const held of this.positions.values()) {
      if (held.symbol !== symbol) continue;
      const paid = mark
        .mul(held.qty)
        .mul(held.contractSize)
        .mul(rate)
        .mul(held.side === "LONG" ? 1 : -1);
      this.totals.funding = this.totals.funding.add(paid);
      this.balance = this.balance.sub(paid);
    }
  }

  /** Takes the account's worth at an instant into drawdown, score and the day. */
  mark(nowMs: number, markOf: MarkOf): void {
    const equity = this.equity(markOf);
    const worth = equity.toNumber();
    this.peak = Math.max(this.peak, worth);
    this.maxDrawdown = Math.max(this.maxDrawdown, 1 - worth / this.peak);
    if (utcDay(nowMs) > this.day.name)
      this.day = { name: utcDay(nowMs), startEquity: equity, fees: ZERO, modelUsd: ZERO };
    this.#scoreHour(nowMs, worth);
  }

  /** Once for each full hour that a reading is near. */
  #scoreHour(nowMs: number, worth: number): void {
    const { score } = this;
    const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    if (hourMs <= score.lastHourMs || nowMs - hourMs > HOUR_NEAR_MS) return;
    score.lastHourMs = hourMs;
    score.peak = Math.max(score.peak, worth);
    score.drawdown = Math.max(score.drawdown, 1 - worth / score.peak);
    if (hourMs % DAY_MS === 0) score.dayOpen = { atMs: hourMs, equity: worth };
    const { dayOpen } = score;
    if (dayOpen && hourMs === dayOpen.atMs + 23 * HOUR_MS)
      score.days = [...score.days.slice(1 - DAYS_KEPT), worth / dayOpen.equity - 1];
  }

  /** What its questions cost; kept beside the result, not in it. */
  paidModel(usd: Decimal): void {
    this.totals.modelUsd = this.totals.modelUsd.add(usd);
    this.day.modelUsd = this.day.modelUsd.add(usd);
  }

  /** By the organiser's days; null before two are over. */
  sharpe(): number | null {
    return annualised(this.score.days);
  }

  /** Fees, spread and slippage over the value of all fills, basis points; null before a fill. */
  costBps(): number | null {
    const { fees, spread, traded } = this.totals;
    return traded?.gt(0) ? fees.add(spread).div(traded).mul(10_000).toNumber() : null;
  }

  #pay(held: PaperPosition, qty: Decimal, { price, feeRate, mid }: PaperFill): Decimal {
    const notional = qty.mul(price).mul(held.contractSize);
    const fee = notional.mul(feeRate);
    this.balance = this.balance.sub(fee);
    this.totals.fees = this.totals.fees.add(fee);
    this.totals.traded = this.totals.traded?.add(notional) ?? null;
    this.day.fees = this.day.fees.add(fee);
    this.totals.spread = this.totals.spread.add(price.sub(mid).abs().mul(qty).mul(held.contractSize));
    return fee;
  }

  #flat(key: string, won: boolean, atMs: number): void {
    this.positions.delete(key);
    this.#earned.delete(key);
    this.closes.set(key, atMs);
    this.totals.trades += 1;
    if (won) this.totals.wins += 1;
  }
}

function gainOf(held: PaperPosition, qty: Decimal, price: Decimal): Decimal {
  const gain = price.sub(held.avgPrice).mul(qty).mul(held.contractSize);
  return held.side === "LONG" ? gain : gain.neg();
}
