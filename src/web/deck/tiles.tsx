/** The first screen: whether the account is safe, and what the agent is doing. */
import type { ComponentChildren } from "preact";
import type { DeckHistory, DeckNow } from "../../deck/shapes.ts";
import { Sparkline } from "../parts/sparkline.tsx";
import {
  dayTime,
  percent,
  plain,
  prose,
  share,
  signedUsdt,
  span,
  toneOf,
  usdt,
  wholeMinutes,
} from "../parts/format.ts";

function Tile({
  title,
  children,
  name = "",
}: {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Its area in the grid. */
  readonly name?: string;
}) {
  return (
    <section class={`panel tile ${name}`}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** A share of a whole as a bar; the figures are beside it. */
function Bar({
  value,
  label,
  tone = "accent",
  mark = null,
}: {
  readonly value: number;
  readonly label: string;
  readonly tone?: string;
  /** The position of a marker line, as a share of the whole. */
  readonly mark?: number | null;
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
      {mark === null ? null : <i style={{ left: `${Math.min(1, mark) * 100}%` }} />}
    </div>
  );
}

const number = (text: string | null): number | null => (text === null ? null : Number(text));
/** Of a share that is shown in percent with two digits. */
const tone = (fraction: number | null): string => toneOf(fraction, 4);

/** The whole bar is the distance from the start to the floor. */
export function EquityTile({ now, history }: { readonly now: DeckNow; readonly history: DeckHistory | null }) {
  const equity = number(now.equityUsdt);
  const floor = Number(now.floorUsdt);
  const start = history?.equity.usdt[0] ?? equity ?? floor;
  const left = equity === null ? null : equity - floor;
  const room = left === null ? 0 : left / Math.max(1, start - floor);
  const safe = now.floorState === "NORMAL";
  return (
    <Tile title="Equity" name="equity">
      <p class="big">
        {equity === null ? "not known" : usdt(equity)} <small>USDT</small>
        <span class={`state ${safe ? "gain" : "loss"}`}>{now.floorState}</span>
      </p>
      {safe ? null : (
        <p class="loss">
          {now.floorState}: {prose(now.floorReason)}
        </p>
      )}
      <Bar value={room} label="Room above the floor" tone={room > 0.6 ? "gain" : room > 0.3 ? "warn" : "loss"} />
      <p class="ends">
        <span>floor {usdt(floor, 0)}</span>
        <span>{left === null ? "the account has not been read" : <>{usdt(left)} above the floor</>}</span>
        <span>start {usdt(start, 0)}</span>
      </p>
      <Sparkline values={history?.equity.usdt ?? []} />
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
    <Tile title="Today">
      <p class={`big ${tone(dayReturn)}`}>{percent(dayReturn)}</p>
      <dl>
        <dt>since the start</dt>
        <dd class={tone(whole)}>{percent(whole)}</dd>
        <dt>largest fall</dt>
        <dd>{share(largestFall(history, equity), 2)}</dd>
        <dt>realised today</dt>
        <dd>{signedUsdt(number(now.realizedTodayUsdt))}</dd>
        <dt>fees today</dt>
        <dd>{usdt(number(now.feesTodayUsdt))}</dd>
      </dl>
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

/** The competition's own figures so far; a section further down says the same in sentences. */
export function ScoreTile({ now: { score } }: { readonly now: DeckNow }) {
  if (!score)
    return (
      <Tile title="Competition">
        <p class="quiet">Not known yet.</p>
      </Tile>
    );
  const { daysLeft, sharpe, sharpeError, roi, drawdown, ranking } = score;
  const { rank = null, composite = null } = ranking ?? {};
  return (
    <Tile title="Competition">
      <p class="big">
        {rank === null ? "no rank yet" : `rank ${rank}`}
        {composite === null ? null : <small> {composite.toFixed(1)} of 100</small>}
      </p>
      <dl>
        <dt>return</dt>
        <dd class={tone(roi)}>{percent(roi)}</dd>
        <dt>Sharpe</dt>
        <dd>
          {sharpe === null ? "after 2 days" : plain(sharpe)}
          {sharpeError === null ? "" : ` ± ${sharpeError.toFixed(1)}`}
        </dd>
        <dt>drawdown</dt>
        <dd>{drawdown.tierScore} of 100</dd>
        {drawdown.nextTier ? (
          <>
            <dt>{drawdown.nextTier.score} below</dt>
            <dd>{usdt(drawdown.nextTier.belowUsdt)}</dd>
          </>
        ) : null}
        <dt>days left</dt>
        <dd>{daysLeft === null ? "not known" : daysLeft.toFixed(1)}</dd>
      </dl>
    </Tile>
  );
}

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

export function StrategyTile({ now }: { readonly now: DeckNow }) {
  const { deciding, benched } = now;
  return (
    <Tile title="Strategy">
      <p class="big name">{now.strategy}</p>
      {now.observing ? <p class="warn">Only watching: {prose(now.observing)}</p> : null}
      {benched ? (
        <p class="warn">
          benched: {prose(benched.reason)}; {now.fallback} decides
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
  const [spent, limit, least] = [Number(spentTodayUsd), Number(limitUsd), number(leastUsd)];
  const { session } = now;
  const [used, all] = session ? [Number(session.usedNotional), Number(session.maxTotalNotional)] : [0, 1];
  const paceIs = asks
    ? `, ${usdt(Number(forecastUsd))} by the end of the day at this pace`
    : "; the strategy asks none";
  return (
    <Tile title="Spent today" name="caps">
      <div>
        <p>
          <strong>{usdt(spent, 4)} USD</strong> on models<span class="quiet">{paceIs}</span>
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
