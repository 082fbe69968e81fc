/**
 * Drops old history, once an hour, so that the memory of a service that runs for months stays flat. Open orders and
 * positions are never dropped, items that count for the score are counted before they are dropped, and the ledger
 * carries its sums forward. A client order id is dropped with its order: afterwards even the policy "refuse-always"
 * accepts it again. The hourly readings of equity stay, because the scores need all of them (9,000 a year).
 */
import { isAlgoEnded } from "../matching/algo-life.ts";
import { netOf } from "../records/position-record.ts";
import type { Portfolio, World } from "../state/state.ts";

const DAY_MS = 86_400_000;

interface Bound {
  /** The largest number to keep, and the time before which nothing is kept. */
  readonly keep: number;
  readonly fromMs: number;
}

/** How many of the oldest items to drop. `items` ascend in time. */
function surplus<Item>(items: readonly Item[], bound: Bound, atMs: (item: Item) => number): number {
  let count = Math.max(0, items.length - bound.keep);
  for (let item = items[count]; item !== undefined && atMs(item) < bound.fromMs; item = items[count]) count++;
  return count;
}

function forgetOrders(world: World, portfolio: Portfolio, bound: Bound): void {
  const { orders, byClientId } = portfolio;
  let over = surplus(orders, bound, (ref) => world.orders.get(ref)?.createdAtMs ?? 0);
  if (over === 0) return;
  let kept = 0;
  for (const ref of orders) {
    const gone = over-- > 0 && world.orders.drop(ref);
    if (!gone) orders[kept++] = ref;
  }
  orders.length = kept;
  for (const [id, ref] of byClientId) if (!world.orders.has(ref)) byClientId.delete(id);
}

function forgetAlgos(world: World, portfolio: Portfolio, bound: Bound): void {
  const { algos, algosByClientId } = portfolio;
  const over = surplus(algos, bound, ({ createdAtMs }) => createdAtMs);
  const gone = algos.slice(0, over).filter(isAlgoEnded);
  if (gone.length === 0) return;
  const dropped = new Set(gone);
  const kept = algos.filter((algo) => !dropped.has(algo));
  algos.splice(0, algos.length, ...kept);
  for (const algo of gone) {
    world.algosById.delete(algo.algoOrderId);
    if (algosByClientId.get(algo.clientOrderId) === algo) algosByClientId.delete(algo.clientOrderId);
  }
}

/** Positions that count for the score are counted before they are dropped. */
function forgetPositions({ closedPositions, scored }: Portfolio, bound: Bound): void {
  const over = surplus(closedPositions, bound, ({ position }) => position.updatedAtMs);
  for (const { position } of closedPositions.splice(0, over)) {
    if (scored.skipClosed > 0) {
      scored.skipClosed--;
      continue;
    }
    scored.closed++;
    if (netOf(position).gt(0)) scored.won++;
  }
}

/** Drops everything that the settings do not keep. */
export function forgetHistory(world: World): void {
  const { retention } = world.settings;
  if (retention === null) return;
  const fromMs = world.nowMs - retention.days * DAY_MS;
  for (const portfolio of world.portfolios.values()) {
    const { statements } = portfolio;
    forgetOrders(world, portfolio, { keep: retention.orders, fromMs });
    portfolio.executions.forget(retention.executions, fromMs);
    statements.splice(
      0,
      surplus(statements, { keep: retention.statements, fromMs }, ({ atMs }) => atMs),
    );
    forgetPositions(portfolio, { keep: retention.closedPositions, fromMs });
    forgetAlgos(world, portfolio, { keep: retention.algos, fromMs });
  }
}
