/** Whether the day that the agent counts is made of whole fills of the venue: all since some instant, each once. */
import { Decimal } from "../../src/core/decimal.ts";
import type { AgentStatus } from "../../src/agent/decide/status.ts";
import type { Num } from "../../src/verify/decimal.ts";
import type { VenueFact } from "../../src/verify/venue-facts.ts";
import type { Plan } from "./plan.ts";

/** What the agent says of its day, at the end of calm. */
export type DayFigures = Pick<AgentStatus, "feesTodayUsdt" | "realizedTodayUsdt" | "atMs">;

/** A fill of this moment may be on its way. */
const HEARD_WITHIN_MS = 3_000;

const decimalOf = ({ digits, scale }: Num): Decimal => new Decimal(digits.toString()).div(new Decimal(10).pow(scale));

/** Pushes without figures, lost rows and clocks that are set leave some fills out, as they must. */
const knowsAll = ({ events, gapMs }: Plan): boolean =>
  gapMs === 0 &&
  !events.some(
    (each) => each.what === "damage" || each.what === "step" || (each.what === "fault" && FIGURES.has(each.name)),
  );

const FIGURES: ReadonlySet<string> = new Set(["sparse-push", "schema-drift", "clock-skew"]);

/** In words; null where the figures are those of the last so many fills. */
export function dayProblem(plan: Plan, day: DayFigures | null, facts: readonly VenueFact[]): string | null {
  if (!day || day.feesTodayUsdt === null || day.realizedTodayUsdt === null || !knowsAll(plan)) return null;
  const made = facts.filter((fact) => fact.fact === "execution");
  if (made.some(({ atMs }) => atMs > day.atMs - HEARD_WITHIN_MS)) return null;
  const fills = made.map(({ execution }) => execution);
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
