/**
 * The light house: the agent's own core against a bare venue in one synchronous run on virtual time. What `agent/shell/loop.ts`
 * and the desk do around the core is done here without promises, journal, previews and sockets: each kind of write waits
 * for its slot, an opening is looked at again in the instant before it leaves, an answer may be lost.
 */
import { createAgent, type Agent } from "../../src/agent/shell/agent.ts";
import type { AgentEvent, Strategies } from "../../src/agent/contract/events.ts";
import type { Effect } from "../../src/agent/contract/effects.ts";
import type { AgentSettings } from "../../src/agent/contract/settings.ts";
import { noBeats } from "../../src/agent/books/uptime.ts";
import { createContext, type Context } from "../../src/context/context.ts";
import { type Decimal, ZERO } from "../../src/core/decimal.ts";
import { mapOutcome } from "../../src/core/outcome.ts";
import { type VirtualClock, virtualClock } from "../../src/core/virtual-clock.ts";
import { REST_RATES } from "../../src/venue/venue-limits.ts";
import type { NewsItem } from "../../src/domain/news-item.ts";
import { ACCOUNT, type BareVenue } from "./bare-venue.ts";
import { read } from "./house-reads.ts";
import { createLine, type Line, type Untimed } from "./line.ts";
import { amend, close, place, protect, replace, sessionOf, setLeverage } from "./house-writes.ts";
import { createSlots, type Slots } from "./slots.ts";

export interface House {
  readonly agent: Agent;
  readonly venue: BareVenue;
  readonly line: Line;
  readonly clock: VirtualClock;
  /** Lets time pass; what is on its way arrives, and nobody looks. */
  pass(ms: number): void;
  /** Prices as they stand reach the agent (while its market stream is up), and it ticks. */
  look(): void;
  /** The market stream is up, and is heard. */
  marketUp(up: boolean): void;
  userUp(up: boolean): void;
  restUp(state: Line["rest"]): void;
  operator(command: "halt" | "resume"): void;
  /** News of nothing: the agent decides at its next look. */
  nudge(): void;
  /** When the agent last wrote, or heard a push. */
  lastActMs(): number;
  /** Highest rung of the ladder so far, and figures for the summary. */
  readonly seen: { worstFloor: string; orders: number; stops: number; closes: number; refused: number };
}

export interface HouseOptions {
  readonly venue: BareVenue;
  readonly settings: AgentSettings;
  readonly strategies: Strategies;
  readonly startMs: number;
  readonly latencyMs: number;
  /** Draws whether a push gets lost. */
  readonly lose: () => number;
  /** Called when an opening order has reached the venue, with what it filled at once. */
  readonly arrived: () => void;
  /** Hears every log line of the agent, for the replay of a day. */
  readonly report?: (atMs: number, text: string) => void;
}

const RUNGS = ["NORMAL", "WARN", "HOLD", "FLATTEN", "HALT"];

/** Everything that one house changes. */
export interface Rooms {
  readonly options: HouseOptions;
  readonly clock: VirtualClock;
  readonly agent: Agent;
  readonly line: Line;
  readonly slots: Slots;
  readonly seen: House["seen"];
  lastActMs: number;
  sessionUsdt: Decimal;
  feed(event: Untimed): void;
}

export function createHouse(options: HouseOptions): House {
  const { venue, settings, startMs } = options;
  const clock = virtualClock(startMs);
  const context = createContext({
    universe: settings.universe,
    intervals: ["1m"],
    caps: { minuteBars: 10, bars: 10, barsShown: 1 },
  });
  const agent = createAgent({
    boot: "d1",
    context,
    settings,
    rates: REST_RATES,
    strategies: options.strategies,
    restored: {
      openIntents: [],
      ourClientIds: new Set(),
      positions: new Map(),
      floor: "NORMAL",
      anchors: null,
      uptime: noBeats,
    },
    atMs: startMs,
  });
  const feed = (event: Untimed): void => dispatch(rooms, { ...event, atMs: clock.nowMs() } as AgentEvent);
  const heard = (event: Untimed): void => {
    rooms.lastActMs = clock.nowMs();
    feed(event);
  };
  const line = createLine(venue, clock, { latencyMs: options.latencyMs, feed: heard, lose: options.lose });
  const rooms: Rooms = {
    options,
    clock,
    agent,
    line,
    slots: createSlots(clock),
    seen: { worstFloor: "NORMAL", orders: 0, stops: 0, closes: 0, refused: 0 },
    lastActMs: startMs,
    sessionUsdt: ZERO,
    feed,
  };
  let market = true;
  for (const stream of ["market", "user", "news"] as const)
    feed({ kind: "stream", stream, up: true, reason: "begins" });
  return {
    agent,
    venue,
    line,
    clock,
    seen: rooms.seen,
    lastActMs: () => rooms.lastActMs,
    pass: (ms) => clock.advanceSync(ms),
    look: () => {
      if (market) reportPrices(context, venue, clock.nowMs());
      feed({ kind: "tick" });
    },
    marketUp: (up) => {
      market = up;
      feed({ kind: "stream", stream: "market", up, reason: "the line" });
    },
    userUp: (up) => {
      line.user = up;
      feed({ kind: "stream", stream: "user", up, reason: "the line" });
    },
    restUp: (state) => {
      line.rest = state;
    },
    operator: (command) => feed({ kind: "operator", command }),
    nudge: () => {
      rooms.lastActMs = clock.nowMs();
      feed({ kind: "news", item: newsOf(settings.universe[0] ?? "", clock.nowMs()) });
    },
  };
}

function reportPrices({ sink }: Context, venue: BareVenue, nowMs: number): void {
  sink.received(nowMs);
  for (const symbol of venue.symbols) {
    const price = venue.price(symbol);
    const [bid, ask] = [price * (1 - venue.halfSpread), price * (1 + venue.halfSpread)];
    sink.bbo(symbol, bid, 5, ask, 5, nowMs);
    sink.bookBegin(symbol, true, nowMs, nowMs);
    sink.bookLevel(true, bid, 5);
    sink.bookLevel(false, ask, 5);
    sink.bookEnd();
    sink.mark(symbol, price, nowMs);
    sink.index(symbol, price, nowMs);
  }
}

function dispatch(rooms: Rooms, event: AgentEvent): void {
  for (const effect of rooms.agent.step(event)) carryOut(rooms, effect);
}

function carryOut(rooms: Rooms, effect: Effect): void {
  const { line, slots, clock, feed } = rooms;
  const acts = (): void => void (rooms.lastActMs = clock.nowMs());
  switch (effect.kind) {
    case "record":
      if (effect.row === "floor") noteFloor(rooms, String(effect.body["to"]));
      return;
    case "log":
      return rooms.options.report?.(clock.nowMs(), `${effect.evt}: ${effect.msg}`);
    case "place":
      acts();
      return slots.ask("place", effect.intent.opening ? 1 : 0, (waitedMs) => place(rooms, effect.intent, waitedMs));
    case "cancel": {
      acts();
      const { clientOrderId } = effect.known;
      return slots.ask("cancel", 0, () =>
        line.write(
          (exchange, nowMs) => exchange.cancel(ACCOUNT, { clientOrderId }, nowMs),
          (sent) => feed({ kind: "cancel-sent", clientOrderId, sent: mapOutcome(sent, () => undefined) }),
        ),
      );
    }
    case "close":
      acts();
      return slots.ask("close", 0, () => close(rooms, effect));
    case "protect":
      acts();
      return slots.ask("protect", 0, () => protect(rooms, effect));
    case "amend":
      acts();
      return slots.ask("replace", 0, () => replace(rooms, effect));
    case "amend-protection":
      acts();
      return slots.ask("resize", 0, () => amend(rooms, effect));
    case "cancel-algo": {
      acts();
      const { algoOrderId } = effect;
      return slots.ask("clear", 0, () =>
        line.write(
          (exchange, nowMs) => exchange.cancelAlgo(ACCOUNT, { algoOrderId }, nowMs),
          (sent) => feed({ kind: "algo-cancel-sent", algoOrderId, sent: mapOutcome(sent, () => undefined) }),
        ),
      );
    }
    case "set-leverage":
      return setLeverage(rooms, effect);
    case "renew-session":
      return feed({ kind: "session", session: sessionOf(rooms), reason: "" });
    case "ask-model":
      throw new Error("no strategy of a market day asks a model");
    case "answer":
      return;
    default:
      return read(rooms, effect);
  }
}

function noteFloor({ seen }: Rooms, floor: string): void {
  if (RUNGS.indexOf(floor) > RUNGS.indexOf(seen.worstFloor)) seen.worstFloor = floor;
}

const newsOf = (symbol: string, atMs: number): NewsItem => ({
  key: `nudge:${atMs}`,
  kind: "news",
  newsId: String(atMs),
  title: "Nothing has happened",
  text: "",
  category: null,
  author: null,
  currencies: [symbol.split("_").at(-2) ?? ""],
  publishedAtMs: atMs,
  firstSeenMs: atMs,
  sourceUrl: null,
});
