/** A stand-in on a real port for a webhook or for Telegram, and messages as Telegram writes them. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

export interface Seen {
  readonly path: string;
  readonly body: string;
}
export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: object;
}

/** `answer` null hangs. */
export async function standIn(
  answer: (seen: Seen, index: number) => Reply | null,
): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const one = { path: request.url ?? "", body: Buffer.concat(parts).toString() };
      seen.push(one);
      const reply = answer(one, seen.length - 1);
      if (!reply) return;
      response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
      response.end(JSON.stringify(reply.body ?? {}));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** The bot, as Telegram describes it. */
export const ME = { id: 1, is_bot: true, first_name: "b", username: "b_bot", can_join_groups: true };

export const chatMessage = (update_id: number, chat: number, text: string) => ({
  update_id,
  message: { message_id: update_id, date: 0, chat: { id: chat, type: "private", first_name: "x" }, text },
});
