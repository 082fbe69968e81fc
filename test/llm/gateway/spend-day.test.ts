/**
 * A day of the competition on virtual time: the questions of `llm-trader` on fifty symbols at the settings of the phase files,
 * through the gateway and its budget, at the organiser's prices. The model is a stand-in whose answers are as long as a model's
 * usually are (1,200 tokens for stances, 250 for the rest); prompts are counted, and the provider's prefix cache lasts five
 * minutes. Prices walk at random; openings close after three hours.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NO_HISTORY } from "../../../src/context/history-view.ts";
import type { HeldPosition, Snapshot } from "../../../src/context/snapshot.ts";
import { readConfig } from "../../../src/config/read.ts";
import { dec } from "../../../src/core/decimal.ts";
import { type Entropy, seededEntropy } from "../../../src/core/entropy.ts";
import { silentLog } from "../../../src/core/log.ts";
import { DAY_MS, HOUR_MS } from "../../../src/core/time.ts";
import { virtualClock } from "../../../src/core/virtual-clock.ts";
import { modelPort } from "../../../src/daemon/model-port.ts";
import type { ClosedTrade } from "../../../src/domain/closed-trade.ts";
import { perpSymbol } from "../../../src/domain/symbol.ts";
import { createModelGateway } from "../../../src/llm/gateway/gateway.ts";
import type { HttpOutcome, HttpRequest } from "../../../src/net/http.ts";
import type { NetEnv, Network } from "../../../src/net/network.ts";
import { createPrefixCache, estimateTokens } from "../../../src/sim/model/prefix-cache.ts";
import { askStrategy, interpretReplies, replyOf } from "../../../src/strategy/guarded.ts";
import type { StrategyAnswer } from "../../../src/strategy/strategy.ts";
import { armed } from "../../strategies/asking.ts";
import { accountOf, heldOf, snapshotOf, viewOf } from "../../strategy/snapshots.ts";
import { isLong } from "../../support/lengths.ts";
import { envOn, KEY, memoryStore, prompts, settings } from "../support.ts";

const BASES =
  "BTC ETH BNB USDC XRP SOL TRX HYPE DOGE ZEC XLM ADA XMR LINK CC BCH LTC HBAR SUI LAB AVAX XAUT NEAR 1000SHIB M TAO UNI PAXG WLFI ASTER ONDO WLD DOT SKY AAVE MORPHO ICP ETC DEXE 1000PEPE QNT BEAT KAS STABLE RENDER ATOM JUP POL ALGO JST".split(
    " ",
  );
const SYMBOLS = BASES.map((base) => perpSymbol("EXCHANGE_A", base));
/** The organiser's day. */
const START_MS = Date.parse("2026-01-05T16:00:00Z");
const HELD_MS = 3 * HOUR_MS;

const read = readConfig(readFileSync("config/phase1.yaml", "utf8").replace("name: model-1", "name: some-model"));
if (!read.ok) throw new Error("config/phase1.yaml cannot be read");
const CONFIG = read.value;

/** What the world does in an hour of the day. */
type Weather = (hour: number) => "fine" | "down" | "silent";

/** The model behind HTTP. */
function standIn(clock: { nowMs(): number }, entropy: Entropy, weather: Weather) {
  const cache = createPrefixCache();
  const answerTo = (schema: string, text: string, echo: string): object => {
    if (schema === "case") return { argument: "A.", fatal: "F.", chance: 0.4 + 0.25 * entropy.next("draw"), echo };
    if (schema === "post-mortem") return { why: "W.", cause: "noise", again: true, echo };
    const row = /## Market\n+[^\n]*\n(\S+)/.exec(text)?.[1] ?? "BTC";
    const stance = {
      ...{ symbol: row, reason: "R.", against: "A.", invalidation: "I.", evidence: ["trend7d"] },
      ...{ stance: entropy.next("draw") < 0.6 ? "LONG" : "SHORT", conviction: 0.55, size: "medium", horizon: "days" },
      ...{ stopVolatilities: 3, targetVolatilities: null, urgency: "rest" },
    };
    return { echo, summary: "S.", stances: entropy.next("draw") < 0.12 ? [stance] : [] };
  };
  const send = ({ path, body = "{}" }: HttpRequest): Promise<HttpOutcome> => {
    const now = weather(Math.floor((clock.nowMs() - START_MS) / HOUR_MS));
    if (now === "silent") return Promise.resolve({ kind: "unknown", message: "no answer in time" });
    if (now === "down") return Promise.resolve({ kind: "done", status: 503, headers: {}, text: "{}" });
    if (path.endsWith("/key/info"))
      return Promise.resolve({ kind: "done", status: 200, headers: {}, text: JSON.stringify({ info: {} }) });
    const asked = JSON.parse(body) as {
      messages: { content: string }[];
      response_format: { json_schema: { name: string } };
    };
    const text = asked.messages.map(({ content }) => content).join("\n");
    const echo = /^Echo: (\S+)$/m.exec(text)?.[1] ?? "";
    const schema = asked.response_format.json_schema.name;
    const usage = {
      prompt_tokens: estimateTokens(text),
      completion_tokens: schema === "stances" ? 1_200 : 250,
      prompt_tokens_details: { cached_tokens: cache.read("key", text, clock.nowMs()) },
    };
    const message = { role: "assistant", content: JSON.stringify(answerTo(schema, text, echo)) };
    const reply = { id: "c", model: "model-1", choices: [{ index: 0, message, finish_reason: "stop" }], usage };
    return Promise.resolve({ kind: "done", status: 200, headers: {}, text: JSON.stringify(reply) });
  };
  return { http: () => ({ send, close: () => Promise.resolve() }) } as unknown as Network;
}

/** Prices and the account of the day: what is decided is held for three hours. */
function market(entropy: Entropy) {
  const prices = new Map(SYMBOLS.map((symbol) => [symbol, 100]));
  const held = new Map<string, HeldPosition>();
  let trades: readonly ClosedTrade[] = [];
  return {
    snapshot: (atMs: number, bought: Readonly<Record<string, number>>): Snapshot => {
      for (const [symbol, price] of prices) prices.set(symbol, price * (1 + 0.004 * (entropy.next("draw") - 0.5)));
      for (const [symbol, position] of held) {
        if (atMs - position.openedAtMs < HELD_MS) continue;
        held.delete(symbol);
        trades = [closed(position, atMs, prices.get(symbol) ?? 100), ...trades].slice(0, 8);
      }
      const symbols = SYMBOLS.map((symbol, at) => {
        const price = prices.get(symbol) ?? 100;
        const trend = Math.sin(at + atMs / DAY_MS);
        const horizon = { return: 0.05 * trend, trend, volatilityHour: 0.006, fromHigh: -0.01, fromLow: 0.1 };
        const eightHours = Array.from({ length: 9 }, (_, back) => price * (1 + 0.01 * Math.sin(at + back)));
        const horizons = { "1d": horizon, "3d": horizon, "7d": horizon, "21d": horizon };
        const history = { ...NO_HISTORY, horizons, path: { hours: [], eightHours }, fundingPerDay: { "7d": 0.0003 } };
        return viewOf(symbol, { last: price, mark: price, bid: price, ask: price, history, returns: { "1h": 0.001 } });
      });
      const account = { ...accountOf([...held.values()]), recentTrades: trades };
      return snapshotOf({ atMs, symbols, account, bought });
    },
    take: (answer: StrategyAnswer, atMs: number): void => {
      if (answer.kind !== "targets") return;
      for (const { symbol, leg, size } of answer.targets)
        if (size > 0 && !held.has(symbol) && held.size < 4)
          held.set(symbol, { ...heldOf(symbol, leg, 0), openedAtMs: atMs });
        else if (size === 0) held.delete(symbol);
    },
  };
}

const closed = ({ position, openedAtMs }: HeldPosition, atMs: number, price: number): ClosedTrade => ({
  ...{ id: `${position.symbol}-${atMs}`, symbol: position.symbol, side: position.side, qty: dec(1) },
  ...{ entryPrice: dec(100), exitPrice: dec(price.toFixed(4)), feesUsdt: dec("0.1"), fundingUsdt: dec(0) },
  ...{ netUsdt: dec("0.5"), openedAtMs, closedAtMs: atMs, decisionId: null, strategy: "llm-trader", thesis: null },
  ...{ basis: "market", exit: "decision", exitReason: "" },
});

async function playDay(weather: Weather) {
  const clock = virtualClock(START_MS);
  const entropy = seededEntropy("a day");
  const env: NetEnv = { ...envOn(clock), network: standIn(clock, entropy.fork("model"), weather) };
  const { dayLimitUsd, targetUsd, floorUsd } = CONFIG.model;
  const gateway = createModelGateway({
    ...{ env, log: silentLog, apiKey: KEY, ledger: memoryStore(clock.nowMs), prompts: prompts() },
    settings: settings({
      ...{ dayLimitUsd, dayBoundaryUtcHour: 16, maxConcurrent: 16 },
      ...(targetUsd ? { targetUsd } : {}),
      ...(floorUsd ? { floorUsd } : {}),
    }),
  });
  const spent = new Map<string, number>();
  const rows = { append: () => undefined } as never;
  const port = modelPort(gateway, rows, silentLog);
  // On virtual time no real clock counts.
  const trader = { ...(await armed("llm-trader", CONFIG.strategy.settings["llm-trader"])), msMax: Infinity };
  const { snapshot, take } = market(entropy.fork("market"));
  const bought: Record<string, number> = {};
  let most = dec(0);
  for (; clock.nowMs() < START_MS + DAY_MS; await clock.advance(CONFIG.cadence.every)) {
    const seen = snapshot(clock.nowMs(), bought);
    let answer = sure(askStrategy(trader, seen));
    for (let round = 1; answer.kind === "ask"; round++) {
      const { questions, carry = null } = answer;
      const outcomes = await Promise.all(
        questions.map((question) => port.ask("d", question, round > 1, question.use ?? "decision")),
      );
      for (const [at, outcome] of outcomes.entries()) {
        const use = questions[at]?.use ?? "decision";
        spent.set(use, (spent.get(use) ?? 0) + outcome.costUsd.toNumber());
        if (outcome.kind === "answered") bought[use] = clock.nowMs();
      }
      const plain = outcomes.filter((_outcome, at) => questions[at]?.use === undefined);
      if (plain.length > 0 && plain.every(({ kind }) => kind !== "answered")) break;
      answer = sure(interpretReplies(trader, { round, replies: outcomes.map(replyOf), carry }, seen));
    }
    take(answer, clock.nowMs());
    const { usedUsd } = gateway.budget();
    if (usedUsd.gt(most)) most = usedUsd;
  }
  const sum = [...spent.values()].reduce((total, usd) => total + usd, 0);
  const shares = Object.fromEntries([...spent].map(([use, usd]) => [use, Number((usd / sum).toFixed(4))]));
  return { usd: most.toNumber(), shares, spent };
}

function sure<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown },
): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

const report = process.env["SPEND_DAY_REPORT"] === "1" ? console.log : () => undefined;

// Both by hand and before a release: in short the plan is proven by its own tests, on fewer questions.
test.runIf(isLong)(
  "a day on fifty symbols spends within the band, on every use of the plan",
  { timeout: 900_000 },
  async () => {
    const { usd, shares, spent } = await playDay(() => "fine");
    report(usd, shares, spent);
    expect(usd).toBeGreaterThan(Number(CONFIG.model.floorUsd));
    expect(usd).toBeLessThanOrEqual(Number(CONFIG.model.targetUsd) + 0.1);
    for (const use of ["decision", "second-opinion", "deep-answer", "debate", "symbol-analyst"])
      expect(spent.get(use), use).toBeGreaterThan(0);
    // Few openings survive the votes, so that few closes are examined.
    expect(spent.has("post-mortem")).toBe(true);
    expect(shares["decision"]).toBeGreaterThan(0.1);
  },
);

test.runIf(isLong)("a day of outages breaks neither the floor nor the ceiling", { timeout: 900_000 }, async () => {
  // Eight hours without the model: first refused, then silent, so that calls are booked at their bounds.
  const { usd, shares } = await playDay((hour) => (hour < 6 || hour >= 14 ? "fine" : hour < 10 ? "down" : "silent"));
  report(usd, shares);
  expect(usd).toBeGreaterThan(Number(CONFIG.model.floorUsd));
  expect(usd).toBeLessThanOrEqual(Number(CONFIG.model.dayLimitUsd));
});
