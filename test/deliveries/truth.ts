/** What the exchange holds, whatever its lists say. */
import type { z } from "zod";
import { type Decimal, ZERO } from "../../src/core/decimal.ts";
import { ACCOUNT } from "../../src/lab/fast/bare-exchange.ts";
import { listOf } from "../../src/protocol/page.ts";
import type { openAlgos } from "../../src/protocol/trading/open-algos.ts";
import type { positions } from "../../src/protocol/trading/positions.ts";
import { readAlgoOrder } from "../../src/protocol/records/algo-record.ts";
import { readPositions } from "../../src/protocol/records/position-record.ts";
import { algoPosition } from "../../src/agent/positions/held-stop.ts";
import type { Scene } from "./scene.ts";

export interface Held {
  readonly side: "LONG" | "SHORT";
  readonly qty: Decimal;
}

export interface Truth {
  readonly held: readonly Held[];
  /** With the side that each would close; no quantity is all of it. */
  readonly stops: readonly Held[];
}

/** The exchange's present state, whatever its lists say. Its replies are checked by the conformance suite, not here. */
export function truthOf({ venue, loop }: Scene): Truth {
  const nowMs = Math.floor(loop.clock.nowMs());
  const held = venue.exchange.positions(ACCOUNT, {}, nowMs);
  const algos = venue.exchange.openAlgos(ACCOUNT, {}, nowMs);
  if (!held.ok || !algos.ok) throw new Error("the exchange refuses to be read");
  return {
    held: readPositions(listOf(held.value as z.output<typeof positions.reply>)).map(({ side, qty }) => ({ side, qty })),
    stops: listOf(algos.value as z.output<typeof openAlgos.reply>)
      .map(readAlgoOrder)
      .map((order) => ({ side: algoPosition(order).endsWith("SHORT") ? "SHORT" : "LONG", qty: order.qty })),
  };
}

export const netOf = (held: readonly Held[]): Decimal =>
  held.reduce((sum, { side, qty }) => (side === "SHORT" ? sum.sub(qty) : sum.add(qty)), ZERO);
export const grossOf = (held: readonly Held[]): Decimal => held.reduce((sum, { qty }) => sum.add(qty), ZERO);

/** A stop stands for what is not held. */
export const isLoose = ({ held, stops }: Truth): boolean =>
  stops.some((stop) => !held.some(({ side }) => side === stop.side));

export const isCovered = ({ held, stops }: Truth): boolean =>
  held.every(({ side, qty }) => stops.some((stop) => stop.side === side && (stop.qty.isZero() || stop.qty.gte(qty))));
