/** One honest run with something of everything in it: the ground into which mistakes are planted. */
import * as move from "./moves.ts";
import { BTC, ETH, newStory, pass, row, type Story } from "./story.ts";

export interface Run {
  readonly story: Story;
  readonly btc: move.Placed;
  readonly eth: move.Placed;
  readonly stop: move.Stop;
  readonly closing: move.Placed;
  readonly attempt: string;
}

export const LONG_BTC: move.Wanted = { symbol: BTC, leg: "LONG", qty: "0.005", price: "60100" };
export const SHORT_ETH: move.Wanted = { symbol: ETH, leg: "SHORT", qty: "0.1", price: "3005", resting: true };

/** Boot, session, a model asked, a BTC long filled in two parts, protected and closed, an ETH entry withdrawn, a stop. */
export function honestRun(): Run {
  const story = newStory();
  move.account(story);
  move.runStarts(story, "b1");
  move.beat(story);
  move.session(story);
  move.setLeverage(story, BTC);
  move.symbol(story, BTC);
  move.symbol(story, ETH);
  move.live(story, 20_000);
  const attempt = askThenDecide(story);
  const btc = move.place(story, LONG_BTC);
  pass(story, 400);
  move.fill(story, btc, { qty: "0.002", of: "0.002", held: "0.002" });
  pass(story, 300);
  move.fill(story, btc, { qty: "0.003", held: "0.005", kind: "resized" });
  const stop = move.protect(story, LONG_BTC);
  story.sinks.push({ name: "agent.jsonl", content: logOf(story, btc) });
  move.live(story, 20_000);
  for (const price of ["60050", "59800", "60220"]) {
    pass(story, 250);
    move.mark(story, BTC, price);
    move.account(story, price === "59800" ? "998.5" : "1000.2");
  }
  const eth = move.place(story, SHORT_ETH);
  move.order(story, eth, "OPEN", "0");
  move.live(story, 30_000);
  move.askCancel(story, eth);
  pass(story, 900);
  move.cancelled(story, eth);
  move.live(story, 20_000);
  const closing = move.close(story, LONG_BTC, stop);
  move.live(story, 40_000);
  pass(story, 100);
  row(story, "stop", { reason: "stopped by SIGTERM" });
  return { story, btc, eth, stop, closing, attempt };
}

function askThenDecide(story: Story): string {
  const decisionId = `d-${story.runId}-asked`;
  row(story, "decision", { trigger: ["cadence"], strategy: "llm-trader" }, decisionId);
  const attempt = move.ask(story, decisionId);
  row(story, "decision", { by: "llm-trader", kind: "wishes", note: "nothing", targets: [] }, decisionId);
  pass(story, 200);
  return attempt;
}

function logOf(story: Story, { id }: move.Placed): string {
  const time = new Date(story.nowMs).toISOString();
  const lines = [
    { level: "info", time, evt: "order.filled", clientOrderId: id, msg: "BUY 0.005" },
    { level: "info", time, evt: "position.protected", leg: `${BTC}|LONG`, msg: "a stop stands" },
    { level: "info", time, evt: "decision.made", msg: "nothing to do" },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
