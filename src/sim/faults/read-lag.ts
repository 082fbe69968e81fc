/** Reads return the past: new orders are missing, positions and balances are old. Faults R9. */
import { isRecord } from "../../core/record.ts";
import { BoundedList } from "../../core/bounded.ts";
import { errorEnvelope } from "../../protocol/envelope.ts";
import type { RawReply } from "../wire/http-call.ts";
import { jsonReply, parseJson } from "../wire/http-io.ts";
import { fault, type FaultWorld, spanMs } from "./fault.ts";
import type { CallKind, RestCall } from "./hooks.ts";

const ROWS = ["/trading/order", "/trading/orders", "/trading/history/orders", "/trading/executions", "/algo/"];
const STATES = ["/trading/position", "/trading/account", "/trading/portfolio/assets"] as const;

interface Version {
  readonly atMs: number;
  readonly bodies: ReadonlyMap<string, string>;
}

/**
 * Rows created within `lagMs` are omitted, the query of a younger order gets 401018, and states are those of `lagMs`
 * ago.
 */
export const readLag = fault({
  name: "read-lag",
  group: "rest",
  description: "Reads of orders, executions, positions and balances lag behind events.",
  params: { lagMs: spanMs(5_000) },
  start: (world, { lagMs }) => {
    const { clock } = world.env;
    const history = new Map<string, BoundedList<Version>>();
    const remember = (accountId: string): void => {
      const versions = history.get(accountId) ?? new BoundedList<Version>(500);
      history.set(accountId, versions);
      versions.push({ atMs: clock.nowMs(), bodies: statesOf(world, accountId) });
    };
    for (const accountId of world.exchange.accountIds()) remember(accountId);
    const isRead = ({ method, path }: CallKind): boolean =>
      method === "GET" && [...ROWS, ...STATES].some((part) => path.includes(part));
    const change = (call: RestCall, reply: RawReply): RawReply => {
      const seenUntilMs = clock.nowMs() - lagMs;
      const path = STATES.find((state) => call.path.endsWith(state));
      if (path === undefined) return rowsUntil(reply, seenUntilMs);
      const versions = history.get(call.accountId ?? "")?.items() ?? [];
      const seen = versions.filter(({ atMs }) => atMs <= seenUntilMs).at(-1) ?? versions[0];
      const body = seen?.bodies.get(path);
      return body === undefined || reply.status !== 200 ? reply : { ...reply, body };
    };
    return {
      hooks: {
        rest: (call) => {
          // While another fault holds back the pushes, the reads before this one report the older state.
          if (isRead(call) && call.accountId !== null && STATES.some((state) => call.path.endsWith(state)))
            remember(call.accountId);
          return isRead(call) ? { change: (reply) => change(call, reply), spoils: true } : null;
        },
        restReach: (kind) => (isRead(kind) ? "every" : null),
        userPush: (push) => {
          remember(push.accountId);
          return [push];
        },
      },
    };
  },
});

function statesOf({ exchange, env }: FaultWorld, accountId: string): ReadonlyMap<string, string> {
  const nowMs = Math.floor(env.clock.nowMs());
  const answers = {
    "/trading/position": exchange.positions(accountId, {}, nowMs),
    "/trading/account": exchange.account(accountId, {}, nowMs),
    "/trading/portfolio/assets": exchange.assets(accountId, {}, nowMs),
  };
  const bodies = new Map<string, string>();
  for (const [path, answer] of Object.entries(answers)) {
    if (answer.ok) bodies.set(path, JSON.stringify({ code: 200000, message: "Success", data: answer.value }));
  }
  return bodies;
}

/** Removes what was created after the shown instant: rows of lists, or a single record. */
function rowsUntil(reply: RawReply, untilMs: number): RawReply {
  const body = parseJson(reply.body);
  if (!isRecord(body) || body.code !== 200000) return reply;
  const isSeen = (row: unknown): boolean => !isRecord(row) || Number(row.createAt ?? 0) <= untilMs;
  const { data } = body;
  if (Array.isArray(data)) return { ...reply, body: JSON.stringify({ ...body, data: data.filter(isSeen) }) };
  if (!isRecord(data)) return reply;
  if (Array.isArray(data.list)) {
    const list = data.list.filter(isSeen);
    return { ...reply, body: JSON.stringify({ ...body, data: { ...data, list, totalSize: list.length } }) };
  }
  return isSeen(data) ? reply : jsonReply(200, errorEnvelope(401018, "Order not found"));
}
