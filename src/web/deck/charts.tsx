/** Equity, drawdown and model spend over time. */
import { useMemo } from "preact/hooks";
import type { DeckHistory, DeckNow } from "../../deck/shapes.ts";
import { percent, usdt } from "../parts/format.ts";
import { LineChart } from "../parts/line-chart.tsx";

const DAY_MS = 86_400_000;

export function Charts({ history, now }: { readonly history: DeckHistory | null; readonly now: DeckNow }) {
  const floorUsdt = Number(now.floorUsdt);
  const limitUsd = Number(now.model.limitUsd);
  const leastUsd = now.model.leastUsd === null ? null : Number(now.model.leastUsd);
  const equity = useMemo(() => equityLines(history, floorUsdt), [history, floorUsdt]);
  const falls = useMemo(() => fallLines(history), [history]);
  const exposure = useMemo(() => exposureLines(history), [history]);
  const spend = useMemo(() => spendLines(history, limitUsd, leastUsd), [history, limitUsd, leastUsd]);
  return (
    <section aria-labelledby="charts">
      <h2 id="charts">Over time</h2>
      <div class="columns">
        <div class="panel">
          <LineChart
            title="Equity against the floor and against hold (no trade at all), USDT"
            {...equity}
            format={usdt}
            digits={1}
          />
        </div>
        <div class="panel">
          <LineChart title="Below the highest equity so far" {...falls} format={percent} digits={2} include={[0]} />
        </div>
        {exposure.atMs.length > 1 ? (
          <div class="panel">
            <LineChart
              title="Exposure at entry prices, USDT; short below zero"
              {...exposure}
              format={usdt}
              digits={0}
              include={[0]}
              height={160}
            />
          </div>
        ) : null}
        {spend.atMs.length > 0 ? (
          <div class="panel">
            <LineChart title="Model money by day, USD" {...spend} format={usdt} digits={2} include={[0]} height={160} />
          </div>
        ) : null}
      </div>
      {history && !history.whole ? <p class="quiet">The journal is still being read.</p> : null}
    </section>
  );
}

function equityLines(history: DeckHistory | null, floorUsdt: number) {
  const { atMs = [], usdt: value = [] } = history?.equity ?? {};
  const start = value[0] ?? 0;
  return {
    atMs: atMs.length > 1 ? atMs : [],
    lines: [
      { name: "equity", value, colour: "line-1" },
      { name: "hold", value: atMs.map(() => start), colour: "quiet", dashed: true },
      { name: "floor", value: atMs.map(() => floorUsdt), colour: "loss", dashed: true },
    ],
  };
}

function fallLines(history: DeckHistory | null) {
  const { atMs = [], usdt: value = [] } = history?.equity ?? {};
  let peak = 0;
  const fall = value.map((equity) => {
    peak = Math.max(peak, equity);
    return peak > 0 ? equity / peak - 1 : 0;
  });
  return {
    atMs: atMs.length > 1 ? atMs : [],
    lines: [{ name: "below the peak", value: fall, colour: "line-2", filled: true }],
  };
}

function exposureLines(history: DeckHistory | null) {
  const known = history?.exposure ?? { atMs: [], long: [], short: [] };
  // A present position extends to now, and nothing was held before the first row.
  const [first, end] = [history?.equity.atMs[0], history?.equity.atMs.at(-1)];
  const starts = first !== undefined && first < (known.atMs[0] ?? -Infinity);
  const goesOn = end !== undefined && end > (known.atMs.at(-1) ?? Infinity);
  const stretch = (values: readonly number[]): readonly number[] => [
    ...(starts ? [0] : []),
    ...values,
    ...(goesOn ? [values.at(-1) ?? 0] : []),
  ];
  const atMs = [...(starts ? [first] : []), ...known.atMs, ...(goesOn ? [end] : [])];
  const [long, short] = [stretch(known.long), stretch(known.short)];
  return {
    atMs,
    lines: [
      { name: "long", value: long, colour: "gain", filled: true, stepped: true },
      { name: "short", value: short.map((usdt) => -usdt), colour: "loss", filled: true, stepped: true },
    ],
  };
}

/** With a single day, the line runs from its midnight to the next. */
function spendLines(history: DeckHistory | null, limitUsd: number, leastUsd: number | null) {
  const spend = history?.spend ?? [];
  const starts = spend.map(({ day }) => Date.parse(`${day}T00:00:00Z`));
  const last = starts.at(-1);
  const atMs = last === undefined ? [] : [...starts, last + DAY_MS];
  const usd = spend.map(({ usd }) => usd);
  return {
    atMs,
    lines: [
      { name: "spent", value: [...usd, usd.at(-1) ?? 0], colour: "line-4", stepped: true, filled: true },
      { name: "at most", value: atMs.map(() => limitUsd), colour: "loss", dashed: true },
      ...(leastUsd === null
        ? []
        : [{ name: "at least", value: atMs.map(() => leastUsd), colour: "gain", dashed: true }]),
    ],
  };
}
