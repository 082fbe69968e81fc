/** The rows of one decision as a story for a person: one line a row, figures first, long parts cut. */
import { isoTime } from "../core/time.ts";
import { oneLine } from "../core/one-line.ts";

/** `atMs` is when the row was written, epoch ms; `body` is its parsed JSON. */
export interface StoryRow {
  readonly seq: number;
  readonly atMs: number;
  readonly kind: string;
  readonly body: unknown;
}

type Body = Readonly<Record<string, unknown>>;

const bodyOf = (value: unknown): Body => (typeof value === "object" && value !== null ? (value as Body) : {});
const show = (value: unknown): string =>
  typeof value === "string" ? value : value === null || value === undefined ? "-" : JSON.stringify(value);
const cut = (text: string, length = 400): string => (text.length > length ? `${text.slice(0, length)}...` : text);

function decisionLine(body: Body): string {
  if (body["trigger"]) {
    const snapshot = body["snapshot"] as
      { account?: { equityUsdt?: string }; symbols?: unknown[]; news?: unknown[]; missing?: unknown[] } | undefined;
    const seen = snapshot
      ? `; saw ${snapshot.symbols?.length ?? 0} symbols, ${snapshot.news?.length ?? 0} news items, equity ${snapshot.account?.equityUsdt ?? "unknown"}${snapshot.missing?.length ? `, missing: ${show(snapshot.missing)}` : ""}`
      : "";
    return `triggered by ${show(body["trigger"])}, asked ${show(body["strategy"])}${seen}`;
  }
  if (body["failed"]) return `${show(body["failed"])} gave no decision: ${show(body["reason"])}`;
  if (body["by"] === undefined) return show(body);
  return `${show(body["by"])} answered ${show(body["kind"])}: ${show(body["note"])}${body["wishes"] ? ` ${show(body["wishes"])}` : ""}`;
}

function verdictLine(body: Body): string {
  if (body["skipped"])
    return `${show(body["symbol"])} ${show(body["leg"] ?? "")}: not drafted, ${show(body["skipped"])}`;
  const verdicts =
    (body["verdicts"] as
      { limit: string; kind: string; found: string; allowed: string; reason: string }[] | undefined) ?? [];
  const each = verdicts.map(
    ({ kind, limit, found, allowed, reason }) =>
      `\n      ${kind.padEnd(6)} ${limit.padEnd(20)} found ${found}, allowed ${allowed}${kind === "allow" ? "" : `: ${reason}`}`,
  );
  return `${show(body["side"])} ${show(body["symbol"])}: ${show(body["kind"])}${each.join("")}`;
}

function questionLine(body: Body): string {
  const outcome = bodyOf(body["outcome"]);
  if (body["outcome"] === undefined)
    return `asks with ${show(body["prompt"])}, fingerprint ${show(body["fingerprint"]).slice(0, 12)}`;
  if (outcome["kind"] !== "answered")
    return `${show(outcome["kind"])}: ${show(outcome["reason"])}, ${show(outcome["costUsd"])} USD`;
  const where =
    outcome["cached"] === true
      ? "from the cache"
      : `in ${show(outcome["latencyMs"])} ms for ${show(outcome["costUsd"])} USD`;
  return `${show(outcome["model"])} answered ${where}: ${show(outcome["promptTokens"])} tokens read (${show(outcome["cachedTokens"])} from the prefix cache), ${show(outcome["completionTokens"])} written`;
}

function intentLine(body: Body): string {
  if (body["event"] === "end") {
    const why = body["state"] ?? body["reason"] ?? body["message"] ?? "";
    return `${show(body["intentId"])} ended: ${show(body["how"])} ${show(why)}`;
  }
  const order = bodyOf(body["order"]);
  const price = order["limitPrice"] ? ` at ${show(order["limitPrice"])}` : "";
  return `${show(body["clientOrderId"])}: ${show(order["side"])} ${show(order["qty"])} ${show(body["symbol"])}${price} (${body["opening"] === true ? "opens" : "reduces"} ${show(body["leg"])}, ${show(body["notional"])} USDT), stop ${show(body["stopPrice"])}, target ${show(body["targetPrice"])}: ${show(body["reason"])} [${show(body["evidence"])}]${predictedWords(body)}`;
}

const params = (body: Body): string =>
  Object.entries(bodyOf(body["params"]))
    .map(([name, value]) => `${name} ${show(value)}`)
    .join(", ");

const bps = (value: unknown): string => (typeof value === "number" ? `${value.toFixed(2)} bp` : "not known");
const seconds = (value: unknown): string => (typeof value === "number" ? `${(value / 1_000).toFixed(1)} s` : "?");

function predictedWords(body: Body): string {
  const { predicted } = body;
  if (predicted === undefined) return "";
  const { price, slippageBps, feeBps, noiseBps, liquidity } = bodyOf(predicted);
  return `; predicted ${show(price)} as ${show(liquidity)}, slippage ${bps(slippageBps)} (give or take ${bps(noiseBps)}), fee ${bps(feeBps)}`;
}

const watchedBy = (body: Body): string =>
  body["midPrice"] === undefined
    ? `mark ${show(body["markPrice"])}`
    : `middle of the book ${show(body["midPrice"])}, no mark`;

function protectionLine(body: Body): string {
  const about = `${show(body["leg"])}: `;
  if (body["moving"] === true)
    return `${about}${show(body["why"])}, the stop goes from ${show(body["from"])} to ${show(body["stopPrice"])}, mark ${show(body["markPrice"])}`;
  if (body["supervised"] === true)
    return `${about}no stop at the venue for ${seconds(body["unprotectedForMs"])}, watched here against ${show(body["stopPrice"])}, ${watchedBy(body)}`;
  if (body["standing"] === true)
    return `${about}a stop at ${show(body["stopPrice"])} stands as ${show(body["algoOrderId"])}, ${seconds(body["unprotectedMs"])} without one`;
  if (body["ended"] !== undefined) return `${about}closed, ${seconds(body["unprotectedMs"])} without a stop`;
  return `${about}asks for a stop at ${show(body["stopPrice"])}, target ${show(body["targetPrice"])}, as ${show(body["clientOrderId"])}`;
}

function costLine(body: Body): string {
  return `${show(body["side"])} ${show(body["symbol"])} (${show(body["what"])}): slippage ${bps(body["slippageBps"])}, predicted ${bps(body["predictedSlippageBps"])}; fee ${show(body["feeUsdt"])} USDT, predicted ${show(body["predictedFeeUsdt"])}`;
}

/** One way of telling for each kind that has one; any other row is shown as it is. */
const LINES: Readonly<Record<string, (body: Body) => string>> = {
  decision: (body) => cut(oneLine(decisionLine(body)), 1_500),
  verdict: verdictLine,
  question: (body) => oneLine(questionLine(body)),
  "model-reserve": (body) =>
    `${show(body["attemptId"])}: at most ${show(body["boundUsd"])} USD are set aside for ${show(body["model"])}`,
  snapshot: (body) =>
    `${show(body["call"])} is kept as page ${show(body["page"])}, ${show(body["sha256"]).slice(0, 12)}`,
  intent: (body) => cut(oneLine(intentLine(body)), 700),
  preview: (body) => cut(oneLine(`${show(body["previewId"])} of ${show(body["action"])}: ${params(body)}`), 500),
  session: (body) =>
    cut(oneLine(`${show(body["event"])} ${show(body["notional"])} USDT of the automation session`), 300),
  "wire-out": (body) => cut(oneLine(`${show(body["action"])} leaves: ${params(body)}`), 500),
  "wire-in": (body) =>
    oneLine(
      `${show(body["action"])} was ${show(body["outcome"])}${body["message"] === body["outcome"] ? "" : `: ${show(body["message"])}`}`,
    ),
  protection: (body) => cut(oneLine(protectionLine(body)), 400),
  cost: (body) => oneLine(costLine(body)),
  fill: (body) =>
    oneLine(
      `${show(body["side"])} ${show(body["qty"])} ${show(body["symbol"])} at ${show(body["price"])}, fee ${show(body["fee"])}, realised ${show(body["realizedPnl"])}, ${show(body["liquidity"])}, transaction ${show(body["transactionId"])}`,
    ),
};

function lineOf({ kind, body }: StoryRow): string {
  const line = LINES[kind];
  return line ? line(bodyOf(body)) : cut(oneLine(show(body)), 700);
}

/** Clock times are UTC. Rows of a kind without words of its own are shown as JSON, 700 characters at most. */
export function storyText(decisionId: string, rows: readonly StoryRow[]): string {
  const lines = rows.map((row) => `  ${isoTime(row.atMs).slice(11, 23)}  ${row.kind.padEnd(13)} ${lineOf(row)}`);
  const day = rows[0] ? isoTime(rows[0].atMs).slice(0, 10) : "";
  return `Decision ${decisionId}, ${day}, ${rows.length} rows\n${lines.join("\n")}\n`;
}
