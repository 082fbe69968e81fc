/** The steps of an algo order other than firing: it is created, goes live, and ends. Spec: records §6.5. */
import type { AlgoState } from "../../../domain/algo-order.ts";
import type { PositionSide } from "../../../domain/order.ts";
import type { AlgoTerms } from "../state/algo-terms.ts";
import { nextId } from "../state/ids.ts";
import { pushAlgo } from "../records/push.ts";
import type { AlgoOrder, Exposure, World } from "../state/state.ts";

/** An algo order that has no id yet. */
export interface AlgoDraft extends AlgoTerms {
  readonly exposure: Exposure;
  readonly clientOrderId: string | null;
}

/** Enters an algo order as PENDING_NEW and pushes it. It watches no price until the step `algo-live` makes it NEW. */
export function bearAlgo(world: World, draft: AlgoDraft): AlgoOrder {
  const algoOrderId = nextId(world);
  const algo: AlgoOrder = {
    ...draft,
    algoOrderId,
    clientOrderId: draft.clientOrderId ?? algoOrderId,
    state: "PENDING_NEW",
    reason: "",
    child: null,
    createdAtMs: world.nowMs,
    updatedAtMs: world.nowMs,
  };
  const { wallet, instrument } = draft.exposure;
  world.algosById.set(algoOrderId, algo);
  wallet.portfolio.algos.push(algo);
  wallet.portfolio.liveAlgos.add(algo);
  wallet.portfolio.algosByClientId.set(algo.clientOrderId, algo);
  instrument.liveAlgos.add(algo);
  pushAlgo(world, algo);
  return algo;
}

const ENDED: readonly AlgoState[] = ["COMPLETED", "CANCELLED", "REJECTED", "FAILED", "EXPIRED"];

/** COMPLETED, CANCELLED, REJECTED, FAILED or EXPIRED: it no longer changes. */
export const isAlgoEnded = (algo: AlgoOrder): boolean => ENDED.includes(algo.state);

/** Moves an algo order to a state and pushes it; one that has ended stays unchanged. */
export function setAlgoState(world: World, algo: AlgoOrder, state: AlgoState, reason = ""): void {
  if (isAlgoEnded(algo)) return;
  algo.state = state;
  algo.reason = reason;
  algo.updatedAtMs = world.nowMs;
  if (isAlgoEnded(algo)) {
    algo.exposure.instrument.liveAlgos.delete(algo);
    algo.exposure.wallet.portfolio.liveAlgos.delete(algo);
  }
  pushAlgo(world, algo);
}

/** The sign of the position side that an algo order would close: 1 is long, -1 is short, 0 if not given. */
export function closesSign(algo: AlgoOrder): number {
  if (algo.positionSide !== "NONE") return algo.positionSide === "LONG" ? 1 : -1;
  return algo.side === null ? 0 : algo.side === "SELL" ? 1 : -1;
}

/** Closing orders (the close types and reduce-only orders) end with their position. */
export function invalidateClosingAlgos(world: World, exposure: Exposure, side: PositionSide, sign: number): void {
  for (const algo of [...exposure.instrument.liveAlgos]) {
    const closing = algo.reduceOnly || algo.condition !== "CONDITIONAL";
    const same = algo.exposure === exposure && algo.positionSide === side;
    const fits = closesSign(algo) === 0 || closesSign(algo) === sign;
    if (same && closing && fits && algo.state !== "PROCESSING") {
      setAlgoState(world, algo, "CANCELLED", "the position is closed");
    }
  }
}
