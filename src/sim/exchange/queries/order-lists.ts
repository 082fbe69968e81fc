/** Order, execution and statement lists. Spec: records §5.6, §5.8, §5.9. */
import { ok } from "../../../core/result.ts";
import { ARCHIVE_RETENTION_MS, HISTORY_RETENTION_MS } from "../../../protocol/limits.ts";
import type { VenueResult, WirePage, WireRecord } from "../contract/api.ts";
import { openOrdersOf } from "../positions/exposure.ts";
import { ordersOf } from "../orders/find-order.ts";
import { numberOf } from "../state/ids.ts";
import { executionRecord, orderRecord } from "../records/order-record.ts";
import { isAbsent, readFlag, readWhole } from "../orders/read-request.ts";
import { refuse } from "../contract/refuse.ts";
import type { RequestOf } from "../contract/requests.ts";
import type { Execution, Order, Portfolio, World } from "../state/state.ts";
import { statementRecord } from "../records/statements.ts";
import { matches, newestFirst, page, readWindow, type Window, within } from "./paging.ts";

function passing(orders: readonly Order[], request: RequestOf<"orderHistory">, window: Window): Order[] {
  const executedOnly = readFlag(request.filterExecuted);
  return orders.filter(
    (order) =>
      within(window, order.createdAtMs) &&
      matches(order.exposure.instrument, request) &&
      (!executedOnly || order.filledLots > 0),
  );
}

const ordersIn = (world: World, portfolio: Portfolio, request: RequestOf<"orderHistory">, window: Window): Order[] =>
  passing(ordersOf(world, portfolio, window.fromMs), request, window);

/** Non-terminal orders of any age, newest first; the time window applies to their creation. Records §5.6. */
export function openOrders(portfolio: Portfolio, request: RequestOf<"openOrders">): VenueResult<WirePage> {
  const window = readWindow(request.begin, request.end);
  if (!window.ok) return window;
  const open = [...portfolio.wallets.values()].flatMap((wallet) => [...openOrdersOf(wallet)]);
  const orders = passing(open, request, window.value).sort((a, b) => b.ref - a.ref);
  return page(orders, request, { defaultSize: 20, record: orderRecord });
}

/** The last seven days unless `begin` is earlier; never more than ninety. */
export function orderHistory(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"orderHistory">,
): VenueResult<WirePage> {
  const window = readWindow(request.begin, request.end);
  if (!window.ok) return window;
  const oldest = world.nowMs - (isAbsent(request.begin) ? HISTORY_RETENTION_MS : ARCHIVE_RETENTION_MS);
  const clipped = { ...window.value, fromMs: Math.max(window.value.fromMs, oldest) };
  return page(ordersIn(world, portfolio, request, clipped), request, { defaultSize: 100, record: orderRecord });
}

/** Seven to ninety days back. */
export function archivedOrders(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"orderHistory">,
): VenueResult<WirePage> {
  const window = readWindow(request.begin, request.end);
  if (!window.ok) return window;
  const { fromMs, toMs } = window.value;
  const clipped = {
    fromMs: Math.max(fromMs, world.nowMs - ARCHIVE_RETENTION_MS),
    toMs: Math.min(toMs, world.nowMs - HISTORY_RETENTION_MS),
  };
  return page(ordersIn(world, portfolio, request, clipped), request, { defaultSize: 100, record: orderRecord });
}

type ExecutionFilter = RequestOf<"executions"> | RequestOf<"executionsPageable">;

/** About seven days are kept; an older `begin` is refused (records §1.4). */
function executionsIn(world: World, portfolio: Portfolio, request: ExecutionFilter): VenueResult<Execution[]> {
  const window = readWindow(request.begin, request.end);
  if (!window.ok) return window;
  const oldest = world.nowMs - HISTORY_RETENTION_MS;
  if (!isAbsent(request.begin) && window.value.fromMs < oldest) {
    return refuse(400001, "begin exceeds the limit of 7 days");
  }
  return ok(
    portfolio.executions
      .since(Math.max(oldest, window.value.fromMs), world.exposures)
      .filter(
        ({ atMs, exposure, orderRef }) =>
          within(window.value, atMs) &&
          matches(exposure.instrument, request) &&
          (isAbsent(request.orderId) || numberOf(request.orderId) === orderRef),
      ),
  );
}

/** The newest `limit`, by default 100, at most 1,000; 400001 if `begin` is over seven days back. Records §5.8. */
export function executions(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"executions">,
): VenueResult<readonly WireRecord[]> {
  const found = executionsIn(world, portfolio, request);
  if (!found.ok) return found;
  const limit = isAbsent(request.limit) ? ok(100) : readWhole("limit", request.limit);
  if (!limit.ok) return limit;
  if (limit.value > 1000) return refuse(400001, "limit must be at most 1000");
  return ok(found.value.slice(0, limit.value).map((execution) => executionRecord(world, execution)));
}

/** The same seven days in pages, by default of 100. Records §5.8. */
export function executionsPageable(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"executionsPageable">,
): VenueResult<WirePage> {
  const found = executionsIn(world, portfolio, request);
  if (!found.ok) return found;
  const record = (execution: Execution): WireRecord => executionRecord(world, execution);
  return page(found.value, request, { defaultSize: 100, record });
}

/** Ninety days back, newest first; the window fields are `startTime` and `endTime`. Records §5.9. */
export function statement(world: World, portfolio: Portfolio, request: RequestOf<"statement">): VenueResult<WirePage> {
  const window = readWindow(request.startTime, request.endTime, ["startTime", "endTime"]);
  if (!window.ok) return window;
  const oldest = world.nowMs - ARCHIVE_RETENTION_MS;
  const fits = (wanted: string | undefined, found: string): boolean => isAbsent(wanted) || wanted === found;
  const lines = newestFirst(
    portfolio.statements,
    (line) =>
      line.atMs >= oldest &&
      within(window.value, line.atMs) &&
      fits(request.coin, line.coin) &&
      fits(request.sym, line.sym) &&
      fits(request.exchange, line.wallet.exchange) &&
      fits(request.statementType, line.statementType),
  );
  return page(lines, request, { defaultSize: 100, record: statementRecord });
}
