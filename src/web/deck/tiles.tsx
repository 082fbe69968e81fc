/** The tiles of the first screen about the account: equity, result and score. */
import type { DeckHistory, DeckNow } from "../../deck/shapes.ts";
import { Sparkline } from "../parts/sparkline.tsx";
import { percent, plain, prose, share, signedUsdt, toneOf, usdt } from "../parts/format.ts";
import { Tile, Bar } from "./tile.tsx";

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

/** The result of the day and since the start. */
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
