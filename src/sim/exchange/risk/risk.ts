/**
 * The risk engine: after any change of a wallet's figures it checks uniMMR and equity and acts by the status. Spec:
 * records §4.2, §15; elimination: document 3 §8.
 */
import { openOrdersOf } from "../positions/exposure.ts";
import { cancelEverything, compensate, liquidateWorst } from "./liquidation.ts";
import { portfolioEquity, uniMmrAtMost, walletFigures } from "../positions/margin.ts";
import { opens } from "../positions/opening.ts";
import { cancelNow } from "../matching/order-life.ts";
import { pushMarginCall } from "../records/push.ts";
import type { AccountStatus, Portfolio, Wallet, World } from "../state/state.ts";

const MARGIN_CALL_EVERY_MS = 60_000;

function statusOf(world: World, wallet: Wallet): AccountStatus {
  const { liquidateAt, cancelAllAt, cancelOpenAt, marginCallAt } = world.settings;
  const figures = walletFigures(world, wallet);
  if (!uniMmrAtMost(figures, marginCallAt)) return "NORMAL";
  if (uniMmrAtMost(figures, liquidateAt)) return "LIQUIDATING";
  if (uniMmrAtMost(figures, cancelAllAt)) return "CANCEL_ALL";
  return uniMmrAtMost(figures, cancelOpenAt) ? "CANCEL_OPEN" : "MARGIN_CALL";
}

/** Sets the status and warns on entering one worse than NORMAL. */
function setStatus(world: World, wallet: Wallet, status: AccountStatus): void {
  if (wallet.status === status) return;
  wallet.status = status;
  wallet.updatedAtMs = world.nowMs;
  if (status === "NORMAL") {
    wallet.marginCallAtMs = null;
    return;
  }
  warn(world, wallet);
}

function warn(world: World, wallet: Wallet): void {
  wallet.marginCallAtMs = world.nowMs;
  world.quietUntilMs = Math.min(world.quietUntilMs, marginCallDueMs(wallet));
  pushMarginCall(world, wallet);
}

function liquidate(world: World, wallet: Wallet): void {
  cancelEverything(world, wallet, "liquidation");
  let status: AccountStatus = "LIQUIDATING";
  while (status === "LIQUIDATING" && liquidateWorst(world, wallet)) {
    status = statusOf(world, wallet);
    // Records §15: repeat until NORMAL or flat.
    if (status !== "NORMAL") status = "LIQUIDATING";
  }
  setStatus(world, wallet, compensate(world, wallet) ? "TAKEOVER" : "NORMAL");
}

function cancelOpening(world: World, wallet: Wallet): void {
  for (const order of openOrdersOf(wallet)) {
    if (opens(order)) cancelNow(world, order, "SYSTEM", "margin ratio: opening orders are cancelled");
  }
}

function checkRatio(world: World, wallet: Wallet): void {
  if (wallet.status === "TAKEOVER") return;
  const status = statusOf(world, wallet);
  setStatus(world, wallet, status);
  if (status === "CANCEL_OPEN") cancelOpening(world, wallet);
  if (status === "LIQUIDATING") liquidate(world, wallet);
  if (status !== "CANCEL_ALL") return;
  for (const order of openOrdersOf(wallet)) {
    cancelNow(world, order, "SYSTEM", "margin ratio: all orders are cancelled");
  }
}

/** Closes everything; every later write is refused with 100041, but the account can still be read. */
function eliminate(world: World, portfolio: Portfolio): void {
  portfolio.eliminatedAtMs = world.nowMs;
  for (const wallet of portfolio.wallets.values()) {
    setStatus(world, wallet, "LIQUIDATING");
    cancelEverything(world, wallet, "elimination");
    while (liquidateWorst(world, wallet));
    if (compensate(world, wallet)) wallet.status = "TAKEOVER";
  }
}

function checkFloor(world: World, portfolio: Portfolio): void {
  const floor = world.settings.eliminationBelowUsdt;
  if (floor === null || portfolio.eliminatedAtMs !== null) return;
  if (portfolioEquity(world, portfolio).lt(floor)) eliminate(world, portfolio);
}

/** Checks one wallet and its portfolio. */
export function checkWallet(world: World, wallet: Wallet): void {
  if (wallet.portfolio.eliminatedAtMs !== null) return;
  checkRatio(world, wallet);
  checkFloor(world, wallet.portfolio);
}

/** When the next warning of a wallet is due; Infinity if none is. */
export const marginCallDueMs = (wallet: Wallet): number =>
  wallet.marginCallAtMs === null || wallet.portfolio.eliminatedAtMs !== null
    ? Infinity
    : wallet.marginCallAtMs + MARGIN_CALL_EVERY_MS;

/** Repeats the warning while the status lasts. Records §11.3. */
export const repeatMarginCall = warn;
