/** `ballast flatten`: everything is closed and withdrawn, and the ladder rests at HALT until the operator resumes. */
import { describe, expect, test } from "vitest";
import { ZERO } from "../../src/core/decimal.ts";
import { account, BTC, position, ready, standingStop, type World } from "../support/agent-world.ts";

function held(): World {
  const w = ready();
  w.account({ positions: [position(BTC, "0.004", "60000")] });
  w.feed({ kind: "algo", algo: standingStop() });
  w.tick(1_000);
  w.feed({ kind: "operator", command: "flatten" });
  w.tick(1_000);
  return w;
}

const rowsOf = (w: World, kind: string) => w.of("record").flatMap(({ row, body }) => (row === kind ? [body] : []));

describe("the operator says flatten", () => {
  test("what is held is closed at the market for that reason, once, and the row says who said so", () => {
    const w = held();
    w.tick(1_000);
    expect(w.of("close").map(({ known }) => known.symbol)).toEqual([BTC]);
    expect(rowsOf(w, "operator")).toEqual([{ command: "flatten", from: "NORMAL", to: "FLATTEN", withdraws: "all" }]);
    expect(rowsOf(w, "order")).toMatchObject([{ why: "the operator said flatten" }]);
    expect(w.agent.status(w.nowMs)).toMatchObject({ floorState: "FLATTEN", floorReason: "the operator said flatten" });
  });

  test("once nothing is held the agent is halted, and stays so however good its equity is", () => {
    const w = held();
    w.feed({
      kind: "position",
      update: { symbol: BTC, positionSide: "LONG", qty: ZERO, avgPrice: ZERO, leverage: null },
    });
    w.tick(1_000);
    expect(w.agent.status(w.nowMs)).toMatchObject({
      floorState: "HALT",
      floorReason: "flattened by the operator; `ballast resume` after you have looked",
    });
    w.account({ account: [account("1000")] });
    w.tick(60_000);
    expect(w.agent.status(w.nowMs).floorState).toBe("HALT");
    w.feed({ kind: "operator", command: "resume" });
    w.tick(2_000);
    w.account({ account: [account("1000")] });
    w.tick(1_000);
    expect(w.agent.status(w.nowMs).floorState).toBe("NORMAL");
  });

  test("a halted agent is flattened as well", () => {
    const w = ready();
    w.account({ positions: [position(BTC, "0.004", "60000")] });
    w.feed({ kind: "operator", command: "halt" });
    w.tick(1_000);
    expect(w.of("close")).toEqual([]);
    w.feed({ kind: "operator", command: "flatten" });
    w.tick(1_000);
    expect(w.of("close")).toHaveLength(1);
  });
});
