import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReasonEntry } from "../../../src/report/orders/reasons-text.ts";
import type { WhyFacts } from "../../../src/report/decisions/why-text.ts";
import { reasonsProgram } from "../../../src/main/listings.ts";
import { whyProgram } from "../../../src/main/why.ts";
import { BTC, newsOf, snapshotOf, viewOf } from "../../strategy/snapshots.ts";
import { asJson, reported, type WrittenRun, writtenRun } from "../explained-run.ts";

const folder = mkdtempSync(path.join(tmpdir(), "reasons-"));
let run: WrittenRun;
beforeAll(async () => {
  run = await everyWrite();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const POSITION = `${BTC}|LONG`;

function write(
  run: WrittenRun,
  action: string,
  body: { id: string; params: object; client?: string; decision?: string },
): void {
  const { id, params, client, decision } = body;
  const about = { previewId: id, action, clientOrderId: client ?? null, decisionId: decision ?? null };
  run.row("wire-out", { ...about, params }, decision);
  run.row("wire-in", { ...about, outcome: "done", message: "done", reply: { orderId: `v-${id}` } }, decision);
}

/** Every kind of write once, with what comes before and after each in a real run. */
async function everyWrite(): Promise<WrittenRun> {
  const run = writtenRun(path.join(folder, "journal.db"));
  const params = { symbol: BTC, side: "BUY", quantity: "0.01" };
  run.row("news", { key: "news:1", title: 'A, "title" with | bars', currencies: ["BTC"] });
  write(run, "position.set-leverage", { id: "p-lev", params: { symbol: BTC, leverage: 2 } });
  await run.clock.advance(60_000);
  run.row("decision", { trigger: ["news: news:1 BTC"], strategy: "llm-trader", snapshot: {} }, "d-1");
  const rising = { returns: { "5m": 0.004, "15m": 0.008, "1h": 0.015, "4h": 0.03, "24h": 0.05 }, tradeFlow: 0.4 };
  await run.decide("d-1", "llm-trader", snapshotOf({ symbols: [viewOf(BTC, rising)], news: [newsOf("1")] }));
  const outcome = {
    kind: "answered",
    model: "ballast-sim-1",
    attempt: "ask-1",
    cached: false,
    costUsd: "0.002",
    replyText: "{}",
  };
  run.row("question", { prompt: "llm-trader", outcome }, "d-1");
  run.row("decision", { by: "llm-trader", kind: "wishes", note: "", targets: [{}] }, "d-1");
  const verdicts = [{ limit: "cushion", kind: "shrink", found: "90", allowed: "50", reason: "The cushion is thin." }];
  run.row("verdict", { clientOrderId: "i-1", symbol: BTC, side: "BUY", kind: "approved", verdicts }, "d-1");
  const intent = {
    clientOrderId: "i-1",
    intentId: "i-1",
    symbol: BTC,
    leg: "LONG",
    opening: true,
    reason: "=1+1 up",
    evidence: ["news:1", "ret1h"],
  };
  run.row("intent", { event: "open", ...intent }, "d-1");
  write(run, "order.place", { id: "p-1", params: { ...params, clientOrderId: "i-1" }, client: "i-1", decision: "d-1" });
  const filled = { clientOrderId: "i-1", orderId: "v-p-1", symbol: BTC, side: "BUY", qty: "0.01", fee: "0.3" };
  run.row("fill", { ...filled, transactionId: "t-1", price: "64000", realizedPnl: "0", liquidity: "TAKER" }, "d-1");
  run.row("order", { ...filled, ended: true, state: "FILLED", executedQty: "0.01", avgPrice: "64000", why: "" }, "d-1");
  run.row("protection", { leg: POSITION, clientOrderId: "s-1", stopPrice: "63000", targetPrice: "66000" }, "d-1");
  write(run, "algo.place", {
    id: "p-2",
    params: { symbol: BTC, clientOrderId: "s-1" },
    client: "s-1",
    decision: "d-1",
  });
  run.row("protection", { leg: POSITION, algoOrderId: "a-1", standing: true, stopPrice: "63000" }, "d-1");
  write(run, "algo.replace", { id: "p-3", params: { algoOrderId: "a-1", quantity: "0.02" } });
  await run.clock.advance(60_000);
  run.row("intent", { ...intent, event: "open", clientOrderId: "i-2", intentId: "i-2" }, "d-1");
  write(run, "order.place", { id: "p-4", params: { ...params, clientOrderId: "i-2" }, client: "i-2", decision: "d-1" });
  run.row("order", { cancel: "i-2", why: "it rested too long" }, "d-1");
  write(run, "order.cancel", { id: "p-5", params: { clientOrderId: "i-2" }, client: "i-2", decision: "d-1" });
  write(run, "order.replace", { id: "p-6", params: { clientOrderId: "i-2", price: "63900" }, client: "i-2" });
  run.row("order", { close: POSITION, why: "the floor is near", qty: "0.01" });
  write(run, "position.close", { id: "p-7", params: { symbol: BTC, positionSide: "LONG" } });
  // The venue names the order of a close itself; the name comes back with the answer.
  const out = {
    clientOrderId: "v-p-7",
    orderId: "v-p-7",
    symbol: BTC,
    leg: POSITION,
    opening: false,
    qty: "0.01",
    fee: "0.3",
  };
  run.row("fill", { ...out, transactionId: "t-7", side: "SELL", price: "63500", realizedPnl: "-5" });
  run.row("order", { ...out, ended: true, state: "FILLED", executedQty: "0.01", avgPrice: "63500", why: "" });
  const trade = { event: "closed", symbol: BTC, side: "LONG", qty: "0.01" };
  run.row("trade", { ...trade, exit: "floor", exitPrice: "63500" }, "d-1");
  write(run, "algo.cancel", { id: "p-8", params: { algoOrderId: "a-1" } });
  // A later position whose stop fires: no write of ours, and yet a close of the run.
  const fired = { ...out, clientOrderId: "v-9", orderId: "v-9" };
  run.row("fill", { ...fired, transactionId: "t-9", side: "SELL", price: "63000", realizedPnl: "-10" });
  run.row("trade", { ...trade, exit: "stop", exitPrice: "63000", exitReason: "stop" }, "d-1");
  await run.close();
  return run;
}

const entries = async (run: WrittenRun, span: { from?: number; to?: number } = {}): Promise<readonly ReasonEntry[]> =>
  asJson(await reported(() => reasonsProgram({ dataDir: run.dataDir, format: "json", ...span })));

describe("the reasoning log", () => {
  test("covers every write of the journal, each with its basis, call, verdicts and result", async () => {
    const all = await entries(run);
    expect(all.map(({ action, kind }) => `${action} ${kind}`)).toEqual([
      "position.set-leverage setting",
      "order.place open",
      "algo.place place",
      "algo.replace amend",
      "order.place open",
      "order.cancel cancel",
      "order.replace amend",
      "position.close close",
      "algo.cancel cancel",
      "venue.stop close",
    ]);
    expect(all[1]).toMatchObject({
      symbol: BTC,
      leg: "LONG",
      decisionId: "d-1",
      strategy: "llm-trader",
      trigger: ["news: news:1 BTC"],
      reason: "=1+1 up",
      evidence: ["news:1", "ret1h"],
      modelCalls: [{ model: "ballast-sim-1", attempt: "ask-1", costUsd: "0.002" }],
      verdict: "approved",
      verdicts: [{ limit: "cushion", reason: "The cushion is thin." }],
      outcome: "done",
      orderId: "v-p-1",
      ended: { state: "FILLED" },
      fills: [{ transactionId: "t-1" }],
    });
    expect(all[2]).toMatchObject({ reason: `protects ${POSITION}: stop 63000, target 66000`, decisionId: "d-1" });
    expect(all[3]).toMatchObject({ symbol: BTC, leg: "LONG", decisionId: "d-1" });
    expect(all[5]).toMatchObject({ reason: "it rested too long", symbol: BTC });
    expect(all[7]).toMatchObject({
      reason: "the floor is near",
      leg: "LONG",
      decisionId: null,
      ended: { state: "FILLED" },
      fills: [{ transactionId: "t-7" }],
    });
    expect(all[9]).toMatchObject({
      reason: "its stop at the venue fired",
      symbol: BTC,
      leg: "LONG",
      decisionId: "d-1",
      strategy: "llm-trader",
      orderId: "v-9",
      fills: [{ transactionId: "t-9", realizedPnl: "-10" }],
    });
    for (const { hash, seq } of all) expect([hash, seq > 0]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), true]);
  });

  test("takes only what lies in the span, its end not included", async () => {
    const all = await entries(run);
    const [first, second] = [all[0]?.atMs ?? 0, all[1]?.atMs ?? 0];
    expect(await entries(run, { from: second })).toHaveLength(all.length - 1);
    expect(await entries(run, { from: first, to: second })).toHaveLength(1);
    const none = await reported(() => reasonsProgram({ dataDir: run.dataDir, format: "csv", from: second + 1e9 }));
    expect(none).toMatchObject({
      code: 0,
      err: expect.stringMatching(/contains no write in that time; its newest is from 2026/),
    });
    expect(await reported(() => reasonsProgram({ dataDir: run.dataDir, format: "csv", from: 5, to: 5 }))).toMatchObject(
      {
        code: 2,
      },
    );
  });

  test("as CSV has one record a write and no formula that a spreadsheet would run", async () => {
    const { out } = await reported(() => reasonsProgram({ dataDir: run.dataDir, format: "csv" }));
    const records = parse(out, { columns: true }) as Record<string, string>[];
    expect(records).toHaveLength((await entries(run)).length);
    expect(records[1]).toMatchObject({
      what: "open",
      reason: "'=1+1 up",
      "model call": "ballast-sim-1 for 0.002 USD (ask-1)",
      verdicts: "cushion shrink: 90 of 50 (The cushion is thin.)",
      result: "done; FILLED, 0.01 of 0.01 at 64000, fee 0.3",
    });
  });

  test("as text is a paragraph for each write, without what is not known of it", async () => {
    const { out } = await reported(() => reasonsProgram({ dataDir: run.dataDir, format: "text" }));
    const paragraphs = out.trimEnd().split("\n\n");
    expect(paragraphs).toHaveLength((await entries(run)).length);
    const [leverage, opened] = paragraphs.map((text) => text.split("\n"));
    expect(leverage?.map((line) => line.trim().split(" ")[0])).toEqual([
      expect.stringMatching(/^2026/),
      "order",
      "reason",
      "result",
    ]);
    expect(opened?.[0]).toMatch(/^2026-\S+Z open order\.place LONG EXCHANGE_A_PERP_BTC_USDT$/);
    expect(opened?.slice(2)).toEqual([
      "  decision   d-1 by llm-trader, triggered by news: news:1 BTC",
      "  reason     =1+1 up",
      expect.stringMatching(/^ {2}evidence /),
      "  model      ballast-sim-1 for 0.002 USD (ask-1)",
      "  verdict    approved: cushion shrink: 90 of 50 (The cushion is thin.)",
      "  result     done; FILLED, 0.01 of 0.01 at 64000, fee 0.3",
    ]);
  });

  test("as Markdown is one table that no text can break", async () => {
    const { out } = await reported(() => reasonsProgram({ dataDir: run.dataDir, format: "md" }));
    const lines = out.trim().split("\n");
    expect(lines).toHaveLength((await entries(run)).length + 2);
    const bars = (line: string): number => line.replaceAll("\\|", "").split("|").length;
    for (const line of lines) expect(bars(line)).toBe(bars(lines[0] ?? ""));
  });
});

describe("why", () => {
  const why = async (id: string): Promise<WhyFacts> => {
    return asJson(await reported(() => whyProgram(id, { dataDir: run.dataDir, json: true })));
  };

  test.each(["i-1", "v-p-1", "t-1"])("%s leads to the decision, the frame and the news", async (id) => {
    const facts = await why(id);
    expect(facts).toMatchObject({
      write: { clientOrderId: "i-1", decisionId: "d-1", reason: "=1+1 up" },
      frame: { symbol: BTC },
      news: [{ key: "news:1", title: "Title 1" }],
    });
    expect(facts.fill === null).toBe(id !== "t-1");
    expect(facts.frame?.bookAgeMs).toBeTypeOf("number");
  });

  test.each(["a-1", "s-1"])("%s, a protective order, leads to the decision of its position", async (id) => {
    expect(await why(id)).toMatchObject({ write: { action: "algo.place", decisionId: "d-1" } });
  });

  test("a fill of a close leads to the close, that of a stop to the stop", async () => {
    expect(await why("t-7")).toMatchObject({ write: { action: "position.close", reason: "the floor is near" } });
    expect(await why("t-9")).toMatchObject({
      write: { action: "venue.stop", decisionId: "d-1" },
      frame: { symbol: BTC },
    });
  });

  test("is reported in words, and an unknown id with what to do", async () => {
    const { out } = await reported(() => whyProgram("t-1", { dataDir: run.dataDir, json: false }));
    for (const part of ["fill", "write", "reason", "review", "decision", "model", "frame", "news:1, first seen"])
      expect(out).toContain(part);
    const none = await reported(() => whyProgram("nothing", { dataDir: run.dataDir, json: false }));
    expect(none).toMatchObject({ code: 1, err: expect.stringMatching(/has the id nothing; `ballast reasons` lists/) });
  });
});
