/** What the independent verifier says of a run, with what the harness alone knows: when the agent could not act. */
import type { History } from "../../src/verify/history.ts";
import type { Loss } from "./damage.ts";
import type { VenueFact } from "../../src/verify/venue-facts.ts";
import { journalView } from "../../src/verify/journal-view.ts";
import { PROCESS_STOPPED } from "../../src/verify/service.ts";
import { verify } from "../../src/verify/verify.ts";

export interface Violation {
  /** An invariant's id, or the name of a check of this harness. */
  readonly id: string;
  readonly what: string;
}

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Known {
  /** When the clock of the harness began, epoch ms. */
  readonly startMs: number;
  /** When the agent's process stood still. */
  readonly frozen: readonly Span[];
  /** When its disk took no rows: what was done then is written down later. */
  readonly unwritten: readonly Span[];
  /** By how much its machine's clock has ever been wrong. */
  readonly wrongByMs: number;
  /** Rows that its disk had and lost. */
  readonly losses: readonly Loss[];
}

/** Whoever sets a clock makes the times inside rows untrue: these compare them with times of the rows themselves. */
const BY_OWN_TIME: ReadonlySet<string> = new Set(["I24", "I25", "I26"]);

/** What must be done, or reported, within a time that passes while the disk takes no rows. */
const BY_ROWS_IN_TIME: ReadonlySet<string> = new Set(["I9", "I23", "I26"]);

/** What a journal that lost rows is judged by as it stands, because the next life knows no more; all else by all rows. */
const AS_LEFT: ReadonlySet<string> = new Set(["I4", "I5", "I24", "I26", "I27", "I37"]);

/**
 * Where a stop stands at the venue was wanted by a row of its time, and that row may be lost. Of a stop that protects nothing
 * the next life knows no more than its journal and the venue's list, and of funding that was paid before no more than its rows.
 */
const isAsLeft = ({ id, what }: Violation): boolean =>
  (AS_LEFT.has(id) && !what.endsWith("which no row wanted")) ||
  (id === "I9" && what.includes(" protected nothing ")) ||
  (id === "I36" && what.includes(" it states funding of "));

export function judged(history: History, known: Known): readonly Violation[] {
  const lost = known.losses.at(-1);
  if (!lost) return timed(history, known);
  const knows = acknowledgedAt(history, lost);
  return [
    ...openedUnproven(history, lost, knows ?? Infinity),
    ...timed(history, known).filter((each) => isAsLeft(each) && (each.id !== "I24" || knows !== null)),
    ...timed(withLost(history, known.losses), known).filter(
      (each) => !isAsLeft(each) && !forgotten(each, known.losses),
    ),
  ];
}

/** Nobody can settle a reservation whose row is lost; one whose end is lost is charged in full at the next start. */
const forgotten = ({ id, what }: Violation, losses: readonly Loss[]): boolean =>
  id === "I20" &&
  (what.endsWith("was never settled") ||
    (what.endsWith("was settled twice") && losses.some(({ rows }) => rows.some((row) => endsAttempt(row, what)))));

const endsAttempt = ({ kind, body }: History["rows"][number], what: string): boolean =>
  kind === "model-settle" && what.includes(String(body["attemptId"]));

/** The row by which the operator took what is left for the truth; until then the mark stays ahead of the rows. */
const acknowledgedAt = ({ rows }: History, { fromSeq }: Loss): number | null =>
  rows.find(({ seq, body }) => seq >= fromSeq && body["event"] === "journal-acknowledged")?.seq ?? null;

const openedUnproven = (history: History, { fromSeq, marked }: Loss, knowsSeq: number): readonly Violation[] =>
  marked
    ? journalView(history)
        .writes.filter(({ opening, row }) => opening && row.seq >= fromSeq && row.seq < knowsSeq)
        .map(({ row }) => ({ id: "I24", what: `row ${row.seq}: it opens though the end of the journal is lost` }))
    : [];

/** All rows that were ever durable, in the order of their writing, numbered again. */
export function withLost(history: History, losses: readonly Loss[]): History {
  const rows = losses.reduceRight<History["rows"]>((later, { fromSeq, rows: gone }) => {
    const at = later.findIndex(({ seq }) => seq >= fromSeq);
    const cut = at < 0 ? later.length : at;
    const shifted = later.slice(cut).map((row) => ({ ...row, seq: row.seq + gone.length }));
    return [...later.slice(0, cut), ...gone, ...shifted];
  }, history.rows);
  return { ...history, rows };
}

function timed(history: History, known: Known): readonly Violation[] {
  const seen = known.frozen.length > 0 ? { ...history, venue: withFrozen(history.venue ?? [], known.frozen) } : history;
  if (known.wrongByMs === 0 && known.unwritten.length === 0) return findings(seen, () => true);
  if (known.wrongByMs === 0) {
    const waited = { ...seen, venue: withFrozen(seen.venue ?? [], known.unwritten) };
    return [...findings(seen, (id) => !BY_ROWS_IN_TIME.has(id)), ...findings(waited, (id) => BY_ROWS_IN_TIME.has(id))];
  }
  const reported = { ...seen, rows: trueTimes(seen, known.startMs), skewMs: known.wrongByMs };
  return [
    ...findings(reported, (id) => !BY_OWN_TIME.has(id)),
    ...findings({ ...seen, skewMs: known.wrongByMs }, (id) => id === "I24"),
  ];
}

function findings(history: History, wanted: (id: string) => boolean): readonly Violation[] {
  return verify(history).invariants.flatMap(({ id, verdict }) => {
    if (!wanted(id) || verdict.kind !== "violated") return [];
    return verdict.findings.map(({ seq, what }) => ({ id, what: `${seq === null ? "" : `row ${seq}: `}${what}` }));
  });
}

/** Rows at their true times: one clock runs through the whole seed, whatever the agent's wall clock shows. */
const trueTimes = ({ rows }: History, startMs: number): History["rows"] =>
  rows.map((row) => ({ ...row, atMs: startMs + row.monoMs }));

/** A process that stands still cannot act, as when the venue cannot be reached. */
function withFrozen(facts: readonly VenueFact[], spans: readonly Span[]): readonly VenueFact[] {
  const frozenAt = (atMs: number): boolean => spans.some(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs);
  const reported = facts.map((fact): VenueFact =>
    fact.fact === "faults" && frozenAt(fact.atMs) ? frozen(fact) : fact,
  );
  const onAt = (atMs: number): Faults =>
    facts.reduce<Faults>((on, fact) => (fact.fact === "faults" && fact.atMs <= atMs ? fact : on), NONE);
  const turns = spans.flatMap(({ fromMs, toMs }) => [
    frozen({ ...onAt(fromMs), atMs: fromMs }),
    frozenAt(toMs) ? frozen({ ...onAt(toMs), atMs: toMs }) : { ...onAt(toMs), atMs: toMs },
  ]);
  return [...reported, ...turns].sort((a, b) => a.atMs - b.atMs);
}

type Faults = Extract<VenueFact, { fact: "faults" }>;

const frozen = (fact: Faults): Faults => ({ ...fact, on: [...fact.on, PROCESS_STOPPED] });

const NONE: Faults = { fact: "faults", atMs: 0, at: 0, accountId: null, on: [], barred: [], touched: [] };
