/** The running agent's status as a page of text. Knows only the shape of the status object. */
import Table from "cli-table3";
import { scoreLines } from "../../context/score-text.ts";
import type { LiveScore } from "../../domain/live-score.ts";
import { formatSpan, isoTime } from "../../core/time.ts";
import { sourceText } from "./source-text.ts";
import { counted } from "../../core/words.ts";
import type {
  StatusFacts,
  ModelStateFacts,
  CauseLine,
  UnprotectedFacts,
  CostFacts,
  UptimeFacts,
  CostSumFacts,
} from "./facts.ts";

const percent = (ratio: number): string => `${(ratio * 100).toFixed(2)} %`;
const minutes = (ms: number): string => `${Math.floor(ms / 60_000)} min`;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const toMinute = (atMs: number): string => `${isoTime(atMs).slice(0, 16)}Z`;

/** Uptime so far, what it means for the competition, and what a restart costs. */
export function uptimeText({ ratio, downMs, days, window, restart }: UptimeFacts): string {
  const today = days.at(-1);
  const { crosses95AtMs, crosses90AtMs } = window;
  const crossings = [
    ...(crosses95AtMs === null ? [] : [`95 % is lost at ${toMinute(crosses95AtMs)}`]),
    ...(crosses90AtMs === null ? [] : [`90 % at ${toMinute(crosses90AtMs)}`]),
  ];
  return [
    row(
      "uptime",
      `${percent(ratio)} since the start, ${today ? `${percent(today.ratio)} today, ` : ""}down ${minutes(downMs)}`,
    ),
    row(
      "competition",
      `${percent(window.ratio)} so far, ${percent(window.forecast)} expected by ${toMinute(window.endMs)}; outage left: ${minutes(window.leftBefore95Ms)} before 95 %, ${minutes(window.leftBefore90Ms)} before 90 %`,
    ),
    crossings.length === 0 ? "" : row("AT THIS RATE", crossings.join(", ")),
    restart === null
      ? ""
      : row(
          "restart",
          `the last one took ${seconds(restart.awayMs)} from beat to beat and cost ${seconds(restart.countedMs)} of outage`,
        ),
  ].join("");
}

/** The competition's figures so far; uptime has lines of its own. */
export const scoreText = (score: LiveScore | null): string =>
  score === null
    ? ""
    : scoreLines(score)
        .filter(([name]) => name !== "uptime")
        .map(([name, text]) => row(name, text))
        .join("");

/** The limits that fired in this run, most often first. */
function firedLimits(limits: StatusFacts["limits"]): string {
  const fired = limits.filter((count) => count.fired > 0).toSorted((a, b) => b.fired - a.fired);
  const asked = Math.max(0, ...limits.map((count) => count.evaluated));
  const words = fired.length === 0 ? "none fired" : fired.map((count) => `${count.limit} ${count.fired}`).join(", ");
  return row("limits", `asked ${counted(asked, "time")}; ${words}`);
}

/** The state and its main cause come first, then all other causes. */
function causesText({ health: { state, reason, causes }, atMs }: Pick<StatusFacts, "health" | "atMs">): string {
  const grave = causes.filter(({ severity }) => severity !== "notice");
  const dead = state === "dead";
  const [first, ...others]: readonly (CauseLine | undefined)[] = dead ? [undefined, ...grave] : grave;
  const word = state.toUpperCase();
  const head = dead ? `${word} agent: ${reason}` : first ? `${word} ${causeText(first, atMs)}` : word;
  const notes = causes.filter(({ severity }) => severity === "notice");
  const rest = [
    ...others.flatMap((cause) => (cause ? row("also", causeText(cause, atMs)) : [])),
    ...notes.map((cause) => row("note", causeText(cause, atMs))),
  ];
  return `${[`${head}\n`, ...rest].join("")}`;
}

/** A failure that lasts is listed as a cause; a past one appears here, model by model. */
const pastErrorText = ({ name, failing, lastError }: ModelStateFacts): readonly string[] =>
  lastError && !failing
    ? [row("", `${name}: answers; last error at ${isoTime(lastError.atMs)}: ${lastError.sentence}`)]
    : [];

const causeText = ({ part, sentence, next, sinceMs }: CauseLine, atMs: number): string =>
  `${part}: ${sentence}${next === "" ? "" : `; ${next}`}${atMs - sinceMs < 1_000 ? "" : ` (for ${formatSpan(Math.floor((atMs - sinceMs) / 1_000) * 1_000)})`}`;

const SYMBOLS_SHOWN = 4;
/** One line of the page. */
export const row = (name: string, text: string): string => `  ${name.padEnd(14)} ${text}\n`;

/** Only where something lacks. */
function historyText({ symbols, lacking }: StatusFacts["history"]): readonly string[] {
  if (lacking.length === 0) return [];
  const names = lacking.slice(0, SYMBOLS_SHOWN).join(", ");
  const more = lacking.length > SYMBOLS_SHOWN ? ` and ${lacking.length - SYMBOLS_SHOWN} more` : "";
  return [
    row(
      "history",
      `less than three weeks known of ${lacking.length} of ${counted(symbols, "symbol")}: ${names}${more}`,
    ),
  ];
}

/** The whole page, for a terminal or a file. */
export function statusText(facts: StatusFacts): string {
  const { session, lastDecision, uptime } = facts;
  const streams = Object.entries(facts.streams).map(([name, up]) => `${name} ${up ? "up" : "DOWN"}`);
  const lines = [
    causesText(facts),
    row("agent", `${facts.stage}, strategy ${facts.strategy}, ${isoTime(facts.atMs)}`),
    row(
      "equity",
      facts.equityUsdt
        ? `${facts.equityUsdt} USDT, ${facts.floorDistanceUsdt} above the floor (${facts.floorState})`
        : "not read yet",
    ),
    row(
      "session",
      session
        ? `${session.usedNotional} of ${session.maxTotalNotional} USDT used, until ${isoTime(session.expiresAtMs)}`
        : `none: ${facts.observing ?? ""}`,
    ),
    row("model", `${facts.model.spentTodayUsd} of ${facts.model.limitUsd} USD today`),
    ...facts.model.models.flatMap(pastErrorText),
    row("streams", streams.join(", ")),
    ...historyText(facts.history),
    ...facts.sources.map((source, at) => row(at === 0 ? "sources" : "", sourceText(source, facts.atMs))),
    uptimeText(uptime),
    scoreText(facts.score),
    firedLimits(facts.limits),
    row(
      "last decision",
      lastDecision ? `${lastDecision.decisionId} by ${lastDecision.strategy}: ${lastDecision.result}` : "none yet",
    ),
  ];
  const measured = [protectionText(facts.unprotected), costsText(facts.costs)];
  return `${[...lines, ...measured].join("")}${decidingText(facts.deciding)}${positionsText(facts.positions)}`;
}

/** How long positions had no stop, against the deadline after which one is closed. */
export function protectionText({ spans, medianMs, longestMs, overdue, nowMs, deadlineMs }: UnprotectedFacts): string {
  const past =
    medianMs === null || longestMs === null
      ? "no position yet"
      : `without a stop ${seconds(medianMs)} in the middle, ${seconds(longestMs)} at most (${counted(spans, "time")}), deadline ${seconds(deadlineMs)}`;
  const late = overdue > 0 ? `; OVERDUE ${counted(overdue, "time")}` : "";
  return row("protection", `${past}${late}${nowMs === null ? "" : `; NOW bare for ${seconds(nowMs)}`}`);
}

const bps = (value: number | null): string => (value === null ? "?" : value.toFixed(2));

/** What orders cost, measured beside predicted: the total, and the symbols with the most orders. */
export function costsText({ total, bySymbol, learnt }: CostFacts): string {
  if (total.orders === 0) return row("costs", "nothing measured yet");
  const words = (sum: CostSumFacts): string =>
    `slippage ${bps(sum.slippageBps)} bp (predicted ${bps(sum.predictedSlippageBps)}), fees ${bps(sum.feeBps)} bp (predicted ${bps(sum.predictedFeeBps)})`;
  const stops = total.stopSlippageBps === null ? "" : `, stops ${bps(total.stopSlippageBps)} bp beyond their price`;
  const symbols = Object.entries(bySymbol).toSorted((a, b) => b[1].orders - a[1].orders);
  return [
    row("costs", `${counted(total.orders, "order")}: ${words(total)}${stops}; ${total.feesUsdt} USDT of fees`),
    row(
      "",
      `predicting with taker ${learnt.takerFeeBps} bp, maker ${learnt.makerFeeBps} bp, ${learnt.biasBps} bp beyond the book`,
    ),
    ...(symbols.length < 2
      ? []
      : symbols
          .slice(0, SYMBOLS_SHOWN)
          .map(([symbol, sum]) => row("", `${symbol}, ${counted(sum.orders, "order")}: ${words(sum)}`))),
  ].join("");
}

function decidingText({ shadows, lessons, leaving, switchWaits }: StatusFacts["deciding"]): string {
  const best = [...shadows].sort((a, b) => b.returnAfterCosts - a.returnAfterCosts)[0];
  return [
    switchWaits === null ? "" : row("switch", `${switchWaits} takes over at the next safe point`),
    leaving.length === 0 ? "" : row("handover", `earlier positions run out: ${leaving.join(", ")}`),
    best
      ? row("shadows", `${shadows.length} on paper, best ${best.name} ${(best.returnAfterCosts * 100).toFixed(2)} %`)
      : "",
    lessons.length === 0
      ? ""
      : row("lessons", `${counted(lessons.length, "stands", "stand")}; \`ballast lessons\` lists them`),
  ].join("");
}

/** The standing stop, the price it is moving to, and how long there was none. */
function stopText(held: StatusFacts["positions"][number]): string {
  if (held.protection !== "live") return `NONE (${held.protection}) for ${seconds(held.unprotectedForMs ?? 0)}`;
  const { stopPrice, wantedStopPrice } = held;
  const moving = wantedStopPrice !== null && wantedStopPrice !== stopPrice ? `, going to ${wantedStopPrice}` : "";
  return `${stopPrice ?? ""}${moving} (bare ${seconds(held.unprotectedTotalMs)})`;
}

function positionsText(positions: StatusFacts["positions"]): string {
  if (positions.length === 0) return row("positions", "none");
  const table = new Table({
    head: ["position", "side", "qty", "entry", "unrealised", "stop"],
    style: { head: [], border: [] },
  });
  for (const held of positions) {
    table.push([held.symbol, held.side, held.qty, held.avgPrice, held.unrealizedUsdt, stopText(held)]);
  }
  return `${table.toString()}\n`;
}

const COLUMNS = 100;
/** Where the text of a row begins. */
const INDENT = " ".repeat(17);

/** The page for a terminal of 100 columns: a longer row goes on below its own text. Tables stay as they are. */
export function fitColumns(page: string): string {
  return page
    .split("\n")
    .map((line) => (line.length <= COLUMNS || /^[│┌├└]/.test(line) ? line : broken(line)))
    .join("\n");
}

function broken(line: string): string {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > COLUMNS) {
    const space = rest.lastIndexOf(" ", COLUMNS);
    if (space <= INDENT.length) break;
    lines.push(rest.slice(0, space));
    rest = INDENT + rest.slice(space + 1);
  }
  return [...lines, rest].join("\n");
}
