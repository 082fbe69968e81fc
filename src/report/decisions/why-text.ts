/** The way back from an order to its reasons, nearest first. Knows only the shape of the facts. */
import { formatSpan, isoTime } from "../../core/time.ts";
import { oneLine } from "../../core/safe-text.ts";
import type { ReasonEntry } from "../orders/reasons-text.ts";
import { type SymbolFacts, symbolLine } from "./seen-text.ts";
import { type CostRow, costText } from "../../rows/cost.ts";
import { type FillRow, fillWords } from "../../rows/fill.ts";
import { orderEndWords } from "../../rows/order.ts";
import { counted } from "../../core/words.ts";

/** What `ballast why --json` prints; `write` led to the requested order or fill. */
export interface WhyFacts {
  readonly id: string;
  /** Null if the id is not that of a fill. */
  readonly fill: FillRow | null;
  readonly write: ReasonEntry;
  /** The order's cost, measured beside predicted; null if not measured, or for a write that fills nothing. */
  readonly cost: CostRow | null;
  /** Null if no decision is behind it: the agent's own protection. */
  readonly decision: { readonly atMs: number; readonly seq: number } | null;
  /** The symbol as the strategy saw it; null if no page is kept. */
  readonly frame: (SymbolFacts & { readonly atMs: number }) | null;
  readonly news: readonly {
    readonly key: string;
    readonly title: string;
    readonly text: string;
    readonly sourceUrl: string | null;
    readonly firstSeenMs: number | null;
    readonly seq: number | null;
  }[];
}

const NEWS_CHARS = 240;
const step = (name: string, text: string): string => `  ${name.padEnd(10)} ${oneLine(text)}\n`;

/** Also prints the frame's ages as instants, UTC: the time of the snapshot less the age. */
export function whyText(facts: WhyFacts): string {
  const { write, decision } = facts;
  const lines = [
    `Why ${facts.id}\n`,
    facts.fill ? step("fill", fillWords(facts.fill)) : "",
    step(
      "write",
      `${isoTime(write.atMs)} ${write.action} ${write.symbol ?? ""} ${write.leg ?? ""} (${write.kind}), row ${write.seq}`,
    ),
    ...(write.clientOrderId === null
      ? []
      : [step("ids", `client ${write.clientOrderId}, order ${write.orderId ?? "not known"}`)]),
    step("result", resultWords(write)),
    ...(facts.cost ? [step("cost", costText(facts.cost))] : []),
    step("reason", write.reason || "none was written"),
    ...(write.verdict === null ? [] : [step("review", reviewWords(write))]),
    decision && write.decisionId
      ? step(
          "decision",
          `${write.decisionId} by ${write.strategy ?? "?"}, ${formatSpan(Math.max(0, write.atMs - decision.atMs))} before, row ${decision.seq}`,
        )
      : step("decision", "none: the agent's own rules"),
    ...(write.trigger.length === 0 ? [] : [step("trigger", write.trigger.join("; "))]),
    ...write.modelCalls.map((call) =>
      step(
        "model",
        `${call.model ?? "none"} ${call.kind}${call.cached ? " from the cache" : ""}, ${call.costUsd ?? "0"} USD, ${call.attempt ?? "no attempt"}`,
      ),
    ),
    ...frameLines(facts.frame),
    ...newsLines(facts),
  ];
  return lines.join("");
}

function resultWords({ outcome, ended }: ReasonEntry): string {
  const answer = outcome ?? "no answer was read";
  return ended ? `${answer}; ${orderEndWords(ended)}` : answer;
}

function reviewWords({ verdict, verdicts }: ReasonEntry): string {
  const words = verdicts.flatMap(({ limit, kind, reason }) =>
    kind === "allow" ? [] : [`${limit} ${kind}: ${reason}`],
  );
  return `${verdict ?? ""}, ${words.length > 0 ? `${counted(verdicts.length, "limit")}; ${words.join("; ")}` : counted(verdicts.length, "limit agrees", "limits agree")}`;
}

/** Each part of the market was reported at its own instant: the time of the snapshot less its age. */
function frameLines(frame: WhyFacts["frame"]): readonly string[] {
  if (!frame) return [step("frame", "no page is kept of what was seen")];
  const reported = (ageMs: number | null): string =>
    ageMs === null ? "never" : isoTime(frame.atMs - ageMs).slice(11, 23);
  return [
    step("frame", symbolLine(frame)),
    step(
      "",
      `book reported at ${reported(frame.bookAgeMs)}, mark at ${reported(frame.markAgeMs)}, last trade at ${reported(frame.tradeAgeMs)}; looked at ${isoTime(frame.atMs).slice(11, 23)}`,
    ),
  ];
}

function newsLines({ news, write }: WhyFacts): readonly string[] {
  const cited = new Set(news.map((item) => item.key));
  const figures = write.evidence.filter((name) => !cited.has(name));
  return [
    ...(figures.length > 0 ? [step("figures", figures.join(", "))] : []),
    ...news.map((item) => {
      const seen = item.firstSeenMs === null ? "" : `, first seen ${isoTime(item.firstSeenMs)}`;
      const source = item.sourceUrl === null ? "" : ` ${item.sourceUrl}`;
      return step("news", `${item.key}${seen}: ${item.title}. ${item.text.slice(0, NEWS_CHARS)}${source}`);
    }),
  ];
}
