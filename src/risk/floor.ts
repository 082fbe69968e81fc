/**
 * The floor ladder: how near the equity is to elimination, and what follows. Equity counts only when two sources
 * agree; a single zero, negative or tenfold reading raises an alarm and never a liquidation, while a real crash seen
 * by two sources always counts. An account that holds little leaves HOLD for WARN with a small allowance, because one
 * that may open nothing can never earn its way back. Pure: the agent holds the state, journals each change, and
 * flattens. Spec: 3 §8.
 */
import { Decimal, dec, maxDecimal, minDecimal, toWire, ZERO } from "../core/decimal.ts";
import type { RiskSettings } from "./settings.ts";
import type { FloorState } from "./view.ts";

/** Equity from three sources, USDT, at one instant; null while a source has no figure. */
export interface EquityReadings {
  readonly rest: Decimal | null;
  /** Pushed balances plus our unrealised result. */
  readonly stream: Decimal | null;
  readonly own: Decimal | null;
}

/** The equity that the readings support, USDT. While they disagree, nothing opens. */
export interface Quorum {
  /** The lowest of the agreeing figures, or a single reading; null when no figure can be trusted. */
  readonly equityUsdt: Decimal | null;
  /** True when at least two agree. */
  readonly agreed: boolean;
  /** What is wrong with the readings, in words; empty if nothing is. */
  readonly reason: string;
}

/** The next rung. `reason` describes a change first; empty if nothing changed and nothing is wrong. */
export interface FloorStep extends Quorum {
  readonly state: FloorState;
}

/** Smaller differences are rounding, regardless of the account's size. */
const AGREEMENT_USDT_MIN = dec("1");
/** WARN ends this far above its level, to avoid flapping. */
const WARN_RELEASE = dec("1.005");
/** Below holdUsdt, HOLD comes back when the price has carried what is held this far above the allowance. */
const ALLOWANCE_RELEASE = dec("2");

const close = (a: Decimal, b: Decimal, settings: RiskSettings): boolean =>
  a
    .sub(b)
    .abs()
    .lte(maxDecimal(AGREEMENT_USDT_MIN, maxDecimal(a.abs(), b.abs()).mul(settings.equityAgreement)));

const listed = (values: readonly (readonly [string, Decimal])[]): string =>
  values.map(([name, value]) => `${name} ${toWire(value.toDecimalPlaces(2))}`).join(", ");

/** Cached: one tick reads them several times, and the same object means the same readings. */
const judged = new WeakMap<EquityReadings, { readonly settings: RiskSettings; readonly quorum: Quorum }>();

/** Combines the readings. The lower of two that agree counts, because the venue may judge by it. */
export function equityQuorum(readings: EquityReadings, settings: RiskSettings): Quorum {
  const known = judged.get(readings);
  if (known?.settings === settings) return known.quorum;
  const quorum = judge(readings, settings);
  judged.set(readings, { settings, quorum });
  return quorum;
}

function judge(readings: EquityReadings, settings: RiskSettings): Quorum {
  const said = Object.entries(readings).filter((entry): entry is [string, Decimal] => entry[1] !== null);
  const agreeing = said.filter(([, value], at) =>
    said.some(([, other], elsewhere) => elsewhere !== at && close(value, other, settings)),
  );
  const [first, ...rest] = agreeing.map(([, value]) => value);
  if (first) {
    const dissent = said.filter((entry) => !agreeing.includes(entry));
    const reason = dissent.length > 0 ? `${listed(dissent)} disagrees with ${listed(agreeing)}` : "";
    return { equityUsdt: minDecimal(first, ...rest), agreed: true, reason };
  }
  const lone = said.length === 1 ? said[0] : undefined;
  if (lone)
    return { equityUsdt: lone[1].gt(0) ? lone[1] : null, agreed: false, reason: `only ${listed([lone])} is known` };
  const reason = said.length === 0 ? "no reading of equity" : `the readings disagree: ${listed(said)}`;
  return { equityUsdt: null, agreed: false, reason };
}

/** The rung for an equity, regardless of the previous rung. */
export function rungOf(equityUsdt: Decimal, settings: RiskSettings): FloorState {
  if (equityUsdt.lt(settings.flattenUsdt)) return "FLATTEN";
  if (equityUsdt.lt(settings.holdUsdt)) return "HOLD";
  return equityUsdt.lt(settings.warnUsdt) ? "WARN" : "NORMAL";
}

/** Exposure allowed below `holdUsdt`, USDT. */
export const allowanceUsdt = (equityUsdt: Decimal, { holdEquityShare }: RiskSettings): Decimal =>
  maxDecimal(ZERO, equityUsdt).mul(holdEquityShare);

/** The rung of an account without a past: WARN instead of HOLD while it holds little. */
export function rungHolding(equityUsdt: Decimal, heldUsdt: Decimal, settings: RiskSettings): FloorState {
  const rung = rungOf(equityUsdt, settings);
  const little = heldUsdt.lte(allowanceUsdt(equityUsdt, settings).mul(ALLOWANCE_RELEASE));
  return rung === "HOLD" && little ? "WARN" : rung;
}

/** What the next rung depends on besides the previous one. `heldUsdt` is null while it cannot be valued. */
interface Standing {
  readonly equityUsdt: Decimal;
  readonly heldUsdt: Decimal | null;
}

/**
 * Upwards, WARN ends a little above its level, HOLD at the level of WARN or once no more is held than the allowance,
 * FLATTEN and HALT never by themselves.
 */
function moved(previous: FloorState, { equityUsdt, heldUsdt }: Standing, settings: RiskSettings): FloorState {
  const rung = rungOf(equityUsdt, settings);
  switch (previous) {
    case "HALT":
    case "FLATTEN":
      return previous;
    case "HOLD":
      if (rung !== "WARN" && rung !== "HOLD") return rung;
      return heldUsdt?.lte(allowanceUsdt(equityUsdt, settings)) && settings.holdEquityShare.gt(0) ? "WARN" : "HOLD";
    case "WARN":
      // While nobody can say what is held, the allowance stands: the limits count against it what they know, and open nothing
      // beside what they cannot value or have not read.
      if (rung === "HOLD" && settings.holdEquityShare.gt(0))
        return heldUsdt === null ? "WARN" : rungHolding(equityUsdt, heldUsdt, settings);
      return rung === "NORMAL" && equityUsdt.lt(settings.warnUsdt.mul(WARN_RELEASE)) ? "WARN" : rung;
    case "NORMAL":
      return rung;
  }
}

const SEVERITY: Readonly<Record<FloorState, number>> = { NORMAL: 0, WARN: 1, HOLD: 2, FLATTEN: 3, HALT: 4 };

/** A single reading can move the ladder down to HOLD at most, and never up. */
function movedAlone(previous: FloorState, standing: Standing, settings: RiskSettings): FloorState {
  const rung = moved(previous, standing, settings);
  const capped: FloorState = rung === "FLATTEN" ? "HOLD" : rung;
  return SEVERITY[capped] > SEVERITY[previous] ? capped : previous;
}

/**
 * The next state of the ladder. `agreed: false` makes the freshness limit block openings. `heldUsdt` is the exposure with
 * every order filled; while it is null, or left out, HOLD ends by equity alone and WARN does not become HOLD.
 */
export function nextFloor(
  previous: FloorState,
  readings: EquityReadings,
  settings: RiskSettings,
  heldUsdt: Decimal | null = null,
): FloorStep {
  const quorum = equityQuorum(readings, settings);
  const { equityUsdt, agreed } = quorum;
  if (!equityUsdt) return { ...quorum, state: previous };
  const standing = { equityUsdt, heldUsdt };
  const state = agreed ? moved(previous, standing, settings) : movedAlone(previous, standing, settings);
  if (state === previous) return { ...quorum, state };
  const little =
    previous === "HOLD" && state === "WARN"
      ? `, with an allowance of ${toWire(allowanceUsdt(equityUsdt, settings).toDecimalPlaces(2))} USDT`
      : "";
  const change = `equity ${toWire(equityUsdt.toDecimalPlaces(2))} moves ${previous} to ${state}${little}`;
  return { ...quorum, state, reason: [change, quorum.reason].filter((part) => part !== "").join("; ") };
}
