/**
 * The control port: JSON over HTTP on loopback, for operators and tests. Requests that a web page could have caused
 * (foreign Host or Origin) are refused, because there is no other guard. Architecture §7.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ControlGiven } from "./control-route.ts";
import { CONTROL_ROUTES } from "./control-routes.ts";
import { listen } from "./front-door.ts";
import { jsonReply, parseJson, readBody, requestUrl, sendReply } from "./http-io.ts";

const BODY_CAP_BYTES = 1024 * 1024;

export interface Control {
  readonly port: number;
  stop(): Promise<void>;
}

/** `given` is asked for at each request: it holds the port's own address, which is known only when it listens. */
export async function openControl(at: { host: string; port: number }, given: () => ControlGiven): Promise<Control> {
  const server = createServer((message, response) => {
    serve(message, response, given).catch((error: unknown) => {
      sendReply(response, jsonReply(500, { error: String(error) }));
    });
  });
  await listen(server, at);
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(message: IncomingMessage, response: ServerResponse, given: () => ControlGiven): Promise<void> {
  if (!isLocal(message)) return sendReply(response, jsonReply(403, { error: "foreign Host or Origin" }));
  const url = requestUrl(message);
  if (message.method === "GET" && url.pathname === "/control") return sendReply(response, jsonReply(200, listing()));
  const route = CONTROL_ROUTES.find(({ method, path }) => method === message.method && path === url.pathname);
  if (!route)
    return sendReply(response, jsonReply(404, { error: "not found", hint: "GET /control lists what there is" }));
  const body = await readBody(message, BODY_CAP_BYTES);
  if (!body.ok) return sendReply(response, jsonReply(400, { error: body.reason }));
  const fromQuery = Object.fromEntries(url.searchParams);
  const input = body.text.trim() === "" ? fromQuery : parseJson(body.text);
  const outcome = route.run(given(), input);
  sendReply(response, outcome.ok ? jsonReply(200, outcome.value) : jsonReply(400, { error: outcome.error }));
}

function isLocal(message: IncomingMessage): boolean {
  const local = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;
  const { host, origin } = message.headers;
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
