/**
 * The floor ladder: how near equity is to elimination, and what follows. Equity is believed only when two witnesses
 * agree; a lone zero, negative or tenfold reading is an alarm and never a liquidation, while a true crash seen by two
 * always counts. Pure: the agent carries the state, journals each change, and flattens. Spec: 3 §8.
 */
import { Decimal, dec, maxDecimal, minDecimal, toWire } from "../core/decimal.ts";
import type { RiskSettings } from "./settings.ts";
import type { FloorState } from "./view.ts";

/** Equity as three sources have it, USDT, at one instant; null while one has nothing to say. */
export interface EquityReadings {
  readonly rest: Decimal | null;
  /** The balances that were pushed, and our unrealised result. */
  readonly stream: Decimal | null;
  readonly own: Decimal | null;
}

/** What the readings of equity come to, USDT. While they do not agree nothing is opened. */
export interface Quorum {
  /** The lowest figure of those that agree; of a lone reading, that one; null when nothing can be believed. */
  readonly equityUsdt: Decimal | null;
  /** True when at least two agree. */
  readonly agreed: boolean;
  /** What is odd about the readings, in words; empty when nothing is. */
  readonly reason: string;
}

/** The rung to stand on next. `reason` tells a change first; empty where nothing changed and nothing is odd. */
export interface FloorStep extends Quorum {
  readonly state: FloorState;
}

/** Differences below this are rounding, whatever the size of the account. */
const AGREEMENT_USDT_MIN = dec("1");
/** WARN ends only this much above its level, so that the state does not flutter. */
const WARN_RELEASE = dec("1.005");

const close = (a: Decimal, b: Decimal, settings: RiskSettings): boolean =>
  a
    .sub(b)
    .abs()
    .lte(maxDecimal(AGREEMENT_USDT_MIN, maxDecimal(a.abs(), b.abs()).mul(settings.equityAgreement)));

const listed = (values: readonly (readonly [string, Decimal])[]): string =>
  values.map(([name, value]) => `${name} ${toWire(value.toDecimalPlaces(2))}`).join(", ");

/** Readings are looked at several times in one tick, and are the same ones as long as nothing has changed. */
const judged = new WeakMap<EquityReadings, { readonly settings: RiskSettings; readonly quorum: Quorum }>();

/** What the readings say together. The lower of two that agree counts: the venue may judge by the worse one. */
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

/** The rung that an equity stands on, whatever was before. */
export function rungOf(equityUsdt: Decimal, settings: RiskSettings): FloorState {
  if (equityUsdt.lt(settings.flattenUsdt)) return "FLATTEN";
  if (equityUsdt.lt(settings.holdUsdt)) return "HOLD";
  return equityUsdt.lt(settings.warnUsdt) ? "WARN" : "NORMAL";
}

/** Upwards: WARN ends a little above its level, HOLD only at the level of WARN, FLATTEN and HALT never by themselves. */
function moved(previous: FloorState, equityUsdt: Decimal, settings: RiskSettings): FloorState {
  const rung = rungOf(equityUsdt, settings);
  switch (previous) {
    case "HALT":
    case "FLATTEN":
      return previous;
    case "HOLD":
      return rung === "WARN" ? "HOLD" : rung;
    case "WARN":
      return rung === "NORMAL" && equityUsdt.lt(settings.warnUsdt.mul(WARN_RELEASE)) ? "WARN" : rung;
    case "NORMAL":
      return rung;
  }
}

const SEVERITY: Readonly<Record<FloorState, number>> = { NORMAL: 0, WARN: 1, HOLD: 2, FLATTEN: 3, HALT: 4 };

/** A lone reading may make the ladder more careful, up to HOLD, and never less. */
function movedAlone(previous: FloorState, equityUsdt: Decimal, settings: RiskSettings): FloorState {
  const rung = rungOf(equityUsdt, settings);
  const capped: FloorState = rung === "FLATTEN" ? "HOLD" : rung;
  return SEVERITY[capped] > SEVERITY[previous] ? capped : previous;
}

/** The next state of the ladder. `agreed: false` is for the freshness limit: nothing is opened in doubt. */
export function nextFloor(previous: FloorState, readings: EquityReadings, settings: RiskSettings): FloorStep {
  const quorum = equityQuorum(readings, settings);
  const { equityUsdt, agreed } = quorum;
  if (!equityUsdt) return { ...quorum, state: previous };
  const state = agreed ? moved(previous, equityUsdt, settings) : movedAlone(previous, equityUsdt, settings);
  const change =
    state === previous ? "" : `equity ${toWire(equityUsdt.toDecimalPlaces(2))} moves ${previous} to ${state}`;
  return { ...quorum, state, reason: [change, quorum.reason].filter((part) => part !== "").join("; ") };
}
