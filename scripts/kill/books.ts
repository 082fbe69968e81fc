/** What the venue holds and what the journal records, read from outside at one instant of a run. */
import { statSync } from "node:fs";
import { openIntents } from "../../src/restore/restore-intents.ts";
import { readJournal } from "../../src/journal/reader.ts";
import {
  type AtVenue,
  countPosition,
  type PositionQuantities,
  restingOrders,
  standingAlgos,
  unlikePositions,
  venuePositions,
} from "../../test/support/venue-books.ts";

export interface VenueBooks {
  readonly positions: PositionQuantities;
  /** Client ids of resting orders. */
  readonly orders: readonly string[];
  /** Positions with a stop or target. */
  readonly guarded: ReadonlySet<string>;
}

export interface JournalBooks {
  /** The run that wrote last. */
  readonly runId: string | undefined;
  readonly positions: PositionQuantities;
  /** Client ids of open intents. */
  readonly open: readonly string[];
  /** Client ids of all intents. */
  readonly known: ReadonlySet<string>;
  /** Steps of the story decided by this run, and whether it has reported that it may trade. */
  readonly steps: number;
  readonly ready: boolean;
}

export const venueBooks = (at: AtVenue): VenueBooks => ({
  positions: venuePositions(at),
  orders: restingOrders(at),
  guarded: new Set(standingAlgos(at).map(({ leg: positionKey }) => positionKey)),
});

/** Includes a decision of the fallback, which stands in where no model is asked. */
const isStep = ({ by, note }: Readonly<Record<string, unknown>>): boolean =>
  by === "hold" || (by !== undefined && String(note).startsWith("step"));

/** When the journal was last written; a commit goes to the log beside it. */
function stampOf(file: string): string {
  return [file, `${file}-wal`]
    .map((each) => {
      const stat = statSync(each, { throwIfNoEntry: false });
      return stat ? `${stat.size}:${stat.mtimeMs}` : "";
    })
    .join("|");
}

/** The same, read again only after a write: this process also serves the venue. */
export function followed(file: string): () => JournalBooks | null {
  let stamp = "";
  let books: JournalBooks | null = null;
  return () => {
    const now = stampOf(file);
    if (now !== stamp) books = journalBooks(file);
    stamp = now;
    return books;
  };
}

/** Null while there is no readable journal. */
export function journalBooks(file: string): JournalBooks | null {
  try {
    const reader = readJournal(file);
    try {
      const rows = reader.rows({ kinds: ["position", "intent", "decision", "boot"] });
      const runId = rows.at(-1)?.runId;
      const positions = new Map<string, string>();
      const known = new Set<string>();
      let [steps, ready] = [0, false];
      for (const row of rows) {
        const body = row.body as Readonly<Record<string, unknown>>;
        if (row.kind === "intent" && typeof body["clientOrderId"] === "string") known.add(body["clientOrderId"]);
        if (row.kind === "decision" && row.runId === runId && isStep(body)) steps += 1;
        if (row.kind === "boot" && row.runId === runId && body["ready"] === true) ready = true;
        if (row.kind === "position") countPosition(positions, body);
      }
      return {
        runId,
        positions: positions,
        known,
        steps,
        ready,
        open: openIntents(reader).map((intent) => intent.clientOrderId),
      };
    } finally {
      reader.close();
    }
  } catch {
    return null;
  }
}

/** Orders and stops without an owner, also after the daemon has stopped; positions may meet their stops without it. */
export const orphans = (theirs: VenueBooks, ours: JournalBooks): readonly string[] => [
  ...[...theirs.guarded]
    .filter((positionKey) => !theirs.positions.has(positionKey))
    .map((positionKey) => `orphan: an algo order on flat ${positionKey}`),
  ...theirs.orders.filter((id) => !ours.known.has(id)).map((id) => `orphan: order ${id} rests without an intent`),
];

/** Problems that must not exist once a run is calm, in words. */
export const unrest = (theirs: VenueBooks, ours: JournalBooks): readonly string[] => [
  ...unlikePositions(ours.positions, theirs.positions),
  ...[...theirs.positions.keys()]
    .filter((positionKey) => !theirs.guarded.has(positionKey))
    .map((positionKey) => `${positionKey} has no stop`),
  ...orphans(theirs, ours),
  ...ours.open.map((id) => `promise ${id} has no end`),
];
