/**
 * The control calls: JSON over HTTP, for operators and tests. Requests that a web page could have caused (foreign Host
 * or Origin) are refused, because there is no other access control. Architecture §7.
 */
import type { ControlOptions } from "./control-route.ts";
import { CONTROL_ROUTES } from "./control-routes.ts";
import type { HttpHandler } from "../transport/handlers.ts";
import type { HttpCall } from "../../wire/http-call.ts";
import { jsonReply, parseJson, requestUrl } from "../../wire/http-io.ts";

const BODY_CAP_BYTES = 1024 * 1024;

/** `options` is called for each request: it holds the service's own addresses, which are known only once it listens. */
export const controlHandler =
  (options: () => ControlOptions): HttpHandler =>
  async (call, answer) => {
    if (!isLocal(call)) return answer.send(jsonReply(403, { error: "foreign Host or Origin" }));
    const url = requestUrl(call.target);
    if (call.method === "GET" && url.pathname === "/control") return answer.send(jsonReply(200, listing()));
    const route = CONTROL_ROUTES.find(({ method, path }) => method === call.method && path === url.pathname);
    if (!route) return answer.send(jsonReply(404, { error: "not found", hint: "GET /control lists the paths" }));
    const body = await call.body(BODY_CAP_BYTES);
    if (!body.ok) return answer.send(jsonReply(400, { error: body.reason }));
    const fromQuery = Object.fromEntries(url.searchParams);
    const input = body.text.trim() === "" ? fromQuery : parseJson(body.text);
    const outcome = route.run(options(), input);
    answer.send(outcome.ok ? jsonReply(200, outcome.value) : jsonReply(400, { error: outcome.error }));
  };

function isLocal({ headers }: HttpCall): boolean {
  const local = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;
  const { host, origin } = headers;
  if (!local.test(host ?? "")) return false;
  return origin === undefined || local.test(origin.replace(/^http:\/\//, ""));
}

const listing = (): unknown => ({
  routes: CONTROL_ROUTES.map(({ method, path, description, inputSchema }) => ({
    method,
    path,
    description,
    inputSchema,
  })),
});
