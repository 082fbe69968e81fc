/** An exchange whose reads answer from the past, as replicas behind the one that takes the orders do. Fault R9. */
import type { VenueResult, Exchange, WirePage, WireRecord } from "../../src/sim/exchange/contract/api.ts";
import { ACCOUNT } from "../../src/lab/fast/bare-exchange.ts";

interface Moment {
  readonly atMs: number;
  readonly account: readonly WireRecord[];
  readonly positions: readonly WireRecord[];
  readonly openOrders: WirePage;
  readonly openAlgos: readonly WireRecord[];
}

export interface Lagging {
  readonly reads: Exchange;
  /** Notes how the account stands, where it has changed since the last call. */
  note(nowMs: number): void;
}

const sound = <T>(answer: VenueResult<T>): T => {
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
};

/** Lists are `lagMs` old; an order or execution younger than that is not known yet. */
export function lagging(exchange: Exchange, lagMs: number, startMs: number): Lagging {
  const moments: Moment[] = [];
  let changed = true;
  const take = (nowMs: number): Moment => ({
    atMs: nowMs,
    account: sound(exchange.account(ACCOUNT, {}, nowMs)),
    positions: sound(exchange.positions(ACCOUNT, {}, nowMs)),
    openOrders: sound(exchange.openOrders(ACCOUNT, { pageSize: "1000" }, nowMs)),
    openAlgos: sound(exchange.openAlgos(ACCOUNT, {}, nowMs)),
  });
  moments.push(take(startMs));
  exchange.onUserPush(() => {
    changed = true;
  });
  const momentAt = (ms: number): Moment => moments.findLast(({ atMs }) => atMs <= ms) ?? (moments[0] as Moment);
  const ok = <T>(value: T): VenueResult<T> => ({ ok: true, value });
  const reads: Exchange = {
    ...exchange,
    account: (_id, _request, nowMs) => ok(momentAt(nowMs - lagMs).account),
    positions: (_id, _request, nowMs) => ok(momentAt(nowMs - lagMs).positions),
    openOrders: (_id, _request, nowMs) => ok(momentAt(nowMs - lagMs).openOrders),
    openAlgos: (_id, _request, nowMs) => ok(momentAt(nowMs - lagMs).openAlgos),
    executions: (id, request, nowMs) => {
      const known = (row: WireRecord): boolean => Number(row["createAt"]) <= nowMs - lagMs;
      return ok(sound(exchange.executions(id, request, nowMs)).filter(known));
    },
  };
  return {
    reads,
    note: (nowMs) => {
      if (changed) moments.push(take(nowMs));
      changed = false;
    },
  };
}
