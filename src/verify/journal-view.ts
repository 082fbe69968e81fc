/**
 * A view of the journal from its rows alone: runs, intents, previews, writes, reconciliations. Built once per history
 * and shared by the invariants; it judges nothing.
 */
import { amendBehind, amendsOf, type AmendView } from "./amends.ts";
import { max, type Num, num } from "./decimal.ts";
import { flag, rec, type Rec, text } from "./fields.ts";
import type { History } from "./history.ts";
import { gather, type Row } from "./rows.ts";

export interface Run {
  readonly runId: string;
  readonly first: Row;
  readonly last: Row;
  /** The row of readiness to trade; null if the run never became ready. */
  readonly ready: Row | null;
}

/** One intent across all runs; a valid one has one opening row and at most one end. */
export interface IntentView {
  readonly clientOrderId: string;
  readonly opening: boolean;
  readonly symbol: string;
  /** The most that it may fill, by the intent or a later amendment. */
  readonly qty: Num | null;
  readonly opened: readonly Row[];
  readonly ends: readonly Row[];
}

/** A write as recorded before it was sent, with its outcome. */
export interface Write {
  readonly row: Row;
  readonly previewId: string;
  readonly action: string;
  readonly params: Rec;
  /** The order after this write: its parameters, and for an amendment the rest of the order's intent. */
  readonly order: Rec;
  readonly clientOrderId: string | null;
  /** Adds exposure: places an opening order or amends one. */
  readonly opening: boolean;
  /** The intent of an amendment; null for every other write, and for an amendment without one. */
  readonly amend: AmendView | null;
  /** The facts behind the order; only the daemon's opening orders have them. */
  readonly seen: Rec | null;
  /** The row with the venue's answer; null if none arrived. */
  readonly answer: Row | null;
}

export interface JournalView {
  readonly runs: readonly Run[];
  readonly intents: ReadonlyMap<string, IntentView>;
  readonly amends: readonly AmendView[];
  readonly previews: ReadonlyMap<string, readonly Row[]>;
  readonly writes: readonly Write[];
  kinds(...kinds: readonly string[]): readonly Row[];
  /** Rows of a kind whose body has this text in this field, in order. */
  having(kind: string, field: string, value: string): readonly Row[];
  /** The configuration in force at a row. */
  configAt(seq: number): Rec;
}

const views = new WeakMap<History, JournalView>();

/** Built on the first call for a history, then shared. */
export function journalView(history: History): JournalView {
  const known = views.get(history);
  if (known) return known;
  const made = makeView(history.rows);
  views.set(history, made);
  return made;
}

function makeView(rows: readonly Row[]): JournalView {
  const byKind = new Map<string, Row[]>();
  for (const row of rows) gather(byKind, row.kind, row);
  const kinds = (...wanted: readonly string[]): readonly Row[] =>
    wanted.length === 1
      ? (byKind.get(wanted[0] ?? "") ?? [])
      : wanted.flatMap((kind) => byKind.get(kind) ?? []).sort((a, b) => a.seq - b.seq);
  const indexes = new Map<string, Map<string, Row[]>>();
  const having: JournalView["having"] = (kind, field, value) => {
    const name = `${kind} ${field}`;
    const known = indexes.get(name);
    if (known) return known.get(value) ?? [];
    const made = new Map<string, Row[]>();
    for (const row of kinds(kind)) {
      const found = text(row.body, field);
      if (found !== null) gather(made, found, row);
    }
    indexes.set(name, made);
    return made.get(value) ?? [];
  };
  const previews = new Map<string, Row[]>();
  for (const row of kinds("preview")) gather(previews, text(row.body, "previewId") ?? "", row);
  const configs = kinds("config").filter((row) => rec(row.body, "config"));
  const amends = amendsOf(kinds("intent"));
  const intents = intentsOf(kinds("intent"), amends);
  return {
    runs: runsOf(rows),
    intents,
    amends,
    previews,
    writes: writesOf(kinds("wire-out"), kinds("wire-in"), { intents, amends }),
    kinds,
    having,
    configAt: (seq) => {
      const row = configs.filter((candidate) => candidate.seq <= seq).at(-1);
      return (row && rec(row.body, "config")) ?? {};
    },
  };
}

function runsOf(rows: readonly Row[]): readonly Run[] {
  const runs = new Map<string, Run>();
  for (const row of rows) {
    const known = runs.get(row.runId);
    const ready = row.kind === "boot" && flag(row.body, "ready") ? row : null;
    runs.set(row.runId, {
      runId: row.runId,
      first: known?.first ?? row,
      last: row,
      ready: known?.ready ?? ready,
    });
  }
  return [...runs.values()];
}

function intentsOf(rows: readonly Row[], amends: readonly AmendView[]): ReadonlyMap<string, IntentView> {
  const opened = new Map<string, Row[]>();
  const ends = new Map<string, Row[]>();
  for (const row of rows) {
    const { event } = row.body;
    if (event !== "amend" && event !== "amend-end" && event !== "shown")
      gather(event === "end" ? ends : opened, text(row.body, "intentId") ?? "", row);
  }
  const mostOf = (id: string, promised: Num | null): Num | null =>
    amends.reduce(
      (most, { clientOrderId, qty }) => (clientOrderId === id && qty && most ? max(most, qty) : most),
      promised,
    );
  return new Map(
    [...new Set([...opened.keys(), ...ends.keys()])].map((id) => {
      const mine = opened.get(id) ?? [];
      const body = mine[0]?.body ?? {};
      const order = rec(body, "order") ?? {};
      const view: IntentView = {
        clientOrderId: text(body, "clientOrderId") ?? id,
        opening: flag(body, "opening"),
        symbol: text(body, "symbol") ?? "",
        qty: mostOf(text(body, "clientOrderId") ?? id, num(order["qty"])),
        opened: mine,
        ends: ends.get(id) ?? [],
      };
      return [id, view];
    }),
  );
}

interface Promises {
  readonly intents: ReadonlyMap<string, IntentView>;
  readonly amends: readonly AmendView[];
}

function writesOf(outs: readonly Row[], ins: readonly Row[], { intents, amends }: Promises): readonly Write[] {
  const answers = new Map<string, Row[]>();
  for (const row of ins) gather(answers, text(row.body, "previewId") ?? "", row);
  return outs.map((row) => {
    const previewId = text(row.body, "previewId") ?? "";
    const action = text(row.body, "action") ?? "";
    const params = rec(row.body, "params") ?? {};
    const amend = action === "order.replace" ? amendBehind(row, params, amends) : null;
    const target = amend && intents.get(amend.clientOrderId);
    const order = { ...rec(target?.opened[0]?.body ?? {}, "order"), ...params };
    return {
      row,
      previewId,
      action,
      params,
      order,
      clientOrderId: text(row.body, "clientOrderId"),
      opening: action === "order.place" ? isOpening(params) : target?.opening === true,
      amend,
      seen: rec(row.body, "seen"),
      answer: (answers.get(previewId) ?? []).find((answer) => answer.seq > row.seq) ?? null,
    };
  });
}

/**
 * Whether an order adds exposure, by side and position side. In one-way mode only a reduce-only order certainly adds
 * none.
 */
export function isOpening(order: Rec): boolean {
  if (flag(order, "reduceOnly")) return false;
  const side = text(order, "side")?.toUpperCase();
  const leg = text(order, "positionSide")?.toUpperCase() ?? "NONE";
  if (leg === "LONG") return side === "BUY";
  return leg === "SHORT" ? side === "SELL" : true;
}

/** The outcome word of the answer, as "done" or "not-sent"; null without an answer. */
export const outcomeOf = (write: Write): string | null => (write.answer ? text(write.answer.body, "outcome") : null);

/** Adds exposure, and was not dropped by the final check. */
export const leavesOpening = (write: Write): boolean => write.opening && outcomeOf(write) !== "not-sent";
