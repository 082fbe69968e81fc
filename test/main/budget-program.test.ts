import { describe, expect, test, vi } from "vitest";
import { asWritten, ConfigSchema } from "../../src/config/config.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/time.ts";
import type { BudgetFacts } from "../../src/report/budget/text.ts";
import type { PromptDiffFacts } from "../../src/report/models/prompt-diff-text.ts";
import { comparePrompts } from "../../src/report/models/prompt-compare.ts";
import { budgetProgram } from "../../src/main/budget.ts";
import { promptDiffProgram } from "../../src/main/prompt-diff.ts";
import { statusProgram } from "../../src/main/status.ts";
import { START_MS } from "../journal/support.ts";
import { BTC, snapshotOf, viewOf } from "../strategy/snapshots.ts";
import { asJson, reported, type WrittenRun, writtenRun } from "../report/explained-run.ts";

interface Question {
  readonly decision: string;
  readonly cost: string;
  readonly kind?: string;
  readonly cached?: boolean;
  readonly saved?: string;
  readonly purpose?: string;
}

let asks = 0;
function ask(
  run: WrittenRun,
  { decision, cost, kind = "answered", cached = false, saved = "0", purpose = "decision" }: Question,
): void {
  const attemptId = `ask-${++asks}`;
  const atMs = run.clock.nowMs();
  if (!cached && kind !== "paced") {
    run.row(
      "model-reserve",
      { attemptId, decisionId: decision, purpose, model: "ballast-sim-1", atMs, boundUsd: "0.05" },
      decision,
    );
    run.row("model-settle", { attemptId, atMs, costUsd: cost, how: "actual" });
  }
  const tokens = { promptTokens: 5_000, completionTokens: 300, cachedTokens: cached ? 0 : 1_000 };
  const outcome = {
    kind,
    model: "ballast-sim-1",
    cached,
    costUsd: cost,
    savedUsd: saved,
    attempt: attemptId,
    ...tokens,
  };
  run.row(
    "question",
    { prompt: "llm-trader-5", purpose, outcome: kind === "answered" ? outcome : { kind, costUsd: cost } },
    decision,
  );
}

const decide = (run: WrittenRun, id: string, end: object): void => {
  run.row("decision", { trigger: ["cadence"], strategy: "llm-trader" }, id);
  run.row("decision", end, id);
};

async function aDay(model: object = {}): Promise<WrittenRun> {
  const run = writtenRun();
  run.row("config", { config: asWritten(ConfigSchema.parse({ model })) });
  decide(run, "d-1", { by: "llm-trader", kind: "wishes", wishes: [{}] });
  ask(run, { decision: "d-1", cost: "0.002" });
  decide(run, "d-2", { by: "llm-trader", kind: "wishes", wishes: [] });
  ask(run, { decision: "d-2", cost: "0", cached: true, saved: "0.002" });
  run.row("decision", { trigger: ["cadence"], strategy: "llm-trader" }, "d-3");
  ask(run, { decision: "d-3", cost: "0.01", kind: "failed" });
  run.row("decision", { failed: "llm-trader", reason: "the model failed" }, "d-3");
  run.row("decision", { by: "momentum", kind: "wishes", wishes: [{}] }, "d-3");
  ask(run, { decision: "d-1", cost: "0.001", purpose: "shadow:panel" });
  run.row("model-settle", { attemptId: "adopt-1", atMs: run.clock.nowMs(), costUsd: "0.5", how: "adopted" });
  run.row("model-reserve", {
    attemptId: "ask-open",
    decisionId: "d-9",
    purpose: "decision",
    model: "ballast-sim-1",
    atMs: run.clock.nowMs(),
    boundUsd: "0.05",
  });
  await run.clock.advance(6 * HOUR_MS);
  run.row("beat", {});
  return run;
}

const budget = async (run: WrittenRun, day?: number): Promise<BudgetFacts> =>
  asJson(
    await reported(() =>
      budgetProgram({ dataDir: run.dataDir, format: "json", ...(day === undefined ? {} : { day }) }),
    ),
  );

describe("what each use of the money bought", () => {
  const seen = (mark: number, positions: readonly object[] = []) => {
    const snapshot = { symbols: [{ symbol: BTC, mark }], account: { equityUsdt: "1000", positions } };
    return { trigger: ["clock"], strategy: "llm-trader", snapshot };
  };
  const opening = { symbol: BTC, leg: "LONG", size: 0.5 };

  test("changes of mind are counted, and judged by the price four hours later", async () => {
    const run = writtenRun();
    run.row("config", { config: asWritten(ConfigSchema.parse({})) });
    run.row("decision", seen(100), "d-1");
    ask(run, { decision: "d-1", cost: "0.003" });
    ask(run, { decision: "d-1", cost: "0.001", purpose: "debate" });
    ask(run, { decision: "d-1", cost: "0.001", purpose: "second-opinion" });
    const bought = [
      { use: "second-opinion", changed: false, without: [] },
      { use: "debate", changed: true, without: [opening] },
    ];
    run.row("decision", { by: "llm-trader", kind: "wishes", wishes: [], bought }, "d-1");
    await run.clock.advance(2 * HOUR_MS);
    run.row("decision", seen(130), "d-2");
    await run.clock.advance(2 * HOUR_MS);
    run.row("decision", seen(90), "d-3");
    await run.close();
    // The debate dropped half a position that would have lost a tenth.
    expect((await budget(run, START_MS)).byUse).toMatchObject([
      { name: "decision", share: 0.6, decisions: null, judged: 0 },
      { name: "second-opinion", share: 0.2, decisions: 1, changed: 0, worthPercent: null },
      { name: "debate", share: 0.2, decisions: 1, changed: 1, judged: 1, worthPercent: 5 },
    ]);
  });

  test("a held position that only one set of targets names has no known difference", async () => {
    const run = writtenRun();
    run.row("config", { config: asWritten(ConfigSchema.parse({})) });
    run.row("decision", seen(100, [{ symbol: BTC, side: "LONG", qty: "1", avgPrice: "100", stopPrice: null }]), "d-1");
    ask(run, { decision: "d-1", cost: "0.001", purpose: "deep-answer" });
    const bought = [{ use: "deep-answer", changed: true, without: [{ ...opening, size: 0 }] }];
    run.row("decision", { by: "llm-trader", kind: "wishes", wishes: [], bought }, "d-1");
    await run.clock.advance(4 * HOUR_MS);
    run.row("decision", seen(90), "d-2");
    await run.close();
    expect((await budget(run, START_MS)).byUse).toMatchObject([{ changed: 1, judged: 0, worthPercent: null }]);
  });
});

describe("ballast budget", () => {
  test("says what was spent, reserved and left, by whom, and what the caches saved", async () => {
    const run = await aDay();
    await run.close();
    const facts = await budget(run, START_MS);
    expect(facts).toMatchObject({
      from: "2026-01-05T00:00:00.000Z",
      spentUsd: "0.513",
      reservedUsd: "0.05",
      adoptedUsd: "0.5",
      leftUsd: "9.437",
      outcomes: { decided: 1, held: 1, failed: 1 },
      byUse: [
        { name: "decision", calls: 2, costUsd: "0.012", decisions: null, changed: null },
        { name: "shadow-prompt", calls: 1, costUsd: "0.001" },
      ],
      total: { calls: 3, cached: 1, failed: 1, promptTokens: 10_000, cachedTokens: 2_000, completionTokens: 600 },
      cache: { hits: 1, savedUsd: "0.002", prefixTokens: 2_000, prefixSavedUsd: "0.0005" },
      perDecision: { decisions: 3 },
    });
    expect(facts.byStrategy.map(({ name, costUsd }) => [name, costUsd])).toEqual([
      ["llm-trader", "0.012"],
      ["shadow:panel", "0.001"],
    ]);
    expect(facts.byDecision.map(({ name }) => name)).toEqual(["d-3", "d-1", "d-2"]);
    // 4000 fresh, 1000 cached, 300 written at 0.31, 0.06 and 1.24 a million.
    expect(facts.buys).toMatchObject([{ usdPerCall: "0.001672", usdPerCallUncached: "0.001922", callsPerDay: 5_980 }]);
  });

  test("is said in words, with the lower band where there is one", async () => {
    const run = await aDay({ floorUsd: "3" });
    await run.close();
    const { out } = await reported(() => budgetProgram({ dataDir: run.dataDir, format: "text", day: START_MS }));
    for (const part of [
      "spent          0.5130 of 10.0000",
      "1 decided, 1 held, 1 failed",
      "1 hit ",
      "10.0000 USD buy 5980 a day",
    ])
      expect(out).toContain(part);
  });

  test("says what of it is not sure: bounds of unknown outcomes, what was given back, what we counted", async () => {
    const run = writtenRun();
    run.row("config", { config: asWritten(ConfigSchema.parse({})) });
    const book = (attemptId: string, costUsd: string, how: string): void =>
      run.row("model-settle", { attemptId, atMs: run.clock.nowMs(), costUsd, how });
    for (const [attemptId, costUsd, how] of [
      ["a", "0.05", "bound"],
      ["b", "0.05", "crash"],
      ["c", "0.004", "estimated"],
    ] as const) {
      const about = { decisionId: "d", purpose: "decision", model: "m", atMs: run.clock.nowMs(), boundUsd: "0.05" };
      run.row("model-reserve", { attemptId, ...about });
      book(attemptId, costUsd, how);
    }
    book("a", "0.01", "corrected");
    await run.close();
    const part = { unknown: { calls: 2, usd: "0.06" }, estimated: { calls: 1, usd: "0.004" }, correctedUsd: "0.04" };
    expect(await budget(run, START_MS)).toMatchObject({ ...part, spentUsd: "0.064" });
    const { out } = await reported(() => budgetProgram({ dataDir: run.dataDir, format: "text", day: START_MS }));
    expect(out).toContain(
      "as bound       0.0600 of it for 2 calls of unknown outcome, until the gateway's counter proves less; 0.0400 were given back",
    );
    expect(out).toContain("estimated      0.004000 of it for 1 call without a stated usage, counted by our tokenizer");
  });

  test("agrees with the status of an agent that is not running", async () => {
    const spentAt = async (model: object, nowMs: number): Promise<string> => {
      const run = await aDay(model);
      await run.close();
      vi.useFakeTimers({ toFake: ["Date"], now: nowMs });
      try {
        const status = await reported(() => statusProgram({ dataDir: run.dataDir, json: true, health: false }));
        return asJson<{ spentTodayUsd: string }>(status).spentTodayUsd;
      } finally {
        vi.useRealTimers();
      }
    };
    const fourMs = Date.UTC(2026, 0, 5, 16);
    expect(await spentAt({}, fourMs)).toBe("0.563");
    expect(await spentAt({ dayBoundaryUtcHour: 16 }, fourMs - 1)).toBe("0.563");
    expect(await spentAt({ dayBoundaryUtcHour: 16 }, fourMs)).toBe("0");
  });

  test("begins the day where the setting says, or where the gateway said", async () => {
    const at16 = await aDay({ dayBoundaryUtcHour: 16 });
    await at16.close();
    expect(await budget(at16, START_MS)).toMatchObject({ from: "2026-01-05T16:00:00.000Z", spentUsd: "0" });
    expect(await budget(at16, START_MS - DAY_MS)).toMatchObject({
      from: "2026-01-04T16:00:00.000Z",
      spentUsd: "0.513",
    });
    const theirs = await aDay({ dayBoundaryUtcHour: "gateway" });
    theirs.row("model-settle", {
      attemptId: "adopt-2",
      atMs: theirs.clock.nowMs(),
      costUsd: "0",
      how: "boundary",
      boundaryMs: 16 * HOUR_MS,
    });
    await theirs.close();
    expect(await budget(theirs, START_MS - DAY_MS)).toMatchObject({
      from: "2026-01-04T16:00:00.000Z",
      spentUsd: "0.513",
    });
  });

  test("a day without questions says so; no journal says how to get one", async () => {
    const run = writtenRun();
    run.row("boot", {});
    await run.close();
    expect((await reported(() => budgetProgram({ dataDir: run.dataDir, format: "text" }))).out).toContain(
      "No model was asked",
    );
    const none = await reported(() => budgetProgram({ dataDir: `${run.dataDir}/none`, format: "text" }));
    expect(none).toMatchObject({ code: 1, err: expect.stringMatching(/there is no journal at .*Start an agent with/) });
  });
});

describe("ballast prompt diff", () => {
  const two = async (after: (run: WrittenRun) => Promise<unknown> = () => Promise.resolve()): Promise<WrittenRun> => {
    const run = writtenRun();
    for (const [id, price] of [
      ["d-1", 64_000],
      ["d-2", 64_100],
    ] as const) {
      ask(run, { decision: id, cost: "0.002" });
      await run.decide(id, "llm-trader", snapshotOf({ symbols: [viewOf(BTC, { last: price, mark: price })] }));
      await run.clock.advance(60_000);
    }
    await after(run);
    run.row("beat", {});
    await run.close();
    return run;
  };
  const diff = async (run: WrittenRun, decision: readonly string[] = []): Promise<PromptDiffFacts> =>
    asJson(await reported(() => promptDiffProgram({ dataDir: run.dataDir, json: true, decision })));

  test("finds the byte where two prompts part, which lies behind the stable part, and its worth", async () => {
    const run = await two();
    const facts = await diff(run);
    expect(facts).toMatchObject({ first: "d-1", second: "d-2", prompt: "llm-trader-5", partIn: "user", broken: false });
    expect(facts.partAtByte).toBeGreaterThan(facts.systemBytes);
    expect(facts.prefixTokens).toBeGreaterThanOrEqual(facts.systemTokens);
    expect(facts).toMatchObject({ callsPerDay: 1_440, warmCallsPerDay: 720, lossPerDayUsd: "0" });
    // Tokens of the prefix at 0.31 less 0.06 a million, for each warm call.
    expect(Number(facts.savesPerDayUsd)).toBeCloseTo((facts.prefixTokens * 0.25 * 720) / 1e6, 5);
    expect(await diff(run, ["d-2", "d-1"])).toMatchObject({ first: "d-2", second: "d-1" });
    expect(await diff(run, ["d-1", "d-1"])).toMatchObject({ partAtByte: null });
    const said = await reported(() => promptDiffProgram({ dataDir: run.dataDir, json: false, decision: [] }));
    expect(said.out).toMatch(/part +at byte \d+ \(line \d+, in the user part/);
  });

  test("a newer question with another prompt does not hide the two", async () => {
    const run = await two((written) => written.decide("d-3", "llm-cascade", snapshotOf({ symbols: [viewOf(BTC)] })));
    expect(await diff(run)).toMatchObject({ prompt: "llm-trader-5", first: "d-1", second: "d-2" });
    const asked = { dataDir: run.dataDir, json: false, decision: [], prompt: "llm-triage" };
    const once = await reported(() => promptDiffProgram(asked));
    expect(once).toMatchObject({ code: 1, err: expect.stringMatching(/no prompt has been sent twice yet/) });
  });

  test("names what is missing", async () => {
    const run = await two();
    const failing = (decision: readonly string[]) =>
      reported(() => promptDiffProgram({ dataDir: run.dataDir, json: false, decision }));
    expect(await failing(["d-1"])).toMatchObject({ code: 2, err: expect.stringMatching(/give two decisions/) });
    expect(await failing(["d-1", "d-8"])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/no prompt was kept for d-8/),
    });
  });

  test("calls a stable part that is not stable broken, never parting inside a character", async () => {
    const text = (system: string, user = "u") => ({
      prompt: "p",
      version: "1",
      promptHash: "h",
      system,
      user,
      fence: "f",
      echo: "e",
    });
    expect(await comparePrompts(text("aé😀x"), text("aé😁x"))).toMatchObject({
      partAtByte: 3,
      partIn: "system",
      broken: true,
    });
    expect(await comparePrompts(text("same", "one"), text("same", "two"))).toMatchObject({
      partAtByte: 6,
      broken: false,
    });
    expect(await comparePrompts(text("short"), text("shorter"))).toMatchObject({ broken: true });
  });
});
