/** The reasoning log as CSV, Markdown or JSON: one entry for each write. Knows only the shape of an entry. */
import { stringify } from "csv-stringify/sync";
import { isoTime } from "../../core/time.ts";
import { inertCell, oneLine } from "../../core/safe-text.ts";
import { toWire } from "../../core/decimal.ts";
import type { FillRow } from "../../rows/fill.ts";
import { type OrderEndRow, orderEndWords } from "../../rows/order.ts";
import type { LimitVerdict } from "../../rows/verdict.ts";

/** One write, as `report/orders/story.ts` reads it. A write that needs no verdict has none; `outcome` is null without an answer. */
export interface ReasonEntry {
  readonly seq: number;
  readonly hash: string;
  readonly atMs: number;
  readonly kind: string;
  readonly action: string;
  readonly symbol: string | null;
  readonly leg: string | null;
  readonly params: Readonly<Record<string, unknown>>;
  readonly clientOrderId: string | null;
  readonly orderId: string | null;
  readonly decisionId: string | null;
  readonly strategy: string | null;
  readonly trigger: readonly string[];
  readonly reason: string;
  readonly evidence: readonly string[];
  readonly modelCalls: readonly {
    readonly kind: string;
    readonly model: string | null;
    readonly attempt: string | null;
    readonly cached: boolean;
    readonly costUsd: string | null;
    readonly replyText: string | null;
  }[];
  readonly verdict: string | null;
  readonly verdicts: readonly LimitVerdict[];
  readonly outcome: string | null;
  readonly message: string | null;
  readonly ended: OrderEndRow | null;
  readonly fills: readonly FillRow[];
}

const REPLY_CHARS_MAX = 2_000;

/** Columns in order; every cell is one line of text. */
const COLUMNS: readonly (readonly [string, (entry: ReasonEntry) => string])[] = [
  ["time", (entry) => isoTime(entry.atMs)],
  ["row", (entry) => String(entry.seq)],
  ["what", (entry) => entry.kind],
  ["action", (entry) => entry.action],
  ["symbol", (entry) => entry.symbol ?? ""],
  ["leg", (entry) => entry.leg ?? ""],
  ["parameters", (entry) => figures(entry.params)],
  ["decision", (entry) => entry.decisionId ?? ""],
  ["strategy", (entry) => entry.strategy ?? ""],
  ["trigger", (entry) => entry.trigger.join("; ")],
  ["reason", (entry) => entry.reason],
  ["evidence", (entry) => entry.evidence.join(" ")],
  ["model call", modelWords],
  [
    "model reply",
    (entry) =>
      entry.modelCalls
        .map((call) => call.replyText ?? "")
        .join(" ")
        .slice(0, REPLY_CHARS_MAX),
  ],
  ["verdict", (entry) => entry.verdict ?? ""],
  ["verdicts", verdictWords],
  ["result", resultWords],
  ["client order id", (entry) => entry.clientOrderId ?? ""],
  ["order id", (entry) => entry.orderId ?? ""],
  ["row hash", (entry) => entry.hash],
];

const said = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? String(value) : "";

/** Parameters except those that have their own column. */
const figures = (params: Readonly<Record<string, unknown>>): string =>
  Object.entries(params)
    .filter(([name]) => name !== "symbol" && name !== "clientOrderId")
    .map(([name, value]) => `${name} ${said(value)}`)
    .join(", ");

function modelWords({ modelCalls }: ReasonEntry): string {
  const words = modelCalls.map(({ kind, model, attempt, cached, costUsd }) =>
    kind === "answered"
      ? `${model ?? "?"} ${cached ? "from the cache" : `for ${costUsd ?? "?"} USD`} (${attempt ?? "?"})`
      : `${kind}, ${costUsd ?? "0"} USD`,
  );
  return words.join("; ");
}

/** Every limit with its figure; a limit that objected is listed with its reason. */
function verdictWords({ verdicts }: ReasonEntry): string {
  const words = verdicts.map(({ limit, kind, found, allowed, reason }) => {
    const judged = `${limit} ${kind}: ${found} of ${allowed}`;
    return kind === "allow" ? judged : `${judged} (${reason})`;
  });
  return words.join("; ");
}

function resultWords({ outcome, message, ended, fills }: ReasonEntry): string {
  const answer =
    outcome === null ? "no answer was read" : message === outcome ? outcome : `${outcome}: ${message ?? ""}`;
  const filled = ended ? `; ${orderEndWords(ended)}, fee ${toWire(ended.fee)}` : "";
  const realized = fills.flatMap(({ realizedPnl }) => (realizedPnl.isZero() ? [] : [toWire(realizedPnl)]));
  return `${answer}${filled}${realized.length > 0 ? `; realised ${realized.join(" + ")}` : ""}`;
}

const cells = (entry: ReasonEntry): readonly string[] => COLUMNS.map(([, of]) => oneLine(of(entry)));

const markdownCell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

/** CSV is RFC 4180 with CRLF, one line of text in each cell; JSON holds the complete entries. */
export function reasonsText(entries: readonly ReasonEntry[], format: "csv" | "md" | "json"): string {
  if (format === "json") return `${JSON.stringify(entries)}\n`;
  const names = COLUMNS.map(([name]) => name);
  if (format === "csv") {
    const rows = [names, ...entries.map(cells)].map((line) => line.map(inertCell));
    return stringify(rows, { record_delimiter: "\r\n" });
  }
  const line = (texts: readonly string[]): string => `| ${texts.map(markdownCell).join(" | ")} |`;
  return [line(names), line(names.map(() => "---")), ...entries.map((entry) => line(cells(entry)))].join("\n") + "\n";
}
