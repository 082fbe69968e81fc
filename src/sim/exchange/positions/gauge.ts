/** An instrument's mark price and rules converted to whole ticks and lots, so that order checks compare integers. */
import { Decimal, ZERO } from "../../../core/decimal.ts";
import { invariant } from "../../../core/invariant.ts";
import type { SymbolSpec } from "../contract/market-api.ts";
import { PRICE_PLACES } from "../state/figures.ts";
import type { Instrument } from "../state/state.ts";
import type { FeeRate, MarkTicks, Measures, StepScale, TickBand } from "../state/sums.ts";

/** Null while there is no mark price. */
export function gaugeOf(instrument: Instrument): MarkTicks | null {
  if (instrument.gauge !== null || instrument.mark === null) return instrument.gauge;
  const ticks = instrument.mark.div(instrument.rules.tickSize);
  instrument.gauge = {
    floorTicks: ticks.floor().toNumber(),
    ceilTicks: ticks.ceil().toNumber(),
    band: null,
  };
  return instrument.gauge;
}

/** The lowest and highest price in ticks within the fraction `width` of the mark price. */
export function bandOf(instrument: Instrument, gauge: MarkTicks, width: Decimal): TickBand {
  if (gauge.band !== null && gauge.band.width === width) return gauge.band;
  const mark = instrument.mark ?? ZERO;
  const reach = mark.mul(width);
  const { tickSize } = instrument.rules;
  gauge.band = {
    width,
    lowest: mark.sub(reach).div(tickSize).ceil().toNumber(),
    highest: mark.add(reach).div(tickSize).floor().toNumber(),
  };
  return gauge.band;
}

const SAFE_DIGITS = 15;
const SCALE_PLACES = 24;

/** Null for a step with more digits than a float holds. */
export function scaleOf(step: Decimal): StepScale | null {
  const places = step.decimalPlaces();
  const digits = step.mul(new Decimal(10).pow(places));
  return digits.lt(10 ** SAFE_DIGITS) && places <= SCALE_PLACES ? { digits: digits.toNumber(), places } : null;
}

/**
 * The number of steps in a text, if whole numbers can compute it: only for a plain positive decimal of at most fifteen
 * digits that is an exact multiple. Null says nothing about validity; the caller then decides with decimals.
 */
export function stepsIn(text: string, scale: StepScale | null): number | null {
  if (scale === null || scale.places > SAFE_DIGITS || text.length > SAFE_DIGITS) return null;
  let digits = 0;
  let point = -1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) digits = digits * 10 + (code - 48);
    else if (code === 46 && point === -1 && i > 0 && i < text.length - 1) point = i;
    else return null;
  }
  const places = point === -1 ? 0 : text.length - 1 - point;
  const missing = scale.places - places;
  if (digits === 0 || missing < 0) return null;
  const scaled = digits * 10 ** missing;
  if (scaled > Number.MAX_SAFE_INTEGER || scaled % scale.digits !== 0) return null;
  return scaled / scale.digits;
}

/** The rate and its fee for one tick x lot, so that most fees need no decimals. `rate` is a fraction. */
export const feeRate = (rate: Decimal, unitValue: Decimal): FeeRate => ({
  rate,
  perUnit: scaleOf(unitValue.mul(rate)),
});

const PARTS = new Decimal(10).pow(PRICE_PLACES);

/** Created once per instrument. Throws if the tick has more than 12 decimals, which averages could not hold. */
export function measuresOf(spec: SymbolSpec, unitValue: Decimal): Measures {
  const { rules } = spec;
  const { lotSize } = rules;
  const tick = scaleOf(rules.tickSize);
  const tickParts = rules.tickSize.mul(PARTS).toNumber();
  invariant(Number.isSafeInteger(tickParts), `${rules.symbol}: a tick has at most ${PRICE_PLACES} decimals`);
  return {
    // If the tick is finer than the price's precision, decimals decide.
    tick: tick !== null && tick.places <= rules.pricePrecision ? tick : null,
    lot: scaleOf(lotSize),
    minLots: rules.minSize.div(lotSize).ceil().toNumber(),
    minUnits: rules.minNotional.div(unitValue).ceil().toNumber(),
    maxLimitLots: rules.maxLimitSize.div(lotSize).floor().toNumber(),
    maxMarketLots: rules.maxMarketSize.div(lotSize).floor().toNumber(),
    freeLeverage: Math.min(spec.maxLeverage, ...spec.brackets.map(({ maxLeverage }) => maxLeverage)),
    tickParts,
    partValue: scaleOf(lotSize.mul(rules.contractSize).div(PARTS)),
  };
}
