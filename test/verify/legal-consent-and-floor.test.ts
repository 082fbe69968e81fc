/** Sessions, caps, the floor ladder and the cushion. Legal for the verifier. */
import { test } from "vitest";
import * as move from "./moves.ts";
import { LONG_BTC } from "./base.ts";
import { type Body, BTC, CONFIG, ETH, fact, orderIdOf, pass, row, SOL, START_MS } from "./story.ts";
import { sol, resting, begun, held, silent, unanswered, legal, type Legal } from "./legal-histories.ts";

const consent: readonly Legal[] = [
  legal("a session renewed in the middle", (story) => {
    held(story);
    move.live(story, 10_000);
    move.session(story, "ras_2");
    held(story, { ...LONG_BTC, qty: "0.002", sessionId: "ras_2" });
  }),
  legal("a session stopped right after the order left", (story) => {
    const placed = move.place(story, resting);
    row(story, "session", {
      event: "stopped",
      session: {
        ...move.SESSION,
        automationSessionId: "ras_1",
        status: "STOPPED",
        stoppedAtMs: story.nowMs,
        expiresAtMs: START_MS + 90_000_000,
      },
    });
    move.askCancel(story, placed);
    move.cancelled(story, placed);
  }),
  legal("a session extended before it ended", (story) => {
    row(story, "session", {
      event: "extended",
      session: { ...move.SESSION, automationSessionId: "ras_1", expiresAtMs: story.nowMs + 172_800_000 },
    });
    pass(story, 90_000_000);
    move.runStarts(story, "b2");
    held(story);
  }),
  legal("what was released is used again, to the last cent", (story) => {
    const total = story.entries.find((entry) => entry.kind === "session");
    Object.assign((total?.body["session"] ?? {}) as Body, { maxTotalNotional: "150" });
    const placed = move.place(story, resting);
    move.order(story, placed, "REJECTED", "0");
    move.ended(story, placed, "REJECTED", "0");
    row(story, "session", {
      event: "released",
      automationSessionId: "ras_1",
      previewId: placed.out.body["previewId"],
      notional: "150",
    });
    pass(story, 6_000);
    held(story);
  }),
  legal("an exit without any session", (story) => {
    const { stop } = held(story);
    row(story, "session", {
      event: "stopped",
      session: {
        ...move.SESSION,
        automationSessionId: "ras_1",
        status: "STOPPED",
        stoppedAtMs: story.nowMs,
        expiresAtMs: START_MS + 90_000_000,
      },
    });
    pass(story, 4_000);
    move.close(story, sol, stop);
    move.live(story, 40_000);
  }),
];

const floor: readonly Legal[] = [
  legal("HOLD that opens by itself", (story) => {
    row(story, "floor", { from: "NORMAL", to: "HOLD", reason: "849" });
    move.live(story, 20_000);
    row(story, "floor", { from: "HOLD", to: "NORMAL", reason: "900" });
    held(story);
  }),
  legal("an order that was on its way when the halt was written", (story) => {
    const sent = unanswered(story);
    row(story, "floor", { from: "NORMAL", to: "HALT", reason: "alarm" });
    pass(story, 1_900);
    move.placeFrame(story, sent.params);
    const placed: move.Placed = { ...sent, orderId: orderIdOf(story), wanted: sol, out: move.answer(story, "done") };
    move.order(story, placed, "NEW", "0");
    move.cancelled(story, placed);
  }),
  legal("FLATTEN, everything closed, HALT, looked at, resumed", (story) => {
    const { stop } = held(story);
    row(story, "floor", { from: "NORMAL", to: "FLATTEN", reason: "819" });
    pass(story, 4_000);
    move.close(story, sol, stop);
    row(story, "floor", { from: "FLATTEN", to: "HALT", reason: "flattened" });
    move.live(story, 20_000);
    row(story, "reconcile", { event: "complete", startedAtMs: story.nowMs, positions: [] });
    row(story, "operator", { command: "resume", from: "HALT", to: "NORMAL" });
    held(story);
  }),
  legal("a jump beyond the gap that stays on the linear bound", (story) => {
    held(story, { symbol: SOL, leg: "LONG", qty: "2.6", price: "150" });
    move.mark(story, SOL, "150");
    move.account(story, "1000");
    pass(story, 1_000);
    move.mark(story, SOL, "70");
    move.account(story, "795");
    pass(story, 2_000);
    row(story, "floor", { from: "NORMAL", to: "HALT", reason: "795" });
  }),
  legal("a jump that has come back when the loss is reported", (story) => {
    held(story, { symbol: SOL, leg: "LONG", qty: "2.6", price: "150" });
    move.mark(story, SOL, "150");
    move.account(story, "1000");
    for (const price of ["140", "75", "148"]) {
      pass(story, 1_000);
      move.mark(story, SOL, price);
    }
    move.account(story, "798");
  }),
  legal("a jump that costs a short what the mark rose", (story) => {
    held(story, { symbol: SOL, leg: "SHORT", qty: "2.6", price: "150" });
    for (const price of ["150", "230", "160"]) {
      pass(story, 1_000);
      move.mark(story, SOL, price);
    }
    move.account(story, "795");
  }),
  legal("a jump after more than a minute without a new mark", (story) => {
    held(story, { symbol: SOL, leg: "LONG", qty: "2.6", price: "150" });
    move.mark(story, SOL, "150");
    move.account(story, "1000");
    move.live(story, 70_000);
    move.mark(story, SOL, "70");
    move.account(story, "795");
  }),
  legal("a jump that needs not answer for what was lost more than a minute before", (story) => {
    held(story);
    move.mark(story, SOL, "150");
    move.account(story, "1000");
    pass(story, 5_000);
    move.account(story, "861");
    move.live(story, 50_000);
    pass(story, 5_000);
    move.mark(story, SOL, "40");
    pass(story, 6_000);
    move.account(story, "795");
  }),
  legal("a cushion that a mark has broken and a trim has mended", (story) => {
    const wanted: move.Wanted = { symbol: SOL, leg: "LONG", qty: "2.6", price: "150" };
    held(story, wanted);
    move.mark(story, SOL, "150");
    pass(story, 10_000);
    move.beat(story);
    move.mark(story, SOL, "120");
    move.account(story, "890");
    pass(story, 4_000);
    const reduce = move.place(story, { ...wanted, qty: "1.6", price: "119", reduce: true });
    pass(story, 300);
    move.fill(story, reduce, { held: "1", kind: "resized", equity: "889" });
    pass(story, 20_000);
    move.mark(story, SOL, "121");
    move.account(story, "890");
  }),
  legal("a cushion that is whole again late, because the venue refused the first trims", (story) => {
    const wanted: move.Wanted = { symbol: SOL, leg: "LONG", qty: "2.6", price: "150" };
    held(story, wanted);
    move.mark(story, SOL, "150");
    pass(story, 10_000);
    move.beat(story);
    move.mark(story, SOL, "120");
    move.account(story, "890");
    for (let refused = 0; refused < 3; refused++) {
      pass(story, 6_000);
      move.beat(story);
      const trim = move.place(story, { ...wanted, qty: "1.6", price: "119", reduce: true });
      pass(story, 500);
      move.order(story, trim, "REJECTED", "0");
      move.ended(story, trim, "REJECTED", "0");
    }
    move.mark(story, SOL, "119.9");
    pass(story, 6_000);
    const reduce = move.place(story, { ...wanted, qty: "1.6", price: "117", reduce: true });
    pass(story, 300);
    move.fill(story, reduce, { held: "1", kind: "resized", equity: "889" });
    pass(story, 20_000);
    move.mark(story, SOL, "121");
    move.account(story, "890");
  }),
  legal(
    "five times the equity in the second phase",
    (story) => {
      for (const sym of [BTC, ETH]) fact(story, "leverage", { sym, leverage: "5" });
      const wanted: move.Wanted = { symbol: BTC, leg: "LONG", qty: "0.006", price: "60000" };
      const { placed } = held(story, wanted);
      placed.out.body["seen"] = { ...(placed.out.body["seen"] as Body), leverage: 5 };
    },
    () => begun("BOTH", { ...CONFIG, phase: 2 }),
  ),
];

test.each([...consent, ...floor])("$what", ({ play }) => silent(play()));
