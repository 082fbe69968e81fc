/** Lists of algo orders. Spec: records §6.3. */
import { ok } from "../../../core/result.ts";
import { HISTORY_RETENTION_MS } from "../../../protocol/limits.ts";
import { isAlgoEnded } from "../matching/algo-life.ts";
import { algoRecord } from "../records/algo-record.ts";
import type { VenueResult, WirePage, WireRecord } from "../contract/api.ts";
import { isAbsent } from "../orders/read-request.ts";
import type { RequestOf } from "../contract/requests.ts";
import type { AlgoOrder, Portfolio, World } from "../state/state.ts";
import { matches, newestFirst, page, readWindow, within } from "./paging.ts";

function algosIn(
  algos: readonly AlgoOrder[],
  request: RequestOf<"algoHistory">,
  passes: (algo: AlgoOrder) => boolean = () => true,
): VenueResult<AlgoOrder[]> {
  const window = readWindow(request.begin, request.end);
  if (!window.ok) return window;
  const ofType = isAbsent(request.algoOrderType) || request.algoOrderType === "TPSL";
  return ok(
    newestFirst(
      algos,
      (algo) =>
        ofType && passes(algo) && within(window.value, algo.createdAtMs) && matches(algo.exposure.instrument, request),
    ),
  );
}

/** A plain array, although the request may name a page. */
export function openAlgos(portfolio: Portfolio, request: RequestOf<"algoHistory">): VenueResult<readonly WireRecord[]> {
  const found = algosIn([...portfolio.liveAlgos], request);
  if (!found.ok) return found;
  const cut = page(found.value, request, { defaultSize: 1000, record: algoRecord });
  return cut.ok ? ok(cut.value.list) : cut;
}

/** Orders that ended in the last seven days. */
export function algoHistory(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"algoHistory">,
): VenueResult<WirePage> {
  const oldest = world.nowMs - HISTORY_RETENTION_MS;
  const found = algosIn(portfolio.algos, request, (algo) => isAlgoEnded(algo) && algo.updatedAtMs >= oldest);
  return found.ok ? page(found.value, request, { defaultSize: 100, record: algoRecord }) : found;
}
