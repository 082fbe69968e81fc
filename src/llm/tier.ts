/** The order in which models are asked: as listed, or the least expensive first. Pure. */
import type { Decimal } from "../core/decimal.ts";
import type { AskRequest } from "./port.ts";
import type { ModelPrice } from "./settings.ts";

interface Priced {
  readonly price: ModelPrice;
}

/** A question reads about ten times as many tokens as it writes. */
const READ_PER_WRITTEN = 10;

const weight = ({ price }: Priced): Decimal =>
  price.inputPerMillionUsd.mul(READ_PER_WRITTEN).add(price.outputPerMillionUsd);

/** "cheap" sorts by ten tokens read to one written; otherwise the order of the settings applies. */
export const byTier = <Line extends Priced>(lines: readonly Line[], tier: AskRequest["tier"]): readonly Line[] =>
  tier === "cheap" ? [...lines].sort((a, b) => weight(a).cmp(weight(b))) : lines;
