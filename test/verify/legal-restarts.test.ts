/** Restarts, recoveries that die, and stops that outlive their position. Legal for the verifier. */
import { test } from "vitest";
import * as move from "./moves.ts";
import { reseen } from "./plant.ts";
import { CONFIG, fact, frame, orderIdOf, pass, row, SOL } from "./story.ts";
import {
  sol,
  resting,
  begun,
  held,
  closedWithStop,
  cancelLeft,
  filledWhileDown,
  recovery,
  silent,
  unanswered,
  legal,
  type Legal,
} from "./legal-histories.ts";

const histories: readonly Legal[] = [
  legal("a restart over a position and its stop", (story) => {
    held(story);
    move.live(story, 30_000);
    pass(story, 3_000);
    move.runStarts(story, "b2", { positions: [{ leg: `${SOL}|LONG`, qty: "1" }] });
    move.live(story, 30_000);
  }),
  legal("a restart after lost rows, over a position that ended 12 s ago", (story) => {
    const { stop } = held(story);
    move.live(story, 30_000);
    fact(story, "position", { sym: SOL, positionSide: "LONG", positionQty: "0" });
    move.algo(story, stop, "EXPIRED");
    pass(story, 12_000);
    move.runStarts(story, "b2", { positions: [{ leg: `${SOL}|LONG`, qty: "1" }] });
    move.live(story, 20_000);
  }),
  legal("a position reduced by a start that has read the account, before its lists agree", (story) => {
    held(story);
    move.live(story, 30_000);
    pass(story, 3_000);
    story.runId = "b2";
    story.startedMs = story.nowMs;
    row(story, "boot", { boot: "b2" });
    move.live(story, 10_000);
    const reduce = move.place(story, { ...sol, qty: "0.5", reduce: true });
    reseen(reduce, move.seen(story, sol));
    pass(story, 100);
    move.fill(story, reduce, { held: "0.5", kind: "resized" });
    row(story, "reconcile", { event: "complete", startedAtMs: story.nowMs, positions: [] });
    row(story, "boot", { boot: "b2", ready: true });
    move.live(story, 20_000);
  }),
  legal("a crash with an order on its way, ended by the next run", (story) => {
    const sent = unanswered(story);
    move.placeFrame(story, sent.params);
    const placed: move.Placed = {
      ...sent,
      orderId: orderIdOf(story),
      wanted: sol,
      out: story.entries.at(-1) as move.Placed["out"],
    };
    move.order(story, placed, "NEW", "0");
    move.order(story, placed, "CANCELLED", "0");
    pass(story, 8_000);
    move.runStarts(story, "b2");
    pass(story, 600);
    move.ended(story, placed, "CANCELLED", "0");
    move.live(story, 20_000);
  }),
  legal("a fill while it was down, found after the restart", (story) => {
    const found = filledWhileDown(story);
    move.runStarts(story, "b2", { positions: [{ leg: `${SOL}|LONG`, qty: "1" }] });
    found();
    move.protect(story, sol);
    move.live(story, 40_000);
  }),
  legal("a recovery that died before its stop was sent, ended by the next one", (story) => {
    const found = filledWhileDown(story);
    recovery(story, "b2", () => {
      found();
      row(story, "protection", { leg: `${SOL}|LONG`, clientOrderId: "p-lost", stopPrice: move.stopOf(sol), qty: "1" });
    });
    pass(story, 2_000);
    recovery(story, "b3", () => void move.protect(story, sol));
    move.live(story, 40_000);
  }),
  legal("a recovery that lived on for a moment only, its stop placed by the next one", (story) => {
    const found = filledWhileDown(story);
    recovery(story, "b2", found);
    move.beat(story);
    pass(story, 2_000);
    recovery(story, "b3", () => void move.protect(story, sol));
    move.live(story, 40_000);
  }),
  legal("a stop that outlived its position, cancelled by the next recovery but one", (story) => {
    closedWithStop(story);
    pass(story, 1_000);
    recovery(story, "b2", () => undefined);
    move.beat(story);
    pass(story, 5_000);
    recovery(story, "b3", () => cancelLeft(story));
    move.live(story, 20_000);
  }),
  legal("the same, where the recovery between lived too short for the venue's word", (story) => {
    closedWithStop(story);
    pass(story, 12_000);
    recovery(story, "b2", () => undefined);
    pass(story, 1_000);
    move.beat(story);
    recovery(story, "b3", () => cancelLeft(story));
    move.live(story, 20_000);
  }),
  legal("a stop that the mark moves before the second recovery is over", (story) => {
    const { stop } = held(story);
    recovery(story, "b2", () => undefined);
    move.beat(story);
    pass(story, 5_000);
    recovery(story, "b3", () => {
      row(story, "protection", {
        leg: `${SOL}|LONG`,
        moving: true,
        why: "trailing",
        from: move.stopOf(sol),
        stopPrice: "146.5",
      });
      move.write(story, "algo.replace", { algoOrderId: stop.algoOrderId, triggerPrice: "146.5" });
      pass(story, 30);
      frame(story, "PUT /api/v1/algo/order", { algoOrderId: stop.algoOrderId, conditionalTriggerPrice: "146.5" });
      move.answer(story, "done");
    });
    move.live(story, 20_000);
  }),
  legal("a move of a stop that came too soon after the one before, sent by the next recovery", (story) => {
    const { stop } = held(story);
    const moveTo = (stopPrice: string): void => {
      move.write(story, "algo.replace", { algoOrderId: stop.algoOrderId, triggerPrice: stopPrice });
      pass(story, 30);
      frame(story, "PUT /api/v1/algo/order", { algoOrderId: stop.algoOrderId, conditionalTriggerPrice: stopPrice });
      move.answer(story, "done");
    };
    const wantsAt = (from: string, stopPrice: string): void =>
      void row(story, "protection", { leg: `${SOL}|LONG`, moving: true, why: "trailing", from, stopPrice });
    recovery(story, "b2", () => {
      wantsAt(move.stopOf(sol), "146.2");
      moveTo("146.2");
      pass(story, 4_000);
      wantsAt("146.2", "146.5");
    });
    move.beat(story);
    pass(story, 2_000);
    recovery(story, "b3", () => {
      pass(story, 8_000);
      moveTo("146.5");
    });
    move.live(story, 20_000);
  }),
  legal("a stop for twice the position, made smaller by the second recovery", (story) => {
    const placed = move.place(story, sol);
    pass(story, 300);
    move.fill(story, placed, { held: sol.qty });
    const stop = move.protect(story, sol, "2");
    pass(story, 3_000);
    recovery(story, "b2", () => undefined);
    move.beat(story);
    pass(story, 5_000);
    recovery(story, "b3", () => {
      pass(story, 20_000);
      move.write(story, "algo.replace", { algoOrderId: stop.algoOrderId, quantity: "1" });
      pass(story, 30);
      frame(story, "PUT /api/v1/algo/order", { algoOrderId: stop.algoOrderId, orderQty: "1" });
      move.answer(story, "done");
    });
    move.live(story, 20_000);
  }),
  legal("a venue whose clock is behind by less than the skew", (story) => {
    story.skewMs = 200;
    held(story);
    for (const sent of story.wire) sent["atMs"] = (sent["atMs"] as number) - 150;
    move.live(story, 40_000);
  }),
  legal("three runs, the last two with nothing to do", (story) => {
    for (const name of ["b2", "b3", "b4"]) {
      pass(story, 5_000);
      move.runStarts(story, name);
    }
    move.live(story, 20_000);
  }),
  legal(
    "an order that has rested long enough only in the second recovery",
    (story) => {
      const placed = move.place(story, resting);
      pass(story, 10_000);
      recovery(story, "b2", () => undefined);
      move.beat(story);
      pass(story, 21_000);
      recovery(story, "b3", () => {
        move.askCancel(story, placed);
        move.cancelled(story, placed);
      });
      move.live(story, 20_000);
    },
    () => begun("BOTH", { ...CONFIG, execution: { ...CONFIG.execution, restFor: "30s" } }),
  ),
  legal(
    "a withdrawal that was too young to be repeated in the first recovery",
    (story) => {
      const placed = move.place(story, resting);
      pass(story, 31_000);
      move.askCancel(story, placed);
      recovery(story, "b2", () => undefined);
      move.beat(story);
      pass(story, 12_000);
      recovery(story, "b3", () => {
        move.askCancel(story, placed);
        move.cancelled(story, placed);
      });
      move.live(story, 20_000);
    },
    () => begun("BOTH", { ...CONFIG, execution: { ...CONFIG.execution, restFor: "8s" } }),
  ),
  legal(
    "a withdrawal repeated because the order had not ended 10 s after the recovery before had asked for it",
    (story) => {
      const placed = move.place(story, resting);
      pass(story, 1_000);
      recovery(story, "b2", () => {
        move.askCancel(story, placed);
      });
      pass(story, 10_000);
      recovery(story, "b3", () => {
        move.askCancel(story, placed);
        move.cancelled(story, placed);
      });
      move.live(story, 20_000);
    },
  ),
  legal("two recoveries that write different things", (story) => {
    pass(story, 2_000);
    row(story, "operator", { command: "note" });
    for (const [name, id] of [
      ["b2", "i-old-1"],
      ["b3", "i-old-2"],
    ] as const) {
      recovery(story, name, () => {
        row(story, "order", { cancel: id, why: "stale" });
        move.write(story, "order.cancel", { clientOrderId: id });
        pass(story, 6_000);
        frame(story, "DELETE /api/v1/trading/order", { clientOrderId: id });
        move.answer(story, "done");
        if (name === "b2") pass(story, 10);
      });
      row(story, "operator", { command: "note" });
    }
  }),
];

test.each(histories)("$what", ({ play }) => silent(play()));
