/** What an honest agent and venue write of a run: its start, session, heartbeats, account and symbols. */
import { type Body, BTC, CONFIG, type Entry, ETH, fact, frame, pass, row, SOL, type Story } from "./story.ts";
import { write, answer } from "./write-moves.ts";

export const RULES: Record<string, { tick: string; lot: string; minNotional: string; contractSize: string }> = {
  [BTC]: { tick: "0.1", lot: "0.001", minNotional: "5", contractSize: "1" },
  [ETH]: { tick: "0.01", lot: "0.01", minNotional: "5", contractSize: "1" },
  [SOL]: { tick: "0.001", lot: "0.1", minNotional: "5", contractSize: "1" },
};

export const MARK: Record<string, string> = { [BTC]: "60000", [ETH]: "3000", [SOL]: "150" };

export interface RunOptions {
  readonly positions?: readonly { leg: string; qty: string }[];
  readonly config?: Body;
}

export function runStarts(story: Story, name: string, { positions = [], config = CONFIG }: RunOptions = {}): void {
  story.runId = name;
  story.startedMs = story.nowMs - 5;
  row(story, "boot", { boot: name, pid: 7, strategy: "momentum" });
  row(story, "config", { file: "agent.yaml", config });
  pass(story, 900);
  row(story, "reconcile", { event: "complete", startedAtMs: story.nowMs - 700, positions, changes: [], orders: 0 });
  pass(story, 100);
  row(story, "boot", { boot: name, ready: true, strategy: "momentum" });
}

export const SESSION: Body = {
  status: "ACTIVE",
  symbols: [BTC, ETH, SOL],
  maxNotionalPerOrder: "400",
  maxTotalNotional: "20000",
  usedNotional: "0",
  allowedActions: ["order.place", "order.replace", "order.cancel"],
  allowedOrderTypes: ["LIMIT", "MARKET"],
  stoppedAtMs: null,
};

export function session(story: Story, id = "ras_1", change: Body = {}): string {
  const terms = {
    ...SESSION,
    automationSessionId: id,
    createdAtMs: story.nowMs,
    expiresAtMs: story.nowMs + 86_400_000,
  };
  row(story, "session", { event: "started", session: { ...terms, ...change } });
  return id;
}

export const beat = (story: Story): Entry =>
  row(story, "beat", { stage: "ready", floor: "NORMAL", streams: { market: true, user: true, news: true } });

/** Beats at their rhythm over a span. */
export function live(story: Story, ms: number): void {
  for (let spent = 0; spent + 10_000 <= ms; spent += 10_000) {
    pass(story, 10_000);
    beat(story);
  }
}

export function account(story: Story, equity = "1000", modes: Body = { EXCHANGE_A: "BOTH" }): Body {
  return fact(story, "account", { equity, maintainMargin: "0", modes });
}

/** What the service reports a symbol before the first order in it. */
export function symbol(story: Story, sym: string, leverage = "2"): void {
  const { tick, lot, minNotional, contractSize } = RULES[sym] ?? {
    tick: "1",
    lot: "1",
    minNotional: "5",
    contractSize: "1",
  };
  fact(story, "leverage", { sym, leverage });
  fact(story, "rules", { accountId: null, sym, tickSize: tick, lotSize: lot, minNotional, contractSize });
}

export function setLeverage(story: Story, sym: string, leverage = 2): void {
  write(story, "position.set-leverage", { symbol: sym, leverage });
  pass(story, 20);
  frame(story, "POST /api/v1/trading/position/leverage", { sym, leverage });
  pass(story, 30);
  answer(story, "done");
}

export const mark = (story: Story, sym: string, price: string): Body =>
  fact(story, "mark", { accountId: null, sym, mark: price });
