/** The first screen: is the account safe, and what is the agent doing. */
import type { ComponentChildren } from "preact";
import type { DeckHistory, DeckNow } from "../../deck/shapes.ts";
import { dayTime, percent, share, signedUsdt, span, usdt } from "../parts/format.ts";

function Tile({
  title,
  children,
  tone = "",
}: {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly tone?: string;
}) {
  return (
    <section class={`panel tile ${tone}`}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** A share of a whole as a bar; the figures stand beside it. */
function Bar({
  value,
  label,
  tone = "accent",
}: {
  readonly value: number;
  readonly label: string;
  readonly tone?: string;
}) {
  const width = Math.max(0, Math.min(1, value)) * 100;
  return (
    <div
      class="bar"
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(width)}
    >
      <div class={tone} style={{ width: `${width}%` }} />
    </div>
  );
}

const number = (text: string | null): number | null => (text === null ? null : Number(text));
const tone = (value: number | null): string => (value === null || value === 0 ? "" : value > 0 ? "gain" : "loss");

/** The distance from the start to the floor is the whole bar. */
export function EquityTile({ now, history }: { readonly now: DeckNow; readonly history: DeckHistory | null }) {
  const equity = number(now.equityUsdt);
  const floor = Number(now.floorUsdt);
  const start = history?.equity.usdt[0] ?? equity ?? floor;
  const left = equity === null ? null : equity - floor;
  const room = left === null ? 0 : left / Math.max(1, start - floor);
  return (
    <Tile title="Equity">
      <p class="big">{equity === null ? "not known" : `${usdt(equity)} USDT`}</p>
      <Bar value={room} label="Room above the floor" tone={room > 0.6 ? "gain" : room > 0.3 ? "warn" : "loss"} />
      <p>
        {left === null ? "The account has not been read." : `${usdt(left)} above the floor of ${usdt(floor, 0)}`}
        {now.accountAgeMs === null ? "" : <span class="quiet">, read {span(now.accountAgeMs)} ago</span>}
      </p>
      <p class={now.floorState === "NORMAL" ? "quiet" : "loss"}>
        {now.floorState}
        {now.floorState === "NORMAL" ? "" : `: ${now.floorReason}`}
      </p>
    </Tile>
  );
}

export function ResultTile({ now, history }: { readonly now: DeckNow; readonly history: DeckHistory | null }) {
  const equity = number(now.equityUsdt);
  const dayStart = number(now.dayStartEquityUsdt);
  const start = history?.equity.usdt[0] ?? null;
  const dayReturn = equity !== null && dayStart ? equity / dayStart - 1 : null;
  const whole = equity !== null && start ? equity / start - 1 : null;
  return (
    <Tile title="Result">
      <p class={`big ${tone(dayReturn)}`}>{percent(dayReturn)} today</p>
      <p>
        <span class={tone(whole)}>{percent(whole)}</span> since the start
        {history?.equity.atMs[0] ? <span class="quiet"> ({dayTime(history.equity.atMs[0])})</span> : null}
      </p>
      <p>Largest fall {share(largestFall(history, equity), 2)}</p>
      <p class="quiet">
        realised {signedUsdt(number(now.realizedTodayUsdt))}, fees {usdt(number(now.feesTodayUsdt))} today
      </p>
    </Tile>
  );
}

function largestFall(history: DeckHistory | null, equity: number | null): number | null {
  const values = [...(history?.equity.usdt ?? []), ...(equity === null ? [] : [equity])];
  if (values.length === 0) return null;
  let [peak, fall] = [0, 0];
  for (const value of values) {
    peak = Math.max(peak, value);
    fall = Math.max(fall, peak > 0 ? 1 - value / peak : 0);
  }
  return fall;
}

export function UptimeTile({ now }: { readonly now: DeckNow }) {
  const { window, restart } = now.uptime;
  const low = window.ratio < 0.95;
  return (
    <Tile title="Uptime">
      <p class={`big ${low ? "loss" : ""}`}>{share(window.ratio, 2)}</p>
      <Bar value={(window.ratio - 0.85) / 0.15} label="Uptime, from 85 to 100 percent" tone={low ? "loss" : "gain"} />
      <p>
        {span(window.leftBefore95Ms)} left before 95 %, {span(window.leftBefore90Ms)} before 90 %
      </p>
      <p class="quiet">
        {restart ? `the last restart took ${span(restart.awayMs)}` : "no restart so far"}; the span ends{" "}
        {dayTime(window.endMs)}
      </p>
    </Tile>
  );
}

export function HealthTile({ now, silent }: { readonly now: DeckNow; readonly silent: boolean }) {
  const { state, causes } = now.health;
  const down = Object.entries(now.streams).filter(([, up]) => !up);
  const shown = silent ? "no answer" : state;
  return (
    <Tile title="Health">
      <p class={`big ${shown === "healthy" ? "gain" : shown === "degraded" ? "warn" : "loss"}`}>{shown}</p>
      {silent ? <p class="loss">The agent has not answered for some seconds. What stands below is old.</p> : null}
      {causes.length === 0 ? <p class="quiet">Nothing is wrong.</p> : null}
      <ul class="causes">
        {causes.map(({ part, sentence, next, severity }) => (
          <li key={`${part} ${sentence}`}>
            <span class={severity === "alarm" ? "loss" : severity === "degraded" ? "warn" : "quiet"}>{sentence}</span>
            {next ? <span class="quiet"> → {next}</span> : null}
          </li>
        ))}
      </ul>
      <p class="quiet">
        streams: {Object.keys(now.streams).length - down.length} of {Object.keys(now.streams).length} up
        {down.length > 0 ? ` (down: ${down.map(([name]) => name).join(", ")})` : ""}
      </p>
    </Tile>
  );
}

export function StrategyTile({ now }: { readonly now: DeckNow }) {
  const { deciding, benched } = now;
  return (
    <Tile title="Strategy">
      <p class="big">{now.strategy}</p>
      <p>
        phase {now.phase}, {now.stage}
        {deciding.switchWaits ? `, ${deciding.switchWaits} takes over soon` : ""}
      </p>
      {now.observing ? <p class="warn">Only watching: {now.observing}</p> : null}
      {benched ? (
        <p class="warn">
          benched: {benched.reason}; {now.fallback} decides
        </p>
      ) : null}
      {now.entriesBlocked ? <p class="warn">Nothing can be opened: {now.entriesBlocked.reason}</p> : null}
      <p class="quiet">
        {now.positions.length} of {now.maxPositions} positions, {now.orders.length} orders
      </p>
    </Tile>
  );
}

export function SpendTile({ now }: { readonly now: DeckNow }) {
  const { spentTodayUsd, limitUsd, leastUsd, forecastUsd, asks } = now.model;
  const [spent, limit, least] = [Number(spentTodayUsd), Number(limitUsd), number(leastUsd)];
  return (
    <Tile title="Model money">
      <p class="big">{usdt(spent, 4)} USD</p>
      <Bar value={spent / limit} label="Spent of the day's cap" />
      <p>
        of at most {usdt(limit)} a day{least === null ? "" : `, at least ${usdt(least)}`}; at this pace{" "}
        {usdt(Number(forecastUsd))}
      </p>
      <p class="quiet">{asks ? "The strategy asks a model." : "The strategy asks no model."}</p>
    </Tile>
  );
}

export function SessionTile({ now }: { readonly now: DeckNow }) {
  const { session } = now;
  if (!session)
    return (
      <Tile title="Session">
        <p class="quiet">No automation session is open.</p>
      </Tile>
    );
  const [used, all] = [Number(session.usedNotional), Number(session.maxTotalNotional)];
  return (
    <Tile title="Session">
      <p class="big">{share(used / all)} used</p>
      <Bar value={used / all} label="Used of the session's total" />
      <p>
        {usdt(used, 0)} of {usdt(all, 0)} USDT, {usdt(Number(session.maxNotionalPerOrder), 0)} an order
      </p>
      <p class="quiet">
        {session.active ? "active" : "not active"}, until {dayTime(session.expiresAtMs)}
      </p>
    </Tile>
  );
}
