/** The operator's written consent is active and covers this symbol, action and order type. Spec: 3 §3.2. */
import type { Draft, RiskView } from "../view.ts";
import { isReducing } from "../exposure.ts";
import { withView } from "../scene.ts";
import { allow, deny, type Limit, reducing, type Verdict } from "../verdict.ts";
import { counted } from "../../core/words.ts";

const limit = "session";

/** The check that applies to every opening. */
export function judgeSession(view: RiskView): Verdict {
  const { session, nowMs } = view;
  if (!session) return deny({ limit, found: "none", allowed: "active", reason: "There is no automation session." });
  const running = session.active && session.expiresAtMs > nowMs;
  if (!running)
    return deny({ limit, found: "ended", allowed: "active", reason: "The automation session is not active." });
  if (!session.allowedActions.includes("order.place")) {
    const allowed = session.allowedActions.join(", ");
    return deny({ limit, found: "order.place", allowed, reason: "The session does not allow placing orders." });
  }
  return allow({ limit, found: session.id, allowed: "active", reason: "The automation session covers the order." });
}

function judgeScope({ order }: Draft, view: RiskView): Verdict {
  const verdict = judgeSession(view);
  const { session } = view;
  if (verdict.kind !== "allow" || !session) return verdict;
  if (!session.symbols.includes(order.symbol)) {
    const allowed = counted(session.symbols.length, "symbol");
    return deny({ limit, found: order.symbol, allowed, reason: "The session does not cover this symbol." });
  }
  if (!session.allowedOrderTypes.includes(order.orderType)) {
    const allowed = session.allowedOrderTypes.join(", ");
    return deny({ limit, found: order.orderType, allowed, reason: "The session does not allow this order type." });
  }
  return verdict;
}

/** Denies openings outside the session's scope. The notional limits check its caps. */
export const session = (): Limit => ({
  name: limit,
  spoil: (scene) => withView(scene, { session: null }),
  judge: (draft, view) => (isReducing(draft) ? reducing(limit) : judgeScope(draft, view)),
});
