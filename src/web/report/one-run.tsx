/** One run in full: its days, positions, costs, trades, and what prevented trades. */
import { useMemo, useState } from "preact/hooks";
import type { SheetBars, SheetDay, SheetRun, SheetTrade } from "../../lab/sheet/sheet-data.ts";
import { coin, percent, plain, signedUsdt, usdt } from "../parts/format.ts";
import { LineChart } from "../parts/line-chart.tsx";
import { PriceChart, type PriceMark } from "../parts/price-chart.tsx";
import { Table } from "../parts/table.tsx";
import { Grouping, REFUSAL_COLUMNS, TRADE_COLUMNS } from "./run-tables.tsx";

/** The whole page of one run; `bars` are the candles that the report holds. */
export function OneRun({ run, bars }: { readonly run: SheetRun; readonly bars: readonly SheetBars[] }) {
  return (
    <>
      <h2>{run.name}: days</h2>
      <Calendar days={run.days} />
      <Curves run={run} />
      <Prices trades={run.trades} bars={bars} />
      <h2>{run.name}: trades</h2>
      <div class="panel">
        <Table
          label={`Trades of ${run.name}`}
          rows={run.trades}
          columns={TRADE_COLUMNS}
          empty="No position was closed."
        />
      </div>
      <h2>{run.name}: where the result comes from</h2>
      <div class="columns">
        {run.groupings.map((grouping) => (
          <Grouping key={grouping.by} grouping={grouping} />
        ))}
      </div>
      <h2>{run.name}: what was not traded</h2>
      <div class="panel">
        <Table label="Refusals" rows={run.refusals} columns={REFUSAL_COLUMNS} first={12} empty="Nothing was refused." />
      </div>
      <h2>{run.name}: to run it again</h2>
      <About facts={run.about} />
    </>
  );
}

/** Exposure, payments and the rolling Sharpe ratio over time. */
function Curves({ run }: { readonly run: SheetRun }) {
  const { exposure, costs, rollingSharpe, rollingDays } = run;
  const exposureLines = useMemo(
    () => [
      { name: "long", value: exposure.long, colour: "gain", filled: true, stepped: true },
      { name: "short", value: exposure.short.map((value) => -value), colour: "loss", filled: true, stepped: true },
    ],
    [run],
  );
  const costLines = useMemo(
    () => [
      { name: "fees", value: costs.fees, colour: "line-2", stepped: true },
      { name: "funding", value: costs.funding, colour: "line-4", stepped: true },
    ],
    [run],
  );
  const held = [...exposure.long, ...exposure.short].some((value) => value > 0);
  const sharpeLines = useMemo(() => [{ name: "Sharpe ratio", value: rollingSharpe.value, colour: "line-1" }], [run]);
  return (
    <div class="columns">
      <div class="panel">
        <LineChart
          title="Exposure, USDT; short below zero"
          atMs={held ? exposure.atMs : []}
          lines={exposureLines}
          format={usdt}
          digits={0}
          include={[0]}
        />
      </div>
      <div class="panel">
        <LineChart
          title="Paid so far, USDT"
          atMs={costs.atMs.length > 1 ? costs.atMs : []}
          lines={costLines}
          format={usdt}
          digits={2}
          include={[0]}
        />
      </div>
      {rollingSharpe.atMs.length > 1 ? (
        <div class="panel">
          <LineChart
            title={`Sharpe ratio over ${rollingDays} days, annualised`}
            atMs={rollingSharpe.atMs}
            lines={sharpeLines}
            format={plain}
            digits={1}
            include={[0]}
          />
        </div>
      ) : null}
    </div>
  );
}

/** What was run, so that it can be run again. */
function About({ facts }: { readonly facts: SheetRun["about"] }) {
  return (
    <div class="panel scroll" tabIndex={0} role="region" aria-label="What was run">
      <table class="facts">
        <tbody>
          {facts.map(([name, value]) => (
            <tr key={name}>
              <td>{name}</td>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Every day as a field, coloured by the size of its result. */
function Calendar({ days }: { readonly days: readonly SheetDay[] }) {
  if (days.length === 0) return <p class="quiet">No day is over.</p>;
  const most = Math.max(...days.map(({ returnFraction }) => Math.abs(returnFraction)), 0.0001);
  return (
    <div class="calendar">
      {days.map(({ day, returnFraction }) => {
        const depth = Math.round((Math.abs(returnFraction) / most) * 35);
        const base = returnFraction < 0 ? "var(--loss)" : "var(--gain)";
        return (
          <span
            key={day}
            title={`${day}: ${percent(returnFraction)}`}
            style={{ background: `color-mix(in srgb, ${base} ${depth}%, transparent)` }}
          >
            {day.slice(5)}
            <br />
            {percent(returnFraction, 1)}
          </span>
        );
      })}
    </div>
  );
}

function Prices({ trades, bars }: { readonly trades: readonly SheetTrade[]; readonly bars: readonly SheetBars[] }) {
  const symbols = [...new Set(trades.map(({ symbol }) => symbol))].sort();
  const [symbol, setSymbol] = useState(mostTraded(trades));
  const shown = useMemo(() => bars.find((one) => one.symbol === symbol), [bars, symbol]);
  const marks = useMemo(() => marksOf(trades.filter((trade) => trade.symbol === symbol)), [trades, symbol]);
  if (symbol === null) return null;
  return (
    <>
      <h2>Entries and exits</h2>
      <div class="panel">
        <label>
          Symbol{" "}
          <select value={symbol} onChange={(event) => setSymbol(event.currentTarget.value)}>
            {symbols.map((name) => (
              <option key={name} value={name}>
                {coin(name)}
              </option>
            ))}
          </select>
        </label>
        {shown ? (
          <PriceChart label={coin(symbol)} bars={shown} marks={marks} />
        ) : (
          <p class="quiet">No candles of {coin(symbol)}: name their folder with --data.</p>
        )}
      </div>
    </>
  );
}

function mostTraded(trades: readonly SheetTrade[]): string | null {
  const counts = new Map<string, number>();
  for (const { symbol } of trades) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}

/** With more trades than this, labels at every arrow would hide the candles. */
const WORDS_MAX = 30;

function marksOf(trades: readonly SheetTrade[]): readonly PriceMark[] {
  const said = (text: string): string => (trades.length > WORDS_MAX ? "" : text);
  return trades.flatMap(({ side, openedAtMs, closedAtMs, netUsdt }) => [
    { atMs: openedAtMs, buys: side === "LONG", text: said(side === "LONG" ? "long" : "short") },
    { atMs: closedAtMs, buys: side !== "LONG", text: said(netUsdt === null ? "out" : signedUsdt(netUsdt)) },
  ]);
}
