/** The open positions: one row each, and its candles with fills, stop and target. */
import { useMemo, useState } from "preact/hooks";
import { CHART_INTERVALS, type ChartInterval, intervalFor } from "../../deck/chart-intervals.ts";
import type { DeckBars, DeckNow, DeckPosition } from "../../deck/shapes.ts";
import { coin, prose, price, signedUsdt, span, toneOf } from "../parts/format.ts";
import { type PriceLine, PriceChart, type PriceMark } from "../parts/price-chart.tsx";
import { usePolled } from "./live.ts";

export function Positions({
  now,
  onStory,
}: {
  readonly now: DeckNow;
  readonly onStory: (decisionId: string, why?: boolean) => void;
}) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [wanted, setWanted] = useState<ChartInterval | null>(null);
  const { positions, atMs } = now;
  const shown = positions.find(({ symbol }) => symbol === chosen) ?? positions[0];
  // Until somebody chooses, a chart reaches back to the entry.
  const interval = wanted ?? (shown ? intervalFor(atMs - shown.openedAtMs) : "1m");
  return (
    <section aria-labelledby="positions">
      <h2 id="positions">Positions</h2>
      {positions.length === 0 ? (
        <p class="panel quiet">Nothing is held.</p>
      ) : (
        <div class="panel">
          <div class="scroll" tabIndex={0} role="region" aria-label="Open positions">
            <table>
              <thead>
                <tr>
                  {["coin", "side", "quantity", "entry", "mark", "stop", "target", "P&L", "age"].map((name, at) => (
                    <th key={name} scope="col" class={classOf(name, at)}>
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {positions.map((held) => (
                  <Row
                    key={`${held.symbol} ${held.side}`}
                    {...{ held, atMs, onStory }}
                    onChoose={() => setChosen(held.symbol)}
                    chosen={held === shown}
                  />
                ))}
              </tbody>
            </table>
          </div>
          {shown ? (
            <>
              <div class="tabs" role="group" aria-label={`Candles of ${coin(shown.symbol)}`}>
                {CHART_INTERVALS.map((name) => (
                  <button type="button" key={name} aria-pressed={name === interval} onClick={() => setWanted(name)}>
                    {name}
                  </button>
                ))}
              </div>
              <Candles held={shown} interval={interval} />
            </>
          ) : null}
        </div>
      )}
    </section>
  );
}

/** Figures are right-aligned; a phone hides the less urgent ones. */
const classOf = (name: string, at: number): string =>
  `${at > 1 ? "figure" : ""} ${["quantity", "entry", "age"].includes(name) ? "wide" : ""}`;

interface RowProps {
  readonly held: DeckPosition;
  readonly atMs: number;
  readonly chosen: boolean;
  readonly onChoose: () => void;
  readonly onStory: (decisionId: string, why?: boolean) => void;
}

function Row({ held, atMs, chosen, onChoose, onStory }: RowProps) {
  const {
    symbol,
    side,
    qty,
    avgPrice,
    markPrice,
    stopPrice,
    targetPrice,
    unrealizedUsdt,
    openedAtMs,
    decision,
    thesis,
  } = held;
  const result = Number(unrealizedUsdt);
  return (
    <>
      <tr>
        <td>
          <button type="button" class="plain" aria-pressed={chosen} onClick={onChoose}>
            {coin(symbol)}
          </button>
        </td>
        <td>{side.toLowerCase()}</td>
        <td class="figure wide">{qty}</td>
        <td class="figure wide">{avgPrice}</td>
        <td class="figure">{price(markPrice)}</td>
        <td class="figure">{stopPrice ?? <span class="loss">none ({held.protection})</span>}</td>
        <td class="figure">{targetPrice ?? "-"}</td>
        <td class={`figure ${toneOf(result)}`}>{signedUsdt(result)}</td>
        <td class="figure wide">{span(atMs - openedAtMs)}</td>
      </tr>
      <tr class="why">
        <td colSpan={9}>
          {prose(thesis) || "No reason was recorded."}{" "}
          {decision ? (
            <>
              <button type="button" class="plain" onClick={() => onStory(decision)}>
                story
              </button>
              <button type="button" class="plain" onClick={() => onStory(decision, true)}>
                why
              </button>
            </>
          ) : null}
        </td>
      </tr>
    </>
  );
}

const BARS_EVERY_MS = 10_000;

function Candles({ held, interval }: { readonly held: DeckPosition; readonly interval: string }) {
  const { symbol, avgPrice, stopPrice, targetPrice } = held;
  const bars = usePolled<DeckBars>(`/deck/bars/${symbol}/${interval}`, BARS_EVERY_MS);
  const marks = useMemo(
    () =>
      (bars?.fills ?? []).map(({ atMs, side, qty }): PriceMark => ({ atMs, buys: side === "BUY", text: String(qty) })),
    [bars],
  );
  const levels = useMemo(
    () =>
      [
        { name: "entry", price: Number(avgPrice), colour: "accent" },
        { name: "stop", price: Number(stopPrice), colour: "loss" },
        { name: "target", price: Number(targetPrice), colour: "gain" },
      ].filter((level): level is PriceLine => level.price > 0),
    [avgPrice, stopPrice, targetPrice],
  );
  if (!bars) return <p class="quiet">Reading candles.</p>;
  return <PriceChart label={coin(symbol)} bars={bars} marks={marks} levels={levels} height={280} />;
}
