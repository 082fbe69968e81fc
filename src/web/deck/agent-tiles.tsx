/** The tiles of the first screen about the agent itself: uptime, health, strategy and session. */
import type { DeckNow } from "../../deck/shapes.ts";
import { dayTime, prose, share, span, usdt, wholeMinutes } from "../parts/format.ts";
import { Tile, Bar } from "./tile.tsx";

/** The uptime of the current window and how much may still be lost. */
export function UptimeTile({ now }: { readonly now: DeckNow }) {
  const { window, restart } = now.uptime;
  // Early in the window a few seconds weigh much; the remaining allowance decides.
  const low = window.leftBefore95Ms <= 0;
  return (
    <Tile title="Uptime">
      <p class={`big ${low ? "loss" : ""}`}>{share(window.ratio, 2)}</p>
      <dl>
        <dt>left to 95 %</dt>
        <dd>{wholeMinutes(window.leftBefore95Ms)}</dd>
        <dt>left to 90 %</dt>
        <dd>{wholeMinutes(window.leftBefore90Ms)}</dd>
        <dt>last restart</dt>
        <dd>{restart ? span(restart.awayMs) : "none"}</dd>
        <dt>until</dt>
        <dd>{dayTime(window.endMs)}</dd>
        <dt>expected</dt>
        <dd>{share(window.forecast, 2)}</dd>
      </dl>
    </Tile>
  );
}

/** The health of the process and its parts; `silent` while the page receives nothing. */
export function HealthTile({ now, silent }: { readonly now: DeckNow; readonly silent: boolean }) {
  const { state, causes } = now.health;
  const shown = silent ? "no answer" : state;
  return (
    <Tile title="Health" name="health">
      <p class={`big ${shown === "healthy" ? "gain" : shown === "degraded" ? "warn" : "loss"}`}>{shown}</p>
      {silent ? <p class="loss">The agent has not answered for some seconds. What stands below is old.</p> : null}
      {causes.length > 0 ? (
        <ul class="causes">
          {causes.map(({ part, sentence, next, severity }) => (
            <li key={`${part} ${sentence}`}>
              <span class={severity === "alarm" ? "loss" : severity === "degraded" ? "warn" : "quiet"}>
                {prose(sentence)}
              </span>
              {next ? <span class="quiet"> → {prose(next)}</span> : null}
            </li>
          ))}
        </ul>
      ) : null}
      <ul class="parts" aria-label="Parts of the agent">
        {now.parts.map(({ name, up, ageMs, note }) => (
          <li key={name} title={note}>
            <span class={up ? "gain" : "loss"} aria-hidden="true">
              {up ? "●" : "○"}
            </span>{" "}
            {name}
            <span class="quiet">{stateOf({ up, ageMs, note })}</span>
          </li>
        ))}
      </ul>
    </Tile>
  );
}

/** What is wrong with a part, if anything, and since when nothing has come from it. */
function stateOf({ up, ageMs, note }: Omit<DeckNow["parts"][number], "name">): string {
  const age = ageMs === null ? "" : `${span(ageMs)} ago`;
  return [up ? "" : prose(note) || "down", age].filter(Boolean).join(", ");
}

/** What decides, and what its model costs. */
export function StrategyTile({ now }: { readonly now: DeckNow }) {
  const { deciding, benched } = now;
  return (
    <Tile title="Strategy">
      <p class="big name">{now.strategy}</p>
      {now.observing ? <p class="warn">Only watching: {prose(now.observing)}</p> : null}
      {benched ? (
        <p class="warn">
          suspended: {prose(benched.reason)}; {now.fallback} decides
        </p>
      ) : null}
      {now.entriesBlocked ? <p class="warn">Nothing can be opened: {prose(now.entriesBlocked.reason)}</p> : null}
      {deciding.switchWaits ? <p class="warn">{deciding.switchWaits} takes over soon</p> : null}
      <dl>
        <dt>phase</dt>
        <dd>{now.phase}</dd>
        <dt>stage</dt>
        <dd>{now.stage}</dd>
        <dt>positions</dt>
        <dd>
          {now.positions.length} of {now.maxPositions}
        </dd>
        <dt>open orders</dt>
        <dd>{now.orders.length}</dd>
      </dl>
    </Tile>
  );
}

/** Model spend against both ends of its band, and the session against its caps. */
export function CapsTile({ now }: { readonly now: DeckNow }) {
  const { spentTodayUsd, limitUsd, leastUsd, forecastUsd, asks } = now.model;
  const [spent, limit, least] = [Number(spentTodayUsd), Number(limitUsd), leastUsd === null ? null : Number(leastUsd)];
  const { session } = now;
  const [used, all] = session ? [Number(session.usedNotional), Number(session.maxTotalNotional)] : [0, 1];
  const forecast = Number(forecastUsd);
  const paceIs = forecast > spent ? `, ${usdt(forecast)} by the end of the day at this pace` : "";
  return (
    <Tile title="Spent today" name="caps">
      <div>
        <p>
          <strong>{usdt(spent, 4)} USD</strong> on models
          <span class="quiet">{asks ? paceIs : "; the strategy asks none"}</span>
        </p>
        <Bar
          value={spent / limit}
          label="Model money spent of the day's cap"
          mark={least === null ? null : least / limit}
        />
        <p class="ends">
          <span>{least === null ? "no minimum" : `at least ${usdt(least)}`}</span>
          <span>at most {usdt(limit)}</span>
        </p>
      </div>
      {session ? (
        <div>
          <p>
            <strong>{usdt(used, 0)} USDT</strong> of the session
            <span class="quiet">
              , {usdt(Number(session.maxNotionalPerOrder), 0)} an order, until {dayTime(session.expiresAtMs)}
            </span>
          </p>
          <Bar value={used / all} label="Used of the session's total" />
          <p class="ends">
            <span>{share(used / all)} used</span>
            <span>at most {usdt(all, 0)}</span>
          </p>
        </div>
      ) : (
        <p class="quiet">No automation session is open.</p>
      )}
    </Tile>
  );
}
