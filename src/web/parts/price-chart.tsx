/** Candles of one symbol with the agent's actions: entries, exits, and levels such as stop and target. */
import {
  type AutoscaleInfo,
  CandlestickSeries,
  ColorType,
  createChart,
  createSeriesMarkers,
  LineStyle,
  type SeriesMarker,
  type UTCTimestamp,
} from "lightweight-charts";
import { useEffect, useRef } from "preact/hooks";
import { colour, onSchemeChange } from "./colours.ts";
import { counted } from "../../core/words.ts";

export interface PriceBars {
  readonly openMs: readonly number[];
  readonly open: readonly number[];
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly close: readonly number[];
}

/** `buys` points up from below the bar. */
export interface PriceMark {
  readonly atMs: number;
  readonly buys: boolean;
  readonly text: string;
}

export interface PriceLine {
  readonly name: string;
  readonly price: number;
  readonly colour: string;
}

interface Props {
  readonly label: string;
  readonly bars: PriceBars;
  readonly marks: readonly PriceMark[];
  readonly levels?: readonly PriceLine[];
  readonly height?: number;
}

const FEW_BARS = 60;

const seconds = (ms: number): UTCTimestamp => Math.floor(ms / 1_000) as UTCTimestamp;

export function PriceChart({ label, bars, marks, levels = [], height = 300 }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element || bars.openMs.length === 0) return;
    let end = draw(element, { label, bars, marks, levels, height });
    const unwatch = onSchemeChange(() => {
      end();
      end = draw(element, { label, bars, marks, levels, height });
    });
    return () => {
      unwatch();
      end();
    };
  }, [bars, marks, levels, height]);
  if (bars.openMs.length === 0) return <p class="quiet">No candles of {label} yet.</p>;
  return (
    <div
      class="price-chart"
      style={{ height: `${height}px` }}
      ref={box}
      role="group"
      aria-label={`${label}: candles with ${counted(marks.length, "fill")}`}
    />
  );
}

function draw(element: HTMLElement, { bars, marks, levels = [], height = 300 }: Props): () => void {
  const chart = createChart(element, {
    height,
    autoSize: true,
    layout: {
      background: { type: ColorType.Solid, color: "transparent" },
      textColor: colour("quiet"),
      fontSize: 11,
    },
    grid: { vertLines: { color: colour("rule") }, horzLines: { color: colour("rule") } },
    timeScale: { timeVisible: true, secondsVisible: false, borderColor: colour("rule") },
    rightPriceScale: { borderColor: colour("rule") },
  });
  const [up, down] = [colour("gain"), colour("loss")];
  const last = bars.close.at(-1) ?? 1;
  const precision = Math.min(8, Math.max(0, 5 - Math.ceil(Math.log10(last))));
  const series = chart.addSeries(CandlestickSeries, {
    upColor: up,
    downColor: down,
    wickUpColor: up,
    wickDownColor: down,
    borderVisible: false,
    priceFormat: { type: "price", precision, minMove: 10 ** -precision },
  });
  // Levels count for the scale: otherwise a stop outside the picture is not visible.
  series.applyOptions({
    autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => {
      const found = original();
      if (!found?.priceRange || levels.length === 0) return found;
      const prices = levels.map(({ price }) => price);
      return {
        ...found,
        priceRange: {
          minValue: Math.min(found.priceRange.minValue, ...prices),
          maxValue: Math.max(found.priceRange.maxValue, ...prices),
        },
      };
    },
  });
  series.setData(
    bars.openMs.map((openMs, at) => ({
      time: seconds(openMs),
      open: bars.open[at] ?? NaN,
      high: bars.high[at] ?? NaN,
      low: bars.low[at] ?? NaN,
      close: bars.close[at] ?? NaN,
    })),
  );
  for (const { name, price, colour: of } of levels)
    series.createPriceLine({
      price,
      title: name,
      color: colour(of),
      lineWidth: 1,
      lineStyle: LineStyle.Dashed,
      axisLabelVisible: true,
    });
  createSeriesMarkers(series, marksOf(bars, marks));
  // A few candles are not stretched to fill the width.
  const count = bars.openMs.length;
  if (count >= FEW_BARS) chart.timeScale().fitContent();
  else chart.timeScale().setVisibleLogicalRange({ from: count - FEW_BARS, to: count + 3 });
  return () => chart.remove();
}

/** A mark is drawn at its bar; marks outside the bars are left out. */
function marksOf({ openMs }: PriceBars, marks: readonly PriceMark[]): SeriesMarker<UTCTimestamp>[] {
  const [first, second] = openMs;
  if (first === undefined) return [];
  const width = second === undefined ? 60_000 : second - first;
  return marks
    .filter(({ atMs }) => atMs >= first && atMs < (openMs.at(-1) ?? first) + width)
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ atMs, buys, text }) => ({
      time: seconds(openMs.findLast((open) => open <= atMs) ?? first),
      position: buys ? "belowBar" : "aboveBar",
      shape: buys ? "arrowUp" : "arrowDown",
      color: colour(buys ? "gain" : "loss"),
      text,
    }));
}
