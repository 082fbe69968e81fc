/**
 * When a kind of request could not have been served, by what the venue recorded: every request of the kind was bound to
 * fail, or those that the agent sent did fail. A fault that strikes only a share of them excuses no agent that did not ask.
 * Records without these facts (a real venue's, or older ones) give the outside view: any cutting fault cuts off all.
 */
import type { History } from "./history.ts";
import type { FactOf } from "./venue-view.ts";
import { factsOf, ownFacts } from "./venue-view.ts";

/** Kinds of request that a deadline needs, as `METHOD path`: without any one of them it cannot be kept. */
export type Needs = readonly string[];

const API = "/api/v1";
const POSITIONS = `GET ${API}/trading/position`;
/** Read together: without one of them the agent learns nothing of its account. */
const ACCOUNT: Needs = [`GET ${API}/trading/account`, POSITIONS, `GET ${API}/trading/orders`];
/** The prices by which an agent watches a stop itself; no request, but a stream. */
const MARKET = "market stream";

/** By what must be done in time. */
export const NEEDS = {
  /** Any call at all reaches the venue. */
  call: [POSITIONS],
  reconcile: ACCOUNT,
  fills: [...ACCOUNT, `GET ${API}/trading/executions`],
  protect: [...ACCOUNT, `POST ${API}/algo/order`, `PUT ${API}/algo/order`, `DELETE ${API}/algo/order`],
  reduce: [...ACCOUNT, `POST ${API}/trading/order`, `DELETE ${API}/trading/position`],
  watch: [MARKET, `DELETE ${API}/trading/position`],
} as const satisfies Readonly<Record<string, Needs>>;

/** Faults under which the venue cannot be reached or read correctly, where nothing says which requests they struck. */
const CUT_OFF: ReadonlySet<string> = new Set([
  "maintenance",
  "freeze",
  "half-open",
  "key-revoked",
  "server-error",
  "stalled-body",
  "html-body",
  "cut-json",
  "schema-drift",
  "drop-before-apply",
  "drop-after-apply",
  "rest-delay",
  "rate-limit-burst",
  "read-lag",
  "clock-skew",
]);
/** Under these no price arrives. */
const NO_MARKET: ReadonlySet<string> = new Set(["maintenance", "freeze", "half-open"]);
/** No fault of the venue: a harness writes it where it stopped the agent's process. */
export const PROCESS_STOPPED = "process-stopped";

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

type Faults = FactOf<"faults">;
type Call = Pick<FactOf<"call">, "sinceMs" | "atMs" | "served" | "retryAfterMs">;

const kept = new WeakMap<History, Map<string, readonly Span[]>>();

/** The spans in which no request of one kind could have been served; they may overlap. */
export function unserved(history: History, need: string): readonly Span[] {
  const known = kept.get(history) ?? new Map<string, readonly Span[]>();
  kept.set(history, known);
  const made = known.get(need) ?? [...barred(history, need), ...failed(history, need)];
  known.set(need, made);
  return made;
}

function bars({ on, barred: kinds }: Faults, need: string): boolean {
  if (on.includes(PROCESS_STOPPED)) return true;
  if (kinds === null) return on.some((name) => CUT_OFF.has(name));
  return need === MARKET ? on.some((name) => NO_MARKET.has(name)) : kinds.includes(need);
}

const touches = (faults: Faults | undefined, need: string): boolean =>
  faults !== undefined && (bars(faults, need) || (faults.touched?.includes(need) ?? false));

/** When a harness kept the agent's process from running. */
export const stoppedSpans = (history: History): readonly Span[] =>
  spansWhere(history, ({ on }) => on.includes(PROCESS_STOPPED));

const barred = (history: History, need: string): readonly Span[] => spansWhere(history, (faults) => bars(faults, need));

function spansWhere(history: History, holds: (faults: Faults) => boolean): readonly Span[] {
  const spans: Span[] = [];
  let sinceMs: number | null = null;
  for (const faults of factsOf(history, "faults")) {
    if (holds(faults)) sinceMs ??= faults.atMs;
    else if (sinceMs !== null) {
      spans.push({ fromMs: sinceMs, toMs: faults.atMs });
      sinceMs = null;
    }
  }
  return sinceMs === null ? spans : [...spans, { fromMs: sinceMs, toMs: Infinity }];
}

/** The calls of a kind that a fault may have struck, by arrival. */
function struckCalls(history: History, need: string): readonly Call[] {
  const ended = factsOf(history, "call").filter(({ call }) => call === need);
  return [...ended, ...hungCalls(history, need, ended)].sort((a, b) => a.sinceMs - b.sinceMs);
}

/**
 * The calls that arrived and never ended. Such a call counts as one that failed when the agent asked again, or when no
 * fault could hold it up any longer: an agent that waits on is late by itself.
 */
function hungCalls(history: History, need: string, ended: readonly Call[]): readonly Call[] {
  const arrivals = factsOf(history, "received")
    .filter(({ call }) => call === need)
    .map(({ atMs }) => atMs)
    .sort((a, b) => a - b);
  const open = new Map<number, number>();
  for (const atMs of arrivals) open.set(atMs, (open.get(atMs) ?? 0) + 1);
  for (const { sinceMs } of ended) open.set(sinceMs, (open.get(sinceMs) ?? 0) - 1);
  if (![...open.values()].some((count) => count > 0)) return [];
  const spells = spansWhere(history, (faults) => touches(faults, need));
  const endMs = ownFacts(history).at(-1)?.atMs ?? -Infinity;
  return [...open].flatMap(([sinceMs, count]): readonly Call[] => {
    if (count <= 0) return [];
    const nextMs = arrivals.find((atMs) => atMs > sinceMs) ?? Infinity;
    const spellMs = spells.find(({ toMs }) => toMs > sinceMs)?.toMs ?? sinceMs;
    return [{ sinceMs, atMs: Math.min(nextMs, spellMs, endMs), served: false, retryAfterMs: 0 }];
  });
}

/**
 * A call that failed excuses until the next one is served, if that one was sent while the fault was still on; alone it
 * excuses its own time, and that which a refusal names. The time of a write that was served late passes for nobody.
 */
function failed(history: History, need: string): readonly Span[] {
  const calls = struckCalls(history, need);
  const spells = spansWhere(history, (faults) => touches(faults, need));
  return calls.flatMap(({ sinceMs, atMs, served, retryAfterMs }, at): readonly Span[] => {
    if (served) return need.startsWith("GET ") ? [] : [{ fromMs: sinceMs, toMs: atMs }];
    const spellMs = spells.find(({ toMs }) => toMs > sinceMs)?.toMs ?? sinceMs;
    const next = calls[at + 1];
    const untilMs = next && next.sinceMs <= spellMs ? (next.served ? next.atMs : next.sinceMs) : atMs;
    return [{ fromMs: sinceMs, toMs: Math.max(atMs + retryAfterMs, untilMs) }];
  });
}

/** What happened at an instant can be in no answer before that of the first read sent after it, however late it comes. */
export function firstAnswer(history: History, need: string, atMs: number): readonly Span[] {
  const on = factsOf(history, "faults").findLast((faults) => faults.atMs <= atMs);
  if (!need.startsWith("GET ") || !touches(on, need)) return [];
  const call = struckCalls(history, need).find(({ sinceMs, served }) => served && sinceMs >= atMs);
  return call ? [{ fromMs: call.sinceMs, toMs: call.atMs }] : [];
}

/** The times of all answers to a kind of request, failed or late, and those in which one was waited for in vain. */
export const answersWithin = (history: History, need: string): readonly Span[] =>
  struckCalls(history, need).map(({ sinceMs, atMs }) => ({ fromMs: sinceMs, toMs: atMs }));
