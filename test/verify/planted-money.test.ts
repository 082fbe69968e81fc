/** Equity and results that rows state against the venue's own facts, and evidence that is none. */
import { describe, expect, test } from "vitest";
import { ALL_INVARIANTS } from "../../src/verify/all-invariants.ts";
import type { History } from "../../src/verify/history.ts";
import { judgeOne } from "../../src/verify/verify.ts";
import { honestRun, type Run } from "./base.ts";
import { put, the } from "./plant.ts";
import { ACCOUNT, BTC, type Body, ETH, findingsOf, history, type Story } from "./story.ts";

/** By the venue's fills: 0.5 realised, less 0.0601, 0.09015 and 0.01 of fees. */
const NET = "0.33975";

const closedAt = (story: Story) =>
  the(story, "position", (body) => body["kind"] === "closed" && body["symbol"] === BTC);

const trade = ({ story, btc }: Run, change: Body = {}): void => {
  const closed = closedAt(story);
  const figures = { qty: "0.005", entryPrice: "60100", exitPrice: "60100", feesUsdt: "0.16025", fundingUsdt: "0" };
  const times = { openedAtMs: btc.out.atMs, closedAtMs: closed.atMs };
  const body = { event: "closed", id: "1", symbol: BTC, side: "LONG", ...figures, netUsdt: NET, ...times, ...change };
  put(story, "after", closed, { kind: "trade", body });
};

const equity = ({ story }: Run, equityUsdt: string): void => {
  put(story, "after", closedAt(story), { kind: "equity", body: { equityUsdt, positions: 0, anchors: null } });
};

/** The agent's row of a payment, and the venue's statement of it at the same instant. */
const settle = ({ story, btc }: Run, stated: string, paid: readonly string[], afterMs = 10_000): void => {
  const atMs = btc.out.atMs + afterMs;
  const beat = the(story, "beat", (_body, entry) => entry.atMs > atMs);
  const body = { event: "funding", leg: `${BTC}|LONG`, amountUsdt: stated, rate: 0.0001, atMs };
  put(story, "before", beat, { kind: "trade", body });
  for (const amount of paid) story.venue.push({ fact: "funding", atMs, accountId: ACCOUNT, sym: BTC, amount });
  story.venue.sort((a, b) => Number(a["atMs"]) - Number(b["atMs"]));
};

const moneyIn = ({ story }: Run): readonly string[] =>
  (findingsOf(history(story)).get("I36") ?? []).map(({ what }) => what).filter((what) => what.startsWith("it states"));

describe("rows that state money", () => {
  test("hold where they state what the venue's facts come to", () => {
    const run = honestRun();
    trade(run);
    equity(run, "1000.1");
    expect([...findingsOf(history(run.story)).keys()]).toEqual([]);
  });

  test.each([
    ["a gain that was none", { netUsdt: "12.5" }],
    ["a loss that was hidden", { netUsdt: "0.9" }],
    ["a result with its sign turned", { netUsdt: `-${NET}` }],
  ])("are found out by I36: %s", (_what, change) => {
    const run = honestRun();
    trade(run, change);
    expect(moneyIn(run)).toEqual([`it states a result of ${change.netUsdt}, the venue's fills came to ${NET}`]);
  });

  test.each(["1500", "1030", "900", "0"])("are found out by I36: an equity of %s", (stated) => {
    const run = honestRun();
    equity(run, stated);
    expect(moneyIn(run)).toEqual([expect.stringMatching(`^it states an equity of ${stated}, the venue had `)]);
  });

  test("hold where funding is as the venue's statement has it, for either side of a hedged symbol", () => {
    const run = honestRun();
    settle(run, "-0.0301", ["0.5", "-0.03"]);
    trade(run, { fundingUsdt: "-0.0301", netUsdt: "0.30965" });
    expect([...findingsOf(history(run.story)).keys()]).toEqual([]);
  });

  test.each([
    ["an amount that was not paid", "-0.9", ["-0.03"], "-0.03"],
    ["a payment with its sign turned", "0.03", ["-0.03"], "-0.03"],
    ["a payment without a settlement", "0.9", [], "none"],
  ])("are found out by I36: funding, %s", (_what, stated, paid, truth) => {
    const run = honestRun();
    settle(run, stated, paid);
    run.story.venue.push({ fact: "funding", atMs: run.story.nowMs, accountId: ACCOUNT, sym: ETH, amount: "1" });
    expect(moneyIn(run)).toEqual([
      `it states funding of ${stated} for ${BTC}|LONG, the venue's statement has ${truth}`,
    ]);
  });

  test("are found out by I36: funding of a round trip that its payments do not come to", () => {
    const run = honestRun();
    settle(run, "-0.03", ["-0.03"]);
    trade(run, { fundingUsdt: "2", netUsdt: "2.33975" });
    expect(moneyIn(run)).toEqual(["it states funding of 2, its rows of funding come to -0.03"]);
  });

  test.each([
    ["under a fault", (run: Run) => run.story.venue.unshift({ fact: "faults", atMs: 0, on: ["read-lag"] })],
    ["where the position changed meanwhile", (run: Run) => settle(run, "-0.9", ["-0.03"], 700)],
    ["where the venue's record knows no funding", (run: Run) => settle(run, "-0.9", [])],
  ])("are not judged: funding %s", (what, edit) => {
    const run = honestRun();
    if (what === "under a fault") settle(run, "-0.9", ["-0.03"]);
    edit(run);
    expect(moneyIn(run)).toEqual([]);
  });

  test("are not judged where the fills are not those of one round trip", () => {
    const run = honestRun();
    trade(run, { netUsdt: "12.5", qty: "0.01" });
    expect(moneyIn(run)).toEqual([]);
  });
});

describe("evidence without an entry", () => {
  const withNeeds = ALL_INVARIANTS.filter(({ needs }) => needs.includes("wire log") || needs.includes("venue ledger"));
  const empty = (): History => ({ ...history(honestRun().story), wire: [], venue: [], charges: [] });

  test.each(withNeeds.map((invariant) => [invariant.id, invariant] as const))(
    "leaves %s not judged",
    (_id, invariant) => {
      const { verdict } = judgeOne(invariant, empty());
      expect(verdict).toMatchObject({ kind: "not judged", why: expect.stringMatching(/an empty one is none$/) });
    },
  );

  test("is named among what would have extended the judgement", () => {
    const i20 = ALL_INVARIANTS.find(({ id }) => id === "I20");
    expect(i20 && judgeOne(i20, empty()).without).toEqual(["model ledger"]);
  });
});

describe("two accounts on one service", () => {
  const OTHER = "2188000000000002";
  /** The same service's evidence, in front of which another team's agent has traded and asked. */
  function beside(): History {
    const seen = history(honestRun().story);
    const [wire, charge] = [seen.wire ?? [], seen.charges ?? []];
    const theirs = wire.map((frame) => ({
      ...{ ...frame, accountId: OTHER, seq: frame.seq - 1_000 },
      params: { ...frame.params, clientOrderId: `other-${frame.seq}`, orderQty: "7" },
    }));
    const paid = charge.map((each) => ({ ...each, accountId: OTHER, requestId: `other-${each.requestId}` }));
    return { ...seen, wire: [...theirs, ...wire], charges: [...paid, ...charge] };
  }

  test.each(["I1", "I10", "I19", "I20"])("give no false finding of %s", (id) => {
    const invariant = ALL_INVARIANTS.find((each) => each.id === id);
    expect(invariant && judgeOne(invariant, beside()).verdict).toEqual({ kind: "held" });
  });

  test("still show a charge of the journal's own account that was never reserved", () => {
    const seen = beside();
    const [own] = (seen.charges ?? []).filter(({ accountId }) => accountId !== OTHER);
    if (!own) throw new Error("the story has no charge");
    const invariant = ALL_INVARIANTS.find((each) => each.id === "I20");
    const charges = [...(seen.charges ?? []), { ...own, accountId: own.accountId, requestId: "unheard-of" }];
    expect(invariant && judgeOne(invariant, { ...seen, charges }).verdict.kind).toBe("violated");
  });
});
