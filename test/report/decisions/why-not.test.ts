/** `ballast why-not`: what became of decisions, read off their rows, and the sentence that sums it up. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { whyNotSentence, whyNotText } from "../../../src/report/decisions/why-not-text.ts";
import type { JournalRow, RowKind } from "../../../src/rows/row.ts";
import { type Group, whyNot } from "../../../src/report/decisions/why-not.ts";
import { whyNotProgram } from "../../../src/main/why-not.ts";
import { reported, type WrittenRun, writtenRun } from "../explained-run.ts";
import { whole } from "../../support/rows.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const BTC = "EXCHANGE_A_PERP_BTC_USDT";

type Reported = readonly [kind: RowKind, body: object];

let seq = 0;
/** Rows of one decision, its trigger first. */
function decision(
  id: string,
  rows: readonly Reported[],
  headroom: object = { mayOpen: true, reason: "" },
): JournalRow[] {
  const all: Reported[] = [["decision", { trigger: ["clock"], snapshot: { headroom } }], ...rows];
  return all.map(([kind, body]) => {
    seq += 1;
    return { seq, runId: "b", atMs: seq * 1_000, monoMs: seq, kind, decisionId: id, body: whole(kind, body), hash: "" };
  });
}

const groupsOf = (rows: readonly JournalRow[]): readonly Group[] => {
  const found = whyNot();
  for (const row of rows) found.take(row);
  return found.groups();
};

const made = (targets: number, note = ""): Reported => [
  "decision",
  { by: "x", kind: "wishes", note, targets: Array.from({ length: targets }, () => ({})) },
];
const deniedBy = (found: string, symbol = BTC): Reported => [
  "verdict",
  {
    kind: "denied",
    symbol,
    verdicts: [
      { kind: "allow", limit: "universe", reason: "Fine.", found: "live", allowed: "live" },
      {
        kind: "deny",
        limit: "pace",
        reason: "Closed a short while ago.",
        found: `${found}.123456 ms`,
        allowed: "300000 ms",
      },
    ],
  },
];
const skipped = (reason: string): Reported => ["verdict", { symbol: BTC, leg: "LONG", skipped: reason }];
const intent: Reported = ["intent", { event: "open", intentId: "i-1", clientOrderId: "i-1", opening: true }];
const sent = (outcome: string): Reported => ["wire-in", { action: "order.place", clientOrderId: "i-1", outcome }];
const fill = (opening: boolean): Reported => ["fill", { opening }];
const failed = (reason: string): Reported => ["decision", { failed: "llm-trader", reason }];

describe("one decision", () => {
  test.each<[string, readonly Reported[], string, string, object?]>([
    ["opened", [made(1), intent, sent("done"), fill(true)], "opened", ""],
    [
      "opened one thing and was denied another",
      [made(2), deniedBy("5"), intent, sent("done"), fill(true)],
      "opened",
      `less than the target: pace: Closed a short while ago (found 5.1235 ms, allowed 300000 ms) for ${BTC}`,
    ],
    ["placed an order that rests", [made(1), intent, sent("done")], "placed", ""],
    [
      "failed, and the fallback held",
      [failed("the model failed: 404"), made(0, "nothing")],
      "failed",
      "the model failed: 404",
    ],
    ["failed, and the fallback opened", [failed("x"), made(1), intent, sent("done"), fill(true)], "opened", ""],
    [
      "may not open",
      [made(0)],
      "not-allowed",
      "hold: the disk is full",
      { mayOpen: false, reason: "hold: the disk is full" },
    ],
    [
      "denied",
      [made(1), deniedBy("97952")],
      "denied",
      `pace: Closed a short while ago (found 97952 ms, allowed 300000 ms) for ${BTC}`,
    ],
    [
      "dropped before the wire",
      [made(1), intent, skipped("4 of 4 were not entered: why")],
      "dropped",
      `${BTC}: 4 of 4 were not entered: why`,
    ],
    [
      "refused by the venue",
      [
        made(1),
        intent,
        sent("rejected"),
        ["intent", { event: "end", intentId: "i-1", how: "refused", code: "1", message: "no margin" }],
      ],
      "dropped",
      "refused: no margin",
    ],
    [
      "closed",
      [made(1, "out"), ["wire-in", { action: "position.close", outcome: "done" }], fill(false)],
      "closed",
      "out",
    ],
    ["reduced, which is no close", [made(1, "less"), fill(false)], "reduced", "less"],
    ["held", [made(2, "keep"), skipped("already at the target")], "held", "keep"],
    ["asked for nothing", [made(0, "too quiet")], "no-stance", "too quiet"],
    ["waits for its model", [], "undecided", ""],
  ])("%s", (_story, rows, outcome, reason, headroom) => {
    const [group, ...others] = groupsOf(decision("d-1", rows, headroom));
    expect({ outcome: group?.outcome, reason: group?.reason, others }).toEqual({ outcome, reason, others: [] });
  });

  test("whose beginning lies before the span is left out", () => {
    expect(groupsOf(decision("d-1", [made(0)]).slice(1))).toEqual([]);
  });
});

describe("many decisions", () => {
  const rows = [
    ...[1, 2, 3, 4, 5].flatMap((n) => decision(`d-a${n}`, [failed(`the model failed: gw-${n} answered 404`), made(0)])),
    ...decision("d-b", [failed("the model failed: it took too long"), made(0)]),
    ...decision("d-c1", [made(1), deniedBy("5")]),
    ...decision("d-c2", [made(1), deniedBy("7", "EXCHANGE_A_PERP_ETH_USDT")]),
    ...decision("d-d", [made(0, "Quiet.")]),
  ];
  const groups = groupsOf(rows);
  const facts = { fromMs: 0, toMs: 3_600_000, decisions: 9, opened: 0, groups, none: null, now: "no agent is running" };

  test("are grouped by reason whatever its figures, with the newest figures and three examples", () => {
    expect(groups.map(({ outcome, count }) => [outcome, count])).toEqual([
      ["failed", 5],
      ["failed", 1],
      ["denied", 2],
      ["no-stance", 1],
    ]);
    expect(groups[0]).toMatchObject({ reason: "the model failed: gw-5 answered 404" });
    expect(groups[0]?.examples.map(({ decisionId }) => decisionId)).toEqual(["d-a5", "d-a4", "d-a3"]);
  });

  test("are summed up in one sentence, the commonest reason first", () => {
    expect(whyNotSentence(facts)).toBe(
      "In the last 1h 9 decisions opened nothing: 6 because the model failed: gw-5 answered 404, 1 of them for other reasons; " +
        "2 denied by pace: Closed a short while ago (found 7.1235 ms, allowed 300000 ms) for EXCHANGE_A_PERP_ETH_USDT; " +
        "1 asked for nothing (Quiet).",
    );
    expect(whyNotSentence({ ...facts, decisions: 10, opened: 1 })).toMatch(
      /^In the last 1h 1 decision opened something, 9/,
    );
    expect(whyNotSentence({ ...facts, groups: [], decisions: 2, opened: 2 })).toBe(
      "In the last 1h all 2 decisions opened something.",
    );
    expect(whyNotSentence({ ...facts, groups: [], decisions: 0, none: "the agent is starting" })).toBe(
      "In the last 1h there was no decision: the agent is starting.",
    );
  });

  test("are shown with ids to look further, and no text of others draws on the terminal", () => {
    const text = whyNotText({ ...facts, now: "x\u001b[2J" });
    expect(text).toContain("d-a5 at 1970-01-01T00:00Z, d-a4 at");
    expect(text).toMatch(/\nNow: x \[2J\nLook further: ballast explain d-a5\n$/);
  });
});

describe("without a decision", () => {
  const options = (run: WrittenRun) => ({ json: false, for: 3_600_000, dataDir: run.dataDir });

  test("says that no agent runs, how the last run ended, and which span has decisions", async () => {
    const run = writtenRun();
    run.row("decision", { trigger: ["clock"] }, "d-1");
    run.row("stop", { reason: "stopped by SIGINT" });
    await run.close();
    vi.setSystemTime(run.clock.nowMs() + 5 * 3_600_000);
    const text = (await reported(() => whyNotProgram(options(run)))).out;
    expect(text).toMatch(
      /^In the last 1h there was no decision: no agent is running, the last run ended at .* \(stopped by SIGINT\)/,
    );
    expect(text).toContain("ballast why-not --for 6h");
    expect((await reported(() => whyNotProgram({ ...options(run), for: 6 * 3_600_000 }))).out).toContain("1 undecided");
  });

  test("says that no run of the folder has made one, and that a killed run left no word", async () => {
    const run = writtenRun();
    run.row("boot", { boot: "b" });
    await run.close();
    vi.setSystemTime(run.clock.nowMs() + 1_000);
    const text = (await reported(() => whyNotProgram(options(run)))).out;
    expect(text).toMatch(
      /ended at \S+ \(it was killed or it crashed\), and no run of this data folder has made one\.\n/,
    );
  });
});
