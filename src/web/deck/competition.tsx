/** The score so far in full: the competition's figures in sentences, and the return of each completed day. */
import type { DeckNow } from "../../deck/shapes.ts";
import { percent, prose, toneOf } from "../parts/format.ts";

const DAYS_SHOWN = 14;

export function Competition({ now: { score, scoreLines } }: { readonly now: DeckNow }) {
  if (!score) return null;
  const days = score.days.slice(-DAYS_SHOWN);
  const largest = Math.max(...days.map(({ fraction }) => Math.abs(fraction)), 0.0001);
  return (
    <section aria-labelledby="competition">
      <h2 id="competition">Competition so far</h2>
      <div class="panel competition">
        <dl>
          {scoreLines.map(([name, text]) => (
            <div key={name}>
              <dt>{NAMES[name] ?? name}</dt>
              <dd>{prose(text)}</dd>
            </div>
          ))}
        </dl>
        <div>
          <h3>Daily returns</h3>
          {days.length === 0 ? (
            <p class="quiet">The first one follows the first completed day (UTC).</p>
          ) : (
            <table class="days">
              <tbody>
                {days.map(({ day, fraction }) => (
                  <tr key={day}>
                    <th scope="row">{day.slice(5)}</th>
                    <td class={`figure ${toneOf(fraction, 4)}`}>{percent(fraction)}</td>
                    <td aria-hidden="true">
                      <DayBar share={fraction / largest} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      </div>
    </section>
  );
}

const NAMES: Readonly<Record<string, string>> = { sharpe: "Sharpe" };

/** Gains to the right of the middle, losses to the left; the largest day fills its half. */
function DayBar({ share }: { readonly share: number }) {
  const width = Math.abs(share) * 50;
  return (
    <svg viewBox="0 0 100 10" preserveAspectRatio="none">
      <rect class={share < 0 ? "loss" : "gain"} x={share < 0 ? 50 - width : 50} y="1" width={width} height="8" />
      <line x1="50" x2="50" y1="0" y2="10" vector-effect="non-scaling-stroke" />
    </svg>
  );
}
