/**
 * The change of phase: every account is flattened and starts again with the initial capital, under the other phase's
 * leverage cap and instruments. Orders, executions, statements and closed positions stay in the history; the scores
 * start again. Eliminated accounts stay out. Spec: 3 §8; records §8.3, §15 [guess].
 */
import { type Decimal, ZERO } from "../../../core/decimal.ts";
import { invariant } from "../../../core/invariant.ts";
import type { Phase } from "../../../domain/competition.ts";
import { initialCredits } from "./account-ops.ts";
import { ledgerAccount, move } from "../state/ledger.ts";
import { cancelEverything, takeOver } from "../risk/liquidation.ts";
import { lookAt } from "../state/notes.ts";
import { venueOrder } from "../orders/place.ts";
import { pushAsset } from "../records/push.ts";
import type { Position } from "../state/position.ts";
import type { Exposure, Portfolio, Wallet, World } from "../state/state.ts";
import { newScored } from "../records/scored.ts";
import { writeStatement } from "../records/statements.ts";

/**
 * The position is closed at the mark price, outside the book, so that the change of phase does not move the market.
 * Taker fees apply.
 */
function flatten(world: World, exposure: Exposure, position: Position): void {
  const order = venueOrder(world, exposure, {
    side: position.lots > 0 ? "SELL" : "BUY",
    positionSide: position.side,
    lots: Math.abs(position.lots),
    origin: "CLOSE",
    algoOrderId: "",
  });
  takeOver(world, order);
  invariant(order.filledLots === order.lots, `${exposure.instrument.symbol} has no price to close a position at`);
}

/** Resets the balances of the wallet: USDT to `usdt`, all other coins to zero. */
function resetBalances(world: World, wallet: Wallet, usdt: Decimal): void {
  const why = { kind: "reset", ref: wallet.portfolio.accountId, atMs: world.nowMs } as const;
  const before = wallet.usdt.balance;
  for (const [coin, own] of wallet.coins) {
    const target = coin === "USDT" ? usdt : ZERO;
    const from = ledgerAccount(world.ledger, "equity-issue", coin);
    move(world.ledger, target.sub(own.balance), { from, to: own }, why);
  }
  writeStatement(world, wallet, { type: "MODIFY_ASSET", sym: "", before });
  if (!wallet.usdt.balance.eq(before)) pushAsset(world, wallet);
}

function restart(world: World, portfolio: Portfolio): void {
  for (const wallet of portfolio.wallets.values()) {
    cancelEverything(world, wallet, "the phase has changed");
    for (const exposure of wallet.exposures.values()) {
      for (const position of [...exposure.positions.values()]) flatten(world, exposure, position);
    }
  }
  for (const [wallet, usdt] of initialCredits(world, portfolio)) {
    resetBalances(world, wallet, usdt);
    wallet.status = "NORMAL";
    wallet.marginCallAtMs = null;
    lookAt(world, wallet);
  }
  portfolio.scored = newScored(portfolio.closedPositions.length);
  portfolio.navs.splice(0, portfolio.navs.length, { atMs: world.nowMs, equity: portfolio.initialUsdt });
}

/** Called by the operator's `beginPhase`. Throws if a position has no price at which to close. */
export function rollOver(world: World, phase: Phase): void {
  world.phase = phase;
  for (const portfolio of world.portfolios.values()) {
    if (portfolio.eliminatedAtMs === null) restart(world, portfolio);
  }
}
