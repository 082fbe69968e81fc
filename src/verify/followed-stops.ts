/** The wanted stop of each position, followed from row to row: it moves only towards safety, and nothing less safe counts. */
import { eq, type Num, show } from "./decimal.ts";
import { decimal, flag, text } from "./fields.ts";
import { type Finding, finding, type History } from "./history.ts";
import { journalView } from "./journal-view.ts";
import type { VenueAlgo } from "./venue-facts.ts";
import type { Row } from "./rows.ts";
import { allowedBy, type PositionSide, positionIn, sideClosedBy, losing, safer, stopsAsked } from "./stop-prices.ts";
import { factsOf } from "./venue-view.ts";

/** The form of the ids that agents of ours give their stops. */
const OUR_STOP = /^p-[0-9a-z]+-[0-9a-z]+$/;

/** What the rows say so far of one position. */
interface Followed {
  wanted: Num | null;
  avgPrice: Num | null;
  /** The row that last said what is wanted. */
  wantedSeq: number;
  /** Every price that anything has given as a stop of this position, with the row that gave it last. */
  readonly named: Map<string, number>;
}

interface Step {
  readonly row: Row;
  readonly key: string;
  readonly side: PositionSide;
  readonly stop: Num | null;
  readonly of: Followed;
  readonly history: History;
  /** What the venue says of the stops of this account's agent; null without a venue ledger. */
  readonly ours: readonly VenueAlgo[] | null;
  /** The same of all stops of the account. */
  readonly atVenue: readonly VenueAlgo[];
}

/** In the order of the rows. */
export function followedStops(history: History): readonly Finding[] {
  const all = new Map<string, Followed>();
  const atVenue = history.venue === null ? [] : factsOf(history, "algo").map(({ algo }) => algo);
  const ours = history.venue === null ? null : ownStops(history, atVenue);
  return journalView(history)
    .kinds("intent", "position", "protection")
    .flatMap((row): readonly Finding[] => {
      const key = text(row.body, "leg") ?? "";
      const full = row.kind === "intent" ? `${text(row.body, "symbol") ?? ""}|${key}` : key;
      const place = positionIn(full);
      if (!place) return [];
      const of = all.get(full) ?? { wanted: null, avgPrice: null, wantedSeq: 0, named: new Map<string, number>() };
      all.set(full, of);
      const stop = decimal(row.body, "stopPrice");
      const step = { row, key: full, side: place.side, stop, of, history, ours, atVenue };
      if (row.kind === "intent") return promised(step);
      return row.kind === "position" ? ofPosition(step) : ofProtection(step);
    });
}

function ownStops(history: History, atVenue: readonly VenueAlgo[]): readonly VenueAlgo[] {
  const asked = stopsAsked(history);
  // A journal that lost its newest rows does not know what it asked for: the form of the id shows whose stop it is.
  const isOurs = (id: string): boolean => asked.has(id) || OUR_STOP.test(id);
  return atVenue.filter(({ clientOrderId }) => isOurs(clientOrderId));
}

const name = ({ of, row, stop }: Step): void => void (stop && of.named.set(show(stop), row.seq));

function promised(step: Step): readonly Finding[] {
  if (step.row.body["event"] === "open" && flag(step.row.body, "opening")) name(step);
  return [];
}

function ofPosition(step: Step): readonly Finding[] {
  const { row, key, side, stop, of } = step;
  const kind = text(row.body, "kind");
  if (kind === "closed") {
    of.wanted = null;
    of.avgPrice = null;
    return [];
  }
  of.avgPrice = decimal(row.body, "avgPrice");
  if (!stop) return [];
  const { wanted } = of;
  const named = of.named.get(show(stop)) ?? null;
  // An order that was promised since then may have begun another position, and no row distinguishes it from the one before.
  const isNewer = kind === "opened" && named !== null && named > of.wantedSeq;
  want(step, stop);
  if (wanted !== null && safer(side, wanted, stop) && !isNewer)
    return [finding(row.seq, `the stop of ${key} went from ${show(wanted)} to ${show(stop)}, away from safety`)];
  return named === null && !placed(step) ? [finding(row.seq, `nothing gave ${key} a stop at ${show(stop)}`)] : [];
}

/**
 * A stop stood there at some time: the row that gave the price may be lost with the journal's newest ones, and a stop of somebody
 * else may have been found before a row of the position could be written.
 */
const placed = ({ atVenue, key, stop }: Step): boolean =>
  atVenue.some(
    (algo) =>
      `${algo.symbol}|${sideClosedBy(algo)}` === key &&
      stop !== null &&
      algo.stopPrice !== null &&
      eq(algo.stopPrice, stop),
  );

function want({ of, row }: Step, stop: Num): void {
  of.wanted = stop;
  of.wantedSeq = row.seq;
}

function ofProtection(step: Step): readonly Finding[] {
  const { row } = step;
  if (flag(row.body, "moving")) return moved(step);
  if (flag(row.body, "standing")) return standing(step);
  return text(row.body, "clientOrderId") === null ? [] : asked(step);
}

function moved(step: Step): readonly Finding[] {
  const { row, key, side, stop, of } = step;
  const from = of.wanted ?? decimal(row.body, "from");
  name(step);
  if (!stop) return [];
  want(step, stop);
  return !from || safer(side, stop, from)
    ? []
    : [finding(row.seq, `the stop of ${key} is moved from ${show(from)} to ${show(stop)}, away from safety`)];
}

function asked(step: Step): readonly Finding[] {
  const { row, key, stop, of } = step;
  // An order that was promised meanwhile may have given it, before any row of the position says so.
  const given = stop !== null && of.wanted === null && of.named.has(show(stop));
  name(step);
  if (!stop || given) return [];
  const edge = leastSafe(step);
  if (!edge || !safer(step.side, edge, stop)) return [];
  return [finding(row.seq, `a stop at ${show(stop)} is asked for, ${key} wants one at ${show(edge)}`)];
}

/** A stop of somebody else counts only where it is as safe as the wanted one. One of our own may wait for its move. */
function standing(step: Step): readonly Finding[] {
  const { row, key, side, stop, of, ours } = step;
  if (!stop) return [];
  const edge = leastSafe(step);
  const algoOrderId = text(row.body, "algoOrderId");
  const own = ours?.some((algo) => algo.algoOrderId === algoOrderId) ?? true;
  name(step);
  if (of.wanted === null || safer(side, stop, of.wanted)) want(step, stop);
  return own || !edge || !safer(side, edge, stop)
    ? []
    : [finding(row.seq, `somebody else's stop at ${show(stop)} counts, ${key} wants one at ${show(edge)}`)];
}

/** The wanted stop; where nothing is wanted, the default distance from the entry, or the widest that may be set. */
function leastSafe({ side, of, history, row }: Step): Num | null {
  if (of.wanted) return of.wanted;
  if (!of.avgPrice) return null;
  const { standard } = allowedBy(journalView(history).configAt(row.seq));
  return losing(side, of.avgPrice, standard);
}
