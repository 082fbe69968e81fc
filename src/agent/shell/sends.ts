/** Every write that the agent asks for: it waits for its turn, is checked again, is sent, and its outcome comes back as an event. */
import { describeOutcome } from "../../core/outcome.ts";
import { positionKeyOf } from "../../domain/position.ts";
import type { Effect } from "../contract/effects.ts";
import type { Sent } from "../contract/events.ts";
import type { Link, LoopParts, Untimed } from "./parts.ts";
import { createWriter } from "./writes.ts";

type EffectOf<K extends Effect["kind"]> = Extract<Effect, { kind: K }>;

/** Returns the event with the result of a write; a refusal by desk or venue is a result, not an exception. */
export interface Sender {
  place(effect: EffectOf<"place">): Promise<Untimed>;
  replace(effect: EffectOf<"amend">): Promise<Untimed>;
  cancel(effect: EffectOf<"cancel">): Promise<Untimed>;
  close(effect: EffectOf<"close">): Promise<Untimed>;
  /** Null when the loop has ended meanwhile. */
  protect(effect: EffectOf<"protect">): Promise<Untimed | null>;
  amend(effect: EffectOf<"amend-protection">): Promise<Untimed | null>;
  cancelAlgo(effect: EffectOf<"cancel-algo">): Promise<Untimed>;
  setLeverage(effect: EffectOf<"set-leverage">): Promise<Untimed>;
}

/** After each order and amendment the session's current figures are fed first, so that the next review counts them. */
export function createSender(parts: LoopParts, { feed, closed }: Link): Sender {
  const { agent, env, venue } = parts;
  const writer = createWriter(parts);
  /** What the session has left is part of what the next review looks at. */
  const reportSession = async (): Promise<void> =>
    feed({ kind: "session", session: await parts.consent.view(), reason: "" });

  return {
    place: async ({ intent, contractSize }) => {
      if (intent.opening) await parts.slotReady?.("order.place");
      const sent = await writer.place(intent, contractSize);
      await reportSession();
      return { kind: "placed", clientOrderId: intent.clientOrderId, sent };
    },
    replace: async ({ intent, contractSize }) => {
      await parts.slotReady?.("order.replace");
      const sent = await writer.replace(intent, contractSize);
      await reportSession();
      return { kind: "amend-sent", clientOrderId: intent.clientOrderId, intentId: intent.intentId, sent };
    },
    cancel: async ({ known, decisionId, orderId }) => ({
      kind: "cancel-sent",
      clientOrderId: known.clientOrderId,
      sent: await writer.cancel(known, decisionId, orderId),
    }),
    close: async (effect) => ({
      kind: "close-sent",
      positionKey: positionKeyOf(effect.known.symbol, effect.known.side),
      sent: await writer.close(effect),
    }),
    // A stop that waited for its turn may be late: its position is flat by then, or asks for another one.
    protect: async ({ positionKey, order, decisionId }) => {
      await parts.slotReady?.("algo.place");
      if (closed()) return null;
      const { clientOrderId } = order;
      const late: Sent<never> = { kind: "blocked", message: "it is not wanted any more" };
      const isWanted = agent.wantsProtection(positionKey, clientOrderId);
      const sent = isWanted ? await writer.protect(order, decisionId) : late;
      return { kind: "protect-sent", positionKey, clientOrderId, sent };
    },
    // A move that waited for its turn may lie on the wrong side of the mark by then.
    amend: async (effect) => {
      await parts.slotReady?.("algo.replace");
      if (closed()) return null;
      const { positionKey } = effect;
      const late: Sent<never> = { kind: "blocked", message: "it cannot be changed any more" };
      const sent = agent.mayAmend(effect, env.clock.nowMs()) ? await writer.amend(effect) : late;
      return { kind: "protection-amended", positionKey, algoOrderId: effect.algoOrderId, sent };
    },
    cancelAlgo: async ({ algoOrderId }) => ({
      kind: "algo-cancel-sent",
      algoOrderId,
      sent: await writer.cancelAlgo(algoOrderId),
    }),
    // Set, then read back: only what the venue says it is counts.
    setLeverage: async ({ symbol, leverage }) => {
      const set = await writer.setLeverage(symbol, leverage);
      if (set.kind !== "done")
        return {
          kind: "leverage-failed",
          symbol,
          reason: set.kind === "blocked" ? set.message : describeOutcome(set),
        };
      const now = await venue.leverage(symbol);
      return now.kind === "done"
        ? { kind: "leverage", settings: now.value }
        : { kind: "leverage-failed", symbol, reason: describeOutcome(now) };
    },
  };
}
