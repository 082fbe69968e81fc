/** The change of phase by the operator, as participants see it. Spec: 3 §8; records §8.3, §15. */
import { expect } from "vitest";
import { card, type Surface } from "../harness.ts";
import { at, num, text } from "../json.ts";
import { accepted, BTC, listed, ORDER } from "../venue.ts";
import { HISTORY, ids, OPEN_ORDERS } from "./order-steps.ts";
import { onChannel, orderIn } from "./user-steps.ts";

export const phaseChange: Surface = {
  name: "phase-change",
  cards: [
    card("R-15-10", "3 §8; records §15", "a new phase flattens, cancels, resets, and keeps the history", async (v) => {
      accepted(await v.post("/api/v1/trading/position/leverage", { sym: BTC, leverage: 2 }), 202);
      const wire = await v.user();
      const opened = text(at(await v.open(BTC, "LONG"), "orderId"));
      await v.wait(5_100);
      const resting = text(at(accepted(await v.post(ORDER, await v.farOrder())), "orderId"));
      await v.settled(resting, ["OPEN"]);
      await v.control("POST", "/control/phase", { phase: 2 });
      await wire.some(orderIn(resting, "CANCELLED"), "the cancel");
      await wire.some((frame) => onChannel("Positions")(frame) && num(at(frame.json, "data", "positionQty")) === 0);
      expect(listed(await v.get("/api/v1/trading/position"))).toEqual([]);
      expect(listed(await v.get(OPEN_ORDERS))).toEqual([]);
      expect(ids(await v.get(HISTORY))).toEqual(expect.arrayContaining([opened, resting]));
      const ranked = await v.get("/api/v1/tracka/ranking/self", { phase: "PHASE_II" });
      expect(ranked.data).toMatchObject({ phase: "PHASE_II", totalTrades: 0 });
      expect(num(at(ranked.data, "equity"))).toBe(1_000);
      await v.wait(5_100);
      accepted(await v.post("/api/v1/trading/position/leverage", { sym: BTC, leverage: 5 }), 202);
      accepted(await v.post(ORDER, await v.farOrder()));
    }),
  ],
};
