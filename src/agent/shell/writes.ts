/**
 * Every write of the daemon, each by preview and submit through the desk, as on the command line. An opening order is
 * bound to the automation session and checked again just before it is sent. A missing or used-up session blocks
 * openings, but never a close, a cancel or a stop.
 */
import type { Decimal } from "../../core/decimal.ts";
import type { PlaceAlgoOrder } from "../../domain/algo-order.ts";
import type { Order } from "../../domain/order.ts";
import type { Position } from "../../domain/position.ts";
import type { DeskAction } from "../../desk/action.ts";
import type { ReplyOf } from "../../desk/wire.ts";
import type { AmendIntent, Intent } from "../books/intents.ts";
import type { Sent } from "../contract/events.ts";
import type { LoopParts } from "./parts.ts";
import type { Seen } from "../../rows/seen.ts";
import type { StopAmendment } from "../positions/held-stop.ts";

/**
 * In results, `blocked` means that the desk refused and nothing was sent; `unknown` that the request may have arrived.
 */
export interface Writer {
  place(intent: Intent, contractSize: Decimal): Promise<Sent<{ orderId: string }>>;
  replace(intent: AmendIntent, contractSize: Decimal): Promise<Sent<{ state: string }>>;
  /** By the venue's id where one is given, else by the client order id. */
  cancel(known: Order, decisionId: string | null, orderId?: string): Promise<Sent<void>>;
  close(what: {
    known: Position;
    hedgeMode: boolean;
    decisionId: string | null;
  }): Promise<Sent<{ orderId: string | null }>>;
  protect(order: PlaceAlgoOrder, decisionId: string | null): Promise<Sent<{ algoOrderId: string }>>;
  amend(amendment: StopAmendment & { decisionId: string | null }): Promise<Sent<{ algoOrderId: string }>>;
  cancelAlgo(algoOrderId: string): Promise<Sent<void>>;
  setLeverage(symbol: string, leverage: number): Promise<Sent<void>>;
}

interface Guarded {
  readonly decisionId?: string | null;
  readonly automationSessionId?: string;
  readonly recheck?: () => string | null;
  readonly seen?: () => Seen | null;
}

/** Previews one write and submits it: the desk takes nothing that it has not previewed. */
const through =
  (desk: LoopParts["desk"]) =>
  async <A extends DeskAction>(action: A, guarded: Guarded = {}): Promise<Sent<ReplyOf<A>>> => {
    const { decisionId, automationSessionId, recheck, seen } = guarded;
    const preview = await desk.preview(action, {
      ...(automationSessionId ? { automationSessionId } : {}),
      ...(decisionId ? { decisionId } : {}),
    });
    if (!preview.ok) return { kind: "blocked", message: preview.error.message };
    const submitted = await desk.submit({
      previewId: preview.value.previewId,
      continueConsentId: preview.value.confirmation.submitToken,
      action,
      ...(recheck ? { recheck } : {}),
      ...(seen ? { seen } : {}),
    });
    return submitted.kind === "blocked" ? { kind: "blocked", message: submitted.refusal.message } : submitted.outcome;
  };

/** Openings and amendments need a running session; the agent checks them and closes again before they are sent. */
export function createWriter({ env, agent, desk, consent }: LoopParts): Writer {
  const write = through(desk);
  return {
    place: async (intent, contractSize) => {
      const session = intent.opening ? await consent.view() : null;
      if (intent.opening && !session) return { kind: "blocked", message: "there is no automation session" };
      return write(
        { kind: "order.place", draft: intent.draft, contractSize, marketPrice: null, maxNotional: null },
        {
          decisionId: intent.decisionId,
          recheck: () => agent.recheck(intent, env.clock.nowMs()),
          seen: () => agent.seen(intent, env.clock.nowMs()),
          ...(session ? { automationSessionId: session.id } : {}),
        },
      );
    },
    replace: async (intent, contractSize) => {
      const session = await consent.view();
      if (!session) return { kind: "blocked", message: "there is no automation session" };
      const { known, price, qty, draft, decisionId, intentId, clientOrderId } = intent;
      return write(
        { kind: "order.replace", key: { orderId: known.orderId }, price, qty, contractSize, known, draft },
        {
          decisionId,
          automationSessionId: session.id,
          recheck: () => agent.recheckAmend(intent, env.clock.nowMs()),
          seen: () => {
            const seen = agent.seen(intent, env.clock.nowMs());
            return seen && { ...seen, amends: clientOrderId, intentId };
          },
        },
      );
    },
    cancel: (known, decisionId, orderId) =>
      write(
        {
          kind: "order.cancel",
          key: orderId === undefined ? { clientOrderId: known.clientOrderId } : { orderId },
          known,
        },
        { decisionId },
      ),
    close: ({ known, hedgeMode, decisionId }) =>
      write(
        { kind: "position.close", symbol: known.symbol, leg: known.side, hedgeMode, maxNotional: null, known },
        { decisionId, recheck: () => agent.recheckClose(known) },
      ),
    protect: (order, decisionId) => write({ kind: "algo.place", order, maxNotional: null }, { decisionId }),
    amend: async ({ algoOrderId, change, decisionId }) => {
      const sent = await write({ kind: "algo.replace", algoOrderId, change }, { decisionId });
      return sent.kind === "done" ? { kind: "done", value: { algoOrderId } } : sent;
    },
    cancelAlgo: (algoOrderId) => write({ kind: "algo.cancel", algoOrderId }),
    setLeverage: (symbol, leverage) => write({ kind: "position.set-leverage", symbol, leverage }),
  };
}
