/** What `ballast export` writes: equity, decisions and closed trades of a journal as tables. */
import { stringify } from "csv-stringify/sync";
import { toWire } from "../../core/decimal.ts";
import { isoTime, parseInstant } from "../../core/time.ts";
import type { JournalReader } from "../../journal/reader.ts";
import { readDecision } from "../../rows/decision.ts";
import { readEquity } from "../../rows/equity.ts";
import { inertCell } from "../../core/safe-text.ts";
import type { TimeSpan } from "../orders/story.ts";
import { closedTrades, tradeFacts } from "./trades.ts";
import { modelIn, modelsByDecision } from "../models/questions.ts";

/** Instants are ISO 8601 UTC, money and prices decimal text; null where not known. */
export type ExportCell = string | number | null;

/** Decimals are exact text; a free column may hold any text, also from outside. */
export type ColumnKind = "instant" | "decimal" | "number" | "text" | "free";

/** `columns` are in the order in which they are written. */
export interface ExportTable {
  readonly columns: Readonly<Record<string, ColumnKind>>;
  readonly rows: readonly Readonly<Record<string, ExportCell>>[];
}

/** By the time a trade was closed. */
export function tradesTable(reader: JournalReader, span: TimeSpan): ExportTable {
  const modelOf = modelIn(modelsByDecision(reader));
  return {
    columns: {
      ...{ closedAt: "instant", symbol: "text", side: "text", qty: "decimal", entryPrice: "decimal" },
      ...{ exitPrice: "decimal", heldMs: "number", netUsdt: "decimal", feesUsdt: "decimal", fundingUsdt: "decimal" },
      ...{ exit: "text", exitReason: "free", strategy: "free", model: "free" },
    },
    rows: closedTrades(reader, span).map((trade) => ({ ...tradeFacts(trade, modelOf) })),
  };
}

/** The agent's own minutes. */
export function equityTable(reader: JournalReader, { fromMs, toMs }: TimeSpan): ExportTable {
  const rows: Record<string, ExportCell>[] = [];
  for (const row of reader.rows({ kinds: ["equity"], sinceMs: fromMs })) {
    if (row.atMs >= toMs) continue;
    const { equityUsdt, positions } = readEquity(row);
    rows.push({ at: isoTime(row.atMs), equityUsdt: toWire(equityUsdt), positions });
  }
  return { columns: { at: "instant", equityUsdt: "decimal", positions: "number" }, rows };
}

/** One row for each decision that began in the span, with what it came to so far. */
export function decisionsTable(reader: JournalReader, { fromMs, toMs }: TimeSpan): ExportTable {
  const rows = new Map<string, Record<string, ExportCell>>();
  const models = modelsByDecision(reader);
  for (const row of reader.rows({ kinds: ["decision"], sinceMs: fromMs })) {
    const { decisionId, atMs } = row;
    if (decisionId === null) continue;
    const decision = readDecision(row);
    if ("trigger" in decision) {
      if (atMs >= toMs) continue;
      const equity = decision.snapshot.account?.equityUsdt;
      rows.set(decisionId, {
        ...{ decisionId, at: isoTime(atMs), trigger: decision.trigger.join("; "), asked: decision.strategy },
        ...{ equityUsdt: equity === undefined ? null : toWire(equity), decidedBy: null, answer: null },
        ...{ model: models.get(decisionId) ?? null, targets: null, tookMs: null, note: null, failure: null },
      });
      continue;
    }
    const begun = rows.get(decisionId);
    if (begun === undefined) continue;
    if ("failed" in decision) begun["failure"] = decision.reason;
    else
      Object.assign(begun, {
        ...{ decidedBy: decision.by, answer: decision.kind, targets: decision.wishes.length, note: decision.note },
        tookMs: atMs - (parseInstant(String(begun["at"])) ?? atMs),
      });
  }
  return {
    columns: {
      ...{ decisionId: "text", at: "instant", trigger: "free", asked: "free", equityUsdt: "decimal" },
      ...{
        decidedBy: "free",
        answer: "text",
        model: "free",
        targets: "number",
        tookMs: "number",
        note: "free",
        failure: "free",
      },
    },
    rows: [...rows.values()],
  };
}

/** With a header. Free text cannot become a formula of the program that opens it. */
export function tableCsv({ columns, rows }: ExportTable): string {
  const names = Object.keys(columns);
  const free = names.filter((name) => columns[name] === "free");
  const safe = rows.map((row) => ({
    ...row,
    ...Object.fromEntries(free.map((name) => [name, inertCell(String(row[name] ?? ""))])),
  }));
  return stringify(safe, { header: true, columns: names });
}
