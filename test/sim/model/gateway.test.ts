import { describe, expect, test } from "vitest";
import { z } from "zod";
import { dec } from "../../../src/core/decimal.ts";
import { seededEntropy } from "../../../src/core/entropy.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/core/time.ts";
import { virtualClock, type VirtualClock } from "../../../src/core/virtual-clock.ts";
import { GOOD_BEHAVIOUR } from "../../../src/sim/model/behaviour.ts";
import {
  createModelGateway,
  type GatewayReply,
  type GatewaySettings,
  type GatewayService,
} from "../../../src/sim/model/gateway.ts";
import { practiceKey } from "../../../src/sim/model/keys.ts";
import { estimateTokens } from "../../../src/sim/model/prefix-cache.ts";
import { samplePrompt } from "./sample-prompt.ts";

const KEY = "sk-practice-0001";
const AUTH = { authorization: `Bearer ${KEY}` };
const START_MS = Date.UTC(2026, 6, 20, 12);

const Reply = z.strictObject({
  echo: z.string(),
  summary: z.string().max(400),
  stances: z
    .array(
      z.strictObject({
        symbol: z.string(),
        stance: z.enum(["LONG", "SHORT", "FLAT"]),
        size: z.number().min(0).max(1),
        stopPct: z.number().min(0.1).max(20),
        targetPct: z.number().nullable(),
        urgency: z.enum(["take", "rest"]),
        confidence: z.number().min(0).max(1),
        horizon: z.enum(["minutes", "hours", "days"]),
        reason: z.string().max(300),
        evidence: z.array(z.string()).max(8),
      }),
    )
    .max(6),
});

function build(more: Partial<GatewaySettings> = {}): { clock: VirtualClock; gateway: GatewayService } {
  const clock = virtualClock(START_MS);
  const gateway = createModelGateway({ clock, entropy: seededEntropy(1), keys: [practiceKey(KEY)], ...more });
  return { clock, gateway };
}

const question = (more: Record<string, unknown> = {}): Record<string, unknown> => {
  const { system, user } = samplePrompt();
  return {
    model: "ballast-sim-1",
    messages: [
      { role: "system", content: system },
      { role: "user", content: user },
    ],
    response_format: {
      type: "json_schema",
      json_schema: { name: "stances", strict: true, schema: z.toJSONSchema(Reply) },
    },
    ...more,
  };
};

interface Completion {
  choices: {
    message: { content: string | null; tool_calls?: { function: { name: string; arguments: string } }[] };
    finish_reason: string;
  }[];
  usage: {
    prompt_tokens: number;
    completion_tokens: number;
    total_tokens: number;
    prompt_tokens_details: { cached_tokens: number };
  };
}

async function ask(
  built: ReturnType<typeof build>,
  body: unknown,
  headers: Record<string, string> = AUTH,
): Promise<GatewayReply> {
  const reply = built.gateway.chatCompletions(headers, body);
  await built.clock.advance(2_000);
  return reply;
}
const completionOf = (reply: GatewayReply): Completion => reply.body as Completion;
const textOf = (reply: GatewayReply): string => completionOf(reply).choices[0]?.message.content ?? "";
const errorOf = (reply: GatewayReply): { message: string; type: string; param: string | null; code: string } =>
  (reply.body as { error: { message: string; type: string; param: string | null; code: string } }).error;

describe("a completion", () => {
  test("conforms to the strict schema, repeats the echo and takes a plausible time", async () => {
    const built = build();
    let answeredMs = 0;
    const pending = built.gateway.chatCompletions(AUTH, question()).then((reply) => {
      answeredMs = built.clock.nowMs();
      return reply;
    });
    await built.clock.advance(2_000);
    const reply = await pending;
    expect(reply.status).toBe(200);
    expect(answeredMs - START_MS).toBeGreaterThanOrEqual(300);
    expect(answeredMs - START_MS).toBeLessThanOrEqual(1_500);
    const decision = Reply.parse(JSON.parse(textOf(reply)));
    expect(decision.echo).toBe("k7Q2");
    expect(decision.stances).toHaveLength(2);
    expect(completionOf(reply).choices[0]?.finish_reason).toBe("stop");
  });

  test("costs what the table says, and the header, the report and the truth agree", async () => {
    const built = build();
    const reply = await ask(built, question());
    const { prompt_tokens, completion_tokens, total_tokens } = completionOf(reply).usage;
    expect(total_tokens).toBe(prompt_tokens + completion_tokens);
    const cost = dec("0.31").mul(prompt_tokens).add(dec("1.24").mul(completion_tokens)).div(1_000_000);
    expect(reply.headers["x-proxy-response-cost"]).toBe(cost.toFixed());
    expect(built.gateway.trueSpendUsd().eq(cost)).toBe(true);
    const info = built.gateway.keyInfo(AUTH).body as { info: { spend: number; max_budget: number } };
    expect(info.info).toMatchObject({ spend: cost.toNumber(), max_budget: 10 });
  });

  test("offers json objects, tool calls and prose as asked", async () => {
    const built = build();
    const json = await ask(built, question({ response_format: { type: "json_object" } }));
    expect(JSON.parse(textOf(json))).toMatchObject({
      echo: "k7Q2",
      stances: [{ stance: "LONG" }, { stance: "SHORT" }],
    });
    const tools = [{ type: "function", function: { name: "decide", parameters: z.toJSONSchema(Reply) } }];
    const called = completionOf(
      await ask(built, question({ response_format: undefined, tools, tool_choice: "required" })),
    );
    const call = called.choices[0]?.message.tool_calls?.[0]?.function;
    expect(call?.name).toBe("decide");
    expect(Reply.safeParse(JSON.parse(call?.arguments ?? "")).success).toBe(true);
    expect(called.choices[0]).toMatchObject({ finish_reason: "tool_calls", message: { content: null } });
    const prose = await ask(built, { model: "ballast-sim-mini", messages: [{ role: "user", content: "Hello?" }] });
    expect(textOf(prose)).toMatch(/\w+ \w+/);
  });

  test("is cut at the asked length, and says so", async () => {
    const reply = await ask(build(), question({ max_tokens: 20 }));
    expect(completionOf(reply).choices[0]?.finish_reason).toBe("length");
    expect(completionOf(reply).usage.completion_tokens).toBe(20);
    expect(estimateTokens(textOf(reply))).toBeLessThanOrEqual(30);
  });

  test("mends an earlier answer without changing its meaning", async () => {
    const earlier = '{"summary":"up","stances":[{"symbol":"EXCHANGE_A_PERP_SOL_USDT","stance":"long","size":"0.5"}]}';
    const user = `Echo: zz9\n\nWhat is wrong: stances.0.size is text\n\n<<<W\n${earlier}\nW>>>`;
    const reply = await ask(build(), question({ messages: [{ role: "user", content: user }] }));
    const mended = Reply.parse(JSON.parse(textOf(reply)));
    expect(mended).toMatchObject({ echo: "zz9", summary: "up", stances: [{ stance: "LONG", size: 0.5 }] });
  });
});

describe("the prefix cache", () => {
  const long = (tail: string): Record<string, unknown> => {
    const stable = Array.from({ length: 900 }, (_, i) => `rule ${String(i)} holds`).join("\n");
    return question({
      messages: [
        { role: "system", content: stable },
        { role: "user", content: tail },
      ],
    });
  };
  const cachedOf = (reply: GatewayReply): number => completionOf(reply).usage.prompt_tokens_details.cached_tokens;

  test("discounts an identical beginning for five minutes and no longer", async () => {
    const built = build();
    expect(cachedOf(await ask(built, long("one")))).toBe(0);
    const second = await ask(built, long("two"));
    expect(cachedOf(second)).toBeGreaterThanOrEqual(1_024);
    expect(cachedOf(second)).toBeLessThan(completionOf(second).usage.prompt_tokens);
    await built.clock.advance(5 * MINUTE_MS);
    expect(cachedOf(await ask(built, long("three")))).toBe(0);
  });

  test("knows neither another model's prompts nor short ones", async () => {
    const built = build();
    await ask(built, long("one"));
    expect(cachedOf(await ask(built, { ...long("one"), model: "ballast-sim-mini" }))).toBe(0);
    await ask(built, question());
    expect(cachedOf(await ask(built, question()))).toBe(0);
  });
});

describe("refusals", () => {
  test("an unknown key, also for the report", async () => {
    const built = build();
    const reply = await ask(built, question(), { "x-api-key": "nobody" });
    expect(reply.status).toBe(401);
    expect(errorOf(reply)).toMatchObject({ type: "auth_error", code: "401", param: null });
    expect(built.gateway.keyInfo({}).status).toBe(401);
    expect((await ask(built, question(), { "x-api-key": KEY })).status).toBe(200);
  });

  test("an expired key", async () => {
    const key = { ...practiceKey(KEY), expiresAtMs: START_MS + 1_000 };
    const built = build({ keys: [key] });
    expect((await ask(built, question())).status).toBe(200);
    const reply = await ask(built, question());
    expect(reply.status).toBe(401);
    expect(errorOf(reply)).toMatchObject({ type: "expired_key" });
    expect(errorOf(reply).message).toContain("Expired Key");
  });

  test("a body that is not understood, with the member's name", async () => {
    const reply = await ask(build(), question({ stream: true }));
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toMatchObject({
      param: "stream",
      message: "stream: streaming is not offered by the practice gateway",
    });
    expect(errorOf(await ask(build(), { model: "ballast-sim-1" })).param).toBe("messages");
  });

  test.each(["other", "constructor", "toString", "__proto__"])(
    "%s, a model that is not on the table",
    async (model) => {
      const reply = await ask(build(), question({ model }));
      expect(reply.status).toBe(401);
      expect(errorOf(reply).type).toBe("key_model_access_denied");
    },
  );

  test("too many requests in a minute", async () => {
    const built = build({ keys: [{ ...practiceKey(KEY), requestsPerMinute: 2 }] });
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) statuses.push((await ask(built, question())).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect(errorOf(await ask(built, question())).type).toBe("rate_limit_error");
    await built.clock.advance(MINUTE_MS);
    expect((await ask(built, question())).status).toBe(200);
  });

  test("a spent budget, until the day begins again at its boundary", async () => {
    const key = { ...practiceKey(KEY), maxBudgetUsd: dec("0.0005") };
    const built = build({ keys: [key], budgetResetMs: 16 * HOUR_MS });
    let reply = await ask(built, question());
    for (let i = 0; i < 10 && reply.status === 200; i++) reply = await ask(built, question());
    expect(reply.status).toBe(429);
    expect(errorOf(reply)).toMatchObject({ type: "budget_exceeded", code: "429" });
    expect(errorOf(reply).message).toMatch(/^Budget has been exceeded! Current cost: 0\.\d+, Max budget: 0\.0005$/);
    const info = (): Record<string, unknown> =>
      (built.gateway.keyInfo(AUTH).body as { info: Record<string, unknown> }).info;
    expect(info()["budget_reset_at"]).toBe("2026-07-20T16:00:00.000Z");
    const before = built.gateway.trueSpendUsd();
    await built.clock.advance(4 * HOUR_MS);
    expect(info()).toMatchObject({ spend: 0, budget_reset_at: "2026-07-21T16:00:00.000Z" });
    expect(built.gateway.trueSpendUsd().eq(before)).toBe(true);
    expect((await ask(built, question())).status).toBe(200);
  });
});

describe("misbehaviour on request", () => {
  test.each(["prose", "garbage", "cut", "empty", "wrong-shape", "fenced"] as const)(
    "%s is no valid answer, and costs",
    async (reply) => {
      const built = build();
      built.gateway.behaviour.set({ reply });
      const text = textOf(await ask(built, question()));
      const parsed = ((): unknown => {
        try {
          return JSON.parse(text);
        } catch {
          return undefined;
        }
      })();
      expect(Reply.safeParse(parsed).success).toBe(false);
      expect(built.gateway.trueSpendUsd().gt(0)).toBe(true);
    },
  );

  test("failures upstream cost nothing; slowness and forced refusals do as they say", async () => {
    const built = build();
    built.gateway.behaviour.set({ failStatus: 503 });
    expect((await ask(built, question())).status).toBe(503);
    expect(built.gateway.trueSpendUsd().isZero()).toBe(true);
    built.gateway.behaviour.set(GOOD_BEHAVIOUR);
    built.gateway.behaviour.set({ overBudget: true });
    expect(errorOf(await ask(built, question())).type).toBe("budget_exceeded");
    built.gateway.behaviour.set(GOOD_BEHAVIOUR);
    built.gateway.behaviour.set({ expireKey: true });
    expect(errorOf(await ask(built, question())).type).toBe("expired_key");
    built.gateway.behaviour.set(GOOD_BEHAVIOUR);
    built.gateway.behaviour.set({ extraLatencyMs: 60_000 });
    let answered = false;
    const pending = built.gateway.chatCompletions(AUTH, question()).then(() => (answered = true));
    await built.clock.advance(60_000);
    expect(answered).toBe(false);
    await built.clock.advance(2_000);
    await pending;
    expect(answered).toBe(true);
  });

  test("a stale report and missing cost headers leave the truth as it is", async () => {
    const built = build();
    built.gateway.behaviour.set({ staleSpendMs: 10 * MINUTE_MS, hideCost: true });
    const reply = await ask(built, question());
    expect(Object.keys(reply.headers).filter((name) => name.includes("cost") || name.includes("spend"))).toEqual([]);
    const spend = (): number => (built.gateway.keyInfo(AUTH).body as { info: { spend: number } }).info.spend;
    expect(spend()).toBe(0);
    await built.clock.advance(11 * MINUTE_MS);
    expect(spend()).toBe(built.gateway.trueSpendUsd().toNumber());
  });
});

test("the token estimate stays within a fifth of a real tokeniser on a trading prompt", async () => {
  const { encode } = await import("gpt-tokenizer/encoding/o200k_base");
  const { system, user } = samplePrompt();
  for (const text of [system, user, JSON.stringify(question()["response_format"])]) {
    const ratio = estimateTokens(text) / encode(text).length;
    expect(ratio).toBeGreaterThan(0.8);
    expect(ratio).toBeLessThan(1.25);
  }
});
