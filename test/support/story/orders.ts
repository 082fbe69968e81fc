/** What the venue shows of orders in a story: replies, pushes, executions and the answers to look-ups. */
import type { Effect } from "../../../src/agent/contract/effects.ts";
import type { Sent } from "../../../src/agent/contract/events.ts";
import { dec, ZERO } from "../../../src/core/decimal.ts";
import type { Order, OrderState, OrderUpdate } from "../../../src/domain/order.ts";
import { rejected } from "../../../src/protocol/codes.ts";
import { BTC, START_MS, update, type World } from "../agent-world.ts";
import { after, because, idOf, newestOrder, secondsAgo, type Story, type Words } from "./words.ts";

export function reply(words: Words, done: (id: string) => unknown): Sent<never> {
  const [how = "", what = ""] = words;
  if (how === "refused") return rejected(what, "the venue refuses it") as Sent<never>;
  if (how === "done") return { kind: "done", value: done(idOf(what)) } as Sent<never>;
  if (how === "unknown") return { kind: "unknown", message: "no answer" };
  if (how === "blocked") return { kind: "blocked", message: "its row could not be written" } as Sent<never>;
  if (how === "limited") return { kind: "rate-limited", retryAtMs: START_MS, message: "too many" };
  if (how === "unsent") return { kind: "not-sent", message: "no line" };
  throw new Error(`a reply is refused CODE, done ID, unknown, limited, blocked or unsent, not ${how}`);
}

export function fill({ world }: Story, words: Words): void {
  const [side = "", qty = ""] = words;
  const id = after(words, "by") ?? "300";
  const as = after(words, "as") ?? idOf(id);
  const ago = secondsAgo(words.join(" "));
  const earned = after(words, "earning") ?? "0";
  const execution = {
    ...{ transactionId: `t${id}-${qty}`, orderId: idOf(id), symbol: BTC },
    clientOrderId: as === "order" ? newestOrder(world).intent.clientOrderId : as,
    ...{ side: side as "BUY" | "SELL", qty: dec(qty), price: dec(after(words, "@") ?? "60000") },
    fee: dec(after(words, "fee") ?? "0.1"),
    ...{ realizedPnl: earned === "unsaid" ? null : dec(earned), liquidity: "TAKER" as const },
    atMs: words.includes("now") || ago !== undefined ? world.nowMs - (ago ?? 0) * 1_000 : 1,
  };
  world.feed({ kind: "fill", execution });
}

/** An order as a line shows it: the agent's newest one, or one by somebody else where an id is named. */
function shownBy({ world }: Story, line: string): OrderUpdate {
  const [text, reason] = because(line);
  const words = text.split(" ");
  const own = !/^\d/.test(words[0] ?? "");
  const [id = "", state = "", side = "", positionSide = ""] = own ? ["", ...words] : words;
  const base = own
    ? update(newestOrder(world), {})
    : othersOrder(idOf(id), words, [side, positionSide], after(words, "as"));
  const executedQty = (state === "FILLED" ? base.qty : null) ?? dec(after(words, "executed") ?? "0");
  const price = after(words, "at");
  const avgPrice = price ? dec(price) : own ? (base.avgPrice ?? ZERO) : dec(executedQty.isZero() ? "0" : "60000");
  const orderId = own && words.includes("by") ? idOf(after(words, "by") ?? "") : base.orderId;
  const { price: limitPrice, qty } = words.includes("amended")
    ? world.last("amend").intent
    : { ...base, price: base.limitPrice };
  const dated = after(words, "dated");
  const updatedAtMs = dated === undefined ? base.updatedAtMs : START_MS + Number(dated);
  const how = { state: state as OrderState, reason, updatedAtMs };
  return { ...base, ...how, orderId, limitPrice, qty, executedQty, avgPrice };
}

function othersOrder(orderId: string, words: Words, [side, positionSide]: Words, clientOrderId = orderId): OrderUpdate {
  const [qty, limit] = [dec(after(words, "of") ?? "0.004"), after(words, "limit")];
  return {
    ...{ orderId, clientOrderId, state: "OPEN", symbol: BTC, qty, executedQty: ZERO },
    ...{ side: side as OrderUpdate["side"], positionSide: positionSide as OrderUpdate["positionSide"] },
    ...{ avgPrice: ZERO, limitPrice: limit ? dec(limit) : null, fee: null },
    ...{ reason: "", cancelPending: false, updatedAtMs: null },
  };
}

export const pushOrder = (story: Story, line: string): void =>
  void story.world.feed({ kind: "order", update: shownBy(story, line) });

/** `order ...` as lists and look-ups show it. */
export function listedOrder(story: Story, part: string): Order {
  const { nowMs } = story.world;
  const shown = shownBy(story, part.replace(/^order /, ""));
  const { limitPrice } = shown;
  return {
    ...{ orderType: "LIMIT", timeInForce: "GTC", reduceOnly: false, createdAtMs: shown.updatedAtMs ?? nowMs },
    ...{ ...shown, limitPrice, fee: shown.fee ?? ZERO, updatedAtMs: shown.updatedAtMs ?? nowMs },
  } as Order;
}

/** The answer to a look-up of the agent's newest order: as a push would show it, or a reply. */
export function lookUp(story: Story, line: string): void {
  const { world } = story;
  const { clientOrderId } = newestOrder(world).intent;
  const shown = /^[A-Z]/.test(line);
  const found = shown ? { kind: "done", value: listedOrder(story, line) } : reply(line.split(" "), () => ({}));
  world.feed({ kind: "looked-up", clientOrderId, found } as Parameters<World["feed"]>[0]);
}

/** The venue takes the newest order and lets it rest. */
export function restOrder({ world }: Story): void {
  const shown = update(newestOrder(world), { state: "OPEN" });
  const sent = { kind: "done", value: { orderId: shown.orderId } } as const;
  world.feed({ kind: "placed", clientOrderId: newestOrder(world).intent.clientOrderId, sent });
  world.feed({ kind: "order", update: shown });
}

/** The reply to a request of the agent: the verb names the newest of its kind. */
export function replied({ world }: Story, verb: string, words: Words): void {
  const sentTo = <K extends Effect["kind"]>(kind: K) => world.last(kind);
  switch (verb) {
    case "place": {
      const { clientOrderId } = newestOrder(world).intent;
      return void world.feed({ kind: "placed", clientOrderId, sent: reply(words, (orderId) => ({ orderId })) });
    }
    case "amend": {
      const { clientOrderId, intentId } = sentTo("amend").intent;
      const sent = reply(words, () => ({ state: "OPEN" }));
      return void world.feed({ kind: "amend-sent", clientOrderId, intentId, sent });
    }
    case "cancel": {
      const { clientOrderId } = sentTo("cancel").known;
      return void world.feed({ kind: "cancel-sent", clientOrderId, sent: reply(words, () => undefined) });
    }
    case "unstop": {
      const { algoOrderId } = sentTo("cancel-algo");
      return void world.feed({ kind: "algo-cancel-sent", algoOrderId, sent: reply(words, () => undefined) });
    }
    case "protect": {
      const { positionKey, order } = sentTo("protect");
      return void world.feed({
        kind: "protect-sent",
        positionKey,
        clientOrderId: order.clientOrderId,
        sent: reply(words, (algoOrderId) => ({ algoOrderId })),
      });
    }
    default: {
      const { algoOrderId, positionKey } = sentTo("amend-protection");
      const sent = reply(words, () => ({ algoOrderId }));
      return void world.feed({ kind: "protection-amended", positionKey, algoOrderId, sent });
    }
  }
}
