/** A record of a stop need not say what it closes and where: then what was asked for under its id counts, and nothing else. */
import { expect, test } from "vitest";
import { ZERO } from "../../src/core/decimal.ts";
import type { AlgoOrder } from "../../src/domain/algo-order.ts";
import { story } from "../support/agent-story.ts";
import { BTC, position, ready, standingStop, type World } from "../support/agent-world.ts";

/** A stop for 0.004 was asked for, because the venue takes none without a quantity. */
const sized = (): World =>
  story(`
    list BTC LONG 0.004
    0.25 s                   -> protects all once
    protect refused 50001
    0.25 s                   -> protects 0.004 once
    protect done S1
  `);

/** The stop that was asked for last, as a record shows it that leaves something out. */
const shown = (w: World, without: Partial<AlgoOrder>): AlgoOrder =>
  standingStop({ clientOrderId: w.last("protect").order.clientOrderId, updatedAtMs: w.nowMs, ...without });

test.each(["CONDITIONAL", ""])("a stop without a quantity (%s) covers what was asked for, and follows", (condition) => {
  const w = sized();
  w.feed({ kind: "algo", algo: shown(w, { qty: ZERO, condition }) });
  story(
    `
    0 s                      -> stop live at 58200
    push BTC LONG 0.006
    4.1 s                    -> moves S1 for 0.006
    `,
    w,
  );
});

test("so it is if its record names it by the venue's id alone", () => {
  const w = sized();
  const { algoOrderId } = standingStop();
  w.feed({ kind: "algo", algo: shown(w, { qty: ZERO, clientOrderId: algoOrderId }) });
  story("push BTC LONG 0.006\n4.1 s -> moves S1 for 0.006", w);
});

test("so it is in the next run, whose journal says what was asked for", () => {
  const w = sized();
  const next = story("restart", w);
  next.account({ positions: [position(BTC, "0.004", "60000")], openAlgos: [shown(w, { qty: ZERO })] });
  story("push BTC LONG 0.006\n4.1 s -> moves S1 for 0.006", next);
});

test("a later record without a quantity says nothing against the one before", () => {
  const w = sized();
  w.feed({ kind: "algo", algo: shown(w, {}) });
  story("push BTC LONG 0.006\n4.1 s -> moves S1 for 0.006\nmove done\nstop S1 for 0.006", w);
  w.feed({ kind: "algo", algo: shown(w, { qty: ZERO }) });
  story("20 s -> nothing, stop live", w);
});

test("a stop for all of the position covers all of it, though its record has no condition either", () => {
  const w = story("list BTC LONG 0.004\n0.25 s -> protects all once\nprotect done S1");
  w.feed({ kind: "algo", algo: shown(w, { qty: ZERO, condition: "", triggerPrice: null }) });
  story("push BTC LONG 0.006\n20 s -> nothing, stop live at 58200", w);
});

test("a stop that a list shows without its price stands where it was asked for", () => {
  const w = sized();
  story("25 s with list BTC LONG 0.004, S1", w);
  w.account({ positions: [position(BTC, "0.004", "60000")], openAlgos: [shown(w, { triggerPrice: null })] });
  story("20 s -> nothing, stop live at 58200", w);
});

test.each([
  ["somebody else", "by-hand"],
  ["an earlier run without a journal", "p-boot-1"],
])("a stop of %s without a quantity protects nothing: another is placed", (_, clientOrderId) => {
  const openAlgos = [standingStop({ clientOrderId, qty: ZERO })];
  const w = ready({}, { positions: [position(BTC, "0.004", "60000")], openAlgos });
  expect(w.of("protect")).toHaveLength(1);
});
