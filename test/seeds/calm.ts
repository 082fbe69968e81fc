/** What must be so once the venue answers again, read straight from the venue and from the agent's own account of itself. */
import { Decimal } from "../../src/core/decimal.ts";
import { openIntents } from "../../src/journal/intents.ts";
import { openSqliteReader } from "../../src/journal/sqlite.ts";
import type { Boot, Rehearsal } from "../../src/main/rehearsal/rehearsal.ts";
import { journalPath } from "../../src/main/run-file.ts";
import type { Plan } from "./plan.ts";
import type { WireRecord } from "../../src/sim/exchange/api.ts";

const ALGO_LIVE = new Set(["PENDING_NEW", "NEW", "PROCESSING"]);

const text = (record: WireRecord, name: string): string => String(record[name] ?? "");

function accountOf({ venue }: Rehearsal): { id: string; nowMs: (clock: Rehearsal["clock"]) => number } {
  const [id = ""] = venue.exchange.accountIds();
  return { id, nowMs: (clock) => Math.floor(clock.nowMs()) };
}

/** Quantities by leg at the venue. */
function venueLegs(rehearsal: Rehearsal): ReadonlyMap<string, string> {
  const { id, nowMs } = accountOf(rehearsal);
  const answer = rehearsal.venue.exchange.positions(id, {}, nowMs(rehearsal.clock));
  const legs = new Map<string, string>();
  for (const record of answer.ok ? answer.value : []) {
    const qty = new Decimal(text(record, "positionQty") || "0");
    if (qty.isZero()) continue;
    const told = text(record, "positionSide");
    const side = told === "LONG" || told === "SHORT" ? told : qty.isNegative() ? "SHORT" : "LONG";
    legs.set(`${text(record, "sym")}|${side}`, qty.abs().toFixed());
  }
  return legs;
}

function journalLegs({ dataDir }: Rehearsal): ReadonlyMap<string, string> {
  const db = openSqliteReader(journalPath(dataDir));
  const legs = new Map<string, string>();
  for (const row of db.all("SELECT body FROM rows WHERE kind = 'position' ORDER BY seq")) {
    const body = JSON.parse(String(row["body"])) as { leg?: string; qty?: string };
    if (body.leg === undefined) continue;
    if (body.qty === undefined || new Decimal(body.qty).isZero()) legs.delete(body.leg);
    else legs.set(body.leg, new Decimal(body.qty).toFixed());
  }
  db.close();
  return legs;
}

/** Legs on which journal and venue differ, in words. */
export function unlike(rehearsal: Rehearsal): readonly string[] {
  const [ours, theirs] = [journalLegs(rehearsal), venueLegs(rehearsal)];
  return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((leg) => {
    const [mine = "0", real = "0"] = [ours.get(leg), theirs.get(leg)];
    return mine === real ? [] : [`${leg} is ${mine} in the journal and ${real} at the venue`];
  });
}

/** Its rate is scarce: at a start other questions may have taken the turn. */
function fillsRead({ journal }: Boot): boolean {
  const rows = journal.rows({ kinds: ["boot", "reconcile"], newest: true, limit: 100 });
  const born = Math.max(...rows.filter(({ kind, body }) => kind === "boot" && isBirth(body)).map(({ seq }) => seq));
  return rows.some(({ seq, body }) => seq > born && (body as { event?: unknown }).event === "fills");
}
const isBirth = (body: unknown): boolean => (body as { ready?: unknown }).ready === undefined;

/** At the end of calm: equal books, a stop on every position, none without one, and no promise whose end is unknown. */
export function calmProblems(rehearsal: Rehearsal, boot: Boot | null, plan: Plan): readonly string[] {
  const found = [...unlike(rehearsal)];
  if (!boot) return [...found, "the agent does not run"];
  const status = boot.running.agent.status(rehearsal.clock.nowMs());
  // Prices that were wrong when it started are believed again only after a while: it waits, and that is right (M9).
  const misled = plan.happenings.some((each) => each.what === "fault" && each.name === "bad-price");
  if (status.stage !== "ready" && !misled) found.push(`the agent is ${status.stage}`);
  if (!fillsRead(boot)) found.push("the list of executions was not read since the start");
  for (const { clientOrderId } of openIntents(boot.journal)) found.push(`intent ${clientOrderId} has no end`);
  const legs = venueLegs(rehearsal);
  const { id, nowMs } = accountOf(rehearsal);
  const answer = rehearsal.venue.exchange.openAlgos(id, {}, nowMs(rehearsal.clock));
  const guarded = new Set<string>();
  for (const record of answer.ok ? answer.value : []) {
    if (!ALGO_LIVE.has(text(record, "orderState") || "NEW")) continue;
    const told = text(record, "positionSide");
    const side = told === "LONG" || told === "SHORT" ? told : text(record, "side") === "BUY" ? "SHORT" : "LONG";
    const leg = `${text(record, "sym")}|${side}`;
    guarded.add(leg);
    if (!legs.has(leg)) found.push(`algo order ${text(record, "algoOrderId")} on ${leg} protects nothing`);
  }
  for (const [leg] of legs) if (!guarded.has(leg)) found.push(`${leg} has no stop at the venue`);
  return found;
}
