/**
 * The account of the symbol's exchange can carry the order: it has been read, has the position mode that orders are
 * written for, and has enough initial margin. The portfolio's equity is the sum of its accounts; margin is not shared
 * between them. Spec: 1 §4.1; records §4.
 */
import { Decimal, maxDecimal, sumDecimals, ZERO } from "../../core/decimal.ts";
import { parseSymbol } from "../../domain/symbol.ts";
import { isReducing, valueOf } from "../exposure.ts";
import type { RiskSettings } from "../settings.ts";
import { withView } from "../scene.ts";
import { deny, fitInto, judged, type Limit, reducing } from "../verdict.ts";
import type { RiskView } from "../view.ts";

const limit = "exchange-account";
/** The venue requires available margin x leverage to be at least the notional times this. Records §5.1 rule 5. */
const MARGIN_OVER = new Decimal("1.1");

const exchangeOf = (symbol: string): string => {
  const parts = parseSymbol(symbol);
  return parts.ok ? parts.value.exchange : symbol;
};
/** Whether orders in this symbol name their side: by the mode of its own exchange; if that is not reported, by ours. */
export const isHedged = ({ accounts, hedgeMode }: RiskView, symbol: string): boolean =>
  accounts.get(exchangeOf(symbol))?.hedgeMode ?? hedgeMode;

const leverageOf = (view: RiskView, symbol: string): number => view.symbols.get(symbol)?.leverage ?? 1;

/** Margin of openings that the last account reading may not include: the venue refuses an order that counts on it. */
const unread = (view: RiskView, exchange: string): Decimal =>
  sumDecimals(
    view.unreadOpenings
      .filter(({ symbol }) => exchangeOf(symbol) === exchange)
      .map(({ symbol, notionalUsdt }) => notionalUsdt.div(leverageOf(view, symbol))),
  );

/**
 * Denies on an unread account or a wrong or unknown position mode; shrinks to the remaining margin, less what openings
 * since the reading take.
 */
export const exchangeAccount = (settings: RiskSettings): Limit => ({
  name: limit,
  spoil: (scene) => withView(scene, { accounts: new Map() }),
  judge: (draft, view) => {
    if (isReducing(draft)) return reducing(limit);
    const { symbol } = draft.order;
    const exchange = exchangeOf(symbol);
    const account = view.accounts.get(exchange);
    if (!account) {
      const reason = "The account of the symbol's exchange has not been read.";
      return deny({ limit, found: "not read", allowed: `an account on ${exchange}`, reason });
    }
    const mode = (hedged: boolean | null): string => (hedged === null ? "unknown" : hedged ? "BOTH" : "NET");
    if (account.hedgeMode !== view.hedgeMode) {
      const reason = `The position mode of ${exchange} is not the one that orders are written for.`;
      return judged(false, { limit, found: mode(account.hedgeMode), allowed: mode(view.hedgeMode), reason });
    }
    const leverage = leverageOf(view, symbol);
    const valued = valueOf(draft, view, settings);
    if (!valued) return deny({ limit, found: "no price", allowed: "a price", reason: "The order cannot be valued." });
    const allowed = maxDecimal(account.availableUsdt.div(MARGIN_OVER).sub(unread(view, exchange)), ZERO);
    const roomUsdt = allowed.mul(leverage);
    const found = valued.notionalUsdt.div(leverage);
    const reason = `Initial margin, and what is left for it on ${exchange}, USDT.`;
    return fitInto({ limit, draft, ...valued, roomUsdt, found, allowed, reason });
  },
});
