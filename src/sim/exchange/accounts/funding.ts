/**
 * Funding: at its time every position pays or receives quantity x contract size x mark price x rate; longs pay when the
 * rate is positive. One statement line per position. Spec: records §9.2, §15.
 */
import type { Decimal } from "../../../core/decimal.ts";
import { referencePrice, roundMoney } from "../state/figures.ts";
import { ownAccount } from "../matching/fills.ts";
import { move } from "../state/ledger.ts";
import { lookAt } from "../state/notes.ts";
import { pushAsset, pushPosition, reportPublic } from "../records/push.ts";
import { writeStatement } from "../records/statements.ts";
import type { Position } from "../state/position.ts";
import type { Exposure, Instrument, World } from "../state/state.ts";

/** The first time after `nowMs` on the grid of the interval, which begins at midnight UTC. */
export const nextOnGrid = (nowMs: number, intervalMs: number): number =>
  Math.floor(nowMs / intervalMs) * intervalMs + intervalMs;

function settlePosition(world: World, exposure: Exposure, position: Position, perBase: Decimal): void {
  const { wallet, instrument } = exposure;
  // Signed lots: a long (positive) pays a positive rate.
  const received = roundMoney(perBase.mul(instrument.lotBase).mul(-position.lots));
  const before = wallet.usdt.balance;
  const way = { from: ownAccount(world, wallet.exchange, "funding"), to: wallet.usdt };
  move(world.ledger, received, way, { kind: "funding", ref: position.positionId, atMs: world.nowMs });
  position.fundingFee = position.fundingFee.add(received);
  position.updatedAtMs = world.nowMs;
  writeStatement(world, wallet, { type: "FUNDING_FEE", sym: instrument.symbol, before });
  lookAt(world, wallet);
  pushPosition(world, exposure, position.side);
  pushAsset(world, wallet);
}

/** Settles an instrument that is due and sets its next time. */
export function settleFunding(world: World, instrument: Instrument): void {
  const mark = referencePrice(instrument);
  if (mark !== null) {
    const perBase = mark.mul(instrument.fundingRate);
    for (const exposure of instrument.exposures) {
      for (const position of exposure.positions.values()) settlePosition(world, exposure, position, perBase);
    }
    reportPublic(world, { kind: "funding-settled", symbol: instrument.symbol, atMs: world.nowMs });
  }
  instrument.nextFundingAtMs = nextOnGrid(instrument.nextFundingAtMs, instrument.fundingIntervalMs);
}
