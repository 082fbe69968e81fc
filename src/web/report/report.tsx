/** A report: all runs side by side, then one of them in full. */
import { useMemo, useState } from "preact/hooks";
import type { SheetFigure, SheetLine, SheetPage, SheetRun } from "../../lab/sheet/sheet-data.ts";
import { LINES } from "../parts/colours.ts";
import { day, plain, percent, share, span, usdt } from "../parts/format.ts";
import { type ChartLine, LineChart } from "../parts/line-chart.tsx";
import { OneRun } from "./one-run.tsx";

export function Report({ data }: { readonly data: SheetPage }) {
  const runs = useMemo(() => data.sheets.flatMap((sheet) => sheet.data.runs), [data]);
  const [chosen, setChosen] = useState(() => mostTrades(runs));
  const run = runs[chosen] ?? runs[0];
  const curves = useMemo(() => equityCurves(data, runs), [data]);
  const falls = useMemo(() => drawdowns(runs), [data]);
  const own = data.sheets.find((sheet) => run && sheet.data.runs.includes(run));
  if (!run || !own) return <p>This report has no runs.</p>;
  return (
    <>
      <h1>{data.title}</h1>
      <p class="quiet">{spanText(runs)} All times are UTC, money is USDT.</p>
      <h2>Figures</h2>
      <Figures runs={runs} />
      <h2>Equity</h2>
      <div class="panel">
        <LineChart title="Equity, USDT" {...curves} format={usdt} digits={0} height={280} />
      </div>
      <h2>Fall from the peak</h2>
      <div class="panel">
        <LineChart title="Below the highest equity so far" {...falls} format={percent} digits={2} height={160} />
      </div>
      {runs.length > 1 ? (
        <div class="tabs" role="group" aria-label="Run shown below">
          {runs.map(({ name }, at) => (
            <button type="button" key={name} aria-pressed={at === chosen} onClick={() => setChosen(at)}>
              {name}
            </button>
          ))}
        </div>
      ) : null}
      <OneRun key={run.name} run={run} bars={own.data.bars} />
    </>
  );
}

/** The run with the most trades. */
const mostTrades = (runs: readonly SheetRun[]): number =>
  runs.reduce((most, { trades }, at) => (trades.length > (runs[most]?.trades.length ?? 0) ? at : most), 0);

function spanText(runs: readonly SheetRun[]): string {
  const all = runs.flatMap(({ equity }) => [equity.atMs[0], equity.atMs.at(-1)]).filter((at) => at !== undefined);
  if (all.length === 0) return "No equity is known.";
  const [from, to] = [Math.min(...all), Math.max(...all)];
  return `${day(from)} to ${day(to)}, ${span(to - from)}.`;
}

const SHOWN: Record<SheetFigure["unit"], (value: number | null) => string> = {
  fraction: (value) => percent(value),
  share: (value) => share(value, 1),
  usdt: (value) => usdt(value),
  ratio: (value) => plain(value),
  count: (value) => plain(value, 0),
  bps: (value) => (value === null ? "-" : `${plain(value)} bp`),
  span: (value) => span(value),
};

function Figures({ runs }: { readonly runs: readonly SheetRun[] }) {
  const names = runs[0]?.figures ?? [];
  return (
    <div class="panel scroll" tabIndex={0} role="region" aria-label="Figures of all runs">
      <table>
        <thead>
          <tr>
            <th scope="col">figure</th>
            {runs.map(({ name }) => (
              <th class="figure" scope="col" key={name}>
                {name}
              </th>
            ))}
            <th scope="col">what it means</th>
          </tr>
        </thead>
        <tbody>
          {names.map(({ name, about }) => (
            <tr key={name}>
              <td>{name}</td>
              {runs.map((run) => (
                <td class="figure" key={run.name}>
                  <Figure figure={run.figures.find((figure) => figure.name === name)} />
                </td>
              ))}
              <td class="about">{about}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Figure({ figure }: { readonly figure: SheetFigure | undefined }) {
  if (!figure) return <>-</>;
  const show = SHOWN[figure.unit];
  return (
    <>
      {show(figure.value)}
      {figure.low !== undefined && figure.high !== undefined ? (
        <div class="quiet">
          {show(figure.low)} … {show(figure.high)}
        </div>
      ) : null}
    </>
  );
}

/** The values of each line at the instants of all lines; between its own points a line holds the last value. */
function together(lines: readonly SheetLine[]): {
  readonly atMs: readonly number[];
  readonly values: readonly (number | null)[][];
} {
  const atMs = [...new Set(lines.flatMap((line) => line.atMs))].sort((a, b) => a - b);
  const values = lines.map((line) => {
    let next = 0;
    let last: number | null = null;
    return atMs.map((instant) => {
      while (next < line.atMs.length && (line.atMs[next] ?? Infinity) <= instant) last = line.value[next++] ?? null;
      return instant > (line.atMs.at(-1) ?? -Infinity) ? null : last;
    });
  });
  return { atMs, values };
}

function equityCurves({ sheets }: SheetPage, runs: readonly SheetRun[]) {
  const baskets = basketsOf(sheets);
  const { atMs, values } = together([...runs.map(({ equity }) => equity), ...baskets.map(({ line }) => line)]);
  const lines: ChartLine[] = runs.map(({ name }, at) => ({
    name,
    value: values[at] ?? [],
    colour: LINES[at % LINES.length] ?? "line-1",
  }));
  for (const [at, { name }] of baskets.entries())
    lines.push({ name, value: values[runs.length + at] ?? [], colour: "quiet", dashed: true });
  const floorUsdt = sheets[0]?.data.floorUsdt ?? 0;
  lines.push({ name: "floor", value: atMs.map(() => floorUsdt), colour: "loss", dashed: true });
  return { atMs, lines };
}

/** Runs over one market have the same basket, which is drawn once. */
function basketsOf(sheets: SheetPage["sheets"]): readonly { readonly name: string; readonly line: SheetLine }[] {
  const found = new Map<string, { readonly name: string; readonly line: SheetLine }>();
  for (const { name, data } of sheets) {
    const key = JSON.stringify(data.basket);
    if (data.basket && !found.has(key)) found.set(key, { name: `basket held (${name})`, line: data.basket });
  }
  const baskets = [...found.values()];
  return baskets.length > 1 ? baskets : baskets.map(({ line }) => ({ name: "basket held", line }));
}

function drawdowns(runs: readonly SheetRun[]) {
  const { atMs, values } = together(runs.map(({ equity }) => equity));
  const lines = runs.map(({ name }, at): ChartLine => {
    let peak = -Infinity;
    const value = (values[at] ?? []).map((equity) => {
      if (equity === null) return null;
      peak = Math.max(peak, equity);
      return peak > 0 ? equity / peak - 1 : null;
    });
    return { name, value, colour: LINES[at % LINES.length] ?? "line-1", filled: runs.length === 1 };
  });
  return { atMs, lines };
}
