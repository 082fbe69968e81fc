/** One client for all dialects that the configured models need. */
import type { Secret } from "../../core/secret.ts";
import type { NetEnv } from "../../net/network.ts";
import type { ChatClient, OnStep } from "./chat.ts";
import { createMessagesClient } from "./messages-client.ts";
import { createChatClient } from "./openai-client.ts";

/** `aiUrl` is `{ai_url}`. */
export function createClients(env: NetEnv, aiUrl: string, apiKey: Secret, onStep: OnStep): ChatClient {
  const chat = createChatClient(env, aiUrl, apiKey, onStep);
  const messages = createMessagesClient(env, aiUrl, apiKey, onStep);
  return {
    complete: (request) => (request.speech === "messages" ? messages : chat).complete(request),
    close: async () => {
      await Promise.all([chat.close(), messages.close()]);
    },
  };
}
