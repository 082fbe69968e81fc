/** Account, rules, headroom and own trades as the variables of every prompt in the trader family. */
import { lessonText } from "../context/lesson-text.ts";
import type { Row } from "../context/prompt-cells.ts";
import type { Snapshot } from "../context/snapshot.ts";
import { toWire } from "../core/decimal.ts";
import { formatSpan, isoTime, MINUTE_MS } from "../core/time.ts";
import { FLOOR_USDT } from "../domain/competition.ts";
import { REASON_CHARS_MAX, STANCES_MAX } from "./stances.ts";
import type { TraderSettings } from "./trader-settings.ts";

const TRADES_SHOWN = 8;

/** Rules, time, account and headroom: variables of every prompt in this family. */
export function commonVariables(snapshot: Snapshot, settings: TraderSettings): Readonly<Record<string, unknown>> {
  return {
    rules: rulesFor(snapshot, settings),
    time: isoTime(snapshot.atMs),
    account: accountFor(snapshot),
    headroom: headroomFor(snapshot),
    lessons: (snapshot.lessons ?? []).map(lessonText),
    limits: snapshot.headroom.limits.map(({ limit, left, unit }): Row => ({ limit, left: left.toFixed(0), unit })),
  };
}

function rulesFor(snapshot: Snapshot, settings: TraderSettings): Record<string, string | number> {
  return {
    floorUsdt: FLOOR_USDT,
    leverageMax: String(snapshot.headroom.leverageMax),
    stancesMax: STANCES_MAX,
    stopMinVolatilities: settings.stopVolatilitiesMin,
    stopMaxVolatilities: settings.stopVolatilitiesMax,
    minHold: formatSpan(settings.minHoldMinutes * MINUTE_MS),
    reasonMaxChars: REASON_CHARS_MAX,
  };
}

const percent = (share: number): string => String(Number((share * 100).toFixed(3)));

function accountFor({ account }: Snapshot): Record<string, string> | null {
  if (!account) return null;
  return {
    equityUsdt: account.equityUsdt.toFixed(2),
    availableUsdt: account.availableMarginUsdt.toFixed(2),
    floorDistanceUsdt: account.floorDistanceUsdt.toFixed(2),
    exposureUsdt: account.exposureUsdt.toFixed(0),
    netExposureUsdt: account.netExposureUsdt.toFixed(0),
    unrealizedUsdt: account.unrealizedUsdt.toFixed(2),
    floorUsdt: toWire(account.floorUsdt),
    realizedTodayUsdt: account.realizedTodayUsdt.toFixed(2),
    feesTodayUsdt: account.feesTodayUsdt.toFixed(2),
  };
}

function headroomFor({ headroom }: Snapshot): Record<string, string | boolean> {
  return {
    mayOpen: headroom.mayOpen,
    reason: headroom.reason,
    perOrderUsdt: headroom.perOrderUsdt.toFixed(0),
    totalUsdt: headroom.totalUsdt.toFixed(0),
    cushionMajorUsdt: headroom.cushionMajorUsdt.toFixed(0),
    cushionOtherUsdt: headroom.cushionOtherUsdt.toFixed(0),
    roundTripPct: percent(headroom.roundTripCost),
  };
}

/** Own closed trades as figures and enumerated words, so that no text by news or a model comes back. */
export function tradeRows({ account }: Snapshot): readonly Row[] {
  return (account?.recentTrades ?? []).slice(0, TRADES_SHOWN).map((trade) => ({
    time: isoTime(trade.closedAtMs).slice(0, 16),
    symbol: trade.symbol,
    leg: trade.side,
    action: `held ${formatSpan(Math.max(0, trade.closedAtMs - trade.openedAtMs))}, ended by ${trade.exit}`,
    price: trade.exitPrice?.toSignificantDigits(6).toFixed() ?? null,
    resultUsdt: trade.netUsdt?.toFixed(2) ?? null,
    reason: `rested on ${trade.basis}`,
  }));
}
