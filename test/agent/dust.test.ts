/** Dust that could not be closed is tried again. */
import { expect, test } from "vitest";
import { BTC, position, ready, standingStop } from "../support/agent-world.ts";

test("a close of dust that the venue did not take is asked for again, though a stop stands", () => {
  const w = ready();
  const dust = position(BTC, "0.0004", "60000");
  w.account({ positions: [dust], openAlgos: null });
  w.feed({ kind: "algo", algo: standingStop() });
  const pass = (seconds: number): void => {
    for (let i = 0; i < seconds; i++) {
      w.account({ positions: [{ ...dust, updatedAtMs: w.nowMs }], openAlgos: null });
      w.tick(1_000);
    }
  };
  pass(10);
  expect(w.of("close")).toHaveLength(1);
  w.feed({ kind: "close-sent", leg: `${BTC}|LONG`, sent: { kind: "not-sent", message: "no route" } });
  pass(10);
  expect(w.of("close").length).toBeGreaterThan(1);
  for (const line of w.logs("order.submitted")) expect(line).toContain("dust");
});
