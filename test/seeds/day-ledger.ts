/** Whether the day that the agent counts is made of whole fills of the venue: all since some instant, each once. */
import { Decimal } from "../../src/core/decimal.ts";
import type { AgentStatus } from "../../src/agent/decide/status.ts";
import type { Num } from "../../src/verify/decimal.ts";
import type { History } from "../../src/verify/history.ts";
import type { Row } from "../../src/verify/rows.ts";
import type { VenueExecution } from "../../src/verify/venue-facts.ts";
import type { Plan } from "./plan.ts";

/** What the agent says of its day, at the end of calm. */
export type DayFigures = Pick<AgentStatus, "feesTodayUsdt" | "realizedTodayUsdt" | "atMs">;

/** Whether a fill that no row reports is missing is judged by I5; the day cannot count it, nor one that is heard of later. */
const isHeard = (rows: readonly Row[], nowMs: number): ((fill: VenueExecution) => boolean) => {
  const reported = rows.filter(({ kind, atMs }) => kind === "fill" && atMs <= nowMs);
  const heard = new Set(reported.map(({ body }) => String(body["transactionId"])));
  return ({ transactionId }) => heard.has(transactionId);
};

const decimalOf = ({ digits, scale }: Num): Decimal => new Decimal(digits.toString()).div(new Decimal(10).pow(scale));

/** Pushes without figures, lost rows and clocks that are set leave some fills out, as they must. */
const knowsAll = ({ events, gapMs }: Plan): boolean =>
  gapMs === 0 &&
  !events.some(
    (each) => each.what === "damage" || each.what === "step" || (each.what === "fault" && FIGURES.has(each.name)),
  );

const FIGURES: ReadonlySet<string> = new Set(["sparse-push", "schema-drift", "clock-skew"]);

/** In words; null where the figures are those of the last so many fills. */
export function dayProblem(
  plan: Plan,
  day: DayFigures | null,
  { venue, rows }: Pick<History, "venue" | "rows">,
): string | null {
  if (!day || day.feesTodayUsdt === null || day.realizedTodayUsdt === null || !knowsAll(plan)) return null;
  const fills = (venue ?? [])
    .flatMap((fact) => (fact.fact === "execution" ? [fact.execution] : []))
    .filter(isHeard(rows, day.atMs));
  let [fees, realized] = [new Decimal(0), new Decimal(0)];
  const sums = [{ fees, realized }];
  for (const fill of fills.toReversed()) {
    fees = fees.add(decimalOf(fill.fee));
    realized = realized.add(decimalOf(fill.realized));
    sums.push({ fees, realized });
  }
  const isCounted = (sum: (typeof sums)[number]): boolean =>
    sum.fees.eq(day.feesTodayUsdt ?? "") && sum.realized.eq(day.realizedTodayUsdt ?? "");
  if (sums.some(isCounted)) return null;
  const all = sums.map((sum) => `${sum.fees.toFixed()}/${sum.realized.toFixed()}`).join(", ");
  return `the day has fees ${day.feesTodayUsdt} and a result of ${day.realizedTodayUsdt}; fills of the venue, newest first: ${all}`;
}
