/** The reasoning log as text, CSV, Markdown or JSON: one entry for each write. Knows only the shape of an entry. */
import { stringify } from "csv-stringify/sync";
import { isoTime } from "../../core/time.ts";
import { inertCell, oneLine } from "../../core/safe-text.ts";
import { toWire } from "../../core/decimal.ts";
import { counted } from "../../core/words.ts";
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

export type ReasonsFormat = "text" | "csv" | "md" | "json";

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
function verdictWords({ verdicts }: Pick<ReasonEntry, "verdicts">): string {
  const words = verdicts.map(({ limit, kind, found, allowed, reason }) => {
    const judged = `${limit} ${kind}: ${found} of ${allowed}`;
    return kind === "allow" ? judged : `${judged} (${reason})`;
  });
  return words.join("; ");
}

function resultWords({ outcome, message, ended, fills }: ReasonEntry): string {
  const told = message ?? "";
  const answer = outcome === null ? "no answer was read" : told.startsWith(outcome) ? told : `${outcome}: ${told}`;
  const filled = ended ? `; ${orderEndWords(ended)}, fee ${toWire(ended.fee)}` : "";
  const realized = fills.flatMap(({ realizedPnl }) =>
    realizedPnl === null || realizedPnl.isZero() ? [] : [toWire(realizedPnl)],
  );
  return `${answer}${filled}${realized.length > 0 ? `; realised ${realized.join(" + ")}` : ""}`;
}

const cells = (entry: ReasonEntry): readonly string[] => COLUMNS.map(([, of]) => oneLine(of(entry)));

const markdownCell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

/** Without ids, hashes and the text of replies, which the other forms and `ballast explain` have. */
function paragraph(entry: ReasonEntry): string {
  const { kind, action, symbol, leg, decisionId, strategy, trigger, verdict, verdicts } = entry;
  const objections = verdictWords({ verdicts: verdicts.filter(({ kind: judged }) => judged !== "allow") });
  const agreed = verdicts.length > 0 ? `, ${counted(verdicts.length, "limit")} judged` : "";
  const parts: readonly (readonly [string, string])[] = [
    ["order", figures(entry.params)],
    ["decision", decisionId === null ? "" : `${decisionId} by ${strategy ?? "-"}, triggered by ${trigger.join("; ")}`],
    ["reason", entry.reason],
    ["evidence", entry.evidence.join(", ")],
    ["model", modelWords(entry)],
    ["verdict", verdict === null ? "" : `${verdict}${objections === "" ? agreed : `: ${objections}`}`],
    ["result", resultWords(entry)],
  ];
  const about = [isoTime(entry.atMs), kind, action, leg ?? "", symbol ?? ""].filter((word) => word !== "");
  const lines = parts.flatMap(([name, text]) => (text === "" ? [] : [`  ${name.padEnd(10)} ${oneLine(text)}`]));
  return [oneLine(about.join(" ")), ...lines].join("\n");
}

/** CSV is RFC 4180 with CRLF, one line of text in each cell; JSON holds the complete entries. */
export function reasonsText(entries: readonly ReasonEntry[], format: ReasonsFormat): string {
  if (format === "json") return `${JSON.stringify(entries)}\n`;
  if (format === "text") return entries.map((entry) => `${paragraph(entry)}\n`).join("\n");
  const names = COLUMNS.map(([name]) => name);
  if (format === "csv") {
    const rows = [names, ...entries.map(cells)].map((line) => line.map(inertCell));
    return stringify(rows, { record_delimiter: "\r\n" });
  }
  const line = (texts: readonly string[]): string => `| ${texts.map(markdownCell).join(" | ")} |`;
  return [line(names), line(names.map(() => "---")), ...entries.map((entry) => line(cells(entry)))].join("\n") + "\n";
}
