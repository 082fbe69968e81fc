/** What `ballast status` prints of uptime and of the guards. */
import { expect, test } from "vitest";
import { costsText, protectionText, statusText, uptimeText } from "../../src/report/status/text.ts";
import type { StatusFacts } from "../../src/report/status/facts.ts";

const uptime: StatusFacts["uptime"] = {
  ratio: 0.9934,
  downMs: 3_660_000,
  days: [
    { day: "2026-01-15", ratio: 0.98 },
    { day: "2026-01-16", ratio: 1 },
  ],
  window: {
    endMs: Date.UTC(2026, 0, 22, 12),
    ratio: 0.9934,
    leftBefore95Ms: 26_580_000,
    leftBefore90Ms: 56_820_000,
    forecast: 0.9987,
    crosses95AtMs: null,
    crosses90AtMs: null,
  },
  restart: null,
};

test("uptime is reported since the start, for today, for the competition, and what is left in minutes", () => {
  expect(uptimeText(uptime)).toBe(
    "  uptime         99.34 % since the start, 100.00 % today, down 61 min\n" +
      "  competition    99.34 % so far, 99.87 % expected by 2026-01-22T12:00Z; outage left: 443 min before 95 %, 947 min before 90 %\n",
  );
  expect(uptimeText({ ...uptime, days: [] })).toContain("since the start, down 61 min");
  const worse = { ...uptime.window, crosses95AtMs: Date.UTC(2026, 0, 19, 3, 4), crosses90AtMs: Date.UTC(2026, 0, 21) };
  const restart = { atMs: 1, awayMs: 12_340, countedMs: 0 };
  expect(uptimeText({ ...uptime, window: worse, restart })).toContain(
    "  AT THIS RATE   95 % is lost at 2026-01-19T03:04Z, 90 % at 2026-01-21T00:00Z\n" +
      "  restart        the last one took 12.3 s from beat to beat and cost 0.0 s of outage\n",
  );
});

const NO_SUM: StatusFacts["costs"]["total"] = {
  orders: 0,
  feesUsdt: "0",
  feeBps: null,
  predictedFeeBps: null,
  slippageBps: null,
  predictedSlippageBps: null,
  stopSlippageBps: null,
};

test("time without a stop stands beside its deadline, and costs beside what was predicted", () => {
  const spans = { deadlineMs: 10_000, spans: 12, medianMs: 820, longestMs: 4_100, overdue: 0, nowMs: null };
  expect(protectionText(spans)).toBe(
    "  protection     without a stop 0.8 s in the middle, 4.1 s at most (12 times), deadline 10.0 s\n",
  );
  expect(protectionText({ ...spans, overdue: 1, nowMs: 2_000 })).toContain("OVERDUE 1 time; NOW bare for 2.0 s");
  const sum = {
    ...NO_SUM,
    orders: 7,
    feesUsdt: "0.31",
    slippageBps: 1.2,
    predictedSlippageBps: 0.9,
    feeBps: 1.75,
    predictedFeeBps: 3.1,
  };
  const costs = {
    total: { ...sum, stopSlippageBps: 3 },
    bySymbol: { BTC: sum, ADA: { ...sum, orders: 2 } },
    learnt: { takerFeeBps: 2.1, makerFeeBps: 2, biasBps: 0.2 },
  };
  const text = costsText(costs);
  expect(text).toContain(
    "7 orders: slippage 1.20 bp (predicted 0.90), fees 1.75 bp (predicted 3.10), stops 3.00 bp beyond their price; 0.31 USDT of fees",
  );
  expect(text).toContain("predicting with taker 2.1 bp, maker 2 bp, 0.2 bp beyond the book");
  expect(text.indexOf("BTC, 7")).toBeLessThan(text.indexOf("ADA, 2"));
  expect(costsText({ ...costs, total: NO_SUM })).toContain("nothing measured yet");
});

const facts: StatusFacts = {
  score: null,
  atMs: Date.UTC(2026, 0, 16, 12),
  health: { state: "healthy", reason: "the decision loop last ticked 3 ms ago", causes: [] },
  stage: "ready",
  observing: null,
  strategy: "hold",
  equityUsdt: "1000",
  floorDistanceUsdt: "200",
  floorState: "NORMAL",
  positions: [],
  session: null,
  streams: { market: true },
  sources: [],
  history: { symbols: 50, lacking: [] },
  uptime,
  limits: [
    { limit: "pace", evaluated: 40, fired: 2 },
    { limit: "cushion", evaluated: 40, fired: 9 },
    { limit: "session", evaluated: 41, fired: 0 },
  ],
  lastDecision: null,
  deciding: { shadows: [], lessons: [], leaving: [], switchWaits: null },
  model: { spentTodayUsd: "1", limitUsd: "10", models: [] },
  unprotected: { deadlineMs: 10_000, spans: 0, medianMs: null, longestMs: null, overdue: 0, nowMs: null },
  costs: { total: NO_SUM, bySymbol: {}, learnt: { takerFeeBps: 5, makerFeeBps: 2, biasBps: 0 } },
};

test("the first words are the state and its cause, with what to do about it and for how long", () => {
  const disk = {
    part: "disk",
    severity: "alarm",
    sentence: "the disk is 93 % full",
    next: "free space",
    sinceMs: facts.atMs - 3_725_000,
  };
  const news = {
    part: "streams",
    severity: "degraded",
    sentence: "there is no news stream",
    next: "",
    sinceMs: facts.atMs,
  };
  const pace = { ...news, part: "pace", severity: "notice", sentence: "GET /x goes one in 2.0 s" };
  const health = { state: "degraded", reason: "", causes: [disk, news, pace] };
  expect(statusText({ ...facts, health })).toMatch(
    /^DEGRADED disk: the disk is 93 % full; free space \(for 1h 2m\)\n {2}also {11}streams: there is no news stream\n {2}note {11}pace: GET/,
  );
  expect(statusText({ ...facts, health: { ...health, state: "dead", reason: "it stalled" } })).toMatch(
    /^DEAD agent: it stalled\n {2}also {11}disk/,
  );
  expect(statusText({ ...facts, health: { ...health, state: "healthy", causes: [pace] } })).toMatch(
    /^HEALTHY\n {2}note {11}pace: /,
  );
});

test("symbols whose past weeks are not known are named, and nothing is said where all are known", () => {
  expect(statusText(facts)).not.toContain("history");
  const lacking = ["A", "B", "C", "D", "E"].map((base) => `EXCHANGE_A_PERP_${base}_USDT`);
  expect(statusText({ ...facts, history: { symbols: 50, lacking } })).toMatch(
    /history +less than three weeks known of 5 of 50 symbols: EXCHANGE_A_PERP_A_USDT, .* and 1 more\n/,
  );
});

test("the limits that fired are named, most often first", () => {
  expect(statusText(facts)).toContain("limits         asked 41 times; cushion 9, pace 2\n");
  expect(statusText({ ...facts, limits: [] })).toContain("asked 0 times; none fired");
});

test("a model that had trouble and answers again says what it was", () => {
  const lastError = { sentence: "the gateway failed (503)", atMs: facts.atMs };
  const models = [
    { name: "a", failing: null, lastError },
    { name: "b", failing: { inARow: 2 }, lastError },
    { name: "c", failing: null, lastError: null },
  ];
  expect(statusText({ ...facts, model: { ...facts.model, models } })).toContain(
    "of 10 USD today\n                 a: answers; last error at 2026-01-16T12:00:00.000Z: the gateway failed (503)\n  streams",
  );
});
