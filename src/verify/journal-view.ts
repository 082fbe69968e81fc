/**
 * The journal told anew, from its rows alone: boots, sessions, intents, previews, writes, reconciliations. Made once for
 * a history and shared by the invariants; it judges nothing.
 */
import { type Num, num } from "./decimal.ts";
import { decimal, figure, flag, rec, type Rec, text, timeIn } from "./fields.ts";
import type { History } from "./history.ts";
import type { Row } from "./rows.ts";

export interface Boot {
  readonly boot: string;
  readonly first: Row;
  readonly last: Row;
  /** The row that says it may trade; null when it never came so far. */
  readonly ready: Row | null;
}

export interface IntentView {
  readonly clientOrderId: string;
  readonly opening: boolean;
  readonly symbol: string;
  readonly qty: Num | null;
  readonly opened: readonly Row[];
  readonly ends: readonly Row[];
}

/** A write as it was written down before it left, with what became of it. */
export interface Write {
  readonly row: Row;
  readonly previewId: string;
  readonly action: string;
  readonly params: Rec;
  readonly clientOrderId: string | null;
  readonly opening: boolean;
  /** What the order rested on; only opening orders of the daemon carry it. */
  readonly seen: Rec | null;
  /** The row with the venue's answer; null when none came. */
  readonly answer: Row | null;
}

export interface JournalView {
  readonly boots: readonly Boot[];
  readonly intents: ReadonlyMap<string, IntentView>;
  readonly previews: ReadonlyMap<string, readonly Row[]>;
  readonly writes: readonly Write[];
  kinds(...kinds: readonly string[]): readonly Row[];
  /** Rows of a kind whose body has this text in this field, in order. */
  having(kind: string, field: string, value: string): readonly Row[];
  /** The configuration in force at a row. */
  configAt(seq: number): Rec;
}

const views = new WeakMap<History, JournalView>();

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
  return {
    boots: bootsOf(rows),
    intents: intentsOf(kinds("intent")),
    previews,
    writes: writesOf(kinds("wire-out"), kinds("wire-in")),
    kinds,
    having,
    configAt: (seq) => {
      const row = configs.filter((candidate) => candidate.seq <= seq).at(-1);
      return (row && rec(row.body, "config")) ?? {};
    },
  };
}

function gather<T>(into: Map<string, T[]>, key: string, item: T): void {
  const known = into.get(key);
  if (known) known.push(item);
  else into.set(key, [item]);
}

function bootsOf(rows: readonly Row[]): readonly Boot[] {
  const boots = new Map<string, Boot>();
  for (const row of rows) {
    const known = boots.get(row.boot);
    const ready = row.kind === "boot" && flag(row.body, "ready") ? row : null;
    boots.set(row.boot, {
      boot: row.boot,
      first: known?.first ?? row,
      last: row,
      ready: known?.ready ?? ready,
    });
  }
  return [...boots.values()];
}

function intentsOf(rows: readonly Row[]): ReadonlyMap<string, IntentView> {
  const opened = new Map<string, Row[]>();
  const ends = new Map<string, Row[]>();
  for (const row of rows) gather(row.body["event"] === "end" ? ends : opened, text(row.body, "intentId") ?? "", row);
  return new Map(
    [...new Set([...opened.keys(), ...ends.keys()])].map((id) => {
      const mine = opened.get(id) ?? [];
      const body = mine[0]?.body ?? {};
      const order = rec(body, "order") ?? {};
      const view: IntentView = {
        clientOrderId: text(body, "clientOrderId") ?? id,
        opening: flag(body, "opening"),
        symbol: text(body, "symbol") ?? "",
        qty: num(order["qty"]),
        opened: mine,
        ends: ends.get(id) ?? [],
      };
      return [id, view];
    }),
  );
}

function writesOf(outs: readonly Row[], ins: readonly Row[]): readonly Write[] {
  const answers = new Map<string, Row[]>();
  for (const row of ins) gather(answers, text(row.body, "previewId") ?? "", row);
  return outs.map((row) => {
    const previewId = text(row.body, "previewId") ?? "";
    const action = text(row.body, "action") ?? "";
    const params = rec(row.body, "params") ?? {};
    return {
      row,
      previewId,
      action,
      params,
      clientOrderId: text(row.body, "clientOrderId"),
      opening: action === "order.place" && isOpening(params),
      seen: rec(row.body, "seen"),
      answer: (answers.get(previewId) ?? []).find((answer) => answer.seq > row.seq) ?? null,
    };
  });
}

/** Side and leg of an order that adds exposure. In one-way mode only a reduce-only order is sure to add none. */
export function isOpening(order: Rec): boolean {
  if (flag(order, "reduceOnly")) return false;
  const side = text(order, "side")?.toUpperCase();
  const leg = text(order, "positionSide")?.toUpperCase() ?? "NONE";
  if (leg === "LONG") return side === "BUY";
  return leg === "SHORT" ? side === "SELL" : true;
}

export const outcomeOf = (write: Write): string | null => (write.answer ? text(write.answer.body, "outcome") : null);

/** A session as the rows of the journal tell it at some moment. */
export interface SessionView {
  readonly id: string;
  readonly symbols: readonly string[];
  readonly actions: readonly string[];
  readonly orderTypes: readonly string[];
  readonly perOrder: Num | null;
  readonly total: Num | null;
  readonly expiresAtMs: number;
  readonly stoppedAtMs: number | null;
  readonly startedSeq: number;
}

/** The session as the rows up to `atMs` and up to `seq` leave it; null when they know none of that id. */
export function sessionAt(view: JournalView, id: string, upTo: { readonly atMs: number }): SessionView | null {
  let found: SessionView | null = null;
  let startedSeq: number | null = null;
  for (const row of view.kinds("session")) {
    const session = rec(row.body, "session");
    if (!session || text(session, "automationSessionId") !== id || row.atMs > upTo.atMs) continue;
    startedSeq ??= row.seq;
    const stopped = text(session, "status") === "STOPPED" || row.body["event"] === "stopped";
    found = {
      id,
      symbols: stringsIn(session, "symbols"),
      actions: stringsIn(session, "allowedActions"),
      orderTypes: stringsIn(session, "allowedOrderTypes"),
      perOrder: decimal(session, "maxNotionalPerOrder"),
      total: decimal(session, "maxTotalNotional"),
      expiresAtMs: timeIn(session, "expiresAtMs") ?? -Infinity,
      stoppedAtMs: stopped ? (figure(session, "stoppedAtMs") ?? row.atMs) : null,
      startedSeq,
    };
  }
  return found;
}

const stringsIn = (from: Rec, name: string): readonly string[] => {
  const value = from[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
};
