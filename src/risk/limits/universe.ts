/** The symbol is on the phase's list and the venue trades it now. An open position may be reduced in any symbol. */
import { isReducing } from "../exposure.ts";
import { withView } from "../scene.ts";
import { deny, judged, type Limit, reducing } from "../verdict.ts";
import { counted } from "../../core/words.ts";

const limit = "universe";

/** Denies reducing drafts too, if the symbol is neither held nor on the list. */
export const universe = (): Limit => ({
  name: limit,
  spoil: (scene) => withView(scene, { universe: [] }),
  judge: (draft, view) => {
    const { symbol } = draft.order;
    const held = view.positions.some((position) => position.symbol === symbol);
    if (isReducing(draft) && held) return reducing(limit);
    if (!view.universe.includes(symbol)) {
      const allowed = `one of ${counted(view.universe.length, "symbol")}`;
      return deny({ limit, found: symbol, allowed, reason: "The symbol is not on the list of this phase." });
    }
    if (isReducing(draft)) return reducing(limit);
    const state = view.symbols.get(symbol)?.rules?.state ?? "unknown";
    const reason = state === "live" ? "The symbol is listed and live." : "The venue does not trade this symbol now.";
    return judged(state === "live", { limit, found: state, allowed: "live", reason });
  },
});
