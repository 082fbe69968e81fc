/** Calls within one process meet the same limits as calls over a socket (`test/net/http.test.ts`). */
import { expect, test } from "vitest";
import { virtualClock } from "../../../../src/core/virtual-clock.ts";
import { BODY_MAX_BYTES } from "../../../../src/net/http.ts";
import type { Handlers } from "../../../../src/sim/servers/transport/handlers.ts";
import { inProcess } from "../../../../src/sim/servers/transport/in-process.ts";

/** How a client with this cap ends an exchange whose answer is `body`. */
async function endOf(body: string, bodyMaxBytes?: number): Promise<string> {
  const clock = virtualClock(0);
  const handlers: Handlers = {
    http: { "": (_call, answer) => Promise.resolve(answer.send({ status: 200, headers: {}, body })) },
    sockets: [],
  };
  const network = inProcess({ clock, hosts: { "api.example": handlers } });
  const baseUrl = "http://api.example";
  const client = network.http(clock, { baseUrl, ...(bodyMaxBytes === undefined ? {} : { bodyMaxBytes }) });
  const outcome = await client.send({ method: "GET", path: "/", headers: {} });
  await client.close();
  return outcome.kind === "done" ? `${outcome.text.length} characters` : outcome.message;
}

test("an answer is measured in bytes, not in characters", async () => {
  const tooLong = "the answer is longer than 10 bytes";
  expect(await endOf("a".repeat(10), 10)).toBe("10 characters");
  expect(await endOf("a".repeat(11), 10)).toBe(tooLong);
  expect(await endOf("\u00e9".repeat(5), 10)).toBe("5 characters");
  expect(await endOf("\u00e9".repeat(6), 10)).toBe(tooLong);
  expect(await endOf("\u20ac".repeat(4), 10)).toBe(tooLong);
});

test("without a cap of its own a client has that of the sockets", async () => {
  expect(await endOf("a".repeat(BODY_MAX_BYTES))).toBe(`${BODY_MAX_BYTES} characters`);
  expect(await endOf("a".repeat(BODY_MAX_BYTES + 1))).toContain("longer than");
});
