/** One limited and signed call after the other, on a network of a few lines. */
import { expect, test } from "vitest";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { createGate } from "../../src/net/gate.ts";
import type { HttpOutcome } from "../../src/net/http.ts";
import type { NetEnv } from "../../src/net/network.ts";
import { createRateLimiter } from "../../src/net/rate-limit.ts";
import { createRest, type RestRequest } from "../../src/net/rest.ts";

test("writes leave in their turns, though as many reads as may be under way stand still", async () => {
  const clock = virtualClock(1_784_500_000_000);
  const left: string[] = [];
  const answers: (() => void)[] = [];
  const network = {
    http: () => ({
      send: ({ method }: { readonly method: string }) =>
        new Promise<HttpOutcome>((resolve) => {
          left.push(`${clock.monotonicMs()} ${method}`);
          answers.push(() => resolve({ kind: "done", status: 200, headers: {}, text: "{}" }));
        }),
      close: () => Promise.resolve(),
    }),
    gate: () => createGate(2),
  };
  const rest = createRest({
    env: { clock, network } as unknown as NetEnv,
    baseUrl: "http://venue.example",
    limiter: createRateLimiter(clock),
    sign: (params) => ({ headers: {}, params }),
  });
  const request = (method: "GET" | "POST", path: string): RestRequest => ({
    ...{ method, path, params: {}, patienceMs: 60_000 },
    ...{ limit: { requests: 1, perMs: 5_000 }, priority: method === "GET" ? "read" : "open" },
  });
  const reads = ["/a", "/b"].map((path) => rest.send(request("GET", path)));
  await expect.poll(() => left).toHaveLength(2);
  const writes = [rest.send(request("POST", "/order")), rest.send(request("POST", "/order"))];
  await clock.advance(20_000);
  expect(left).toEqual(["0 GET", "0 GET", "0 POST", "5200 POST"]);
  for (const answer of answers) answer();
  expect(await Promise.all([...reads, ...writes])).toHaveLength(4);
});

test("a date to come back at is measured by the clock that the answer states", async () => {
  const clock = virtualClock(Date.parse("2026-07-20T12:10:00Z"));
  const headers = { date: "Mon, 20 Jul 2026 12:00:00 GMT", "retry-after": "Mon, 20 Jul 2026 12:01:00 GMT" };
  const answer: HttpOutcome = { kind: "done", status: 429, headers, text: "" };
  const network = {
    http: () => ({ send: () => Promise.resolve(answer), close: () => Promise.resolve() }),
    gate: () => createGate(2),
  };
  const rest = createRest({
    env: { clock, network } as unknown as NetEnv,
    baseUrl: "http://venue.example",
    limiter: createRateLimiter(clock),
    sign: (params) => ({ headers: {}, params }),
  });
  const request = { method: "GET", path: "/a", params: {}, patienceMs: 60_000, priority: "read" } as const;
  const refused = await rest.send({ ...request, limit: { requests: 1, perMs: 5_000 } });
  expect(refused).toMatchObject({ kind: "rate-limited", retryAtMs: clock.nowMs() + 60_000 });
});
