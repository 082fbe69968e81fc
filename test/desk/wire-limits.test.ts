/** The money limits at the wire, with the review deliberately deaf: one bug in `risk/` is not enough. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import type { DeskParts } from "../../src/desk/context.ts";
import { failedWireDrills } from "../../src/desk/wire-drills.ts";
import { type OpenExposure, type WireFacts, wireProblem } from "../../src/desk/wire-limits.ts";
import { allLimits } from "../../src/risk/all-limits.ts";
import { review } from "../../src/risk/review.ts";
import { RISK as settings } from "../support/risk.ts";
import { BTC, draft, position, SOL, view } from "../risk/support.ts";
import { testDesk, consent, order, place } from "./support.ts";

const facts = (change: Partial<WireFacts> = {}): WireFacts => ({
  phase: 1,
  equityUsdt: dec("1000"),
  equityAgeMs: 1_000,
  stakes: [],
  mark: dec("60000"),
  leverageSetting: 2,
  gapMajors: dec("0.12"),
  gapOthers: dec("0.25"),
  gapHedged: dec("0.04"),
  majors: ["BTC", "ETH"],
  bufferUsdt: dec("20"),
  ...change,
});

const stake = (symbol: string, valueUsdt: string, change: Partial<OpenExposure> = {}): OpenExposure => ({
  symbol,
  leg: "LONG",
  clientOrderId: null,
  qty: dec(valueUsdt),
  price: dec("1"),
  contractSize: dec("1"),
  ...change,
});

/** Preview and submit of an opening that some review, right or wrong, has let pass. */
async function sent(known: WireFacts | null | undefined, qty = "0.005"): Promise<{ outcome: string; placed: number }> {
  const change: Partial<DeskParts> = known === undefined ? {} : { wireFacts: () => known };
  const { desk, venue } = testDesk(undefined, change);
  const session = await desk.startSession(consent({ maxNotionalPerOrder: "100000", maxTotalNotional: "100000" }));
  if (!session.ok) throw new Error(session.error.message);
  const action = place({ qty });
  const preview = await desk.preview(action, { automationSessionId: session.value.automationSessionId });
  if (!preview.ok) throw new Error(preview.error.message);
  const { previewId, confirmation } = preview.value;
  const result = await desk.submit({ previewId, continueConsentId: confirmation.submitToken, action });
  const outcome = result.kind === "sent" ? "sent" : `${result.refusal.kind}: ${result.refusal.message}`;
  const after = await desk.session(session.value.automationSessionId);
  if (after.ok && result.kind === "blocked") expect(after.value.usedNotional.toFixed()).toBe("0");
  return { outcome, placed: venue.calls.filter((call) => call.name === "placeOrder").length };
}

describe("through the desk", () => {
  test("an order within the bounds leaves", async () => {
    expect(await sent(facts())).toEqual({ outcome: "sent", placed: 1 });
  });

  test.each<[string, WireFacts | null, string, RegExp]>([
    ["above the leverage cap", facts(), "0.04", /everything filled would be 2400\.00 USDT, allowed 1900\.00/],
    ["with what is held", facts({ stakes: [stake(BTC, "1700")] }), "0.005", /would be 2000\.00 USDT/],
    [
      "beyond the cushion",
      facts({ stakes: [stake(SOL, "650")] }),
      "0.005",
      /gap would cost 198\.50 USDT, the buffer leaves 180\.00/,
    ],
    [
      "at an equity near the floor",
      facts({ equityUsdt: dec("830") }),
      "0.005",
      /would cost 36\.00 USDT, the buffer leaves 10\.00/,
    ],
    ["under a leverage setting that resets", facts({ leverageSetting: 20 }), "0.005", /setting .* is 20, allowed 2/],
    ["under a setting not read back", facts({ leverageSetting: null }), "0.005", /is not known, allowed 2/],
    ["without a mark", facts({ mark: null }), "0.005", /no mark/],
    ["on an old account reading", facts({ equityAgeMs: 60_000 }), "0.005", /read 60000 ms ago/],
    ["on an age that is not a number", facts({ equityAgeMs: NaN }), "0.005", /read NaN ms ago/],
    ["before the account is known", null, "0.005", /account is not known/],
  ])("%s: it does not, though it was approved, and the session is not charged", async (_name, known, qty, words) => {
    const { outcome, placed } = await sent(known, qty);
    expect(outcome).toMatch(/^wire-limits: /);
    expect(outcome).toMatch(words);
    expect(placed).toBe(0);
  });

  test("a person's own orders are not the agent's: without facts the desk asks for none", async () => {
    expect(await sent(undefined, "0.04")).toEqual({ outcome: "sent", placed: 1 });
  });
});

describe("the count itself", () => {
  const opening = (qty: string) => place({ qty });

  test("an order is counted once, at the higher of its price and the mark", () => {
    const own = stake(BTC, "0", { clientOrderId: "agent-1", qty: dec("0.02"), price: dec("60000") });
    expect(wireProblem(opening("0.02"), null, facts({ stakes: [own] }))).toBeNull();
    expect(wireProblem(opening("0.02"), null, facts({ mark: dec("90000"), leverageSetting: 1 }))).toMatch(
      /1800\.00|216\.00/,
    );
  });

  test("two positions of one symbol count their larger one for a gap, and both for leverage", () => {
    const both = [stake(SOL, "300"), stake(SOL, "300", { leg: "SHORT" })];
    expect(wireProblem(opening("0.005"), null, facts({ stakes: both }))).toBeNull();
    const heavy = [stake(SOL, "600"), stake(SOL, "1200", { leg: "SHORT" })];
    expect(wireProblem(opening("0.005"), null, facts({ stakes: heavy }))).toMatch(/2100\.00 USDT, allowed 1900\.00/);
  });

  test("what takes risk away is never held up", () => {
    const closing = place({ side: "SELL" });
    expect(wireProblem(closing, null, null)).toBeNull();
    expect(wireProblem({ kind: "order.cancel", key: { orderId: "1" }, known: null }, null, null)).toBeNull();
  });

  test("a replacement counts what is left of the order, in the place of the order", () => {
    const known = order({ qty: dec("0.03"), executedQty: dec("0.01") });
    const waiting = stake(BTC, "0", { clientOrderId: "agent-1", qty: dec("0.02"), price: dec("60000") });
    const to = (qty: string) =>
      ({
        kind: "order.replace",
        key: { orderId: "1" },
        price: null,
        qty: dec(qty),
        contractSize: dec("1"),
        known,
      }) as const;
    expect(wireProblem(to("0.03"), known, facts({ stakes: [waiting] }))).toBeNull();
    expect(wireProblem(to("0.06"), known, facts({ stakes: [waiting] }))).toMatch(/would be 3000\.00/);
  });
});

describe("drills", () => {
  const { phase, gapMajors, gapOthers, gapHedged, majors, bufferUsdt } = facts();
  const terms = { phase, gapMajors, gapOthers, gapHedged, majors, bufferUsdt };

  test("pass under the defaults in both phases", () => {
    expect(failedWireDrills(terms)).toEqual([]);
    expect(failedWireDrills({ ...terms, phase: 2 })).toEqual([]);
  });

  test("find settings under which nothing could leave", () => {
    expect(failedWireDrills({ ...terms, bufferUsdt: dec("250") })).toEqual([
      expect.stringContaining("the wire refuses a sound order: the insured gap would cost"),
    ]);
  });
});

describe("beside the review", () => {
  const equity = fc.integer({ min: 805, max: 2_000 }).map((value) => dec(value));
  const heldUsdt = fc.integer({ min: 0, max: 600 });
  const qty = fc.integer({ min: 1, max: 40 }).map((lots) => dec(lots).div(1_000));

  test("whatever the whole review approves, the wire lets pass", () => {
    fc.assert(
      fc.property(equity, heldUsdt, qty, (equityUsdt, held, wanted) => {
        const positions = held > 0 ? [position(SOL, "LONG", dec(held).div(150).toFixed(3), "150")] : [];
        const seen = view({ equityUsdt, equityDayStartUsdt: equityUsdt, positions });
        const reviewed = review(draft({ qty: wanted.toFixed() }), seen, allLimits(settings));
        if (reviewed.kind !== "approved") return;
        const stakes = positions.map((each) => stake(SOL, "0", { qty: each.qty, price: each.markPrice }));
        const action = { ...place(), draft: reviewed.draft };
        expect(wireProblem(action, null, facts({ equityUsdt, stakes }))).toBeNull();
      }),
    );
  });

  test.each([["cushion"], ["opening-leverage"], ["crowding", "per-order-notional", "cushion", "opening-leverage"]])(
    "with %s broken, nothing leaves that breaks the floor or the cap",
    (...broken: string[]) => {
      const deaf = allLimits(settings).filter((limit) => !broken.includes(limit.name));
      fc.assert(
        fc.property(equity, heldUsdt, qty, (equityUsdt, held, wanted) => {
          const positions = held > 0 ? [position(SOL, "LONG", dec(held).div(150).toFixed(3), "150")] : [];
          const seen = view({ equityUsdt, equityDayStartUsdt: equityUsdt, positions, floorState: "NORMAL" });
          const reviewed = review(draft({ qty: wanted.toFixed() }), seen, deaf);
          if (reviewed.kind !== "approved") return;
          const stakes = positions.map((each) => stake(SOL, "0", { qty: each.qty, price: each.markPrice }));
          const problem = wireProblem({ ...place(), draft: reviewed.draft }, null, facts({ equityUsdt, stakes }));
          const btc = reviewed.draft.order.qty.mul(60_000);
          const sol = stakes.reduce((sum, each) => sum.add(each.qty.mul(each.price)), dec(0));
          const bad =
            btc.add(sol).gt(equityUsdt.mul(2)) || equityUsdt.sub(btc.mul("0.12")).sub(sol.mul("0.25")).lt(820);
          if (bad) expect(problem).not.toBeNull();
        }),
      );
    },
  );
});
