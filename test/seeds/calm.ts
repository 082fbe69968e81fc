/** What must be so once the venue answers again, read straight from the venue and from the agent's own account of itself. */
import { openIntents } from "../../src/restore/restore-intents.ts";
import { openSqliteReader } from "../../src/journal/sqlite.ts";
import type { AgentRun, Harness } from "../../src/harness/harness.ts";
import { journalPath } from "../../src/ops/run-file.ts";
import {
  type AtVenue,
  countPosition,
  type PositionQuantities,
  standingAlgos,
  unlikePositions,
  venuePositions,
} from "../support/venue-books.ts";
import type { Plan } from "./plan.ts";

const atVenue = ({ venue, clock }: Harness): AtVenue => ({
  exchange: venue.exchange,
  nowMs: Math.floor(clock.nowMs()),
});

function journalPositions({ dataDir }: Harness): PositionQuantities {
  const db = openSqliteReader(journalPath(dataDir));
  const positions = new Map<string, string>();
  for (const row of db.all("SELECT body FROM rows WHERE kind = 'position' ORDER BY seq"))
    countPosition(positions, JSON.parse(String(row["body"])) as Readonly<Record<string, unknown>>);
  db.close();
  return positions;
}

/** Positions on which journal and venue differ, in words. */
export const unlike = (harness: Harness): readonly string[] =>
  unlikePositions(journalPositions(harness), venuePositions(atVenue(harness)));

/** Its rate is scarce: at a start other questions may have taken the turn. */
function fillsRead({ journal }: AgentRun): boolean {
  const rows = journal.rows({ kinds: ["boot", "reconcile"], newest: true, limit: 100 });
  const born = Math.max(...rows.filter(({ kind, body }) => kind === "boot" && isBirth(body)).map(({ seq }) => seq));
  return rows.some(({ seq, body }) => seq > born && (body as { event?: unknown }).event === "fills");
}

/** As long as several openings may have to wait for their turns. */
const TURN_WITHIN_MS = 30_000;

/** As long as a slow venue takes to place an order and to carry it out. */
const CARRIED_OUT_WITHIN_MS = 8_000;
/** A reply is waited for 10 s, and an absence proved by four misses that span 30 s and more. Invariant I4. */
const PROVED_WITHIN_MS = 52_000;

/** Openings go one after the other: a new intent is not late while it waits for its slot or for the venue. */
function lateIntents({ journal }: AgentRun, nowMonoMs: number): readonly string[] {
  const promisedMs = new Map<number, number>();
  const leftMs = new Map<unknown, number>();
  const unknown = new Set<unknown>();
  for (const { kind, body, seq, monoMs } of journal.rows({ kinds: ["intent", "wire-out", "wire-in"] })) {
    const { clientOrderId, outcome } = body as { readonly clientOrderId?: unknown; readonly outcome?: unknown };
    if (kind === "intent") promisedMs.set(seq, monoMs);
    else if (kind === "wire-out") leftMs.set(clientOrderId, monoMs);
    else if (outcome === "unknown") unknown.add(clientOrderId);
  }
  const since = (ms: number | undefined): number => nowMonoMs - (ms ?? -Infinity);
  return openIntents(journal).flatMap(({ clientOrderId, seq }) => {
    const withinMs = unknown.has(clientOrderId) ? PROVED_WITHIN_MS : CARRIED_OUT_WITHIN_MS;
    const waits = leftMs.has(clientOrderId)
      ? since(leftMs.get(clientOrderId)) < withinMs
      : since(promisedMs.get(seq)) < TURN_WITHIN_MS;
    return waits ? [] : [clientOrderId];
  });
}

const isBirth = (body: unknown): boolean => (body as { ready?: unknown }).ready === undefined;

/**
 * At the end of calm: equal books, a stop on every position, no stop without one, and no intent with an unknown
 * outcome. What takes no reading of the journal comes first: who only asks whether all is well stops at the first one.
 */
export function* calmProblems(harness: Harness, agentRun: AgentRun | null, plan: Plan): Generator<string> {
  if (agentRun) yield* unready(harness, agentRun, plan);
  else yield "the agent does not run";
  yield* unguarded(harness);
  if (agentRun) {
    if (!fillsRead(agentRun)) yield "the list of executions was not read since the start";
    for (const id of lateIntents(agentRun, harness.clock.monotonicMs())) yield `intent ${id} has no end`;
  }
  yield* unlike(harness);
}

function* unready({ clock }: Harness, { running }: AgentRun, plan: Plan): Generator<string> {
  const { stage } = running.agent.status(clock.nowMs());
  // Prices that were wrong at its start are trusted only after a while: the agent waits, correctly (M9).
  const misled = plan.events.some((each) => each.what === "fault" && each.name === "bad-price");
  if (stage !== "ready" && !misled) yield `the agent is ${stage}`;
}

function* unguarded(harness: Harness): Generator<string> {
  const positions = venuePositions(atVenue(harness));
  const guarded = new Set<string>();
  for (const { algoOrderId, leg: positionKey, ours } of standingAlgos(atVenue(harness))) {
    guarded.add(positionKey);
    // What others left standing is theirs to take away.
    if (ours && !positions.has(positionKey)) yield `algo order ${algoOrderId} on ${positionKey} protects nothing`;
  }
  for (const [positionKey] of positions) if (!guarded.has(positionKey)) yield `${positionKey} has no stop at the venue`;
}
