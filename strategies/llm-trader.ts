/**
 * Asks the model where the account should stand, and makes wishes of its stances. The model has opinions; code has the
 * sizes, the stops, the order of things. Stated confidence has no power unless a setting gives it some; a reversal is a
 * close first; evidence that does not exist shrinks or drops an opening. No text of a model or of the news is followed.
 */
import { MARKET_COLUMNS, promptTables } from "../src/context/prompt-tables.ts";
import { type HeldPosition, type Snapshot, symbolView, type SymbolView } from "../src/context/snapshot.ts";
import { toWire } from "../src/core/decimal.ts";
import { hashOf } from "../src/core/hash.ts";
import { formatSpan, isoTime, MINUTE_MS, SECOND_MS } from "../src/core/time.ts";
import { FLOOR_USDT } from "../src/domain/competition.ts";
import { boundedStop, isTradable, type StopBounds, volatilitySize } from "../src/strategy/distances.ts";
import { defineStrategy, type ModelQuestion, type StrategyAnswer, type Wish } from "../src/strategy/strategy.ts";
import { AnyReply, replySchemaFor, Settings, type Stance, STANCES_MAX } from "./settings/llm-trader.ts";

const REASON_CHARS_MAX = 300;

export default defineStrategy<Settings>({
  name: "llm-trader",
  description:
    "Shows a language model the market, the news and the account, and turns its stances into bounded wishes.",
  settings: Settings,
  needsModel: true,
  decide: (snapshot, settings): StrategyAnswer => {
    if (!snapshot.account) return { kind: "abstain", note: "the account is not known" };
    const nothingHeld = snapshot.account.positions.length === 0;
    if (!snapshot.headroom.mayOpen && nothingHeld) {
      return { kind: "wishes", wishes: [], note: `nothing to ask: nothing is held and ${snapshot.headroom.reason}` };
    }
    const question = questionFor(snapshot, settings);
    return question ? { kind: "ask", questions: [question] } : { kind: "abstain", note: "no symbol has a fresh quote and mark" };
  },
  interpret: ({ replies }, snapshot, settings): StrategyAnswer => {
    const [reply] = replies;
    const read = AnyReply.safeParse(reply?.kind === "answered" ? reply.value : null);
    if (!read.success)
      throw new TypeError(`the reply is not of the agreed form: ${read.error.issues[0]?.message ?? ""}`);
    const { wishes, dropped } = wishesFrom(read.data.stances, snapshot, settings);
    const tail = dropped.length > 0 ? ` (dropped: ${dropped.join("; ")})` : "";
    return { kind: "wishes", wishes, note: `${read.data.summary.slice(0, 600)}${tail}`.slice(0, 1_200) };
  },
});

const offered = (settings: Settings) => (view: SymbolView) => isTradable(view, settings.maxQuoteAgeSeconds * SECOND_MS);

function questionFor(snapshot: Snapshot, settings: Settings): ModelQuestion | null {
  const tables = promptTables(snapshot, {
    charsMax: settings.promptCharsMax,
    newsTextMax: settings.newsTextChars,
    offers: offered(settings),
  });
  const [first, ...rest] = tables.market.map((row) => String(row["symbol"]));
  if (first === undefined) return null;
  return {
    prompt: "llm-trader",
    variables: {
      rules: rulesFor(snapshot, settings),
      time: isoTime(snapshot.atMs),
      account: accountFor(snapshot),
      headroom: headroomFor(snapshot),
      // A snapshot holds no record of closed trades; the journal has it.
      trades: [],
      ...tables,
    },
    replySchema: replySchemaFor([first, ...rest]),
    replySchemaName: "stances",
    maxOutputTokens: settings.maxOutputTokens,
    fingerprint: fingerprintOf(snapshot, settings),
  };
}

function rulesFor(snapshot: Snapshot, settings: Settings): Record<string, string | number> {
  return {
    floorUsdt: FLOOR_USDT,
    leverageMax: String(snapshot.headroom.leverageMax),
    stancesMax: STANCES_MAX,
    stopMinPct: percent(settings.minStop),
    stopMaxPct: percent(settings.maxStop),
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

/**
 * Equal while nothing has happened that should change an opinion: prices in steps of one hourly volatility (itself in
 * powers of two), positions, news by name, headroom in doublings.
 */
export function fingerprintOf(snapshot: Snapshot, settings: Settings): string {
  const { headroom, account } = snapshot;
  const doublings = (value: number): number => (value > 0 ? Math.round(Math.log2(value)) : -1);
  const priced = snapshot.symbols.map((view) => {
    const volatility = view.volatilityHour;
    const price = view.mark ?? view.last;
    if (volatility === null || price === null || !offered(settings)(view)) return [view.symbol, null];
    const step = 2 ** Math.round(Math.log2(volatility));
    return [view.symbol, Math.round(Math.log(price) / step), step];
  });
  return hashOf({
    settings,
    priced,
    positions: account?.positions.map(({ position }) => [position.symbol, position.side, toWire(position.qty)]) ?? null,
    news: snapshot.news.map((item) => item.key).sort(),
    headroom: [
      headroom.mayOpen,
      headroom.leverageMax,
      doublings(headroom.totalUsdt.toNumber()),
      doublings(headroom.perOrderUsdt.toNumber()),
    ],
  });
}

interface Read {
  readonly wishes: readonly Wish[];
  /** Why stances became no wish. */
  readonly dropped: readonly string[];
}

/** Stances to wishes, in the order given; the first word on a symbol counts. */
export function wishesFrom(stances: readonly Stance[], snapshot: Snapshot, settings: Settings): Read {
  const wishes: Wish[] = [];
  const dropped: string[] = [];
  const said = new Set<string>();
  const positions = snapshot.account?.positions ?? [];
  let room = settings.maxPositions - positions.length;
  for (const stance of stances) {
    if (said.has(stance.symbol)) {
      dropped.push(`${stance.symbol.slice(0, 60)}: named twice`);
      continue;
    }
    said.add(stance.symbol);
    const held = positions.filter(({ position }) => position.symbol === stance.symbol);
    const made = stance.stance === "FLAT" ? flat(stance, held) : standing(stance, { held, room, snapshot, settings });
    if (typeof made === "string") dropped.push(`${stance.symbol.slice(0, 60)}: ${made}`);
    else wishes.push(...made);
    if (typeof made !== "string" && held.length === 0 && made.length > 0) room--;
  }
  return { wishes, dropped };
}

function flat(stance: Stance, held: readonly HeldPosition[]): readonly Wish[] {
  return held.map(({ position }) => closing(stance, position.side, stance.reason));
}

const closing = (stance: Stance, leg: "LONG" | "SHORT", reason: string): Wish => ({
  symbol: stance.symbol,
  leg,
  size: 0,
  stopDistance: 0.02,
  targetDistance: null,
  urgency: "take",
  reason: reason.slice(0, REASON_CHARS_MAX),
  evidence: stance.evidence,
});

interface Standing {
  readonly held: readonly HeldPosition[];
  /** New positions that still fit. */
  readonly room: number;
  readonly snapshot: Snapshot;
  readonly settings: Settings;
}

/** Wishes of a LONG or SHORT stance, or why there are none. */
function standing(stance: Stance, { held, room, snapshot, settings }: Standing): readonly Wish[] | string {
  const leg = stance.stance === "SHORT" ? "SHORT" : "LONG";
  const against = held.find(({ position }) => position.side !== leg);
  if (against) return turning(stance, against, snapshot.atMs, settings);
  const view = symbolView(snapshot, stance.symbol);
  if (!view || !offered(settings)(view)) return "not among the symbols that can be traded now";
  const share = evidenceShare(stance, snapshot, settings);
  if (held.length === 0) {
    if (!snapshot.headroom.mayOpen) return `may not open: ${snapshot.headroom.reason}`;
    if (room <= 0) return `more than ${settings.maxPositions} positions`;
    if (stance.confidence < settings.confidenceMin) return "stated confidence below the setting";
    if (share === 0) return "none of its evidence exists";
  } else if (share === 0) return "none of its evidence exists; the leg stays as it is";
  // Doubt shrinks what is to be opened; what is held is not trimmed for a misspelt name.
  const wish = wishFor(stance, view, leg, { share: held.length === 0 ? share : 1, snapshot, settings });
  return wish === null ? "its volatility is not known, or its size is zero" : [wish];
}

/** The other leg is held: it is closed now, and what follows is for a later question. */
function turning(stance: Stance, held: HeldPosition, atMs: number, settings: Settings): readonly Wish[] | string {
  const heldMinutes = (atMs - held.openedAtMs) / MINUTE_MS;
  if (heldMinutes < settings.minHoldMinutes)
    return `held for ${heldMinutes.toFixed(0)} minutes, too short to turn round`;
  return [closing(stance, held.position.side, `close before turning: ${stance.reason}`)];
}

/** 1 when everything cited exists, less when part of it does, 0 when nothing does. */
function evidenceShare(stance: Stance, snapshot: Snapshot, settings: Settings): number {
  const known = new Set([
    ...MARKET_COLUMNS.map((name) => name.toLowerCase()),
    ...snapshot.news.map((item) => item.key.toLowerCase()),
  ]);
  const existing = stance.evidence.filter((name) => known.has(name.toLowerCase()));
  if (existing.length === 0) return 0;
  return existing.length === stance.evidence.length ? 1 : settings.doubtfulEvidenceSize;
}

/** Size and stop by code: the model may ask for less than volatility allows and for a wider stop, never the reverse. */
function wishFor(
  stance: Stance,
  view: SymbolView,
  leg: "LONG" | "SHORT",
  { share, snapshot, settings }: { share: number; snapshot: Snapshot; settings: Settings },
): Wish | null {
  const volatility = view.volatilityHour;
  if (volatility === null) return null;
  const { roundTripCost } = snapshot.headroom;
  const most = volatilitySize(volatility, settings.fullSizeVolatility, settings.maxSize);
  const size = Math.floor(Math.min(stance.size, most) * share * 20 + 1e-9) / 20;
  if (!(size > 0)) return null;
  const bounds: StopBounds = { min: settings.minStop, max: settings.maxStop, roundTripCost };
  const stopDistance = boundedStop(Math.max(stance.stopPct / 100, settings.stopVolatilitiesMin * volatility), bounds);
  const target = stance.targetPct === null ? 0 : stance.targetPct / 100;
  return {
    symbol: stance.symbol,
    leg,
    size,
    stopDistance,
    targetDistance: target > 2 * roundTripCost ? Math.min(1, target) : null,
    urgency: stance.urgency,
    reason: stance.reason.slice(0, REASON_CHARS_MAX),
    evidence: stance.evidence,
  };
}
