/** The model gateway's three paths over HTTP: reads the body, passes it on, writes the reply. Spec: records §14. */
import type { IncomingHttpHeaders } from "node:http";
import { CHAT_COMPLETIONS_PATH, KEY_INFO_PATH } from "../../../protocol/ai/chat-completions.ts";
import type { FaultBoard } from "../../faults/board.ts";
import type { GatewayReply, GatewayService } from "../../model/gateway.ts";
import { messages } from "../../model/messages-dialect.ts";
import type { HttpHandler } from "../transport/handlers.ts";
import { jsonReply, parseJson } from "../../wire/http-io.ts";

/** More than any prompt needs. */
const BODY_CAP_BYTES = 8 * 1024 * 1024;

/** Chat completions, messages and key report under `/ai`. The fault hook comes last: a lost answer was charged. */
export function aiHandler(options: { readonly gateway: GatewayService; readonly faults: FaultBoard }): HttpHandler {
  const { gateway, faults } = options;
  const dialects: Readonly<Record<string, GatewayService["chatCompletions"]>> = {
    [`/ai${CHAT_COMPLETIONS_PATH}`]: (headers, body) => gateway.chatCompletions(headers, body),
    "/ai/v1/messages": (headers, body) => messages(gateway, headers, body),
  };
  return async (call, answer) => {
    const path = call.target.split("?")[0];
    const body = await call.body(BODY_CAP_BYTES);
    const ask = call.method === "POST" ? dialects[path ?? ""] : undefined;
    if (ask) {
      if (!body.ok) return answer.send(toRaw(invalid(body.reason)));
      const reply = await ask(headersOf(call.headers), parseJson(body.text));
      const changed = faults.modelReply(reply);
      if (changed === "lost") answer.cut();
      else if (changed === "stalled") answer.sendHalf(toRaw(reply));
      else answer.send(toRaw(changed));
      return;
    }
    if (call.method === "GET" && path === `/ai${KEY_INFO_PATH}`) {
      return answer.send(toRaw(gateway.keyInfo(headersOf(call.headers))));
    }
    answer.send(jsonReply(404, { error: { message: "Not Found", type: "not_found", param: null, code: "404" } }));
  };
}

const toRaw = ({ status, headers, body }: GatewayReply) => jsonReply(status, body, headers);

const invalid = (message: string): GatewayReply => ({
  status: 400,
  headers: {},
  body: { error: { message, type: "invalid_request_error", param: null, code: "400" } },
});

function headersOf(headers: IncomingHttpHeaders): Readonly<Record<string, string | undefined>> {
  const { authorization } = headers;
  const apiKey = headers["x-api-key"];
  const requestId = headers["x-client-request-id"];
  return {
    authorization,
    "x-api-key": Array.isArray(apiKey) ? apiKey[0] : apiKey,
    "x-client-request-id": Array.isArray(requestId) ? requestId[0] : requestId,
  };
}
