/**
 * Services as they are met: a model that reasons at length, a LiteLLM in front of others, and a bad one. Each is handled, and
 * what is wrong is reported in one line.
 */
import { afterEach, expect, test } from "vitest";
import { dec } from "../../../src/core/decimal.ts";
import type { ModelPrice, ModelSettings } from "../../../src/llm/contract/settings.ts";
import { completion, error, goodText, testGateway, question, reply, serve, settings } from "../support.ts";

const open: { close(): void | Promise<void> }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

const model = (changed: Partial<ModelPrice> = {}): ModelPrice => ({
  ...(settings().names[0] as ModelPrice),
  ...changed,
});

async function start(handle: Parameters<typeof serve>[0], changed: Partial<ModelSettings> = {}) {
  const server = await serve(handle);
  const made = testGateway({ aiUrl: server.url, timeout: 60_000, ...changed });
  open.push(server, made.gateway);
  return { ...made, server };
}
const troubleOf = ({ gateway }: Awaited<ReturnType<typeof start>>) => {
  const last = gateway.budget().models[0]?.lastError;
  return last ? `${last.sentence}; ${last.next}` : "";
};

const reasoned = (content: string, thought: number, finish = "stop"): unknown => ({
  ...(completion(content, {
    prompt_tokens: 1_000,
    completion_tokens: thought + 100,
    completion_tokens_details: { reasoning_tokens: thought },
  }) as object),
  choices: [
    {
      index: 0,
      message: { role: "assistant", content, reasoning_content: "Let me weigh this. ".repeat(2_000) },
      finish_reason: finish,
    },
  ],
});
const thinker = { names: [model({ reasoningEffort: "high", reasoningTokens: 8_000 })] };

test("a model that thinks long and answers late has room for both, and its thinking is paid", async () => {
  let answer: () => void = () => undefined;
  const late = new Promise<void>((resolve) => (answer = resolve));
  const { gateway, server, store } = await start(async ({ echo }, response) => {
    await late;
    reply(response, 200, reasoned(goodText(echo), 5_000));
  }, thinker);
  const asked = gateway.ask(question({ maxOutputTokens: 800 }));
  answer();
  const outcome = await asked;
  expect(outcome).toMatchObject({ kind: "answered", completionTokens: 5_100 });
  expect(server.asked[0]?.body).toMatchObject({ max_tokens: 8_800, reasoning_effort: "high" });
  expect(outcome.costUsd.toNumber()).toBeCloseTo((1_000 * 0.31 + 5_100 * 1.24) / 1e6, 9);
  const [reserved] = store.rows.filter(({ kind }) => kind === "model-reserve");
  expect(dec(String(reserved?.body["boundUsd"])).gt(dec("0.0109"))).toBe(true);
});

test.each([
  ["nothing after it", "", "length"],
  ["an answer cut off", '{"echo":"e","summary":"Ca', "length"],
])(
  "a model that thinks its whole limit away, with %s, is reported with the setting to raise",
  async (_what, content, finish) => {
    const made = await start((_asked, response) => reply(response, 200, reasoned(content, 8_000, finish)), thinker);
    expect((await made.gateway.ask(question())).kind).toBe("unreadable");
    expect(troubleOf(made)).toBe(
      "the model used 8000 reasoning tokens and gave no complete answer within its output limit; raise reasoningTokens of the model under model.names, or lower its reasoningEffort",
    );
  },
);

test("a gateway that refuses reasoning_effort in words is asked without it", async () => {
  const made = await start(({ echo, body }, response) => {
    if ("reasoning_effort" in body)
      return reply(response, 400, error(400, "BadRequestError", "litellm.UnsupportedParamsError: reasoning_effort"));
    reply(response, 200, completion(goodText(echo)));
  }, thinker);
  expect((await made.gateway.ask(question())).kind).toBe("answered");
  expect(made.log.lines.map(({ msg }) => msg).join()).toContain("no reasoning effort is sent");
});

test("a proxy that refuses the response format and fences its JSON is read all the same", async () => {
  const made = await start(({ echo, body }, response) => {
    if (body.response_format?.type === "json_schema")
      return reply(
        response,
        400,
        error(400, "BadRequestError", "litellm.BadRequestError: response_format json_schema is not supported"),
      );
    reply(response, 200, completion(`Sure:\n\`\`\`json\n${goodText(echo)}\n\`\`\``), {
      "x-litellm-response-cost": "0.00042",
      "x-litellm-model-id": "m",
    });
  });
  const outcome = await made.gateway.ask(question());
  expect(outcome).toMatchObject({ kind: "answered" });
  expect(outcome.costUsd.toNumber()).toBeCloseTo(0.00042, 9);
  expect(made.log.lines.filter(({ evt }) => evt === "model.dialect")).toHaveLength(1);
});

test("a proxy's 429 rests the model as long as it says, costs nothing, and is reported in one line", async () => {
  const made = await start((_asked, response) =>
    reply(response, 429, error(429, "throttling_error", "litellm.RateLimitError: too many requests"), {
      "retry-after": "20",
    }),
  );
  const outcome = await made.gateway.ask(question());
  expect(outcome).toMatchObject({ kind: "failed" });
  expect(outcome.costUsd.toNumber()).toBe(0);
  expect(troubleOf(made)).toMatch(
    /^the gateway refuses more questions for now \(429: .*too many requests.*\); ask less often/,
  );
});

test.each([
  ["prose", "I would rather wait.", /does not fit the reply schema/],
  ["another shape", '{"action":"buy"}', /does not fit the reply schema/],
  ["nothing", "", /the model's answer is empty/],
])("a bad model that answers %s comes to one repair and one clear line", async (_what, content, says) => {
  const made = await start((_asked, response) => reply(response, 200, completion(content)));
  expect((await made.gateway.ask(question())).kind).toBe("unreadable");
  expect(made.server.asked.length).toBeLessThanOrEqual(2);
  expect(troubleOf(made)).toMatch(says);
  expect(troubleOf(made)).not.toContain("\n");
});
