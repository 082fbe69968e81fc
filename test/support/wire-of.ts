/** The writes that a desk would make of an agent's effects, as their wire-out rows have them. */
import type { Effect } from "../../src/agent/contract/effects.ts";
import { type BusinessParams, businessParams, type DeskAction } from "../../src/desk/action.ts";

/** A request as its wire-out row has it. */
export interface Wire {
  readonly action: DeskAction["kind"];
  /** Of the order that it makes. */
  readonly clientOrderId: string | null;
  readonly params: BusinessParams;
}

function actionOf(effect: Effect): DeskAction | null {
  switch (effect.kind) {
    case "place": {
      const { contractSize, intent } = effect;
      return { kind: "order.place", draft: intent.draft, contractSize, marketPrice: null, maxNotional: null };
    }
    case "close": {
      const { known, hedgeMode } = effect;
      return { kind: "position.close", symbol: known.symbol, leg: known.side, hedgeMode, maxNotional: null, known };
    }
    case "protect":
      return { kind: "algo.place", order: effect.order, maxNotional: null };
    case "amend-protection":
      return { kind: "algo.replace", algoOrderId: effect.algoOrderId, change: effect.change };
    case "cancel-algo":
      return { kind: "algo.cancel", algoOrderId: effect.algoOrderId };
    case "cancel":
      return { kind: "order.cancel", key: { clientOrderId: effect.known.clientOrderId }, known: effect.known };
    default:
      return null;
  }
}

/** Null for what is no write. */
export function wireOf(effect: Effect): Wire | null {
  const action = actionOf(effect);
  if (!action) return null;
  const params = businessParams(action);
  const id = params["clientOrderId"];
  const isNew = action.kind === "order.place" || action.kind === "algo.place";
  return { action: action.kind, clientOrderId: isNew && typeof id === "string" ? id : null, params };
}
