/** What the venue holds and what the journal believes, read from the outside at one instant of a run. */
import { statSync } from "node:fs";
import { Decimal } from "../../src/core/decimal.ts";
import { openIntents } from "../../src/journal/intents.ts";
import { readJournal } from "../../src/journal/reader.ts";
import { listOf } from "../../src/protocol/page.ts";
import type { WireRecord } from "../../src/sim/exchange/api.ts";
import type { Venue } from "./venue.ts";

const ALGO_LIVE = new Set(["PENDING_NEW", "NEW", "PROCESSING"]);

export interface VenueBooks {
  /** Quantity by `symbol|side`. */
  readonly legs: ReadonlyMap<string, string>;
  /** Client ids of orders that rest. */
  readonly orders: readonly string[];
  /** Legs that a stop or target stands on. */
  readonly guarded: ReadonlySet<string>;
}

export interface JournalBooks {
  /** The life that wrote last. */
  readonly boot: string | undefined;
  readonly legs: ReadonlyMap<string, string>;
  /** Client ids of promises without an end. */
  readonly open: readonly string[];
  /** Every client id that was ever promised. */
  readonly known: ReadonlySet<string>;
  /** Steps of the story that this life has decided, and whether it has said that it may trade. */
  readonly steps: number;
  readonly ready: boolean;
}

const text = (record: WireRecord, name: string): string => String(record[name] ?? "");

function sideOf(record: WireRecord, otherwise: () => string): string {
  const told = text(record, "positionSide");
  return told === "LONG" || told === "SHORT" ? told : otherwise();
}

export function venueBooks({ service: { exchange }, clock }: Venue): VenueBooks {
  const [id = ""] = exchange.accountIds();
  const nowMs = Math.floor(clock.nowMs());
  const legs = new Map<string, string>();
  const positions = exchange.positions(id, {}, nowMs);
  for (const record of positions.ok ? positions.value : []) {
    const qty = new Decimal(text(record, "positionQty") || "0");
    const side = sideOf(record, () => (qty.isNegative() ? "SHORT" : "LONG"));
    if (!qty.isZero()) legs.set(`${text(record, "sym")}|${side}`, qty.abs().toFixed());
  }
  const algos = exchange.openAlgos(id, {}, nowMs);
  const standing = (algos.ok ? algos.value : []).filter((algo) => ALGO_LIVE.has(text(algo, "orderState") || "NEW"));
  const orders = exchange.openOrders(id, {}, nowMs);
  return {
    legs,
    orders: (orders.ok ? listOf(orders.value) : []).map((order) => text(order, "clientOrderId")),
    guarded: new Set(
      standing.map((algo) => {
        const side = sideOf(algo, () => (text(algo, "side") === "BUY" ? "SHORT" : "LONG"));
        return `${text(algo, "sym")}|${side}`;
      }),
    ),
  };
}

/** Also one of the fallback's, which stands in where no model is asked. */
const isStep = ({ by, note }: Readonly<Record<string, unknown>>): boolean =>
  by === "hold" || (by !== undefined && String(note).startsWith("step"));

/** When the journal was last written to; a commit goes to the log beside it. */
function stampOf(file: string): string {
  return [file, `${file}-wal`]
    .map((each) => {
      const stat = statSync(each, { throwIfNoEntry: false });
      return stat ? `${stat.size}:${stat.mtimeMs}` : "";
    })
    .join("|");
}

/** The same, read again only where something was written since: the one who looks is the one who serves the venue. */
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

/** Null while there is no journal that can be read. */
export function journalBooks(file: string): JournalBooks | null {
  try {
    const reader = readJournal(file);
    try {
      const rows = reader.rows({ kinds: ["position", "intent", "decision", "boot"] });
      const boot = rows.at(-1)?.boot;
      const legs = new Map<string, string>();
      const known = new Set<string>();
      let [steps, ready] = [0, false];
      for (const row of rows) {
        const body = row.body as Readonly<Record<string, unknown>>;
        if (row.kind === "intent" && typeof body["clientOrderId"] === "string") known.add(body["clientOrderId"]);
        if (row.kind === "decision" && row.boot === boot && isStep(body)) steps += 1;
        if (row.kind === "boot" && row.boot === boot && body["ready"] === true) ready = true;
        if (row.kind !== "position" || typeof body["leg"] !== "string") continue;
        const qty = new Decimal(String(body["qty"] ?? "0"));
        if (qty.isZero()) legs.delete(body["leg"]);
        else legs.set(body["leg"], qty.toFixed());
      }
      return { boot, legs, known, steps, ready, open: openIntents(reader).map((intent) => intent.clientOrderId) };
    } finally {
      reader.close();
    }
  } catch {
    return null;
  }
}

/** What belongs to nobody, also after the daemon has stopped; positions may meet their stops without it. */
export const orphans = (theirs: VenueBooks, ours: JournalBooks): readonly string[] => [
  ...[...theirs.guarded].filter((leg) => !theirs.legs.has(leg)).map((leg) => `orphan: an algo order on flat ${leg}`),
  ...theirs.orders.filter((id) => !ours.known.has(id)).map((id) => `orphan: order ${id} rests and no promise knows it`),
];

/** What must not be so once a run is calm, in words. */
export function unrest(theirs: VenueBooks, ours: JournalBooks): readonly string[] {
  const legs = [...new Set([...ours.legs.keys(), ...theirs.legs.keys()])];
  return [
    ...legs.flatMap((leg) => {
      const [mine = "0", real = "0"] = [ours.legs.get(leg), theirs.legs.get(leg)];
      return mine === real ? [] : [`${leg} is ${mine} in the journal and ${real} at the venue`];
    }),
    ...[...theirs.legs.keys()].filter((leg) => !theirs.guarded.has(leg)).map((leg) => `${leg} has no stop`),
    ...orphans(theirs, ours),
    ...ours.open.map((id) => `promise ${id} has no end`),
  ];
}
