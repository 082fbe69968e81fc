/** The line of every minute, and the last lines of a run: figures that a person can act on. */
import { describe, expect, test } from "vitest";
import type { AgentStatus, PositionStatus } from "../../src/agent/decide/status.ts";
import { dec } from "../../src/core/decimal.ts";
import type { JournalRow, RowKind } from "../../src/rows/row.ts";
import type { Cause } from "../../src/causes/cause.ts";
import { heartbeat } from "../../src/daemon/heartbeat.ts";
import { leftOpen, runSummary } from "../../src/daemon/run-summary.ts";
import { figuresMissing } from "../support/figures-in-text.ts";
import { whole } from "../support/rows.ts";

const held = (given: Partial<PositionStatus> = {}): PositionStatus =>
  ({
    symbol: "EXCHANGE_A_PERP_BTC_USDT",
    side: "LONG",
    qty: "0.003",
    avgPrice: "60000",
    stopPrice: "59000",
    targetPrice: "62000",
    unrealizedUsdt: "-1.234",
    ...given,
  }) as PositionStatus;

const seen = (given: Partial<AgentStatus> = {}): AgentStatus =>
  ({
    equityUsdt: "1003.2",
    floorUsdt: "800",
    floorDistanceUsdt: "203.2",
    dayStartEquityUsdt: "1004",
    floorState: "NORMAL",
    positions: [held()],
    maxPositions: 3,
    orders: [],
    uptime: { ratio: 0.9999 },
    ...given,
  }) as AgentStatus;

const spend = { usedUsd: dec("0.01234"), limitUsd: dec("10") };
const FIRST =
  "mode NORMAL, equity 1003.20 USDT, 203.20 above the floor of 800, day -0.80, 1 of 3 positions, model 0.012 of 10 USD";

const cause = (given: Partial<Cause>): Cause => ({
  part: "model",
  severity: "alarm",
  sentence: "the gateway answers 404",
  next: "correct AI_BASE_URL",
  sinceMs: 0,
  ...given,
});
const disk = cause({ part: "disk", severity: "degraded", sentence: "the disk is full", next: "" });
const notice = cause({ part: "pace", severity: "notice" });

describe("the heartbeat", () => {
  test.each<[string, readonly Cause[], string, string]>([
    ["nothing stands in the way", [], "openings free", "info"],
    ["notices are no reason", [notice], "openings free", "info"],
    [
      "the gravest cause, with what to do",
      [cause({}), disk],
      "cause: model: the gateway answers 404; correct AI_BASE_URL",
      "warn",
    ],
    ["a cause that nobody can do anything about", [notice, disk], "cause: disk: the disk is full", "warn"],
  ])("ends with the main cause: %s", (_story, causes, end, level) => {
    expect(heartbeat(seen(), spend, causes)).toMatchObject({ msg: `${FIRST}; ${end}`, level });
  });

  test("warns in any mode but NORMAL, and works before the account is read", () => {
    const halted = heartbeat(seen({ floorState: "HALT" }), spend, [cause({ part: "floor", sentence: "HALT: a word" })]);
    expect(halted).toMatchObject({ level: "warn", fields: { mode: "HALT", part: "floor", cause: "HALT: a word" } });
    const unread = seen({ equityUsdt: null, floorDistanceUsdt: null, dayStartEquityUsdt: null });
    expect(heartbeat(unread, spend, []).msg).toMatch(/^mode NORMAL, equity not read yet, 1 of 3 /);
  });

  test("says to a person what it says to a machine", () => {
    const { level, msg, fields } = heartbeat(seen({ positions: [held(), held(), held()] }), spend, []);
    expect(figuresMissing({ evt: "agent.heartbeat", level, msg, ...fields })).toEqual([]);
    expect(msg).toMatch(/3 of 3 positions.*openings wait: the position limit is reached$/);
  });
});

describe("the summary of a run", () => {
  let seq = 0;
  const row = (kind: RowKind, body: object): JournalRow => ({
    seq: ++seq,
    runId: "b",
    atMs: seq,
    monoMs: seq,
    kind,
    decisionId: null,
    body: whole(kind, body),
    hash: "",
  });
  const rows = [
    row("equity", { equityUsdt: "1000" }),
    row("decision", { trigger: ["clock"] }),
    row("decision", { by: "x", targets: [] }),
    row("fill", { fee: "0.1" }),
    row("fill", { fee: "0.32" }),
    row("equity", { equityUsdt: "1001" }),
    row("trade", { event: "funding", leg: "S|LONG", amountUsdt: "9", rate: 0.1, atMs: 1 }),
    row("trade", { event: "closed", netUsdt: "1.1" }),
    row("trade", { event: "closed", netUsdt: null }),
    row("model-settle", { attemptId: "a", atMs: 1, costUsd: "0.25", how: "actual" }),
  ];

  test("says what the run came to, what stays and how to look further", () => {
    const { msg, fields } = runSummary({ rows, status: seen(), ranMs: 605_000, causes: [], dataDir: "/x y" });
    expect(msg).toBe(
      "ran 10m 5s: equity 1000.00 to 1003.20 USDT (+3.20), 1 decision, 2 fills, 2 trades closed (+1.10 USDT after costs), " +
        'fees 0.42 USDT, model 0.25 USD, uptime 99.99 % since the first start, 1 position open. Look further, each with --data-dir "/x y": ' +
        "ballast status | ballast why-not | ballast logs --since 1h | ballast verify",
    );
    expect(figuresMissing({ evt: "agent.summed", level: "info", msg, ...fields, ranMs: 600_000 })).toEqual([]);
    const none = runSummary({ rows: [], status: seen({ positions: [] }), ranMs: 5, causes: [disk], dataDir: "data" });
    expect(none.msg).toMatch(
      /equity was not read, 0 decisions.*no position open; not solved: disk: the disk is full\. Look.*ballast why-not \|/,
    );
  });

  test("names each stop that stays, and a position without one", () => {
    expect(leftOpen(held()).msg).toBe(
      "LONG 0.003 EXCHANGE_A_PERP_BTC_USDT from 60000 stays open under its stop at 59000 at the venue, target 62000, unrealised -1.23 USDT",
    );
    const bare = { stopPrice: null, targetPrice: null, wantedStopPrice: "58000" };
    expect(leftOpen(held({ ...bare, protection: "none" })).msg).toMatch(/open WITHOUT a stop at the venue, unr/);
    expect(leftOpen(held({ ...bare, protection: "asked" })).msg).toMatch(
      /open with a stop at 58000 that the venue has not confirmed yet, unr/,
    );
  });
});
