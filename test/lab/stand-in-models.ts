/** Models for the contamination meter: they answer the deciding question from its text, one of them also from memory. */
import type { LabModels } from "../../src/lab/models/lab-models.ts";
import type { ModelRequest } from "../../src/llm/dialects/chat.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/core/time.ts";
import type { Recorded } from "../../src/sim/market/recorded.ts";
import { figure, readPrompt, type TableRow } from "../../src/sim/model/prompt-reader.ts";

/** The stance on one row of the market table at that time of the question: above zero long, below short. */
export type Opinion = (row: TableRow, atMs: number) => number;

/** Only the figures of the row: the last hours' move, with the trend. */
export const reading: Opinion = (row) => (figure(row["ret1h"]) ?? 0) + 0.5 * (figure(row["ret4h"]) ?? 0);

const AHEAD_MS = HOUR_MS;

/** Knows the closes of these bars by name and date; of anything else only what the row says. */
export function remembering(bars: readonly Recorded[]): Opinion {
  const closes = new Map(
    bars.map(({ dataSymbol, candles: { openMs, close } }) => [
      dataSymbol.replace(/USDT$/, ""),
      new Map([...openMs].map((atMs, at) => [atMs, close[at] ?? 0])),
    ]),
  );
  return (row, atMs) => {
    const known = closes.get(row["symbol"] ?? "");
    const nowMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
    const [now, then] = [known?.get(nowMs - MINUTE_MS), known?.get(nowMs + AHEAD_MS - MINUTE_MS)];
    return now === undefined || then === undefined ? reading(row, atMs) : (100 * (then - now)) / now;
  };
}

/** An opinion on which chance weighs as much as the figures, drawn from the run and the question. */
export const wavering =
  (opinion: Opinion, draw: () => number): Opinion =>
  (row, atMs) =>
    opinion(row, atMs) + 2 * draw() - 1;

/** Below this an opinion is none, percent. */
const CLEAR_OF = 0.15;

function answerTo({ user, words }: ModelRequest, opinion: Opinion): string {
  const { market } = readPrompt(user);
  const atMs = Date.parse(/^Time: (\S+)/m.exec(user)?.[1] ?? "");
  const stances = market.map((row) => {
    const move = opinion(row, atMs);
    const stance = Math.abs(move) < CLEAR_OF ? "FLAT" : move > 0 ? "LONG" : "SHORT";
    return {
      ...{ symbol: row["symbol"], reason: "a stand-in says so", against: "none", invalidation: "none" },
      ...{ evidence: ["ret1h"], stance, conviction: 0.8, size: "large", horizon: "hours" },
      ...{ stopVolatilities: 8, targetVolatilities: null, urgency: "take" },
    };
  });
  return JSON.stringify({ echo: words.echo, summary: "a stand-in", stances });
}

/** A model of one run that costs nothing and needs no time. `heard` receives what it was asked. */
export function standIn(opinion: Opinion, heard: (request: ModelRequest) => void = () => undefined): LabModels {
  let asked = 0;
  return {
    client: () => ({
      complete: (request) => {
        asked += 1;
        heard(request);
        return Promise.resolve({
          kind: "answered",
          text: answerTo(request, opinion),
          finishReason: "stop",
          usage: { promptTokens: 1_000, completionTokens: 100, cachedTokens: 0 },
          ...{ costUsd: null, declined: false, thoughts: "", answeredIn: "content" },
        });
      },
      close: () => Promise.resolve(),
    }),
    awaited: () => null,
    stopped: () => null,
    summary: () => ({ how: "live", asked, kept: asked, spentUsd: "0" }),
  };
}
