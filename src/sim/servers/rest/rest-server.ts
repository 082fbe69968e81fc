/**
 * The HTTP side of all REST surfaces: reads a call, applies faults, serves it, and logs every write. It knows routes
 * only by method and path.
 */
import type { Clock } from "../../../core/clock.ts";
import type { FaultBoard } from "../../faults/board.ts";
import type { CallKind, RestPlan } from "../../faults/hooks.ts";
import type { HttpHandler } from "../transport/handlers.ts";
import type { HttpAnswer, RawReply } from "../../wire/http-call.ts";
import { jsonReply } from "../../wire/http-io.ts";
import type { KeyBook } from "../access/key-book.ts";
import { restRequest, type IncomingRequest } from "./rest-request.ts";
import type { RestRoute, Served } from "./trading-rest.ts";
import type { OpenEntry, WireLog } from "../access/wire-log.ts";
import { serves } from "../../faults/match.ts";

/** Larger bodies are read to their end, discarded, and answered with 400001. */
const BODY_CAP_BYTES = 128 * 1024;

/** `routes` are keyed "METHOD path". The key store is only used to identify the caller. */
export interface RestServerOptions {
  readonly clock: Clock;
  readonly routes: ReadonlyMap<string, RestRoute>;
  readonly keys: KeyBook;
  readonly faults: FaultBoard;
  readonly wireLog: WireLog;
  /** Null if the outcome of the call is not recorded. */
  watchCall(kind: CallKind, accountId: string | null): ((end: RequestOutcome) => void) | null;
  /** The service's time as clients see it, epoch ms. */
  nowMs(): number;
}

/** The outcome of one call. */
export interface RequestOutcome {
  /** The venue acted, or the client got a complete and correct answer to its read. */
  readonly served: boolean;
  /** How long a refusal asks the client to wait. */
  readonly retryAfterMs: number;
}

/** 404 for an unknown path. The route answers bodies over 128 KB with 400001. */
export function restHandler(options: RestServerOptions): HttpHandler {
  const date = dateHeader(options.nowMs);
  return async (call, through) => {
    const answer = dated(through, date);
    const request = restRequest(call, await call.body(BODY_CAP_BYTES));
    const route = options.routes.get(`${request.method} ${request.path}`);
    if (!route) {
      return answer.send(jsonReply(404, { code: 404, message: `path ${request.path} not found`, data: null }));
    }
    await carryOut(options, { request, route, answer });
  };
}

/** The Date header, created once a second: a client with a wrong clock learns the service's time from it. */
function dateHeader(nowMs: () => number): () => string {
  let second = -1;
  let text = "";
  return () => {
    const now = Math.floor(nowMs() / 1_000);
    if (now !== second) [second, text] = [now, new Date(now * 1_000).toUTCString()];
    return text;
  };
}

/** The same answer with the Date header, unless the reply has one. */
function dated(answer: HttpAnswer, date: () => string): HttpAnswer {
  const withDate = (reply: RawReply): RawReply => ({ ...reply, headers: { date: date(), ...reply.headers } });
  return {
    send: (reply) => answer.send(withDate(reply)),
    sendHalf: (reply) => answer.sendHalf(withDate(reply)),
    cut: () => answer.cut(),
    isAwaited: () => answer.isAwaited(),
  };
}

const DONE = "200000";
/** Refused before any other check: the key is disabled, or the clocks of client and service differ. */
const BARRED: ReadonlySet<string> = new Set(["100018", "100041", "7000"]);

interface Call {
  readonly request: IncomingRequest;
  readonly route: RestRoute;
  readonly answer: HttpAnswer;
}

async function carryOut(options: RestServerOptions, call: Call): Promise<void> {
  const { clock } = options;
  const { plan, entry, accountId } = arrive(options, call);
  const { method } = call.request;
  const ended = options.watchCall({ method, path: call.route.endpoint.path }, accountId);
  const twice = plan.deliverTwice && !plan.answerInstead && !plan.dropBeforeApply;
  const afterMs = plan.deliverAgainAfterMs ?? 0;
  // Both arrive together, however long the service then delays them, or the second arrives later.
  const again = twice && afterMs === 0 ? arrive(options, call) : null;
  if (twice && afterMs > 0) clock.after(afterMs, () => serveAgain(call, arrive(options, call).entry));
  if (plan.delayBeforeMs) await clock.sleep(plan.delayBeforeMs);
  if (plan.dropBeforeApply) {
    entry?.close(accountId, "fault: dropped before the venue");
    ended?.({ served: false, retryAfterMs: 0 });
    call.answer.cut();
    return;
  }
  const served = plan.answerInstead ? instead(plan.answerInstead, accountId) : call.route.serve(call.request);
  entry?.close(served.accountId, plan.answerInstead ? `fault: ${served.code}` : served.code);
  if (again) serveAgain(call, again.entry);
  const isCarriedOut = method !== "GET" && served.code === DONE;
  const isServed = serves(plan, isCarriedOut) && !BARRED.has(served.code);
  const retryAfterMs = Number(served.reply.headers["retry-after"] ?? 0) * 1_000;
  // The venue has acted, which a late or lost answer does not undo.
  if (isCarriedOut) ended?.({ served: isServed, retryAfterMs });
  if (plan.delayAfterMs) await clock.sleep(plan.delayAfterMs);
  // An answer that stalls never ends.
  if (!isCarriedOut && !plan.stall) ended?.({ served: isServed && call.answer.isAwaited(), retryAfterMs });
  send(call.answer, served.reply, plan);
}

function arrive(
  options: RestServerOptions,
  { request, route }: Call,
): { plan: RestPlan; entry: OpenEntry | null; accountId: string | null } {
  const accessKey = request.header("x-mbx-apikey");
  const accountId = options.keys.find(accessKey)?.accountId ?? null;
  const isWrite = request.method !== "GET";
  const params = (request.body.ok && request.body.value) || (request.query.ok ? request.query.value : {});
  const { path } = route.endpoint;
  const plan = options.faults.rest({ method: request.method, path, isWrite, accountId, params });
  const entry = isWrite ? options.wireLog.open("rest", `${request.method} ${path}`, accessKey, params) : null;
  return { plan, entry, accountId };
}

function serveAgain(call: Call, entry: OpenEntry | null): void {
  const served = call.route.serve(call.request);
  entry?.close(served.accountId, served.code);
}

const instead = (reply: RawReply, accountId: string | null): Served => ({
  reply,
  accountId,
  code: String(reply.status),
});

function send(answer: HttpAnswer, reply: RawReply, plan: RestPlan): void {
  if (plan.dropAfterApply) return answer.cut();
  const changed = plan.change ? plan.change(reply) : reply;
  const spelt = plan.respell ? plan.respell(changed) : changed;
  if (plan.stall) answer.sendHalf(spelt);
  else answer.send(spelt);
}
