import { afterEach, describe, expect, test } from "vitest";
import { dec } from "../../../src/core/decimal.ts";
import { seededEntropy } from "../../../src/core/entropy.ts";
import { systemClock } from "../../../src/core/clock.ts";
import type { ModelPrice, ModelSettings } from "../../../src/llm/contract/settings.ts";
import { readMessage } from "../../../src/llm/dialects/message.ts";
import { createModelGateway } from "../../../src/sim/model/gateway.ts";
import { practiceKey } from "../../../src/sim/model/keys.ts";
import { messages } from "../../../src/sim/model/messages-dialect.ts";
import {
  testGateway,
  type TestGateway,
  completion,
  error,
  goodText,
  question,
  reply,
  serve,
  settings,
  type TestServer,
} from "../support.ts";

const open: { close(): void | Promise<void> }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

const model = (changed: Partial<ModelPrice>): ModelPrice => ({ ...(settings().names[0] as ModelPrice), ...changed });

async function start(
  handle: Parameters<typeof serve>[0],
  changed: Partial<ModelSettings>,
): Promise<TestGateway & { server: TestServer }> {
  const server = await serve(handle);
  const made = testGateway({ aiUrl: server.url, ...changed });
  open.push(server, made.gateway);
  return { ...made, server };
}

const message = (
  content: unknown[],
  usage: object = { input_tokens: 900, output_tokens: 100, cache_read_input_tokens: 300 },
) => ({
  type: "message",
  role: "assistant",
  content,
  stop_reason: "tool_use",
  usage,
});
const spoken = (changed: Partial<ModelPrice> = {}) => ({ names: [model({ speech: "messages", ...changed })] });

describe("the messages dialect", () => {
  test("asks for a forced tool call with the key as x-api-key, and reads its input", async () => {
    const { gateway, server } = await start(
      (asked, response) =>
        reply(
          response,
          200,
          message([
            { type: "thinking", thinking: "{}" },
            { type: "tool_use", name: "stances", input: JSON.parse(goodText(asked.echo)) as unknown },
          ]),
        ),
      spoken({ temperature: 1.4 }),
    );
    const outcome = await gateway.ask(question());
    expect(outcome).toMatchObject({ kind: "answered", promptTokens: 1_200, cachedTokens: 300, completionTokens: 100 });
    const [asked] = server.asked;
    expect(asked).toMatchObject({ path: "/ai/v1/messages", authorization: "" });
    expect(asked?.body).toMatchObject({
      max_tokens: 800,
      temperature: 1,
      messages: [{ role: "user" }],
      tools: [{ name: "stances", input_schema: { type: "object" } }],
      tool_choice: { type: "tool", name: "stances" },
    });
  });

  test("goes on in plain words where a service refuses tools, and remembers it", async () => {
    const { gateway, server } = await start(
      (asked, response) =>
        asked.body.tools
          ? reply(response, 400, error(400, "invalid_request_error", "tools are not supported"))
          : reply(response, 200, message([{ type: "text", text: `Here: ${goodText(asked.echo)}` }])),
      spoken(),
    );
    expect((await gateway.ask(question())).kind).toBe("answered");
    expect((await gateway.ask(question({ fingerprint: "f2" }))).kind).toBe("answered");
    expect(server.asked.map(({ body }) => body.tools !== undefined)).toEqual([true, false, false]);
  });

  test.each([
    [429, "budget_exceeded", "Budget has been exceeded! Current cost: 10.1", "over-budget", "0"],
    [429, "rate_limit_error", "slow down", "failed", "0"],
    [401, "auth_error", "Authentication Error", "failed", "0"],
  ])("a refusal %i %s costs nothing", async (status, type, text, kind, costUsd) => {
    const { gateway, store } = await start(
      (_, response) => reply(response, status, error(status, type, text)),
      spoken(),
    );
    expect((await gateway.ask(question())).kind).toBe(kind);
    expect(store.rows.at(-1)?.body["costUsd"]).toBe(costUsd);
  });

  test.each(["{}", "[]", "no json", '{"content":"text"}', '{"content":[{"type":5}]}'])(
    "an answer that is no message (%s) is booked at its bound",
    async (body) => {
      const { gateway, store } = await start((_, response) => reply(response, 200, body), spoken());
      expect((await gateway.ask(question())).kind).toBe("failed");
      expect(store.rows.at(-1)?.body).toMatchObject({ how: "bound" });
    },
  );

  test("usage counts what came out of the cache and what went into it", () => {
    const usage = { input_tokens: 5, output_tokens: 7, cache_read_input_tokens: 11, cache_creation_input_tokens: 13 };
    expect(readMessage(message([], usage)).usage).toEqual({ promptTokens: 29, completionTokens: 7, cachedTokens: 11 });
    expect(readMessage(message([], { input_tokens: -1, output_tokens: 1 })).usage).toBeNull();
  });

  test("costs the same as the chat dialect at the practice gateway, whose answer is the same", async () => {
    const gatewayOf = () =>
      createModelGateway({
        clock: systemClock(),
        entropy: seededEntropy(1),
        keys: [practiceKey("sk-1")],
        latency: { minMs: 0, maxMs: 0 },
      });
    const schema = { type: "object", properties: { echo: { type: "string" } }, required: ["echo"] };
    const system = "s".repeat(50);
    const user = "Echo: echo-1\n\nsymbol | price | ret1h\nBTC | 1 | 2";
    const tools = [{ name: "x", input_schema: schema }];
    const [chat, said] = [gatewayOf(), gatewayOf()];
    const chatReply = await chat.chatCompletions(
      { authorization: "Bearer sk-1" },
      {
        model: "ballast-sim-1",
        max_tokens: 100,
        messages: [
          { role: "system", content: system },
          { role: "user", content: user },
        ],
        tools: [{ type: "function", function: { name: "x", parameters: schema } }],
        tool_choice: { type: "function", function: { name: "x" } },
      },
    );
    const body = {
      model: "ballast-sim-1",
      max_tokens: 100,
      system,
      messages: [{ role: "user", content: user }],
      tools,
    };
    const saidReply = await messages(
      said,
      { "x-api-key": "sk-1" },
      { ...body, tool_choice: { type: "tool", name: "x" } },
    );
    expect([chatReply.status, saidReply.status]).toEqual([200, 200]);
    expect(said.trueSpendUsd().eq(chat.trueSpendUsd())).toBe(true);
    expect(saidReply.body).toMatchObject({
      type: "message",
      stop_reason: "tool_use",
      content: [{ type: "tool_use", name: "x", input: { echo: "echo-1" } }],
    });
    expect(await messages(said, { "x-api-key": "sk-1" }, { ...body, max_tokens: undefined })).toMatchObject({
      status: 400,
    });
    expect(await messages(said, { "x-api-key": "wrong" }, body)).toMatchObject({ status: 401 });
  });
});

describe("settings of a model", () => {
  test("effort and temperature are sent, and left out from then on where a service refuses them in words", async () => {
    const { gateway, server } = await start(
      (asked, response) => {
        const { temperature } = asked.body as { temperature?: number };
        return temperature === undefined
          ? reply(response, 200, completion(goodText(asked.echo)))
          : reply(response, 400, error(400, "invalid_request_error", "temperature is not supported with this model"));
      },
      { names: [model({ temperature: 0.3, reasoningEffort: "low" })] },
    );
    expect((await gateway.ask(question())).kind).toBe("answered");
    expect((await gateway.ask(question({ fingerprint: "f2" }))).kind).toBe("answered");
    expect(server.asked.map(({ body }) => body)).toMatchObject([
      { temperature: 0.3, reasoning_effort: "low" },
      { reasoning_effort: "low", response_format: { type: "json_schema" } },
      { reasoning_effort: "low" },
    ]);
  });

  test("without them nothing is sent", async () => {
    const { gateway, server } = await start(
      (asked, response) => reply(response, 200, completion(goodText(asked.echo))),
      {},
    );
    await gateway.ask(question());
    expect(Object.keys(server.asked[0]?.body ?? {})).not.toEqual(expect.arrayContaining(["temperature"]));
    expect(Object.keys(server.asked[0]?.body ?? {})).not.toEqual(expect.arrayContaining(["reasoning_effort"]));
  });

  test("an effort that its dialect cannot say is refused at start", () => {
    const { gateway } = testGateway({ names: [model({ speech: "messages", reasoningEffort: "low" })] });
    const says = /the messages dialect has no reasoningEffort/;
    expect(gateway.check()).toMatchObject({ ok: false, error: expect.stringMatching(says) });
  });

  test("a cheap question begins with the least expensive model, a strong one with the first of the list", async () => {
    const cheap = model({ name: "small", inputPerMillionUsd: dec("0.05"), outputPerMillionUsd: dec("0.2") });
    const { gateway, server } = await start(
      (asked, response) => reply(response, 200, completion(goodText(asked.echo))),
      {
        names: [model({}), cheap],
      },
    );
    expect(await gateway.ask(question())).toMatchObject({ model: "model-1", cached: false });
    expect(await gateway.ask(question({ tier: "cheap" }))).toMatchObject({ model: "small", cached: false });
    expect(await gateway.ask(question({ tier: "cheap" }))).toMatchObject({ model: "small", cached: true });
    expect(server.asked.map(({ body }) => body.model)).toEqual(["model-1", "small"]);
  });
});
