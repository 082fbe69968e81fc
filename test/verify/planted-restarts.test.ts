/** Mistakes against the invariants of runs and restarts, I25 to I27. */
import { describe } from "vitest";
import { LONG_BTC } from "./base.ts";
import * as move from "./moves.ts";
import { drop, last, plants, the } from "./plant.ts";
import { BTC, CONFIG, ETH, fact, pass, row, SOL, type Story } from "./story.ts";

const asBoot = (story: Story, name: string, write: () => void): void => {
  const { runId } = story;
  story.runId = name;
  write();
  story.runId = runId;
};

describe("I25", () =>
  plants("I25", [
    [
      "a row of another run in between",
      (_run, story) => {
        asBoot(story, "b9", () => move.beat(story));
        move.beat(story);
      },
    ],
    [
      "a run that writes on after the next one began",
      (_run, story) => {
        move.runStarts(story, "b2");
        asBoot(story, "b1", () => move.beat(story));
      },
    ],
    [
      "two runs that take turns",
      (_run, story) => {
        for (const name of ["b2", "b3", "b2", "b3"]) asBoot(story, name, () => move.beat(story));
      },
    ],
    ["a run that begins twice", (_run, story) => void row(story, "boot", { boot: "b1", pid: 8 })],
    ["a boot row in the name of another", (_run, story) => void row(story, "boot", { boot: "b7" })],
    ["a time that goes back", (_run, story) => void (last(story, "beat").monoMs -= 40_000)],
    [
      "a frame long after its run had ended",
      (_run, story) => {
        const params = { symbol: ETH, leverage: 2 };
        move.write(story, "position.set-leverage", params);
        pass(story, 20_000);
        story.wire.push({
          seq: 98,
          atMs: story.nowMs,
          via: "rest",
          call: "POST /api/v1/trading/position/leverage",
          accountId: "2188000000000001",
          params: { sym: ETH, leverage: 2 },
          result: "200000",
        });
      },
    ],
    [
      "a frame of the old run after the new one began",
      (_run, story) => {
        move.write(story, "position.set-leverage", { symbol: ETH, leverage: 2 });
        move.runStarts(story, "b2");
        move.live(story, 20_000);
        story.wire.push({
          seq: 98,
          atMs: story.nowMs,
          via: "rest",
          call: "POST /api/v1/trading/position/leverage",
          accountId: "2188000000000001",
          params: { sym: ETH, leverage: 2 },
          result: "200000",
        });
      },
    ],
  ]));

describe("I26", () =>
  plants("I26", [
    [
      "an opening before the run is ready",
      (_run, story) => {
        const ready = the(story, "boot", (body) => body["ready"] === true);
        drop(story, ready);
        story.entries.push({ ...ready, atMs: story.nowMs, monoMs: story.nowMs - story.startedMs });
      },
    ],
    ["ready without a reconciliation", (_run, story) => drop(story, the(story, "reconcile"))],
    [
      "ready on the reconciliation of the run before",
      (_run, story) => {
        story.runId = "b2";
        row(story, "boot", { boot: "b2" });
        row(story, "boot", { boot: "b2", ready: true });
      },
    ],
    [
      "ready on a difference instead of a whole",
      (_run, story) => void (the(story, "reconcile").body["event"] = "difference"),
    ],
    [
      "a reconciliation of eleven seconds",
      (_run, story) => void (the(story, "reconcile").body["startedAtMs"] = the(story, "reconcile").atMs - 11_000),
    ],
    [
      "a reconciliation of eleven seconds when the last refusal is long over",
      (_run, story) => {
        fact(story, "faults", { accountId: null, on: ["rate-limit-burst"] });
        fact(story, "faults", { accountId: null, on: [] });
        pass(story, 60_000);
        move.runStarts(story, "b2");
        last(story, "reconcile").body["startedAtMs"] = last(story, "reconcile").atMs - 11_000;
      },
    ],
    [
      "a position that the reconciliation missed, which funding reported again just before",
      (_run, story) => {
        const held = { sym: SOL, positionSide: "LONG", positionQty: "2" };
        fact(story, "position", held);
        pass(story, 60_000);
        fact(story, "position", held);
        move.runStarts(story, "b2");
      },
    ],
    [
      "a position that the reconciliation missed",
      (_run, story) => {
        fact(story, "position", { sym: SOL, positionSide: "LONG", positionQty: "2" });
        pass(story, 60_000);
        move.runStarts(story, "b2");
      },
    ],
    [
      "a position that lists which lag had shown as well",
      (_run, story) => {
        fact(story, "faults", { accountId: null, on: ["read-lag"] });
        fact(story, "position", { sym: SOL, positionSide: "LONG", positionQty: "2" });
        pass(story, 16_000);
        move.runStarts(story, "b2");
      },
    ],
    [
      "a position that had ended longer ago than lists may lag",
      (_run, story) => {
        const held = { sym: SOL, positionSide: "LONG", positionQty: "2" };
        fact(story, "position", held);
        pass(story, 60_000);
        fact(story, "position", { ...held, positionQty: "0" });
        pass(story, 21_000);
        move.runStarts(story, "b2", { positions: [{ leg: `${SOL}|LONG`, qty: "2" }] });
      },
    ],
    [
      "a position that is not there",
      (_run, story) => {
        pass(story, 60_000);
        move.runStarts(story, "b2", { positions: [{ leg: `${BTC}|LONG`, qty: "0.005" }] });
      },
    ],
    [
      "a position of another size",
      (_run, story) => {
        fact(story, "position", { sym: SOL, positionSide: "SHORT", positionQty: "2" });
        pass(story, 60_000);
        move.runStarts(story, "b2", { positions: [{ leg: `${SOL}|SHORT`, qty: "2.1" }] });
      },
    ],
  ]));

/** A run that writes before it is ready. */
const recovering = (story: Story, name: string, write: () => void): void => {
  story.runId = name;
  story.startedMs = story.nowMs;
  row(story, "boot", { boot: name });
  row(story, "reconcile", { event: "complete", startedAtMs: story.nowMs, positions: [] });
  write();
  row(story, "boot", { boot: name, ready: true });
  pass(story, 1_000);
  move.beat(story);
};

const cancelOld = (story: Story): void => {
  move.write(story, "order.cancel", { clientOrderId: "i-b0-1" });
  move.answer(story, "done");
};

describe("I27", () =>
  plants("I27", [
    [
      "an intent ended again after a restart",
      ({ btc }, story) => {
        move.runStarts(story, "b2");
        row(story, "intent", {
          event: "end",
          intentId: btc.id,
          how: "terminal",
          orderId: btc.orderId,
          state: "FILLED",
          executedQty: "0.005",
        });
      },
    ],
    [
      "a fill written again after a restart",
      (_run, story) => {
        const { body } = the(story, "fill");
        move.runStarts(story, "b2");
        row(story, "fill", body);
      },
    ],
    [
      "an intent promised again after a restart",
      ({ eth }, story) => {
        const { body } = the(story, "intent", (known) => known["intentId"] === eth.id);
        move.runStarts(story, "b2");
        row(story, "intent", body);
      },
    ],
    [
      "a second recovery that cancels again",
      (_run, story) => {
        recovering(story, "b2", () => cancelOld(story));
        recovering(story, "b3", () => cancelOld(story));
      },
    ],
    [
      "a second recovery that writes though nothing happened",
      (_run, story) => {
        recovering(story, "b2", () => undefined);
        recovering(story, "b3", () => cancelOld(story));
      },
    ],
    [
      "a second recovery that withdraws what had rested long enough before the first",
      (_run, story) => {
        const placed = move.place(story, { ...LONG_BTC, resting: true });
        const config = { ...CONFIG, execution: { ...CONFIG.execution, restFor: "30s" } };
        pass(story, 31_000);
        move.runStarts(story, "b2", { config });
        pass(story, 1_000);
        move.beat(story);
        recovering(story, "b3", () => move.askCancel(story, placed));
      },
    ],
    [
      "a second recovery that places a stop again",
      (_run, story) => {
        const stop = (): void => {
          move.write(story, "algo.place", { symbol: BTC, side: "SELL", quantity: "1", clientOrderId: "p-1" });
          move.answer(story, "done");
        };
        recovering(story, "b2", stop);
        recovering(story, "b3", stop);
      },
    ],
    [
      "a second recovery that moves a stop to where the one before had wanted it",
      (_run, story) => {
        const wanted = (): void =>
          void row(story, "protection", { leg: `${BTC}|LONG`, moving: true, stopPrice: "59000" });
        recovering(story, "b2", wanted);
        recovering(story, "b3", () => {
          wanted();
          move.write(story, "algo.replace", { algoOrderId: "2190000000000101", stopLossPrice: "59000" });
        });
      },
    ],
    [
      "a second recovery that makes a move which the one before had long been free to make",
      (_run, story) => {
        const change = (stopLossPrice: string): void => {
          move.write(story, "algo.replace", { algoOrderId: "2190000000000101", stopLossPrice });
          move.answer(story, "done");
        };
        recovering(story, "b2", () => {
          change("58500");
          row(story, "protection", { leg: `${BTC}|LONG`, moving: true, stopPrice: "59000" });
          pass(story, 17_000);
        });
        recovering(story, "b3", () => change("59000"));
      },
    ],
    [
      "a second recovery that moves a stop for no reason",
      (_run, story) => {
        recovering(story, "b2", () => undefined);
        recovering(
          story,
          "b3",
          () => void move.write(story, "algo.replace", { algoOrderId: "2190000000000101", stopLossPrice: "59000" }),
        );
      },
    ],
    [
      "a second recovery that makes a stop smaller which the one before had long seen to be too large",
      (_run, story) => {
        const params = { symbol: BTC, side: "SELL", quantity: "2", clientOrderId: "p-1" };
        recovering(story, "b2", () => {
          move.write(story, "algo.place", params);
          move.answer(story, "done", { algoOrderId: "2190000000000101" });
          pass(story, 30_000);
        });
        recovering(
          story,
          "b3",
          () => void move.write(story, "algo.replace", { algoOrderId: "2190000000000101", quantity: "1" }),
        );
      },
    ],
    [
      "a third recovery that closes what was closed",
      (_run, story) => {
        recovering(story, "b2", () => undefined);
        recovering(story, "b3", () => undefined);
        recovering(
          story,
          "b4",
          () => void move.write(story, "position.close", { symbol: BTC, positionSide: "LONG", reduceOnly: true }),
        );
      },
    ],
  ]));
