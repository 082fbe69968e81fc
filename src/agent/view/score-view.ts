/** The live score of the account; null where the settings name no competition. */
import { type LiveScore, liveScore, phaseSpan } from "../../domain/live-score.ts";
import { type UptimeWindow, uptimeAt } from "../books/uptime.ts";
import type { AgentState } from "../state/state.ts";
import { equityNow } from "../state/worth.ts";

export function scoreOf(state: AgentState, nowMs: number, window: UptimeWindow): LiveScore | null {
  const { settings, uptime, hourly, ranking } = state;
  if (!settings.competition) return null;
  const { dates, scoring } = settings.competition;
  const { ratio, forecast } = uptimeAt(uptime, nowMs, window).window;
  return liveScore({
    nowMs,
    phase: settings.phase,
    span: phaseSpan(settings.phase, dates, uptime.firstBeatMs),
    hours: hourly.hours(),
    equityUsdt: equityNow(state, nowMs)?.toNumber() ?? null,
    uptime: { ratio, forecast },
    scoring,
    ranking: ranking?.phase === settings.phase ? ranking.ranking : null,
  });
}
