/**
 * What keeps the agent from working in full: one ordered list of causes, derived from what agent, model, venue, streams and
 * data folder already know. Status, health, heartbeat and exit summary all use these sentences. Mere consequences of
 * another cause are left out. Pure.
 */
import { isoTime } from "../core/time.ts";
import { ACCOUNT_MS, type Cause, type CauseFacts, type CausePart, type Found, type Severity } from "./cause.ts";
import { modelCauses } from "./model-causes.ts";
import { venueCauses } from "./venue-causes.ts";
import { counted } from "../core/words.ts";

/** This many decisions in a row without one by the chosen strategy are a lasting problem, not a mishap. */
const FAILED_IN_A_ROW = 3;
const ORDER: readonly Severity[] = ["alarm", "degraded", "notice"];

/** A cause with its key, for code that remembers when it began. */
export type Dated = Cause & Pick<Found, "key">;

/**
 * The most serious first, and among equals the root cause. `known` holds when each key was first found, for facts that do
 * not know it themselves.
 */
export function causesOf(facts: CauseFacts, known: ReadonlyMap<string, number>): readonly Dated[] {
  const venue = venueCauses(facts, known);
  const healthFound = healthCauses(facts, facts.venue.trouble === null);
  const model = modelCauses(facts);
  const roots = [...venue, ...healthFound, ...model, ...strategyCauses(facts), ...configCause(facts)];
  const all = [...roots, ...consequences(facts, roots), ...notices(facts)];
  const dated = all.map((found) => ({ ...found, sinceMs: found.sinceMs ?? known.get(found.key) ?? facts.status.atMs }));
  return dated.sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}

interface HoldWords {
  readonly part: CausePart;
  readonly next: string;
  /** Reported only while the venue answers: without it nothing can be read. */
  readonly ofVenue?: boolean;
}

const HOLD_PARTS: Readonly<Record<string, HoldWords>> = {
  disk: {
    part: "disk",
    next: "free space on the disk of the data folder; if the agent has halted, then: ballast resume",
  },
  wal: { part: "disk", next: "end the process that keeps the journal open for reading" },
  journal: { part: "journal", next: "end the process that keeps the journal locked" },
  drills: {
    part: "drills",
    next: "correct the limits in the configuration: one of them allows what it must refuse",
  },
  account: { part: "account", next: "look at the account at the venue" },
  history: {
    part: "account",
    next: "nothing while it is being read; else find out who else trades on it",
    ofVenue: true,
  },
};

/** The data folder, the drills, the floor, and positions without a stop. */
function healthCauses({ status }: CauseFacts, venueIsWell: boolean): readonly Found[] {
  const { holds, equityAgreed } = status;
  const held = Object.entries(holds).flatMap(([cause, reason]): Found | readonly Found[] => {
    const { part, next, ofVenue } = HOLD_PARTS[cause] ?? { part: "agent", next: "" };
    if (ofVenue && !venueIsWell) return [];
    return { key: `hold ${cause}`, part, severity: "alarm", sentence: reason, next };
  });
  return [
    ...held,
    ...bareCause(status),
    ...floorCause(status),
    ...(equityAgreed
      ? []
      : [
          {
            key: "equity",
            part: "equity" as const,
            severity: "degraded" as const,
            sentence: "no two readings of equity agree, so nothing is opened",
            next: "",
          },
        ]),
  ];
}

/** If the agent may not write, only the owner can protect or close. */
const BY_HAND = "set a stop or close it by hand, or allow the agent to: ballast run --live, or session.live: true";

function bareCause({ unprotected: { nowMs, deadlineMs }, readOnly }: CauseFacts["status"]): readonly Found[] {
  if (nowMs === null || nowMs <= deadlineMs) return [];
  const without = `a position has had no stop for ${Math.round(nowMs / 1_000)} s`;
  const [sentence, next] = readOnly
    ? [`${without}, and this agent may only watch it`, BY_HAND]
    : [`${without}; it is being closed`, "look at the position at the venue"];
  return [{ key: "bare", part: "protection", severity: "alarm", sentence, next }];
}

function floorCause({ floorState: state, floorReason: reason, readOnly }: CauseFacts["status"]): readonly Found[] {
  const found = { key: `floor ${state}`, part: "floor" as const, sentence: `${state}: ${reason}` };
  if (state === "HALT") return [{ ...found, severity: "alarm", next: "look, then: ballast resume" }];
  if (state === "FLATTEN")
    return [{ ...found, severity: "alarm", next: readOnly ? BY_HAND : "nothing: positions are being closed" }];
  return state === "HOLD" ? [{ ...found, severity: "degraded", next: "nothing: it opens again with more equity" }] : [];
}

/** What runs goes on. The next start may take the file (it may wait for one), or refuse it and protect nothing. */
function configCause({ refusedConfig }: CauseFacts): readonly Found[] {
  if (refusedConfig === null) return [];
  const sentence = `the saved configuration file is not in force: ${refusedConfig}`;
  const next = "ballast config check; correct what it finds, or restart if the file is good";
  return [{ key: "config", part: "config", severity: "alarm", sentence, next }];
}

/** Faults of the chosen strategy. */
function strategyCauses({ status: { benched, strategy, fallback } }: CauseFacts): readonly Found[] {
  if (!benched) return [];
  const until = benched.untilMs === null ? "until the configuration changes" : `until ${isoTime(benched.untilMs)}`;
  const sentence = `${strategy} is suspended ${until} (${benched.reason}); ${fallback} decides`;
  return [
    { key: "benched", part: "strategy", severity: "degraded", sentence, next: "correct the strategy or its settings" },
  ];
}

/** Possible consequences of causes already found; they are left out then. */
function consequences({ status, model }: CauseFacts, roots: readonly Found[]): readonly Found[] {
  const { failing, observing, readOnly, entriesBlocked, stage, accountAgeMs, fallback, strategy } = status;
  const grave = roots.filter(({ severity }) => severity !== "notice");
  const has = (...parts: readonly CausePart[]): boolean => grave.some(({ part }) => parts.includes(part));
  const found: Found[] = [];
  if (accountAgeMs !== null && accountAgeMs > ACCOUNT_MS && !has("venue")) {
    const sentence = `the account has not been read for ${Math.round(accountAgeMs / 1_000)} s`;
    found.push({ key: "unread", part: "account", severity: "alarm", sentence, next: "ballast doctor" });
  }
  if (failing && failing.inARow >= FAILED_IN_A_ROW && !has("model", "budget", "strategy")) {
    const sentence = `${strategy} gave no decision ${counted(failing.inARow, "time")} in a row (${failing.reason}); ${fallback} decides`;
    const next = "ballast why-not";
    const severity = model.mayAsk.cadence ? "alarm" : "degraded";
    found.push({ key: "failing", part: "decisions", severity, sentence, next, sinceMs: failing.sinceMs });
  }
  if (observing !== null && stage !== "starting" && (readOnly || !has("venue", "account", "floor"))) {
    const sentence = `it only watches: ${observing}`;
    found.push({ key: "observing", part: "session", severity: "degraded", sentence, next: "" });
  }
  if (entriesBlocked && [...roots, ...found].every(({ severity }) => severity !== "alarm")) {
    const { sinceMs, reason } = entriesBlocked;
    const sentence = `every entry is blocked: ${reason}`;
    found.push({ key: "entries", part: "entries", severity: "alarm", sentence, next: "ballast why-not", sinceMs });
  }
  if (stage !== "ready" && !has("venue", "streams")) {
    const sentence = stage === "stopping" ? "it is stopping" : `it is starting, and waits for ${awaited(status)}`;
    found.push({ key: stage, part: "agent", severity: "degraded", sentence, next: "" });
  }
  return found;
}

function awaited({ accountAgeMs, streams }: CauseFacts["status"]): string {
  const down = Object.entries(streams).flatMap(([name, up]) => (up || name === "news" ? [] : [`the ${name} stream`]));
  const missing = [...(accountAgeMs === null ? ["the first reading of the account"] : []), ...down];
  return missing.length === 0 ? "fresh prices of half its symbols, rules and leverage" : missing.join(", ");
}

/** Worth knowing, but no reason to act. */
const notices = ({ status, venue }: CauseFacts): readonly Found[] => [
  ...status.staleRules.map(({ symbol, reason }): Found => {
    const sentence = `the rules of ${symbol} are read again: ${reason}`;
    return { key: `stale-rules ${symbol}`, part: "symbols", severity: "notice", sentence, next: "" };
  }),
  ...venue.tightened.map(({ key, spacingMs, sinceMs }): Found => {
    const sentence = `${key} goes one in ${(spacingMs / 1_000).toFixed(1)} s, because the venue refused more`;
    return { key: `pace ${key}`, part: "pace", severity: "notice", sentence, next: "", sinceMs };
  }),
];
