/** The tape's changes to the venue: generated liquidity, prints, mark prices. Spec: `MarketInput` in market-api.ts. */
import { invariant } from "../../../core/invariant.ts";
import { watchAlgos } from "../orders/algo-trigger.ts";
import type { MarketInput } from "../contract/market-api.ts";
import { type BookOrder, OUTSIDE } from "../book/book-level.ts";
import { changeOutside, setOutside, take } from "../book/book.ts";
import { settleFunding } from "../accounts/funding.ts";
import { touch } from "../positions/margin.ts";
import { fillMaker } from "../matching/matching.ts";
import { bookMoved, lookAt } from "../state/notes.ts";
import { printTrade, reportPublic } from "../records/push.ts";
import type { Instrument, World } from "../state/state.ts";

function instrumentOf(world: World, symbol: string): Instrument {
  const instrument = world.instruments.get(symbol);
  invariant(instrument !== undefined, `the tape names ${symbol}, which the venue does not have`);
  return instrument;
}

function setMark(world: World, instrument: Instrument, given: Parameters<MarketInput["setMark"]>): void {
  const [symbol, mark, index, atMs] = given;
  invariant(mark.gt(0), `the mark of ${symbol} must be positive`);
  instrument.mark = mark;
  instrument.gauge = null;
  instrument.index = index;
  instrument.markAtMs = atMs;
  for (const exposure of instrument.exposures) {
    if (exposure.positions.size === 0 && exposure.open.size === 0) continue;
    touch(exposure);
    lookAt(world, exposure.wallet);
  }
  reportPublic(world, { kind: "mark", symbol, mark, index, atMs });
  watchAlgos(world, instrument, "MARK_PRICE");
}

/** Settles funding that is due before the tape's next rate first, at its announced rate. */
function setFunding(world: World, given: Parameters<MarketInput["setFunding"]>): void {
  const [symbol, rate, nextFundingAtMs] = given;
  const instrument = instrumentOf(world, symbol);
  if (instrument.nextFundingAtMs <= world.nowMs) settleFunding(world, instrument);
  instrument.fundingRate = rate;
  instrument.nextFundingAtMs = nextFundingAtMs;
  world.quietUntilMs = Math.min(world.quietUntilMs, nextFundingAtMs);
}

/** `run` advances the world to the given time, does the work, and notifies the listeners. */
export function marketInput(world: World, run: (nowMs: number, work: () => void) => void): MarketInput {
  return {
    setLiquidity: (symbol, bid, levels, nowMs) =>
      run(nowMs, () => {
        const instrument = instrumentOf(world, symbol);
        setOutside(instrument.book, bid, levels, (maker: BookOrder, ticks, lots) => {
          fillMaker(world, maker, ticks, lots);
          printTrade(world, instrument, { takerBuys: bid, ticks, lots });
        });
        bookMoved(world, instrument);
      }),
    changeLiquidity: (symbol, changes, nowMs) =>
      run(nowMs, () => {
        const instrument = instrumentOf(world, symbol);
        changeOutside(instrument.book, changes, (maker: BookOrder, ticks, lots) => {
          fillMaker(world, maker, ticks, lots);
          printTrade(world, instrument, { takerBuys: !maker.buy, ticks, lots });
        });
        bookMoved(world, instrument);
      }),
    print: (symbol, takerBuys, priceTicks, qtyLots, nowMs) =>
      run(nowMs, () => {
        const instrument = instrumentOf(world, symbol);
        const taker = { buy: takerBuys, limitTicks: priceTicks, lots: qtyLots, owner: OUTSIDE };
        take(instrument.book, taker, (maker, ticks, lots) => fillMaker(world, maker, ticks, lots));
        bookMoved(world, instrument);
        printTrade(world, instrument, { takerBuys, ticks: priceTicks, lots: qtyLots });
      }),
    setMark: (...given) => run(given[3], () => setMark(world, instrumentOf(world, given[0]), given)),
    setFunding: (...given) => run(world.nowMs, () => setFunding(world, given)),
    setOpenInterest: (symbol, openInterest, nowMs) =>
      run(nowMs, () => {
        instrumentOf(world, symbol).openInterest = openInterest;
        reportPublic(world, { kind: "open-interest", symbol, openInterest, atMs: nowMs });
      }),
    setState: (symbol, state) => run(world.nowMs, () => instrumentOf(world, symbol).trading.set({ state })),
  };
}
