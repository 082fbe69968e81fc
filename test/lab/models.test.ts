/** What answers a backtest's agents in place of the practice model: recorded replies, and a gateway that is paid. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ConfigSchema } from "../../src/config/config.ts";
import { systemClock } from "../../src/core/clock.ts";
import { dec } from "../../src/core/decimal.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { timedIds } from "../../src/core/ids.ts";
import { Secret } from "../../src/core/secret.ts";
import { modelsFor } from "../../src/lab/models/choose-models.ts";
import { labBudget, liveModels } from "../../src/lab/models/live-models.ts";
import type { RecordedReply } from "../../src/lab/models/recorded-replies.ts";
import { textHashOf } from "../../src/lab/models/recorded-replies.ts";
import { replayedModels } from "../../src/lab/models/replayed-models.ts";
import { openReplyStore } from "../../src/lab/models/reply-store.ts";
import { runFull } from "../../src/lab/runs/full-run.ts";
import { configFor } from "../../src/lab/runs/practice-config.ts";
import type { ModelRequest } from "../../src/llm/dialects/chat.ts";

const folder = (): string => {
  const dir = mkdtempSync(path.join(tmpdir(), "ballast-models-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
};

/** The machine's clock, on which nobody waits. */
const hasty = { ...systemClock(), sleep: () => Promise.resolve() };
const entropy = seededEntropy("test:models");
const env = { clock: hasty, entropy, ids: timedIds(hasty.nowMs, entropy) };
const { names: MODELS } = ConfigSchema.parse({}).model;

let drawn = 0;
/** A question whose fence and echo words are new each time. */
function question(user: string, over: Partial<ModelRequest> = {}): ModelRequest {
  drawn += 1;
  const words = { fence: `fence-${String(drawn).padStart(16, "0")}`, echo: `echo-${String(drawn).padStart(16, "0")}` };
  return {
    ...{ model: "ballast-sim-1", prompt: "llm-trader", purpose: "decision", words },
    ...{ system: `Repeat ${words.echo}.`, user: `${words.fence} ${user} ${words.fence}` },
    ...{ schema: { type: "object" }, schemaName: "answer", maxOutputTokens: 200, speech: "chat" },
    ...{ signal: new AbortController().signal, timeoutMs: 5_000, ...over },
  };
}

interface Asked {
  readonly messages: readonly { readonly content: string }[];
}

/** A chat service on a real port: `answers` gives status and body of each request in turn, the last one from then on. */
async function gateway(answers: readonly ((asked: Asked) => { status: number; body: object })[]) {
  let count = 0;
  const server = createServer((request: IncomingMessage, response) => {
    let text = "";
    request.on("data", (piece) => (text += String(piece)));
    request.on("end", () => {
      const answer = answers[Math.min(count++, answers.length - 1)];
      const { status, body } = answer?.(JSON.parse(text) as Asked) ?? { status: 500, body: {} };
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { aiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, count: () => count };
}

/** Repeats the echo word that the question demands, for 1,000 tokens read and 100 written. */
const echoed = ({ messages }: Asked) => {
  const echo = /echo-\w+/.exec(messages[0]?.content ?? "")?.[0];
  const usage = { prompt_tokens: 1_000, completion_tokens: 100 };
  const choices = [{ message: { role: "assistant", content: `{"echo":"${echo}"}` }, finish_reason: "stop" }];
  return { status: 200, body: { choices, usage } };
};
const refused = (status: number, message: string) => () => ({ status, body: { error: { message } } });

function live(aiUrl: string, dir: string, budget = labBudget(dec("1"))) {
  const options = { env, aiUrl, apiKey: new Secret("sk-test-models"), models: MODELS, timeoutMs: 5_000, budget };
  const models = liveModels({ ...options, store: openReplyStore(dir), onStep: () => undefined });
  return { models, ask: (request: ModelRequest) => models.client(hasty).complete(request) };
}

describe("a gateway over history", () => {
  test("is paid once for a question, whatever words are new in it, and each reply has the words of its own", async () => {
    const [{ aiUrl, count }, dir] = [await gateway([echoed]), folder()];
    const first = live(aiUrl, dir);
    expect(await first.ask(question("one"))).toMatchObject({ kind: "answered" });
    const again = live(aiUrl, dir);
    const request = question("one");
    expect(await again.ask(request)).toMatchObject({ text: `{"echo":"${request.words.echo}"}` });
    expect(await again.ask(question("two"))).toMatchObject({ kind: "answered" });
    expect(count()).toBe(2);
    // 1,000 tokens at 0.31 and 100 at 1.24 USD a million.
    expect(first.models.summary()).toEqual({ how: "live", asked: 1, kept: 0, spentUsd: "0.000434" });
    expect(again.models.summary()).toEqual({ how: "live", asked: 2, kept: 1, spentUsd: "0.000434" });
  });

  test("another model, effort or output cap is another question, and a damaged file is asked again", async () => {
    const [{ aiUrl, count }, dir] = [await gateway([echoed]), folder()];
    const { ask } = live(aiUrl, dir);
    await ask(question("one"));
    await ask(question("one", { reasoningEffort: "high" }));
    await ask(question("one", { maxOutputTokens: 300 }));
    expect(count()).toBe(3);
    for (const file of readdirSync(dir)) writeFileSync(path.join(dir, file), '{"version":1,"text":');
    await ask(question("one"));
    expect(count()).toBe(4);
  });

  test("asks nothing whose worst case is beyond the budget, and the question stays open", async () => {
    const [{ aiUrl, count }, dir] = [await gateway([echoed]), folder()];
    const budget = labBudget(dec("0.0006"));
    const { ask, models } = live(aiUrl, dir, budget);
    await ask(question("one"));
    const abort = new AbortController();
    const open = ask(question("two", { signal: abort.signal }));
    await expect.poll(() => models.stopped()).toMatch(/0\.0004 of 0\.0006 USD are spent.*larger --budget/);
    expect(models.awaited()).toBeNull();
    expect(count()).toBe(1);
    expect(budget.spentUsd.toFixed()).toBe("0.000434");
    abort.abort();
    expect(await open).toMatchObject({ kind: "not-sent" });
  });

  test("waits out what may pass, and names what stays", async () => {
    const crowded = await gateway([refused(429, "slow down"), refused(503, "busy"), echoed]);
    const patient = live(crowded.aiUrl, folder());
    expect(await patient.ask(question("one"))).toMatchObject({ kind: "answered" });
    expect(crowded.count()).toBe(3);
    expect(patient.models.stopped()).toBeNull();

    const locked = await gateway([refused(401, "no such key")]);
    const barred = live(locked.aiUrl, folder());
    const abort = new AbortController();
    const open = barred.ask(question("one", { signal: abort.signal }));
    await expect.poll(() => barred.models.stopped()).toMatch(/refuses the key.*AI_API_KEY, and run it again/);
    expect(locked.count()).toBe(1);
    abort.abort();
    await open;
  });
});

describe("recorded replies", () => {
  const recorded = (atMs: number, user: string, over: Partial<RecordedReply> = {}): RecordedReply => {
    const asked = question(user);
    return {
      ...{ atMs, prompt: asked.prompt, purpose: asked.purpose, echo: asked.words.echo, costUsd: dec("0.01") },
      ...{ textHash: textHashOf(asked, asked.words), replyText: `${asked.words.echo} to ${user}` },
      ...{ promptTokens: 10, cachedTokens: 0, completionTokens: 5, latencyMs: 0, ...over },
    };
  };
  const at = (nowMs: number) => ({ ...hasty, nowMs: () => nowMs });

  test("the same question has its reply; another of that decision point the nearest; any other none", async () => {
    const replies = [recorded(1_000, "one"), recorded(61_000, "two"), recorded(62_000, "bear", { purpose: "bear" })];
    const models = replayedModels({ replies, withinMs: 30_000 });
    const same = question("one");
    expect(await models.client(at(5_000)).complete(same)).toMatchObject({ text: `${same.words.echo} to one` });
    const near = question("changed");
    expect(await models.client(at(70_000)).complete(near)).toMatchObject({ text: `${near.words.echo} to two` });
    // Both are given, and the third answers another purpose.
    expect(await models.client(at(71_000)).complete(question("two"))).toMatchObject({ kind: "not-sent" });
    expect(models.summary()).toEqual({ how: "replay", asked: 3, same: 1, near: 1, without: 1, divergedAtMs: 70_000 });
  });

  test("a kept run replays to the same result, to the last digit", { timeout: 120_000 }, async () => {
    const keep = folder();
    const choice = { symbols: "BTC,ETH" };
    const config = configFor(
      ConfigSchema.parse({
        strategy: { use: "llm-trader" },
        cadence: { every: "60s", minGap: "30s", firstAfter: "60s" },
      }),
      choice,
    );
    const stretch = { config, fromMs: Date.UTC(2026, 0, 5, 9, 30), forMs: 8 * 60_000, seed: 1, stepMs: 5_000 };
    const first = await runFull({ ...stretch, keep });
    const given = { config, variables: {}, env, say: () => undefined };
    const from = { fidelity: "full", model: "replay", replies: path.join(keep, "llm-trader") } as const;
    const models = await modelsFor(["llm-trader"], from, given);
    if (!models.ok || !first.ok) throw new Error("the run did not begin");
    const replayed = models.value();
    const second = await runFull({ ...stretch, ...(replayed ? { models: replayed } : {}) });
    if (!second.ok) throw new Error(second.error);
    const { questions, ...figures } = second.value;
    expect(figures).toEqual(first.value);
    expect(questions).toMatchObject({ how: "replay", near: 0, without: 0, divergedAtMs: null });
    expect(questions?.asked).toBeGreaterThan(3);
  });
});

describe("options that cannot be followed are named", () => {
  const config = ConfigSchema.parse({ strategy: { use: "llm-trader" } });
  const variables = { AI_BASE_URL: "http://127.0.0.1:9", AI_API_KEY: "sk-test-models" };
  const full = { fidelity: "full" } as const;
  test.each([
    [{ fidelity: "fast", model: "live" }, {}, "--model: a fast run asks no model"],
    [{ fidelity: "fast", model: "practice", budget: "2" }, {}, "--budget: a fast run asks no model"],
    [{ ...full, model: "practice", budget: "2" }, {}, "--budget is for --model live"],
    [{ ...full, model: "practice", replies: "x" }, {}, "--replies is for --model replay or live"],
    [{ ...full, model: "replay" }, {}, "--model replay needs --replies DIR"],
    [{ ...full, model: "replay", replies: "/nowhere" }, {}, "/nowhere has no journal"],
    [{ ...full, model: "live", budget: "2" }, {}, "set AI_BASE_URL and AI_API_KEY"],
    [{ ...full, model: "live" }, variables, "add --budget USD"],
    [{ ...full, model: "practice" }, variables, "add --model live --budget USD to ask the gateway"],
  ] as const)("%o", async (choice, given, problem) => {
    const made = await modelsFor(["llm-trader"], choice, { config, variables: given, env, say: () => undefined });
    expect(made).toMatchObject({ ok: false, error: expect.stringContaining(problem) as string });
  });

  test("a gateway that only a shadow would ask is refused as well; one that nobody asks is not", async () => {
    const made = (shadows: readonly string[]) => {
      const chosen = ConfigSchema.parse({ strategy: { use: "momentum", shadows } });
      const given = { config: chosen, variables, env, say: () => undefined };
      return modelsFor(["momentum"], { ...full, model: "practice" }, given);
    };
    const refusal = "AI_BASE_URL is set, but the practice model answers the shadow llm-trader: add --model live";
    expect(await made(["llm-trader"])).toMatchObject({
      ok: false,
      error: expect.stringContaining(refusal) as string,
    });
    expect(await made(["mean-reversion"])).toMatchObject({ ok: true });
  });
});
