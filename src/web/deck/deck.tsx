/** The whole page. */
import { useEffect, useState } from "preact/hooks";
import { timeOfDay } from "../parts/format.ts";
import { Charts } from "./charts.tsx";
import { Controls } from "./controls.tsx";
import { News } from "./news.tsx";
import { Feed, Log, WhyNothing } from "./feed.tsx";
import { useHistory, useLive } from "./live.ts";
import { Positions } from "./positions.tsx";
import { Shadows } from "./shadows.tsx";
import { Story } from "./story.tsx";
import { EquityTile, HealthTile, ResultTile, SessionTile, SpendTile, StrategyTile, UptimeTile } from "./tiles.tsx";

export function Deck() {
  const { now, rows, log, silent } = useLive();
  const history = useHistory();
  const [story, setStory] = useState<string | null>(null);
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
          {timeOfDay(now.atMs)} UTC{silent ? ", no answer since" : ""}
        </p>
        <Controls now={now} />
      </header>
      <div class="tiles">
        <EquityTile now={now} history={history} />
        <HealthTile now={now} silent={silent} />
        <ResultTile now={now} history={history} />
        <UptimeTile now={now} />
        <StrategyTile now={now} />
        <SpendTile now={now} />
        <SessionTile now={now} />
      </div>
      <Positions now={now} onStory={setStory} />
      <Charts history={history} floorUsdt={Number(now.floorUsdt)} limitUsd={Number(now.model.limitUsd)} />
      <div class="columns">
        <WhyNothing onStory={setStory} />
        <Feed rows={rows} onStory={setStory} />
      </div>
      <News rows={rows} atMs={now.atMs} onStory={setStory} />
      <Shadows now={now} />
      <Log lines={log} />
      <footer class="quiet">
        Charts: uPlot, and TradingView Lightweight Charts™ (<a href="https://www.tradingview.com/">tradingview.com</a>).
      </footer>
      {story ? <Story key={story} decisionId={story} onClose={() => setStory(null)} /> : null}
    </>
  );
}
