/** The whole page. */
import { useEffect, useState } from "preact/hooks";
import { timeOfDay } from "../parts/format.ts";
import { Charts } from "./charts.tsx";
import { Competition } from "./competition.tsx";
import { Controls } from "./controls.tsx";
import { News } from "./news.tsx";
import { Feed, Log, WhyNothing } from "./feed.tsx";
import { useHistory, useLive } from "./live.ts";
import { Positions } from "./positions.tsx";
import { Setup } from "./setup.tsx";
import { Shadows } from "./shadows.tsx";
import { Story } from "./story.tsx";
import { EquityTile, ResultTile, ScoreTile } from "./tiles.tsx";
import { CapsTile, HealthTile, StrategyTile, UptimeTile } from "./agent-tiles.tsx";

/** The decision whose story is open, or whose orders' reasons are. */
interface Asked {
  readonly id: string;
  readonly why: boolean;
}

export function Deck() {
  const { now, rows, log, silent } = useLive();
  const history = useHistory();
  const [story, setStory] = useState<Asked | null>(null);
  const ask = (id: string, why = false): void => setStory({ id, why });
  const title = now
    ? `${now.equityUsdt === null ? "?" : Number(now.equityUsdt).toFixed(2)} USDT, ${silent ? "no answer" : now.health.state}`
    : "Ballast";
  useEffect(() => {
    document.title = title;
  }, [title]);
  if (!now) return <p class="quiet">Waiting for the agent.</p>;
  return (
    <>
      <header>
        <h1>
          Ballast <span class="quiet">on {now.venue}</span>
        </h1>
        <p class="quiet">
          <span class={silent ? "loss" : "gain"} aria-hidden="true">
            ●
          </span>{" "}
          {silent ? "no answer since " : "live, "}
          {timeOfDay(now.atMs)} UTC
        </p>
        <Controls now={now} />
      </header>
      <div class="tiles">
        <EquityTile now={now} history={history} />
        <ResultTile now={now} history={history} />
        <ScoreTile now={now} />
        <HealthTile now={now} silent={silent} />
        <StrategyTile now={now} />
        <UptimeTile now={now} />
        <CapsTile now={now} />
      </div>
      <Positions now={now} onStory={ask} />
      <div class="columns unequal">
        <Feed rows={rows} onStory={ask} />
        <div>
          <WhyNothing onStory={ask} />
          <News rows={rows} atMs={now.atMs} onStory={ask} />
        </div>
      </div>
      <Charts history={history} now={now} />
      <Competition now={now} />
      <Shadows now={now} />
      <Log lines={log} />
      <Setup />
      <footer class="quiet">
        Charts: uPlot, and TradingView Lightweight Charts™ (<a href="https://www.tradingview.com/">tradingview.com</a>).
      </footer>
      {story ? <Story key={story.id} decisionId={story.id} why={story.why} onClose={() => setStory(null)} /> : null}
    </>
  );
}
