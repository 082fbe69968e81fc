/** What only a service in Phase I shows, with its fifty perpetuals. Spec: 1 §7.2, §8.2; 3 §8; records §7.5, §15. */
import { expect } from "vitest";
import { card, type Surface } from "../harness.ts";
import { at, isObject, rows, text } from "../json.ts";
import { accepted, BTC, BTC_B, ORDER, refused } from "../venue.ts";

const bbo = (symbols: readonly string[]) => ({
  event: "subscribe",
  arg: symbols.map((sym) => ({ channel: "BBO", sym })),
});

export const phaseOne: Surface = {
  name: "phase-one",
  cards: [
    card("T-7.2-11220", "1 §7.2, §8.2", "code 11220: a fifty-first symbol after login", async (v) => {
      const wire = await v.market();
      wire.say({ action: "login", args: v.socketLogin(v.account, v.nonce()) });
      await wire.next((frame) => at(frame.json, "event") === "login", "a login reply");
      const info = accepted(await v.get("/api/v1/trading/sym/info"));
      const symbols = Object.keys(isObject(info) ? info : {}).slice(0, 51);
      expect(symbols).toHaveLength(51);
      const ack = async (wanted: readonly string[]) => {
        wire.say(bbo(wanted));
        return at((await wire.next((frame) => at(frame.json, "event") === "subscribe", "an ack")).json, "code");
      };
      expect(await ack(symbols.slice(0, 50))).toBe(0);
      expect(await ack(symbols.slice(50))).toBe(11220);
    }),
    card("R-9.1-07", "3 §8; records §9.1", "Phase I carries its fifty perpetuals", async (v) => {
      const info = accepted(await v.get("/api/v1/trading/sym/info"));
      const perps = Object.keys(isObject(info) ? info : {}).filter((symbol) => symbol.startsWith("EXCHANGE_A_PERP_"));
      expect(perps).toHaveLength(50);
    }),
    card("R-7.5-07", "3 §8; records §7.5", "an opening order above leverage 2 is refused in Phase I", async (v) =>
      refused(await v.post(ORDER, await v.farOrder()), 400001),
    ),
    card("R-7.5-08", "3 §8; records §7.5", "after lowering the leverage to 2 the order is accepted", async (v) => {
      accepted(await v.post("/api/v1/trading/position/leverage", { sym: BTC, leverage: 2 }), 202);
      accepted(await v.post(ORDER, await v.farOrder()));
    }),
    card("R-7.5-09", "records §7.5", "setting a leverage above the cap stays allowed", async (v) => {
      accepted(await v.post("/api/v1/trading/position/leverage", { sym: BTC, leverage: 6 }), 202);
      await v.until(
        async () => rows((await v.get("/api/v1/trading/perp/leverage", { sym: BTC })).data),
        (found) => text(at(found[0] ?? null, "leverage")) === "6",
        "leverage 6",
      );
    }),
    card("R-15-04", "records §15", "a perpetual outside the fifty cannot be traded in Phase I: 401011", async (v) =>
      refused(await v.post(ORDER, await v.farOrder({ sym: BTC_B })), 401011),
    ),
  ],
};
