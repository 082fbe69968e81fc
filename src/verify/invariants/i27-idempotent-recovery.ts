import { eq, gt, num } from "../decimal.ts";
import { rec, spanMs, text } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { type Run, journalView, outcomeOf, type Write } from "../journal-view.ts";
import { knownIds } from "../known-ids.ts";
import { canonical, type Row } from "../rows.ts";
import { factsOf, ownFacts, STATED_LAG_MS } from "../venue-view.ts";

/** I27: a recovery after a complete and quiet one adds nothing; the venue ledger shows whether it was quiet. */
export const i27: Invariant = {
  id: "I27",
  title: "Idempotent recovery",
  rule: "A recovery adds no fact a second time: an intent ends once across runs, a fill stands once, and a recovery that follows one which was ready and lived on, had carried out all that it had asked for and wrote nothing since repeats none of its writes and emits none of its own.",
  needs: [],
  more: ["venue ledger"],
  unseen: "",
  judge: (history) => [...repeatedFacts(history), ...repeatedWrites(history)],
};

function repeatedFacts(history: History): readonly Finding[] {
  const { intents, kinds } = journalView(history);
  const ends = [...intents].flatMap(
    ([
      id,
      {
        ends: [, ...more],
      },
    ]) => more.map((row) => finding(row.seq, `intent ${id} was ended again in run ${row.runId}`)),
  );
  const first = new Map<string, Row>();
  const fills = kinds("fill").flatMap((row) => {
    const id = text(row.body, "transactionId") ?? "";
    const known = first.get(id);
    if (!known) first.set(id, row);
    return known && known.runId !== row.runId
      ? [finding(row.seq, `fill ${id} was written again in run ${row.runId}`)]
      : [];
  });
  const opened = [...intents].flatMap(
    ([
      id,
      {
        opened: [one, ...more],
      },
    ]) =>
      more
        .filter((row) => row.runId !== one?.runId)
        .map((row) => finding(row.seq, `intent ${id} was promised again in run ${row.runId}`)),
  );
  return [...ends, ...fills, ...opened];
}

/** Rows between a run's start and its readiness. */
const inRecovery = (run: Run, row: Row): boolean => row.runId === run.runId && row.seq < (run.ready?.seq ?? Infinity);

function repeatedWrites(history: History): readonly Finding[] {
  const { runs, writes } = journalView(history);
  return runs.slice(1).flatMap((run, index) => {
    const before = runs[index];
    if (!before) return [];
    // What follows a command of the operator is that command's.
    const command = history.rows.find((row) => row.runId === run.runId && row.kind === "operator");
    const own = writes.filter(({ row }) => inRecovery(run, row) && row.seq < (command?.seq ?? Infinity));
    const earlier = writes.filter(({ row }) => row.runId === before.runId);
    const sent = new Set(
      earlier
        .filter((write) => inRecovery(before, write.row) && outcomeOf(write) === "done")
        .map(({ action, params }) => `${action} ${canonical(params)}`),
    );
    const idle = isCarriedOut(history, before, earlier) && quietSinceReady(history, before);
    return own.flatMap((write) => {
      const { row, action, params } = write;
      if (sent.has(`${action} ${canonical(params)}`) && againMs(history, write) > row.atMs + history.skewMs)
        return [finding(row.seq, `run ${run.runId} repeats ${action}, which the recovery before had done`)];
      return idle && unmoved(history, before, row.atMs) && !cameDue(history, before, write)
        ? [finding(row.seq, `run ${run.runId} writes ${action} though nothing had happened since the recovery before`)]
        : [];
    });
  });
}

/** What was accepted and has not had its effect is repeated after this time: the end of an order, or of a position. */
const AGAIN_MS: Readonly<Record<string, number>> = { "order.cancel": 10_000, "position.close": 8_000 };
/** How long the agent waits for the venue's report on the stop of a closed position before it cancels the stop. */
const STOP_WORD_MS = 6_000;
/** The venue takes three changes of stops in 50 s (records §6.3), so that a stop is moved in steps. */
const CHANGE_SLOT_MS = 50_000 / 3;
/** A run that dies sooner after it is ready has not come to all that it wants. */
const LIVES_ON_MS = 1_000;
/** The venue gives three lists of stops in this time, which earlier starts may have used. */
const LISTS_WINDOW_MS = 50_000;
/** How long a start may wait for the list of stops before it places one. */
const STOPS_KNOWN_MS = 5_000;

/** True for a write that the previous recovery could not make, because it became due after that run was ready. */
function cameDue(history: History, before: Run, write: Write): boolean {
  const readyMs = before.ready?.atMs ?? Infinity;
  if (write.action === "algo.place") return before.last.atMs - readyMs < STOPS_KNOWN_MS;
  if (write.action === "algo.cancel") {
    const left = leftMs(history, write);
    if (left === -Infinity && !isNamed(history, write)) return before.last.atMs - before.first.atMs < LISTS_WINDOW_MS;
    // Each start waits again for that report: one that ended sooner has not cancelled.
    const sinceStartMs = Math.max(left, before.first.atMs);
    return left + STOP_WORD_MS > readyMs || (left > -Infinity && sinceStartMs + STOP_WORD_MS > before.last.atMs);
  }
  if (write.action === "algo.replace")
    return (
      followsMark(history, write) ||
      Math.max(shrinkDueMs(history, before, write), slotMs(history, write)) > before.last.atMs
    );
  if (write.action === "position.close") return markMoved(history, write, readyMs) || againMs(history, write) > readyMs;
  return write.action === "order.cancel" && withdrawalDueMs(history, write) > readyMs;
}

/** Stops, the floor and the venue's smallest order are measured at the mark, so that a close may follow from it alone. */
function markMoved(history: History, { params, row }: Write, sinceMs: number): boolean {
  const symbol = text(params, "symbol");
  const marks = factsOf(history, "mark").filter((fact) => fact.symbol === symbol && fact.atMs <= row.atMs);
  const [before, last] = [marks.findLast(({ atMs }) => atMs <= sinceMs), marks.at(-1)];
  return last !== undefined && (before === undefined || !eq(last.mark, before.mark));
}

/** The mark, which neither file records, has moved a stop to a price that no earlier row has. */
function followsMark(history: History, { row, params }: Write): boolean {
  const stopPrice = text(params, "stopLossPrice") ?? text(params, "triggerPrice");
  const moves = journalView(history)
    .kinds("protection")
    .filter(({ seq, body }) => seq < row.seq && body["moving"] === true && text(body, "stopPrice") === stopPrice);
  return moves.length > 0 && moves.every(({ runId }) => runId === row.runId);
}

/**
 * When a stop that covered more than this write leaves of it may be made smaller; -Infinity if it did not cover more. Each start
 * waits again for lists that lag no more.
 */
function shrinkDueMs(history: History, before: Run, { params, row }: Write): number {
  const id = text(params, "algoOrderId");
  // The reply that names it may have been lost with the run that asked for it.
  const stop = factsOf(history, "algo").find(({ algo }) => algo.algoOrderId === id)?.algo;
  const sized = journalView(history).writes.filter(
    (write) =>
      write.row.seq < row.seq &&
      num(write.params["quantity"]) !== null &&
      ((write.action === "algo.replace" && text(write.params, "algoOrderId") === id) ||
        (write.action === "algo.place" && write.clientOrderId === stop?.clientOrderId)),
  );
  const last = sized.at(-1);
  const [from, to] = [num(last?.params["quantity"]), num(params["quantity"])];
  return last && from && to && gt(from, to) ? Math.max(last.row.atMs, before.first.atMs) + STATED_LAG_MS : -Infinity;
}

/** When that stop, changed by an earlier run, may be changed once more. */
function slotMs(history: History, { params, row: { seq, runId } }: Write): number {
  const id = text(params, "algoOrderId");
  const changed = journalView(history).writes.filter(
    ({ action, row, params: other }) =>
      row.seq < seq && row.runId !== runId && action === "algo.replace" && text(other, "algoOrderId") === id,
  );
  return (changed.at(-1)?.row.atMs ?? -Infinity) + CHANGE_SLOT_MS;
}

/** Whether a row mentions that stop: otherwise a list alone shows it. */
function isNamed(history: History, { params }: Write): boolean {
  const id = text(params, "algoOrderId");
  const known = knownIds(history);
  return factsOf(history, "algo").some(({ algo }) => algo.algoOrderId === id && known.isNamedStop(algo));
}

/** When the position of that stop was reported flat. */
function leftMs(history: History, { params, row: { seq } }: Write): number {
  const id = text(params, "algoOrderId");
  const closed = journalView(history)
    .kinds("position")
    .filter((row) => row.seq < seq && id !== null && text(row.body, "stop") === id);
  return closed.at(-1)?.atMs ?? -Infinity;
}

/** When that write may be repeated; Infinity for never, -Infinity if it is the first. */
function againMs(history: History, { action, params, row }: Write): number {
  const same = (other: Write): boolean => other.action === action && canonical(other.params) === canonical(params);
  const asked = journalView(history).writes.filter((other) => other.row.seq < row.seq && same(other));
  return (asked.at(-1)?.row.atMs ?? -Infinity) + (AGAIN_MS[action] ?? Infinity);
}

/** The later of: the order has rested long enough, and its last cancel may be repeated. */
function withdrawalDueMs(history: History, write: Write): number {
  const { intents, configAt } = journalView(history);
  const id = text(write.params, "clientOrderId");
  const promised = id === null ? undefined : intents.get(id);
  if (promised?.opening !== true) return againMs(history, write);
  const restsMs = spanMs(rec(configAt(write.row.seq), "execution")?.["restFor"]);
  return Math.max(againMs(history, write), (promised.opened[0]?.atMs ?? -Infinity) + restsMs);
}

/**
 * False for a run that died before its writes were answered, before a requested stop was recorded, or while it watched a position
 * itself because it did not know which stop stood.
 */
function isCarriedOut(history: History, { runId }: Run, writes: readonly Write[]): boolean {
  const answered = new Set(writes.filter(({ answer }) => answer !== null).map(({ clientOrderId }) => clientOrderId));
  const protection = history.rows.filter((row) => row.runId === runId && row.kind === "protection");
  const asked = protection.flatMap(({ body }) => text(body, "clientOrderId") ?? []);
  const last = new Map(
    protection
      .filter(({ body }) => body["supervised"] === true || body["standing"] === true)
      .map(({ body }) => [text(body, "leg"), body["standing"] === true]),
  );
  return (
    writes.every(({ answer }) => answer !== null) &&
    asked.every((id) => answered.has(id)) &&
    [...last.values()].every((stands) => stands)
  );
}

const ACTIVITY: ReadonlySet<string> = new Set([
  "intent",
  "wire-out",
  "order",
  "fill",
  "position",
  "protection",
  "operator",
  "floor",
]);

/** True if a run became ready, lived on for a second, and nothing happened in it afterwards. */
const quietSinceReady = (history: History, { runId, ready, last }: Run): boolean =>
  ready !== null &&
  last.atMs - ready.atMs >= LIVES_ON_MS &&
  !history.rows.some((row) => row.runId === runId && row.seq > ready.seq && ACTIVITY.has(row.kind));

/** True if the venue ledger is given and shows nothing since that run began: what happens during a recovery may be shown after it. */
const unmoved = (history: History, { first }: Run, untilMs: number): boolean =>
  history.venue !== null &&
  !ownFacts(history).some(({ fact, atMs }) => MOVES.has(fact) && atMs > first.atMs && atMs <= untilMs + history.skewMs);

const MOVES: ReadonlySet<string> = new Set(["order", "execution", "position", "algo", "leverage", "alarm", "rules"]);
