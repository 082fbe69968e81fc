/**
 * The HTTP side of all REST surfaces: reads a call, lets faults have their say, serves it, and logs every write. Knows
 * routes by method and path and nothing of what stands behind them.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../../core/clock.ts";
import type { FaultBoard } from "../faults/board.ts";
import type { RestPlan } from "../faults/hooks.ts";
import { jsonReply, readBody, sendHalf, sendReply, type RawReply } from "./http-io.ts";
import type { KeyBook } from "./key-book.ts";
import { restRequest, type RestRequest } from "./rest-request.ts";
import type { RestRoute, Served } from "./trading-rest.ts";
import type { OpenEntry, WireLog } from "./wire-log.ts";

/** Larger bodies are read to their end, forgotten, and answered 400001. */
const BODY_CAP_BYTES = 128 * 1024;

export interface RestServerGiven {
  readonly clock: Clock;
  readonly routes: ReadonlyMap<string, RestRoute>;
  readonly keys: KeyBook;
  readonly faults: FaultBoard;
  readonly wireLog: WireLog;
}

export function restHandler(
  given: RestServerGiven,
): (message: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (message, response) => {
    const request = restRequest(message, await readBody(message, BODY_CAP_BYTES));
    const route = given.routes.get(`${request.method} ${request.path}`);
    if (!route) {
      return sendReply(response, jsonReply(404, { code: 404, message: `path ${request.path} not found`, data: null }));
    }
    await carryOut(given, { request, route, response });
  };
}

interface Call {
  readonly request: RestRequest;
  readonly route: RestRoute;
  readonly response: ServerResponse;
}

async function carryOut(given: RestServerGiven, call: Call): Promise<void> {
  const { clock } = given;
  const { plan, entry, accountId } = arrive(given, call);
  if (plan.delayBeforeMs) await clock.sleep(plan.delayBeforeMs);
  if (plan.dropBeforeApply) {
    entry?.close(accountId, "fault: dropped before the venue");
    call.response.destroy();
    return;
  }
  const served = plan.answerInstead ? instead(plan.answerInstead, accountId) : call.route.serve(call.request);
  entry?.close(served.accountId, plan.answerInstead ? `fault: ${served.code}` : served.code);
  if (plan.deliverTwice && !plan.answerInstead) deliverAgain(given, call);
  if (plan.delayAfterMs) await clock.sleep(plan.delayAfterMs);
  send(call.response, served.reply, plan);
}

function arrive(
  given: RestServerGiven,
  { request, route }: Call,
): { plan: RestPlan; entry: OpenEntry | null; accountId: string | null } {
  const accessKey = request.header("x-mbx-apikey");
  const accountId = given.keys.find(accessKey)?.accountId ?? null;
  const isWrite = request.method !== "GET";
  const params = (request.body.ok && request.body.value) || (request.query.ok ? request.query.value : {});
  const { path } = route.endpoint;
  const plan = given.faults.rest({ method: request.method, path, isWrite, accountId, params });
  const entry = isWrite ? given.wireLog.open("rest", `${request.method} ${path}`, accessKey, params) : null;
  return { plan, entry, accountId };
}

function deliverAgain(given: RestServerGiven, call: Call): void {
  const { entry } = arrive(given, call);
  const served = call.route.serve(call.request);
  entry?.close(served.accountId, served.code);
}

const instead = (reply: RawReply, accountId: string | null): Served => ({
  reply,
  accountId,
  code: String(reply.status),
});

function send(response: ServerResponse, reply: RawReply, plan: RestPlan): void {
  if (plan.dropAfterApply) {
    response.destroy();
    return;
  }
  const changed = plan.change ? plan.change(reply) : reply;
  if (plan.stall) sendHalf(response, changed);
  else sendReply(response, changed);
}
