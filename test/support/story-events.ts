/** What happens in a story of `agent-story.ts`: each line as the event that the agent is fed. */
import type { Sent } from "../../src/agent/contract/events.ts";
import type { Effect } from "../../src/agent/contract/effects.ts";
import { type Decimal, dec, ZERO } from "../../src/core/decimal.ts";
import type { AlgoOrder } from "../../src/domain/algo-order.ts";
import type { OrderState, OrderUpdate } from "../../src/domain/order.ts";
import type { Asset, Position } from "../../src/domain/position.ts";
import { positionKeyOf } from "../../src/domain/position.ts";
import { rejected } from "../../src/protocol/codes.ts";
import { account, BTC, ETH, position, standingStop, START_MS, update, type World } from "./agent-world.ts";

const SYMBOLS: Readonly<Record<string, string>> = { BTC, ETH };
const UNTIL_MAX_S = 180;

const symbolOf = (name: string): string => SYMBOLS[name] ?? name;
export const shortOf = (symbol: string): string =>
  Object.entries(SYMBOLS).find(([, full]) => full === symbol)?.[0] ?? symbol;
const legOf = (name: string): "LONG" | "SHORT" | "NONE" => (name === "NONE" ? "NONE" : sideOf(name));
const sideOf = (name: string): "LONG" | "SHORT" => (name === "SHORT" ? "SHORT" : "LONG");
/**
 * `S1` is a stop of the agent's with the venue's id 2190000000000101, `H1` somebody else's with 2190000000000701, and `301` the
 * order 2190000000000301.
 */
const idOf = (name: string): string =>
  `2190000000000${/^[SH]/.test(name) ? String((name.startsWith("S") ? 100 : 700) + Number(name.slice(1))) : name}`;
export const nameOf = (id: string): string => {
  const no = Number(id.slice(-3));
  return no > 700 ? `H${no - 700}` : `S${no - 100}`;
};

/** The order 2190000000000301 is 301. */
export const orderName = (id: string): string => String(Number(id.slice(-5)));

/** What the story has shown so far: a stop keeps its size from push to push. */
export interface Story {
  readonly world: World;
  readonly stops: Map<string, AlgoOrder>;
}

export type Words = readonly string[];

function after(words: Words, word: string): string | undefined {
  const at = words.indexOf(word);
  return at < 0 ? undefined : words[at + 1];
}

function listed(words: Words, world: World): Position {
  const [symbol = "", side = "", qty = ""] = words;
  return { ...position(symbolOf(symbol), qty, after(words, "@") ?? "60000", sideOf(side)), updatedAtMs: world.nowMs };
}

/** The seconds of `asked 0.5 s ago`. */
function secondsAgo(text: string, verb = ""): number | undefined {
  const found = new RegExp(`${verb} ?([\\d.]+) s ago`).exec(text);
  return found ? Number(found[1]) : undefined;
}

function stopOf({ stops, world }: Story, words: Words): AlgoOrder {
  const [name = "", state] = words.filter(
    (word, i) => !/^(for|at|target)$/.test(word) && !/^(for|at|target)$/.test(words[i - 1] ?? ""),
  );
  const before =
    stops.get(name) ??
    standingStop({
      algoOrderId: idOf(name),
      clientOrderId: name.startsWith("H") ? "by-hand" : `p-boot-${name.slice(1)}`,
    });
  const [qty, price, goal] = [after(words, "for"), after(words, "at"), after(words, "target")];
  const oco = goal === undefined ? {} : { condition: "OCO" as const, triggerPrice: null, takeProfitPrice: dec(goal) };
  const field = goal !== undefined || before.condition === "OCO" ? "stopLossPrice" : "triggerPrice";
  const stop = {
    ...before,
    ...oco,
    ...(qty === undefined ? {} : { qty: dec(qty) }),
    ...(price === undefined ? {} : { [field]: dec(price) }),
    state: (state ?? "NEW") as AlgoOrder["state"],
    updatedAtMs: world.nowMs,
  };
  stops.set(name, stop);
  return stop;
}

function readList(story: Story, rest: string): void {
  const parts = rest.split(",").map((part) => part.trim());
  const named = parts.filter((part) => /^[SH]\d/.test(part)).map((part) => stopOf(story, part.split(" ")));
  const openAlgos = named.length > 0 || parts.includes("no stops") ? named : null;
  const positions = parts
    .filter((part) => part in SYMBOLS || / (LONG|SHORT) /.test(part))
    .map((part) => {
      const began = parts.includes("new") ? 0 : secondsAgo(part, "began");
      const changed = secondsAgo(part, "changed");
      return {
        ...listed(part.split(" "), story.world),
        ...(began === undefined ? {} : { createdAtMs: story.world.nowMs - began * 1_000 }),
        ...(changed === undefined ? {} : { updatedAtMs: story.world.nowMs - changed * 1_000 }),
      };
    });
  const agoMs = (secondsAgo(rest, "asked") ?? 0) * 1_000;
  const [, equity = "1000"] = /equity ([\d.]+)/.exec(rest) ?? [];
  const positionMode = parts.includes("one-way") ? "NET" : "BOTH";
  const shown = [{ ...account(equity), positionMode }] as const;
  story.world.account({ account: shown, positions, openAlgos, startedAtMs: story.world.nowMs - agoMs });
}

function reply(words: Words, done: (id: string) => unknown): Sent<never> {
  const [how = "", what = ""] = words;
  if (how === "refused") return rejected(what, "the venue refuses it") as Sent<never>;
  if (how === "done") return { kind: "done", value: done(idOf(what)) } as Sent<never>;
  if (how === "unknown") return { kind: "unknown", message: "no answer" };
  if (how === "blocked") return { kind: "blocked", message: "its row could not be written" } as Sent<never>;
  if (how === "unsent") return { kind: "not-sent", message: "no line" };
  throw new Error(`a reply is refused CODE, done ID, unknown, blocked or unsent, not ${how}`);
}

function fill({ world }: Story, words: Words): void {
  const [side = "", qty = ""] = words;
  const id = after(words, "by") ?? "300";
  const ago = secondsAgo(words.join(" "));
  const execution = {
    ...{
      transactionId: `t${id}-${qty}`,
      orderId: idOf(id),
      clientOrderId: after(words, "as") ?? idOf(id),
      symbol: BTC,
    },
    ...{ side: side as "BUY" | "SELL", qty: dec(qty), price: dec(after(words, "@") ?? "60000"), fee: dec("0.1") },
    ...{ realizedPnl: dec(after(words, "earning") ?? "0"), liquidity: "TAKER" as const },
    atMs: words.includes("now") || ago !== undefined ? world.nowMs - (ago ?? 0) * 1_000 : 0,
  };
  world.feed({ kind: "fill", execution });
}

/** The push of an order: of the agent's newest one, or of an order by somebody else where an id is named. */
function order({ world }: Story, words: Words): void {
  const own = !/^\d/.test(words[0] ?? "");
  const [id = "", state = "", side = "", positionSide = ""] = own ? ["", ...words] : words;
  const base = own
    ? update(world.last("place"), {})
    : othersOrder(idOf(id), dec(after(words, "of") ?? "0.004"), [side, positionSide], after(words, "as"));
  const executedQty = (state === "FILLED" ? base.qty : null) ?? dec(after(words, "executed") ?? "0");
  const price = after(words, "at");
  const avgPrice = price ? dec(price) : own ? (base.avgPrice ?? ZERO) : dec(executedQty.isZero() ? "0" : "60000");
  const orderId = own && words.includes("by") ? idOf(after(words, "by") ?? "") : base.orderId;
  const { price: limitPrice, qty } = words.includes("amended")
    ? world.last("amend").intent
    : { ...base, price: base.limitPrice };
  const shown = { ...base, orderId, limitPrice, qty, state: state as OrderState, executedQty, avgPrice };
  world.feed({ kind: "order", update: shown });
}

function othersOrder(orderId: string, qty: Decimal, [side, positionSide]: Words, clientOrderId = orderId): OrderUpdate {
  return {
    ...{ orderId, clientOrderId, state: "OPEN", symbol: BTC, qty, executedQty: ZERO },
    ...{ side: side as OrderUpdate["side"], positionSide: positionSide as OrderUpdate["positionSide"] },
    ...{ avgPrice: ZERO, limitPrice: null, fee: null, reason: "", cancelPending: false, updatedAtMs: null },
  };
}

/** With `lists` the account is read before every tick: what the agent asks for is answered. */
function seconds(world: World, count: number, lists = false): void {
  for (let left = count; left > 0; left -= 1) {
    if (lists) world.account();
    world.tick(Math.min(1, left) * 1_000);
  }
}

/** The venue takes the newest order and lets it rest. */
function restOrder({ world }: Story): void {
  const shown = update(world.last("place"), { state: "OPEN" });
  const sent = { kind: "done", value: { orderId: shown.orderId } } as const;
  world.feed({ kind: "placed", clientOrderId: world.last("place").intent.clientOrderId, sent });
  world.feed({ kind: "order", update: shown });
}

function until(world: World, kind: string): void {
  for (let second = 0; second < UNTIL_MAX_S; second++) {
    if (world.of(kind as Effect["kind"]).length > 0) return;
    if (kind === "close" && world.of("protect").length > 0 && second > 0) {
      const { leg } = world.last("protect");
      world.feed({ kind: "protect-sent", leg, sent: rejected("50001", "not now") });
    }
    world.tick(1_000);
  }
  throw new Error(`no ${kind} within ${UNTIL_MAX_S} s`);
}

const KEY = positionKeyOf(BTC, "LONG");

function walletOf(balance: string): Asset {
  return { exchange: "EXCHANGE_A", coin: "USDT", balance: dec(balance), available: dec(balance), frozen: ZERO };
}

function hold(world: World, [cause = "", ...reason]: Words): void {
  const ended = reason.join(" ") === "ended";
  world.feed({ kind: "hold", cause, reason: ended ? null : reason.join(" ") });
}

export function happen(story: Story, line: string): void {
  const { world } = story;
  const words = line.split(/\s+/);
  const [verb = "", ...rest] = words;
  if (/^[\d.]+ s( with lists)?$/.test(line)) return seconds(world, Number(verb), line.endsWith("lists"));
  switch (verb) {
    case "list":
      return readList(story, rest.join(" "));
    case "push": {
      const [symbol = "", side = "", qty = ""] = rest;
      const flat = qty === "flat";
      const update = {
        ...{
          symbol: symbolOf(symbol),
          positionSide: legOf(side),
          qty: dec(flat ? "0" : qty),
        },
        ...{ avgPrice: dec(flat ? "0" : (after(rest, "@") ?? "60000")), leverage: null },
        ...(rest.includes("dated") ? { atMs: START_MS + Number(after(rest, "dated")) } : {}),
      };
      return void world.feed({ kind: "position", update });
    }
    case "stop":
      return void world.feed({ kind: "algo", algo: stopOf(story, rest) });
    case "fill":
      return fill(story, rest);
    case "fills":
      return void world.feed({ kind: "fills-read", startedAtMs: world.nowMs, fills: [] });
    case "order":
      return order(story, rest);
    case "place": {
      const { clientOrderId } = world.last("place").intent;
      return void world.feed({ kind: "placed", clientOrderId, sent: reply(rest, (orderId) => ({ orderId })) });
    }
    case "rest":
      return restOrder(story);
    case "amend": {
      const { clientOrderId, intentId } = world.last("amend").intent;
      const sent = reply(rest, () => ({ state: "OPEN" }));
      return void world.feed({ kind: "amend-sent", clientOrderId, intentId, sent });
    }
    case "cancel": {
      const { clientOrderId } = world.last("cancel").known;
      return void world.feed({ kind: "cancel-sent", clientOrderId, sent: reply(rest, () => undefined) });
    }
    case "unstop":
      return void world.feed({
        ...{ kind: "algo-cancel-sent", algoOrderId: world.last("cancel-algo").algoOrderId },
        sent: reply(rest, () => undefined),
      });
    case "move": {
      const { algoOrderId } = world.last("amend-protection");
      const sent = reply(rest, () => ({ algoOrderId }));
      return void world.feed({ kind: "protection-amended", leg: KEY, algoOrderId, sent });
    }
    case "halt":
    case "halt-all":
    case "resume":
    case "flatten":
      return void world.feed({ kind: "operator", command: verb });
    case "shutdown":
      return void world.feed({ kind: "stop", reason: "SIGTERM" });
    case "wallet":
      return void world.feed({ kind: "asset", asset: walletOf(rest[0] ?? "") });
    case "stream":
      return void world.feed({ kind: "stream", stream: "user", up: rest[0] === "up", reason: "test" });
    case "hold":
      return hold(world, rest);
    case "protect": {
      const { leg } = world.last("protect");
      return void world.feed({ kind: "protect-sent", leg, sent: reply(rest, (algoOrderId) => ({ algoOrderId })) });
    }
    case "close":
      return void world.feed({ kind: "close-sent", leg: KEY, sent: reply(rest, (orderId) => ({ orderId })) });
    case "found": {
      const { leg } = world.last("read-algo");
      const isStop = /^[SH]\d/.test(rest[0] ?? "");
      const found = isStop ? ({ kind: "done", value: stopOf(story, rest) } as const) : reply(rest, () => ({}));
      return void world.feed({ kind: "algo-found", leg, found } as Parameters<World["feed"]>[0]);
    }
    case "stops": {
      const algos = rest[0] === "none" ? [] : [stopOf(story, rest)];
      return void world.feed({ kind: "algos-read", startedAtMs: world.nowMs, algos });
    }
    case "price":
      return world.price(BTC, Number(rest[0]));
    case "until":
      return until(world, rest[0] ?? "");
    default:
      throw new Error(`nothing happens by "${verb}"`);
  }
}
