/** A close or a reduction of ours has come back: what the reply says of the leg, and which order it names. Spec: 1 §4.4. */
import { legKey } from "../../domain/position.ts";
import type { AgentEvent, Sent } from "../contract/events.ts";
import type { At } from "../contract/effects.ts";
import { letCloseAgain, onCloseEnded, onCloseRefused } from "./failed-close.ts";
import { reportLeg } from "./report-leg.ts";
import type { AgentState } from "../state/state.ts";
import { tagOverdue } from "./tag-stranger.ts";

const foundNothing = (sent: Sent<unknown>): boolean => sent.kind === "rejected" && sent.reason === "nothing-to-close";

function toldFlat(state: AgentState, leg: string, askedMs: number, at: At): void {
  state.sweepAskedMs = -Infinity;
  const change = state.legs.flat(leg, askedMs, at.nowMs);
  if (change) reportLeg(state, change, at);
}

/** An order that was to reduce a leg and found nothing there tells as much as a close does. */
export function onReduceSent(
  state: AgentState,
  { clientOrderId, sent }: Extract<AgentEvent, { kind: "placed" }>,
  at: At,
): void {
  const tracked = state.orders.get(clientOrderId);
  if (!tracked || tracked.opening || !foundNothing(sent)) return;
  toldFlat(state, legKey(tracked.symbol, tracked.leg), tracked.promisedAtMs, at);
}

/** The reply to a market close. 401097: nothing is left there. What never left may be asked for again in 2 s. */
export function onCloseSent(
  state: AgentState,
  { leg, sent }: Extract<AgentEvent, { kind: "close-sent" }>,
  at: At,
): void {
  const askedMs = state.ownCloses.askedMs(leg) ?? -Infinity;
  switch (sent.kind) {
    case "done": {
      const { orderId } = sent.value;
      state.ownCloses.answered(leg, orderId);
      const told = orderId === null ? undefined : state.orders.byOrderId(orderId);
      if (told?.fate === "ended") onCloseEnded(state, told.order, at.nowMs);
      state.sweepAskedMs = -Infinity;
      break;
    }
    case "unknown":
      state.ownCloses.answered(leg, null);
      break;
    default:
      state.ownCloses.failed(leg);
  }
  tagOverdue(state, at);
  if (sent.kind === "done") return;
  if (foundNothing(sent)) return toldFlat(state, leg, askedMs, at);
  const held = state.legs.get(leg);
  if (held && (sent.kind === "blocked" || sent.kind === "not-sent")) letCloseAgain(held, at.nowMs);
  if (held && sent.kind === "rejected") onCloseRefused(state, held, at.nowMs);
  at.out.log("warn", "order.rejected", `closing ${leg}: ${sent.kind}: ${sent.message}`, { leg });
}
