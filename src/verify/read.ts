/** Builds a history from the files of a run. The texts are untrusted; an unreadable input is named. */
import { err, ok, type Result } from "../core/result.ts";
import { type Rec } from "./fields.ts";
import type { History, Sink, Tail } from "./history.ts";
import { decodeCharge, decodeFrame, readEntries } from "./outside.ts";
import { decodeFact } from "./venue-facts.ts";
import { decodeRow, readObject } from "./rows.ts";

/** Contents of files; an absent member was not given. */
export interface HistoryInput {
  /** Rows of the table `rows` in order of seq, columns by name. */
  readonly rows: Iterable<Rec>;
  /** Text of the tail mark; "missing" if there is none beside the journal; absent: nobody looked. */
  readonly tail?: string | { readonly missing: true };
  readonly wire?: string;
  readonly venue?: string;
  readonly charges?: string;
  readonly sinks?: readonly Sink[];
  /** One secret per line. */
  readonly secrets?: string;
  /** As `sha256sum` prints them: a hash at the start of each line. */
  readonly hashes?: string;
  readonly twin?: Iterable<Rec>;
  readonly same?: Iterable<Rec>;
  readonly skewMs?: number;
  readonly phaseTwoMs?: number;
}

/** Errors name the unreadable input. Facts of unknown kinds are omitted, unless all of them are unknown. */
export function historyOf(given: HistoryInput): Result<History, string> {
  const wire = entriesOf("wire log", given.wire);
  if (!wire.ok) return wire;
  const venue = entriesOf("venue ledger", given.venue);
  if (!venue.ok) return venue;
  const charges = entriesOf("model ledger", given.charges);
  if (!charges.ok) return charges;
  const hashes = hashesOf(given.hashes);
  if (!hashes.ok) return hashes;
  const facts = venue.value?.map(decodeFact) ?? null;
  if (venue.value && venue.value.length > 0 && facts?.every((fact) => fact === null))
    return err("the venue ledger holds no fact that is known: give the export of /control/venue-log or venue.jsonl");
  return ok({
    rows: [...given.rows].map(decodeRow),
    tail: tailOf(given.tail),
    wire: wire.value?.map(decodeFrame).sort((a, b) => a.atMs - b.atMs || a.seq - b.seq) ?? null,
    venue: facts?.filter((fact) => fact !== null) ?? null,
    charges: charges.value?.map(decodeCharge) ?? null,
    sinks: given.sinks ?? null,
    secrets: given.secrets === undefined ? null : linesOf(given.secrets),
    hashes: hashes.value,
    twin: given.twin ? [...given.twin].map(decodeRow) : null,
    same: given.same ? [...given.same].map(decodeRow) : null,
    phaseTwoMs: given.phaseTwoMs ?? null,
    skewMs: given.skewMs ?? 0,
  });
}

/** A malformed list would accuse every file of the run. */
function hashesOf(content: string | undefined): Result<readonly string[] | null, string> {
  if (content === undefined) return ok(null);
  const first = linesOf(content).map((line) => (line.split(/\s/)[0] ?? "").toLowerCase());
  const wrong = first.findIndex((word) => !/^\\?[0-9a-f]{64}$/.test(word));
  if (first.length > 0 && wrong === -1) return ok(first.map((word) => word.replace("\\", "")));
  const where = first.length === 0 ? "is empty" : `begins its line ${wrong + 1} with "${first[wrong]?.slice(0, 20)}"`;
  return err(`the list of hashes ${where}: give lines that begin with a SHA-256, as \`sha256sum\` prints them`);
}

const linesOf = (content: string): readonly string[] =>
  content
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

function entriesOf(what: string, content: string | undefined): Result<readonly Rec[] | null, string> {
  if (content === undefined) return ok(null);
  const entries = readEntries(content);
  return entries ? ok(entries) : err(`the ${what} is neither JSON lines nor an object with entries`);
}

function tailOf(tail: HistoryInput["tail"]): Tail | null {
  if (tail === undefined) return null;
  if (typeof tail !== "string") return { state: "missing" };
  const mark = readObject(tail);
  const { seq, hash } = mark ?? {};
  const read = typeof seq === "number" && Number.isInteger(seq) && typeof hash === "string";
  return read ? { state: "read", seq, hash } : { state: "unreadable" };
}
