/**
 * The agent's own core against a bare exchange in one synchronous run on virtual time. Like `agent/shell/loop.ts` and
 * the desk, but without promises, journal, previews and sockets: each kind of write waits for its rate slot, an opening
 * is checked again just before it is sent, and a reply may be lost.
 */
import { noBeats } from "../../agent/books/uptime.ts";
import type { Untimed } from "../../agent/shell/parts.ts";
import type { Effect } from "../../agent/contract/effects.ts";
import type { AgentEvent } from "../../agent/contract/events.ts";
import { type Agent, createAgent } from "../../agent/shell/agent.ts";
import type { Context } from "../../context/context.ts";
import { ZERO } from "../../core/decimal.ts";
import { mapOutcome } from "../../core/outcome.ts";
import { type VirtualClock, virtualClock } from "../../core/virtual-clock.ts";
import type { NewsItem } from "../../domain/news-item.ts";
import { ACCOUNT } from "./bare-exchange.ts";
import { read } from "./direct-reads.ts";
import type { DirectLoopOptions, RestartState, LoopCounts, LoopState } from "./loop-state.ts";
import { amend, close, place, protect, renewSession, replace, sessionOf, setLeverage } from "./direct-writes.ts";
import {
  createExchangeLink,
  createSweep,
  type ExchangeLink,
  readLeverages,
  readRules,
  type ExchangeRead,
} from "./exchange-link.ts";
import { createWriteSlots } from "./write-slots.ts";

export interface DirectLoop {
  readonly agent: Agent;
  readonly context: Context;
  readonly link: ExchangeLink;
  readonly clock: VirtualClock;
  /** Advances time: pending replies arrive, but the agent does not tick. */
  pass(ms: number): void;
  /** Requests the reads that must be fresh at a decision, on behalf of the agent. */
  refresh(): void;
  /** Shows the agent the current market (while its market stream is up) and ticks. */
  look(): void;
  /** Sets whether the market stream is up and delivers. */
  marketUp(up: boolean): void;
  userUp(up: boolean): void;
  restUp(state: ExchangeLink["rest"]): void;
  operator(command: "halt" | "resume"): void;
  news(item: NewsItem): void;
  /** Kills the process. Requests that it has sent still arrive at the exchange. */
  die(): void;
  /** When the agent last wrote or received a push. */
  lastActMs(): number;
  /** How many events the agent has taken: its state changes with no other call. */
  steps(): number;
  /** Whether a write waits for its slot or its reply, or a push is in transit. */
  pending(): boolean;
  readonly seen: LoopCounts;
}

const RUNGS = ["NORMAL", "WARN", "HOLD", "FLATTEN", "HALT"];

const firstLife = (startMs: number): RestartState => ({
  runId: "d1",
  restored: {
    openIntents: [],
    ourClientIds: new Set(),
    floor: "NORMAL",
    anchors: null,
    uptime: noBeats,
  },
  clock: virtualClock(startMs),
});

/** Starts at once: the streams are up, and the first ticks read the account. */
export function createDirectLoop(options: DirectLoopOptions): DirectLoop {
  const { bare, context, settings, strategies, rates, startMs, latencyMs } = options;
  const { clock, runId, restored } = options.life ?? firstLife(startMs);
  const agent = createAgent({ runId, context, settings, rates, strategies, restored, atMs: clock.nowMs() });
  const feed = (event: Untimed): void => {
    if (!state.isDead) dispatch(state, { ...event, atMs: clock.nowMs() } as AgentEvent);
  };
  const heard = (event: Untimed): void => {
    state.lastActMs = clock.nowMs();
    feed(event);
  };
  const { deliver, reads, lose = () => 1 } = options;
  const link = createExchangeLink(bare, clock, {
    latencyMs,
    feed: heard,
    lose,
    ...(deliver ? { deliver } : {}),
    ...(reads ? { reads } : {}),
  });
  const state: LoopState = {
    options,
    clock,
    agent,
    link,
    slots: createWriteSlots(clock, () => state.isDead),
    // With delayed reads the returned account may change although the exchange's has not.
    sweep: createSweep(link, reads === undefined ? (_exchange, nowMs) => bare.account(nowMs) : null),
    leverages: unlessChanged(link.changes, readLeverages),
    rules: unlessChanged(bare.ruleChanges, readRules),
    seen: { worstFloor: "NORMAL", orders: 0, stops: 0, closes: 0, refused: 0 },
    lastActMs: clock.nowMs(),
    steps: 0,
    isDead: false,
    usedUsdt: ZERO,
    sessionSinceMs: clock.nowMs(),
    feed,
  };
  let market = true;
  for (const stream of ["market", "user", "news"] as const)
    feed({ kind: "stream", stream, up: true, reason: "begins" });
  feed({ kind: "fees", rates: [{ exchange: settings.exchange, ...bare.fees() }] });
  return {
    agent,
    context,
    link,
    clock,
    seen: state.seen,
    lastActMs: () => state.lastActMs,
    steps: () => state.steps,
    pending: () => state.slots.waiting() || link.writing() > 0 || link.arriving() > 0,
    pass: (ms) => clock.advanceSync(ms),
    refresh: () => {
      read(state, { kind: "read-account", withAlgos: false });
      read(state, { kind: "read-leverage" });
    },
    look: () => {
      const nowMs = clock.nowMs();
      if (market) {
        context.sink.received(nowMs);
        options.quote(context.sink, nowMs);
      }
      feed({ kind: "tick", awake: true });
    },
    marketUp: (up) => {
      market = up;
      feed({ kind: "stream", stream: "market", up, reason: "the link" });
    },
    userUp: (up) => {
      link.user = up;
      feed({ kind: "stream", stream: "user", up, reason: "the link" });
    },
    restUp: (to) => {
      link.rest = to;
    },
    operator: (command) => feed({ kind: "operator", command }),
    die: () => {
      state.isDead = true;
      link.user = false;
    },
    news: (item) => {
      state.lastActMs = clock.nowMs();
      feed({ kind: "news", item });
    },
  };
}

/** The last read, while everything that it depends on is unchanged. */
function unlessChanged<T>(changes: () => number, read: ExchangeRead<T>): ExchangeRead<T> {
  let kept: { readonly changes: number; readonly value: T } | null = null;
  return (exchange, nowMs) => {
    if (kept?.changes !== changes()) kept = { changes: changes(), value: read(exchange, nowMs) };
    return kept.value;
  };
}

function dispatch(state: LoopState, event: AgentEvent): void {
  state.steps += 1;
  for (const effect of state.agent.step(event)) carryOut(state, effect);
}

function carryOut(state: LoopState, effect: Effect): void {
  const { link, slots, clock, feed } = state;
  const acts = (): void => void (state.lastActMs = clock.nowMs());
  switch (effect.kind) {
    case "record":
      if (effect.row === "floor") noteFloor(state, String(effect.body["to"]));
      return state.options.onRow?.(effect, clock.nowMs());
    case "log":
      return state.options.report?.(clock.nowMs(), `${effect.evt}: ${effect.msg}`);
    case "place":
      acts();
      return slots.ask("place", effect.intent.opening ? 1 : 0, (waitedMs) => place(state, effect, waitedMs));
    case "cancel": {
      acts();
      const { clientOrderId } = effect.known;
      return slots.ask("cancel", 0, () => {
        state.options.onWrite?.(effect);
        link.write(
          effect.known.symbol,
          (exchange, nowMs) => exchange.cancel(ACCOUNT, { clientOrderId }, nowMs),
          (sent) => feed({ kind: "cancel-sent", clientOrderId, sent: mapOutcome(sent, () => undefined) }),
        );
      });
    }
    case "close":
      acts();
      return slots.ask("close", 0, () => close(state, effect));
    case "protect":
      acts();
      return slots.ask("protect", 0, () => protect(state, effect));
    case "amend":
      acts();
      return slots.ask("replace", 0, () => replace(state, effect));
    case "amend-protection":
      acts();
      return slots.ask("resize", 0, () => amend(state, effect));
    case "cancel-algo": {
      acts();
      const { algoOrderId } = effect;
      return slots.ask("clear", 0, () => {
        state.options.onWrite?.(effect);
        link.write(
          null,
          (exchange, nowMs) => exchange.cancelAlgo(ACCOUNT, { algoOrderId }, nowMs),
          (sent) => feed({ kind: "algo-cancel-sent", algoOrderId, sent: mapOutcome(sent, () => undefined) }),
        );
      });
    }
    case "set-leverage":
      return setLeverage(state, effect);
    case "renew-session":
      renewSession(state);
      return feed({ kind: "session", session: sessionOf(state), reason: "" });
    case "ask-model":
      throw new Error("a run without a model has a strategy that asks one");
    case "answer":
      return;
    default:
      return read(state, effect);
  }
}

function noteFloor({ seen }: LoopState, floor: string): void {
  if (RUNGS.indexOf(floor) > RUNGS.indexOf(seen.worstFloor)) seen.worstFloor = floor;
}
