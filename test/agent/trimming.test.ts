/** What equity no longer carries is given up once, whatever pushes are lost on the way. */
import { expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { account, BTC, position, ready, standingStop, update } from "../support/agent-world.ts";

test("a reduction whose fill is told is not made again while no reading of the position shows it. Fault U4", () => {
  const w = ready();
  w.sweep({ positions: [position(BTC, "0.020", "60000")] });
  w.feed({ kind: "algo", algo: standingStop({ qty: dec("0.020") }) });
  w.tick();
  expect(w.of("place")).toEqual([]);
  const openAlgos = [standingStop({ qty: dec("0.020") })];
  w.sweep({ account: [account("960")], positions: [position(BTC, "0.020", "60000")], openAlgos });
  w.feed({ kind: "asset", asset: { exchange: "EXCHANGE_A", coin: "USDT", balance: dec("960") } as never });
  for (let n = 0; n < 3; n++) w.tick(1_000);
  const [reduction] = w.of("place");
  if (!reduction) throw new Error("nothing was reduced");
  const { qty } = reduction.intent.draft.order;
  expect(w.of("place")).toHaveLength(1);
  w.feed({ kind: "order", update: update(reduction, { state: "FILLED", executedQty: qty, avgPrice: dec("60000") }) });
  for (let n = 0; n < 8; n++) w.tick(1_000);
  expect(w.of("place")).toHaveLength(1);
  expect(w.of("close")).toEqual([]);
});
