import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type Clock, systemClock } from "../../../src/core/clock.ts";
import { dec, sumDecimals } from "../../../src/core/decimal.ts";
import type { ChatClient } from "../../../src/llm/dialects/chat.ts";
import type { ModelPrice, ModelSettings } from "../../../src/llm/contract/settings.ts";
import { tokenCount } from "../../../src/llm/prompts/tokens.ts";
import {
  type TestGateway,
  testGateway,
  completion,
  error,
  goodText,
  KEY,
  memoryStore,
  question,
  reply,
  serve,
  settings,
  type TestServer,
  traderVariables,
} from "../support.ts";
import { rawRow } from "../../support/raw-row.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

type Handle = Parameters<typeof serve>[0];
async function start(
  handle: Handle,
  changed: Partial<ModelSettings> = {},
  clock?: Clock,
): Promise<TestGateway & { server: TestServer }> {
  const server = await serve(handle);
  const made = testGateway({ aiUrl: server.url, ...changed }, clock);
  open.push(server, made.gateway);
  return { ...made, server };
}

const twoModels = (): ModelSettings["names"] => {
  const [first] = settings().names;
  if (!first) throw new Error("no model");
  return [first, { ...first, name: "model-2" }];
};

/** A clock that can be pushed forward while timers and sockets live in real time. */
function shiftedClock(): Clock & { shift(ms: number): void } {
  const base = systemClock();
  let offset = 0;
  return {
    ...base,
    nowMs: () => base.nowMs() + offset,
    monotonicMs: () => base.monotonicMs() + offset,
    shift: (ms) => {
      offset += ms;
    },
  };
}

describe("an answer", () => {
  test("is read, booked at the cost the header states, and reported with its figures", async () => {
    const { gateway, store, server } = await start((asked, response) =>
      reply(
        response,
        200,
        completion(goodText(asked.echo), {
          prompt_tokens: 1000,
          completion_tokens: 100,
          prompt_tokens_details: { cached_tokens: 400 },
        }),
        {
          "x-proxy-response-cost": "0.00123",
        },
      ),
    );
    const outcome = await gateway.ask(question());
    expect(outcome).toMatchObject({
      kind: "answered",
      model: "model-1",
      cached: false,
      promptTokens: 1000,
      completionTokens: 100,
      cachedTokens: 400,
    });
    if (outcome.kind !== "answered") return;
    expect(outcome.costUsd.toFixed()).toBe("0.00123");
    expect(outcome.value).toMatchObject({ summary: "Calm.", stances: [] });
    expect(server.asked[0]?.path).toBe("/ai/v1/chat/completions");
    expect(server.asked[0]?.authorization).toBe(`Bearer ${KEY.reveal()}`);
    expect(server.asked[0]?.body.response_format?.type).toBe("json_schema");
    const [reserved, settled] = store.rows;
    expect(reserved).toMatchObject(rawRow("model-reserve", { attemptId: outcome.attempt, model: "model-1" }));
    expect(settled).toMatchObject(
      rawRow("model-settle", { attemptId: outcome.attempt, costUsd: "0.00123", how: "actual" }),
    );
    expect(Number(reserved?.body["boundUsd"])).toBeGreaterThan(0.00123);
  });

  test("without a header costs what the price table says, cached tokens at their own price", async () => {
    const usage = { prompt_tokens: 10_000, completion_tokens: 1000, prompt_tokens_details: { cached_tokens: 4000 } };
    const { gateway } = await start((asked, response) => reply(response, 200, completion(goodText(asked.echo), usage)));
    const outcome = await gateway.ask(question());
    // 6000 x 0.31 + 4000 x 0.06 + 1000 x 1.24, per million
    expect(outcome.kind === "answered" && outcome.costUsd.toFixed()).toBe("0.00334");
  });

  test("without usage and header costs what our own tokenizer counts, against us, and is marked as estimated", async () => {
    const { gateway, store, server } = await start((asked, response) =>
      reply(response, 200, completion(goodText(asked.echo), null)),
    );
    expect((await gateway.ask(question())).kind).toBe("answered");
    const text = server.asked[0]?.body.messages.map(({ content }) => content).join("") ?? "";
    const [reserved, booked] = store.rows.map(({ body }) => body);
    expect(booked?.["how"]).toBe("estimated");
    // Above what the texts are by the tokenizer alone, and far below the bound of a question with its repair.
    expect(Number(booked?.["costUsd"])).toBeGreaterThan((0.31 * (await tokenCount(text))) / 1e6);
    expect(Number(booked?.["costUsd"])).toBeLessThan(Number(reserved?.["boundUsd"]) / 2);
  });

  test("of a model that was asked to think counts the whole output cap, as its thoughts need not be shown", async () => {
    const { gateway, store } = await start(
      (asked, response) => reply(response, 200, completion(goodText(asked.echo), null)),
      { names: [{ ...(settings().names[0] as ModelPrice), reasoningEffort: "low" }] },
    );
    await gateway.ask(question());
    expect(Number(store.rows[1]?.body["costUsd"])).toBeGreaterThan((1.24 * 800) / 1e6);
  });

  test("has a system part that is the same bytes in every question", async () => {
    const { gateway, server } = await start((asked, response) =>
      reply(response, 200, completion(goodText(asked.echo))),
    );
    await gateway.ask(question());
    await gateway.ask(question({ fingerprint: "f2", variables: { ...traderVariables(), time: "later" } }));
    const [first, second] = server.asked.map((asked) => asked.body.messages);
    expect(first?.[0]?.content).toBe(second?.[0]?.content);
    expect(first?.[0]?.content).toContain('"additionalProperties":false');
    expect(first?.[1]?.content).not.toBe(second?.[1]?.content);
  });
});

describe("the cache", () => {
  test("answers an equal question for free until shortly before it is 300 seconds old", async () => {
    const clock = shiftedClock();
    const { gateway, server } = await start(
      (asked, response) => reply(response, 200, completion(goodText(asked.echo))),
      {},
      clock,
    );
    await gateway.ask(question());
    clock.shift(290_000);
    expect(await gateway.ask(question())).toMatchObject({ kind: "answered", cached: true, costUsd: dec(0) });
    clock.shift(5_001);
    expect(await gateway.ask(question())).toMatchObject({ kind: "answered", cached: false });
    expect(server.asked).toHaveLength(2);
  });

  test("lets equal questions in flight share one request", async () => {
    const { gateway, server, store } = await start((asked, response) =>
      reply(response, 200, completion(goodText(asked.echo))),
    );
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => gateway.ask(question())));
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(Array(12).fill("answered"));
    expect(outcomes.filter((outcome) => outcome.kind === "answered" && !outcome.cached)).toHaveLength(1);
    expect(server.asked).toHaveLength(1);
    expect(store.rows).toHaveLength(2);
  });

  test.each([
    ["fingerprint", { fingerprint: "other" }],
    ["output cap", { maxOutputTokens: 801 }],
    ["schema", { replySchemaName: "other" }],
    [
      "figures of the rules",
      { variables: { ...traderVariables(), rules: { ...(traderVariables()["rules"] as object), leverageMax: "5" } } },
    ],
  ])("does not mix questions with another %s", async (_what, changed) => {
    const { gateway, server } = await start((asked, response) =>
      reply(response, 200, completion(goodText(asked.echo))),
    );
    await gateway.ask(question());
    await gateway.ask(question(changed));
    expect(server.asked).toHaveLength(2);
  });
});

describe("a bad answer", () => {
  test("is repaired once, inside the same reservation", async () => {
    const { gateway, server, store } = await start((asked, response, count) =>
      reply(response, 200, completion(count === 1 ? '{"summary": "half' : goodText(asked.echo))),
    );
    const outcome = await gateway.ask(question());
    expect(outcome).toMatchObject({ kind: "answered", promptTokens: 2000 });
    expect(server.asked).toHaveLength(2);
    expect(server.asked[1]?.body.messages[1]?.content).toContain("the object is cut off");
    expect(store.rows.map((row) => row.kind)).toEqual(["model-reserve", "model-settle"]);
    expect(Number(store.rows[1]?.body["costUsd"])).toBeCloseTo(2 * (1000 * 0.31 + 100 * 1.24) * 1e-6, 12);
  });

  test("is not repaired where a repair with all its thoughts may cost more than is left reserved", async () => {
    // The bill says that it thought far longer than its cap allows.
    const usage = { prompt_tokens: 1000, completion_tokens: 36_000 };
    const { gateway, server } = await start(
      (_asked, response) => reply(response, 200, completion("I would buy.", usage)),
      { names: [{ ...(settings().names[0] as ModelPrice), reasoningTokens: 20_000 }] },
    );
    expect((await gateway.ask(question())).kind).toBe("unreadable");
    expect(server.asked).toHaveLength(1);
  });

  test("that stays bad is unreadable, with its cost, and is not kept", async () => {
    const { gateway, server } = await start((_asked, response) => reply(response, 200, completion("I would buy.")));
    const outcome = await gateway.ask(question());
    expect(outcome).toMatchObject({ kind: "unreadable", replyText: "I would buy." });
    expect(outcome.kind === "unreadable" && outcome.costUsd.gt(0)).toBe(true);
    await gateway.ask(question());
    expect(server.asked).toHaveLength(4);
  });

  test("with the echo of another question is refused", async () => {
    const { gateway } = await start((_asked, response) =>
      reply(response, 200, completion(goodText("echo-of-another"))),
    );
    expect(await gateway.ask(question())).toMatchObject({
      kind: "unreadable",
      reason: expect.stringContaining("echo") as string,
    });
  });

  test("that repeats the fence word is refused", async () => {
    const { gateway } = await start((asked, response) =>
      reply(response, 200, completion(JSON.stringify({ echo: asked.echo, summary: asked.fence, stances: [] }))),
    );
    expect(await gateway.ask(question())).toMatchObject({
      kind: "unreadable",
      reason: expect.stringContaining("fence") as string,
    });
  });
});

describe("a failing service", () => {
  test("that is silent costs the bound and ends in time", async () => {
    const { gateway, store } = await start(() => undefined, { timeout: 150 });
    const outcome = await gateway.ask(question());
    expect(outcome.kind).toBe("failed");
    expect(outcome.kind === "failed" && outcome.costUsd.gt(0)).toBe(true);
    expect(store.rows[1]?.body).toMatchObject({ how: "bound", costUsd: store.rows[0]?.body["boundUsd"] });
  });

  test("that stalls in the middle of the body costs the bound", async () => {
    const { gateway, store } = await start(
      (asked, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
        response.write(JSON.stringify(completion(goodText(asked.echo))).slice(0, 60));
      },
      { timeout: 150 },
    );
    expect((await gateway.ask(question())).kind).toBe("failed");
    expect(store.rows[1]?.body["how"]).toBe("bound");
  });

  test("that was never reached costs nothing", async () => {
    const dead = createServer();
    await new Promise<void>((resolve) => dead.listen(0, "127.0.0.1", resolve));
    const { port } = dead.address() as AddressInfo;
    await new Promise((resolve) => dead.close(resolve));
    const { gateway, store } = testGateway({ aiUrl: `http://127.0.0.1:${port}/ai` });
    expect(await gateway.ask(question())).toMatchObject({ kind: "failed", costUsd: dec(0) });
    expect(store.rows[1]?.body["how"]).toBe("nothing");
    gateway.close();
  });

  test.each([500, 502, 503, 504, 408, 529])("status %i is asked once and costs the bound", async (status) => {
    const { gateway, store, server } = await start((_asked, response) =>
      reply(response, status, error(status, "x", "upstream failed")),
    );
    expect((await gateway.ask(question())).kind).toBe("failed");
    expect(server.asked).toHaveLength(1);
    expect(store.rows[1]?.body["how"]).toBe("bound");
  });

  test.each([
    ["html", "<html>502</html>"],
    ["json that is no completion", { hello: 1 }],
    ["an empty list of choices", { choices: [] }],
    ["a cut body", '{"choices":[{"message":{"con'],
    ["nothing", ""],
  ])("that answers 200 with %s fails and costs the bound", async (_what, body) => {
    const { gateway, store } = await start((_asked, response) => reply(response, 200, body));
    expect((await gateway.ask(question())).kind).toBe("failed");
    expect(store.rows[1]?.body["how"]).toBe("bound");
  });

  test.each([400, 429])(
    "a spent budget is reported by its type, not by its status (%i), and rests the gateway",
    async (status) => {
      const { gateway, server, store } = await start((_asked, response) =>
        reply(
          response,
          status,
          error(status, "budget_exceeded", "Budget has been exceeded! Current cost: 10.0004, Max budget: 10.0"),
        ),
      );
      expect(await gateway.ask(question())).toMatchObject({ kind: "over-budget" });
      expect(await gateway.ask(question({ fingerprint: "f2" }))).toMatchObject({ kind: "over-budget" });
      expect(server.asked).toHaveLength(1);
      expect(store.rows[1]?.body["how"]).toBe("nothing");
      expect(gateway.budget().mayAsk).toEqual({ cadence: false, event: false });
    },
  );

  test("a rate limit is respected for as long as it asks, up to the cap", async () => {
    const clock = shiftedClock();
    const { gateway, server } = await start(
      (asked, response, count) =>
        count === 1
          ? reply(response, 429, error(429, "rate_limit_error", "slow down"), { "retry-after": "3600" })
          : reply(response, 200, completion(goodText(asked.echo))),
      {},
      clock,
    );
    expect(await gateway.ask(question())).toMatchObject({ kind: "failed", costUsd: dec(0) });
    expect(await gateway.ask(question())).toMatchObject({ kind: "unavailable" });
    clock.shift(9.9 * 60_000);
    expect(await gateway.ask(question())).toMatchObject({ kind: "unavailable" });
    clock.shift(0.2 * 60_000);
    expect(await gateway.ask(question())).toMatchObject({ kind: "answered" });
    expect(server.asked).toHaveLength(2);
  });

  test("three failures rest the model, and one question tries it afterwards", async () => {
    const clock = shiftedClock();
    const { gateway, server } = await start(
      (_asked, response) => reply(response, 500, error(500, "x", "down")),
      {},
      clock,
    );
    for (let n = 0; n < 5; n++) await gateway.ask(question({ fingerprint: `f${n}` }));
    expect(server.asked).toHaveLength(3);
    expect(gateway.budget().models).toMatchObject([{ name: "model-1", state: "resting" }]);
    clock.shift(31_000);
    await Promise.all(["a", "b", "c"].map((fingerprint) => gateway.ask(question({ fingerprint }))));
    expect(server.asked).toHaveLength(4);
  });

  test("leads to the next model, whose name the answer carries and whose answer is cached under it", async () => {
    const { gateway, server, log } = await start(
      (asked, response) =>
        asked.body.model === "model-1"
          ? reply(response, 503, error(503, "x", "overloaded"))
          : reply(response, 200, completion(goodText(asked.echo))),
      { names: twoModels() },
    );
    expect(await gateway.ask(question())).toMatchObject({ kind: "answered", model: "model-2", cached: false });
    expect(server.asked.map((asked) => asked.body.model)).toEqual(["model-1", "model-2"]);
    expect(log.lines.find((line) => line.evt === "model.answered")?.fields).toMatchObject({ degraded: true });
    // The preferred model is ready again and has not answered this question yet, so it is asked.
    await gateway.ask(question());
    expect(server.asked.map((asked) => asked.body.model)).toEqual(["model-1", "model-2", "model-1", "model-2"]);
  });

  test("is paid for as well where the next model is beyond the budget, ours or the gateway's", async () => {
    const spent = error(429, "budget_exceeded", "Budget has been exceeded! Current cost: 10.0004, Max budget: 10.0");
    const handle: Handle = (asked, response) =>
      asked.body.model === "model-1" ? reply(response, 200, "<html>502</html>") : reply(response, 429, spent);
    const { gateway } = await start(handle, { names: twoModels() });
    const theirs = await gateway.ask(question());
    expect(theirs).toMatchObject({ kind: "over-budget" });
    expect(theirs.costUsd).toEqual(gateway.budget().usedUsd);
    expect(theirs.costUsd.gt(0)).toBe(true);
    const short = await start(handle, { names: twoModels(), dayLimitUsd: theirs.costUsd.mul("1.5") });
    const ours = await short.gateway.ask(question());
    expect(ours).toMatchObject({ kind: "over-budget", costUsd: theirs.costUsd });
    expect(short.server.asked).toHaveLength(1);
  });

  test("never puts the key into outcome, log or ledger", async () => {
    const { gateway, store, log } = await start((_asked, response) =>
      reply(response, 401, error(401, "auth_error", `Authentication Error: ${KEY.reveal()} is unknown`)),
    );
    const outcome = await gateway.ask(question());
    expect(outcome).toMatchObject({ kind: "failed", costUsd: dec(0) });
    expect(JSON.stringify([outcome, store.rows, log.lines])).not.toContain(KEY.reveal());
  });
});

describe("the dialect of a service", () => {
  test("is found from the strictest way down and remembered", async () => {
    const { gateway, server, store } = await start((asked, response) =>
      asked.body.response_format
        ? reply(
            response,
            400,
            error(400, "invalid_request_error", `response_format ${asked.body.response_format.type} is not supported`),
          )
        : reply(response, 200, {
            choices: [
              {
                message: {
                  content: null,
                  tool_calls: [{ function: { name: "stances", arguments: goodText(asked.echo) } }],
                },
              },
            ],
            usage: { prompt_tokens: 5, completion_tokens: 5 },
          }),
    );
    expect((await gateway.ask(question())).kind).toBe("answered");
    await gateway.ask(question({ fingerprint: "f2" }));
    const ways = server.asked.map(({ body }) => body.response_format?.type ?? (body.tools ? "tool" : "plain"));
    expect(ways).toEqual(["json_schema", "json_object", "tool", "tool"]);
    expect(store.rows).toHaveLength(4);
  });

  test("may want another name for the output cap", async () => {
    const { gateway, server } = await start((asked, response) =>
      asked.body.max_tokens === undefined
        ? reply(response, 200, completion(goodText(asked.echo)))
        : reply(response, 400, error(400, "invalid_request_error", "Unsupported parameter: use max_completion_tokens")),
    );
    expect((await gateway.ask(question())).kind).toBe("answered");
    expect(server.asked[1]?.body).toMatchObject({
      max_completion_tokens: 800,
      response_format: { type: "json_schema" },
    });
  });
});

describe("the budget", () => {
  test("lets through what fits when 32 questions come at once with 9.90 spent", async () => {
    const clock = systemClock();
    const store = memoryStore(clock.nowMs);
    const earlier = { attemptId: "ask-0", atMs: clock.nowMs(), costUsd: "9.9", how: "actual" };
    store.append(rawRow("model-settle", earlier));
    const server = await serve((asked, response) =>
      reply(response, 200, completion(goodText(asked.echo)), { "x-a-response-cost": "0.002" }),
    );
    const { gateway } = testGateway({ aiUrl: server.url, maxConcurrent: 32 }, clock, store);
    open.push(server, gateway);
    const all = Array.from({ length: 32 }, (_, n) =>
      gateway.ask(question({ fingerprint: `f${n}`, maxOutputTokens: 4000 })),
    );
    const kinds = (await Promise.all(all)).map((outcome) => outcome.kind);
    const bounds = store.rows.filter((row) => row.kind === "model-reserve").map((row) => Number(row.body["boundUsd"]));
    expect(bounds.reduce((sum, bound) => sum + bound, 0)).toBeLessThanOrEqual(0.1 + 1e-9);
    expect(kinds.filter((kind) => kind === "answered").length).toBe(bounds.length);
    expect(kinds.filter((kind) => kind === "over-budget").length).toBe(32 - bounds.length);
    expect(bounds.length).toBeGreaterThan(0);
    expect(server.asked).toHaveLength(bounds.length);
  });

  test("asks nothing when the reservation cannot be written", async () => {
    const { server, ...made } = await start((asked, response) =>
      reply(response, 200, completion(goodText(asked.echo))),
    );
    made.store.append = () => {
      throw new Error("disk full");
    };
    expect(await made.gateway.ask(question())).toMatchObject({
      kind: "failed",
      reason: expect.stringContaining("disk full") as string,
    });
    expect(server.asked).toHaveLength(0);
    expect(made.gateway.budget().usedUsd.toFixed()).toBe("0");
  });

  test("reports what was reserved where asking throws, and asks the next model", async () => {
    const store = memoryStore(Date.now);
    const chat: ChatClient = {
      complete: ({ model }) => Promise.reject(new Error(`no line to ${model}`)),
      close: () => Promise.resolve(),
    };
    const { gateway } = testGateway({ names: twoModels() }, systemClock(), store, chat);
    open.push(gateway);
    const outcome = await gateway.ask(question());
    const bounds = store.rows.filter((row) => row.kind === "model-reserve").map((row) => String(row.body["boundUsd"]));
    expect(bounds).toHaveLength(2);
    const costUsd = sumDecimals(bounds.map(dec));
    expect(outcome).toMatchObject({ kind: "failed", reason: expect.stringContaining("no line to model-2"), costUsd });
    expect(gateway.budget().usedUsd).toEqual(costUsd);
  });

  test("a disk that fails for a while rests no model", async () => {
    const { gateway, store, server } = await start((asked, response) =>
      reply(response, 200, completion(goodText(asked.echo))),
    );
    const { append } = store;
    store.append = () => {
      throw new Error("disk full");
    };
    for (const fingerprint of ["f1", "f2", "f3", "f4"])
      expect((await gateway.ask(question({ fingerprint }))).kind).toBe("failed");
    store.append = append;
    expect((await gateway.ask(question())).kind).toBe("answered");
    expect(server.asked).toHaveLength(1);
  });

  test("adopts the gateway's figure when it is higher, and ignores one that is lower or cannot be read", async () => {
    let info: unknown = {
      info: { spend: 3.5, budget_reset_at: new Date(Date.now() + 43_200_000).toISOString(), budget_duration: "1d" },
    };
    const server = await serve(
      () => undefined,
      () => info,
    );
    const { gateway, store } = testGateway({ aiUrl: server.url });
    open.push(server, gateway);
    await gateway.reconcile();
    expect(gateway.budget()).toMatchObject({ usedUsd: dec("3.5"), leftUsd: dec("6.5"), reportedUsd: dec("3.5") });
    for (const next of [{ info: { spend: 1 } }, { data: { spend: "x" } }, []]) {
      info = next;
      await gateway.reconcile();
      expect(gateway.budget().usedUsd.toFixed()).toBe("3.5");
    }
    expect(store.rows[0]?.body).toMatchObject({ how: "adopted", costUsd: "3.5" });
  });
});

describe("what stands in the way of asking", () => {
  test("an unknown prompt, a missing variable, a taken name: failed, free, nothing sent", async () => {
    const { gateway, server } = await start(() => undefined);
    const lacking = Object.fromEntries(Object.entries(traderVariables()).filter(([name]) => name !== "market"));
    for (const changed of [
      { prompt: "nope" },
      { variables: lacking },
      { variables: { ...traderVariables(), gateway: {} } },
    ]) {
      expect(await gateway.ask(question(changed))).toMatchObject({ kind: "failed", costUsd: dec(0) });
    }
    expect(server.asked).toHaveLength(0);
  });

  test("news that would fill the context is refused before any money is reserved", async () => {
    const { gateway, store } = await start(() => undefined);
    const item = { id: "news:1", age: "1m", kind: "news", currencies: "BTC", title: "t", text: "word ".repeat(40_000) };
    const outcome = await gateway.ask(question({ variables: { ...traderVariables(), news: [item] } }));
    expect(outcome).toMatchObject({ kind: "failed", reason: expect.stringContaining("budget is") as string });
    expect(store.rows).toHaveLength(0);
  });

  test("more questions than may run at once are refused, not queued", async () => {
    const { gateway } = await start(() => undefined, { maxConcurrent: 2, timeout: 150 });
    const kinds = (await Promise.all(["a", "b", "c"].map((fingerprint) => gateway.ask(question({ fingerprint }))))).map(
      ({ kind }) => kind,
    );
    expect(kinds.sort()).toEqual(["failed", "failed", "unavailable"]);
  });

  test("closing breaks off what is under way; the bound stays booked", async () => {
    const { gateway, store } = await start(() => gateway.close(), {});
    expect((await gateway.ask(question())).kind).toBe("failed");
    expect(store.rows.map((row) => row.body["how"])).toEqual([undefined, "bound"]);
    expect(await gateway.ask(question())).toMatchObject({ kind: "unavailable" });
  });

  test.each<[string, Partial<ModelSettings>]>([
    ["model.names", { names: [...settings().names, ...settings().names] }],
    ["reserveForHappenings", { reserveForHappenings: 1 }],
    ["AI_BASE_URL", { aiUrl: "http://user:pass@host/ai" }],
    ["AI_BASE_URL", { aiUrl: "host/ai" }],
  ])("the check names a bad %s", (name, changed) => {
    const checked = testGateway(changed).gateway.check();
    expect(checked.ok).toBe(false);
    expect(!checked.ok && checked.error).toContain(name);
  });

  test("with refused settings nothing is asked", async () => {
    const { gateway } = testGateway({ aiUrl: "host/ai" });
    expect(await gateway.ask(question())).toMatchObject({
      kind: "unavailable",
      reason: expect.stringContaining("AI_BASE_URL") as string,
    });
  });

  test("good settings pass the check", () =>
    expect(testGateway({}).gateway.check()).toEqual({ ok: true, value: undefined }));
});
