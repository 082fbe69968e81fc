/** The order in which models are asked: as listed, or the least expensive first. Pure. */
import { type Decimal, ZERO } from "../core/decimal.ts";
import type { AskRequest, ModelPrice } from "./port.ts";

interface Priced {
  readonly price: ModelPrice;
}

/** A question reads some ten times as much as it writes. */
const READ_PER_WRITTEN = 10;

const weight = ({ price }: Priced): Decimal =>
  (price.inputPerMillionUsd ?? ZERO).mul(READ_PER_WRITTEN).add(price.outputPerMillionUsd ?? ZERO);

/** "cheap" sorts by ten tokens read to one written; otherwise the order of the settings stands. */
export const byTier = <Line extends Priced>(lines: readonly Line[], tier: AskRequest["tier"]): readonly Line[] =>
  tier === "cheap" ? [...lines].sort((a, b) => weight(a).cmp(weight(b))) : lines;
