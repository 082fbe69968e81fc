/** Lines over time on one axis. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { colour, onSchemeChange } from "./colours.ts";

/** `value` has one entry for each instant of the chart; a gap is null. */
export interface ChartLine {
  readonly name: string;
  readonly value: readonly (number | null)[];
  /** Name of a colour of the style sheet. */
  readonly colour: string;
  readonly dashed?: boolean;
  readonly filled?: boolean;
  /** Holds its value until the next one. */
  readonly stepped?: boolean;
}

interface Props {
  readonly title: string;
  readonly atMs: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly format: (value: number, digits: number) => string;
  /** Digits of a figure; the axis takes more where its marks would otherwise look alike. */
  readonly digits: number;
  readonly height?: number;
  /** Always within the axis. */
  readonly include?: readonly number[];
}

const utc = (seconds: number): Date => uPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC");

export function LineChart({ title, atMs, lines, format, digits, height = 220, include = [] }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const shown = (value: number): string => format(value, digits);
  useEffect(() => {
    const element = box.current;
    if (!element || atMs.length === 0) return;
    let plot: uPlot | null = null;
    const draw = (): void => {
      plot?.destroy();
      plot = new uPlot(options(element.clientWidth), dataOf(atMs, lines), element);
    };
    const options = (width: number): uPlot.Options => ({
      width: Math.max(240, width),
      height,
      tzDate: utc,
      cursor: { y: false },
      scales: {
        y: {
          range: (_plot, low, high) => {
            const [from, to] = [Math.min(low, ...include), Math.max(high, ...include)];
            const room = (to - from || Math.abs(to) || 1) * 0.05;
            return [from - room, to + room];
          },
        },
      },
      axes: [
        {
          ...axis(),
          space: 76,
          values: (_plot, splits, _axis, _space, step) => splits.map((seconds) => tick(seconds, step)),
        },
        { ...axis(), size: 64, values: (_plot, splits) => marksOf(splits, format, digits) },
      ],
      series: [
        {
          value: (_plot, seconds) =>
            seconds === null ? "newest" : new Date(seconds * 1_000).toISOString().slice(5, 16).replace("T", " "),
        },
        ...lines.map((line): uPlot.Series => seriesOf(line, shown)),
      ],
    });
    draw();
    const watch = new ResizeObserver(() => plot?.setSize({ width: Math.max(240, element.clientWidth), height }));
    watch.observe(element);
    const unwatch = onSchemeChange(draw);
    return () => {
      watch.disconnect();
      unwatch();
      plot?.destroy();
    };
  }, [atMs, lines, height]);
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      {atMs.length === 0 ? (
        <p class="quiet">Nothing to draw yet.</p>
      ) : (
        <div ref={box} role="img" aria-label={spoken(title, lines, shown)} />
      )}
    </figure>
  );
}

const dataOf = (atMs: readonly number[], lines: readonly ChartLine[]): uPlot.AlignedData => [
  atMs.map((ms) => ms / 1_000),
  ...lines.map(({ value }) => [...value]),
];

const DIGITS_MAX = 6;

function marksOf(splits: readonly number[], format: Props["format"], digits: number): string[] {
  const marks = splits.map((value) => format(value, digits));
  const alike = new Set(marks).size < marks.length;
  return alike && digits < DIGITS_MAX ? marksOf(splits, format, digits + 1) : marks;
}

/** Days where they are marked, times of day between them. */
function tick(seconds: number, step: number): string {
  const text = new Date(seconds * 1_000).toISOString();
  if (step < 60) return text.slice(11, 19);
  return step >= 86_400 || seconds % 86_400 === 0 ? text.slice(5, 10) : text.slice(11, 16);
}

const axis = (): uPlot.Axis => ({
  stroke: colour("quiet"),
  grid: { stroke: colour("rule"), width: 1 },
  ticks: { stroke: colour("rule"), width: 1, size: 4 },
  font: "11px system-ui, sans-serif",
});

function seriesOf(
  { name, value, colour: of, dashed, filled, stepped }: ChartLine,
  format: (value: number) => string,
): uPlot.Series {
  const stroke = colour(of);
  const steps = stepped ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
  return {
    label: name,
    stroke,
    width: 1.5,
    points: { show: false },
    // Away from the chart the legend shows the newest values, so that nobody has to point at it.
    value: (_plot, at) => {
      const shown = at ?? value.findLast((each) => each !== null) ?? null;
      return shown === null ? "-" : format(shown);
    },
    ...(dashed ? { dash: [6, 4] } : {}),
    ...(filled ? { fill: `${stroke}33` } : {}),
    ...(steps ? { paths: steps } : {}),
  };
}

/** The newest value of each line, for screen readers. */
function spoken(title: string, lines: readonly ChartLine[], format: (value: number) => string): string {
  const last = lines.map(({ name, value }) => {
    const newest = value.findLast((each) => each !== null);
    return newest === undefined || newest === null ? `${name}: nothing` : `${name}: ${format(newest)}`;
  });
  return `${title}. Newest values: ${last.join(", ")}.`;
}
