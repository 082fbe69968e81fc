/** Facts of an earlier run's journal, where a test cares for a few of their fields. */
import type { PastFact } from "../../src/agent/positions/past-fact.ts";
import type { PositionMeta } from "../../src/agent/positions/positions.ts";
import { dec, type Decimal } from "../../src/core/decimal.ts";
import { BTC } from "./agent-fixtures.ts";

/** A position as the journal last reported it. */
export interface HeldBefore extends Partial<PositionMeta> {
  readonly key?: string;
  readonly qty?: Decimal;
  readonly avgPrice?: Decimal;
  /** When it was reported, our time; long ago if left out. */
  readonly reportedMs?: number;
  readonly standingAlgoId?: string | null;
  /** What one fill has closed of it since, at the venue's time. */
  readonly closed?: { readonly qty: Decimal; readonly atMs: number; readonly heardMs: number };
}

export function heldBefore(held: HeldBefore = {}): readonly PastFact[] {
  const { key = `${BTC}|LONG`, qty = dec("0.004"), avgPrice = dec("60000"), reportedMs: heardMs = 0 } = held;
  const { standingAlgoId = null, closed } = held;
  const {
    decisionId = null,
    strategy = null,
    thesis = null,
    stopPrice = null,
    targetPrice = null,
    openedAtMs = 0,
  } = held;
  const meta = { decisionId, strategy, thesis, stopPrice, targetPrice, openedAtMs };
  const times = { provenMs: null, begunMs: null, filledMs: null };
  return [
    { kind: "reported", heardMs, key, qty, avgPrice, meta, ...times, doubted: false },
    ...(standingAlgoId === null
      ? []
      : [{ kind: "stop-stands" as const, heardMs, key, algoOrderId: standingAlgoId, stopPrice, external: false }]),
    ...(closed
      ? [
          {
            kind: "fill" as const,
            key,
            orderId: "2190000000000999",
            clientOrderId: "",
            opening: false,
            reverses: false,
            ...closed,
          },
        ]
      : []),
  ];
}

/** Its end as a push or a refusal reported it. */
export const overBefore = (heardMs: number, key = `${BTC}|LONG`): PastFact => {
  const meta = { decisionId: null, strategy: null, thesis: null, stopPrice: null, targetPrice: null, openedAtMs: 0 };
  return { kind: "over", heardMs, key, meta, missed: false, doubted: false, filledMs: null, stop: null };
};
