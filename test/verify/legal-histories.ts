/** What tricky but legal histories are made of. The verifier must be silent about every one of them. */
import { expect } from "vitest";
import * as move from "./moves.ts";
import {
  type Body,
  BTC,
  CONFIG,
  ETH,
  fact,
  findingsOf,
  frame,
  history,
  newStory,
  pass,
  row,
  SOL,
  type Story,
} from "./story.ts";

/** What most histories trade. */
export const sol: move.Wanted = { symbol: SOL, leg: "LONG", qty: "1", price: "150" };

/** The same by an order that rests. */
export const resting: move.Wanted = { ...sol, resting: true };

/** A run with a session, ready to trade; `NET` is one-way mode. */
export function begun(mode: "BOTH" | "NET" = "BOTH", config: Body = CONFIG): Story {
  const story = newStory();
  move.account(story, "1000", { EXCHANGE_A: mode });
  move.runStarts(story, "b1", { config });
  move.beat(story);
  move.session(story);
  for (const sym of [BTC, ETH, SOL]) move.symbol(story, sym);
  move.live(story, 10_000);
  return story;
}

/** One more beat, which reports something beside. */
export const report = (story: Story, body: Body, afterMs = 10_000): void => {
  pass(story, afterMs);
  row(story, "beat", { stage: "ready", ...body });
};

/** A long of SOL with its stop. */
export function held(story: Story, wanted: move.Wanted = sol): { placed: move.Placed; stop: move.Stop } {
  const placed = move.place(story, wanted);
  pass(story, 300);
  move.fill(story, placed, { held: wanted.qty });
  const stop = move.protect(story, wanted);
  return { placed, stop };
}

/** A position is reported as closed whose stop, 77, nobody has reported as over. */
export const closedWithStop = (story: Story): void =>
  void row(story, "position", { leg: `${SOL}|LONG`, symbol: SOL, side: "LONG", qty: "0", kind: "closed", stop: "77" });

/** That stop is taken away. */
export function cancelLeft(story: Story): void {
  move.write(story, "algo.cancel", { algoOrderId: "77" });
  pass(story, 30);
  frame(story, "DELETE /api/v1/algo/order", { algoOrderId: "77" });
  move.answer(story, "done");
}

/** What the venue alone reports the fill of an order that rested. */
export function filledUnheard(story: Story, placed: move.Placed): Body {
  move.order(story, placed, "FILLED", "1");
  const common = {
    transactionId: "2199000000055555",
    orderId: placed.orderId,
    clientOrderId: placed.id,
    side: "BUY",
    price: "150",
    fee: "0.075",
  };
  fact(story, "execution", { ...common, sym: SOL, quantity: "1", rpnl: "0" });
  move.position(story, sol, "1");
  return common;
}

/** An order that rested is filled while nobody writes. Returns what a run writes when it finds out. */
export function filledWhileDown(story: Story): () => void {
  const placed = move.place(story, resting);
  pass(story, 40_000);
  const common = filledUnheard(story, placed);
  pass(story, 2_000);
  return () => {
    move.ended(story, placed, "FILLED", "1");
    row(story, "fill", { ...common, symbol: SOL, qty: "1", realizedPnl: "0" });
    row(story, "position", { leg: `${SOL}|LONG`, symbol: SOL, side: "LONG", qty: "1", kind: "opened" });
  };
}

/** A run that has work to do before it is ready. */
export function recovery(
  story: Story,
  name: string,
  work: () => void,
  positions: readonly { readonly leg: string; readonly qty: string }[] = [],
): void {
  story.runId = name;
  story.startedMs = story.nowMs;
  row(story, "boot", { boot: name });
  row(story, "reconcile", { event: "complete", startedAtMs: story.nowMs, positions });
  work();
  row(story, "boot", { boot: name, ready: true });
}

/** The verifier finds nothing. */
export const silent = (story: Story): void => expect([...findingsOf(history(story))]).toEqual([]);

/** A history that breaks no rule. */
export interface Legal {
  readonly what: string;
  play(): Story;
}

/** A run of `begun`, or of `make`, in which `happen` happens. */
export const legal = (what: string, happen: (story: Story) => void, make: () => Story = () => begun()): Legal => ({
  what,
  play: () => {
    const story = make();
    happen(story);
    return story;
  },
});

/** An order that left and whose reply never came. */
export function unanswered(story: Story, wanted: move.Wanted = sol): { id: string; decisionId: string; params: Body } {
  const promised = move.promise(story, wanted);
  const { decisionId, params } = promised;
  move.write(story, "order.place", params, {
    decisionId,
    sessionId: "ras_1",
    seen: move.seen(story, wanted),
    reserve: "150",
  });
  pass(story, 20);
  return promised;
}

/** The promise of an order ends. */
export const end = (story: Story, { id, decisionId }: { id: string; decisionId: string }, how: Body): void =>
  void row(story, "intent", { event: "end", intentId: id, ...how }, decisionId);

/** The frame of an order arrives twice. */
export const doubled = (story: Story): { placed: move.Placed; sent: Body } => {
  fact(story, "faults", { accountId: null, on: ["duplicate-delivery"] });
  const placed = move.place(story, resting);
  const sent = story.wire.at(-1) ?? {};
  return { placed, sent };
};

/** A question to a model is reserved and settled, USD. */
export const spend = (
  story: Story,
  id: string,
  money: { bound: string; cost: string; atMs?: number; settledMs?: number; how?: string },
): void => {
  const { bound, cost, atMs = story.nowMs, settledMs = atMs, how = "actual" } = money;
  row(story, "model-reserve", {
    attemptId: id,
    decisionId: "d",
    purpose: "decision",
    model: "m-1",
    atMs,
    boundUsd: bound,
  });
  row(story, "model-settle", { attemptId: id, atMs: settledMs, costUsd: cost, how });
};
