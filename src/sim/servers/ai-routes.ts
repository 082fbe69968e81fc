/**
 * The model gateway's two paths over HTTP: reads the body, hands it on, writes the reply. Knows nothing of models.
 * Spec: records §14.
 */
import type { IncomingMessage } from "node:http";
import type { FaultBoard } from "../faults/board.ts";
import type { GatewayReply, ModelGateway } from "../model/gateway.ts";
import type { HttpDoor } from "./front-door.ts";
import { jsonReply, parseJson, readBody, sendHalf, sendReply } from "./http-io.ts";

/** Prompts are long, but not this long. */
const BODY_CAP_BYTES = 8 * 1024 * 1024;

export function aiDoor(given: { readonly gateway: ModelGateway; readonly faults: FaultBoard }): HttpDoor {
  const { gateway, faults } = given;
  return async (message, response) => {
    const path = (message.url ?? "").split("?")[0];
    const body = await readBody(message, BODY_CAP_BYTES);
    if (message.method === "POST" && path === "/ai/v1/chat/completions") {
      if (!body.ok) return sendReply(response, toRaw(invalid(body.reason)));
      const reply = await gateway.chatCompletions(headersOf(message), parseJson(body.text));
      const changed = faults.modelReply(reply);
      if (changed === "lost") response.destroy();
      else if (changed === "stalled") sendHalf(response, toRaw(reply));
      else sendReply(response, toRaw(changed));
      return;
    }
    if (message.method === "GET" && path === "/ai/key/info") {
      return sendReply(response, toRaw(gateway.keyInfo(headersOf(message))));
    }
    sendReply(
      response,
      jsonReply(404, { error: { message: "Not Found", type: "not_found", param: null, code: "404" } }),
    );
  };
}

const toRaw = ({ status, headers, body }: GatewayReply) => jsonReply(status, body, headers);

const invalid = (message: string): GatewayReply => ({
  status: 400,
  headers: {},
  body: { error: { message, type: "invalid_request_error", param: null, code: "400" } },
});

function headersOf(message: IncomingMessage): Readonly<Record<string, string | undefined>> {
  const { authorization } = message.headers;
  const apiKey = message.headers["x-api-key"];
  return { authorization, "x-api-key": Array.isArray(apiKey) ? apiKey[0] : apiKey };
}
