/** What happens when things go wrong, or by themselves. Spec: 1 §1, §7.1; 3 §8; records §2, §4.2, §5.9, §11.3, §11.5, §15. */
import { expect } from "vitest";
import { card, type Surface } from "../harness.ts";
import { at, isObject, type Json, num, text } from "../json.ts";
import { accepted, BTC, listed, ORDER, refused, type Venue } from "../venue.ts";

const SOL = "EXCHANGE_A_PERP_SOL_USDT";
const XRP = "EXCHANGE_A_PERP_XRP_USDT";
const LTC = "EXCHANGE_A_PERP_LTC_USDT";
const STATEMENT = "/api/v1/trading/statement";

/** A long of about four thousand USDT: a fifth of its value is nearly all that the account has. */
async function largeLong(v: Venue, sym: string): Promise<Json> {
  const [{ ask }, rules] = await Promise.all([v.touch(sym), v.rules(sym)]);
  const orderQty = (Math.floor(4_000 / ask / rules.lot) * rules.lot).toFixed(rules.qtyDecimals);
  const order = { sym, side: "BUY", positionSide: "LONG", orderType: "MARKET", orderQty };
  return v.settled(text(at(accepted(await v.post(ORDER, order)), "orderId")), ["FILLED", "CANCELLED"]);
}

const onChannel = (channel: string) => (frame: { json: Json }) => at(frame.json, "channel") === channel;

/** A large position falls until equity is under the floor; over once all is closed. */
async function eliminate(v: Venue): Promise<void> {
  const wire = await v.user();
  await largeLong(v, SOL);
  await v.push(SOL, -0.08);
  await wire.some(
    (frame) => onChannel("Positions")(frame) && num(at(frame.json, "data", "positionQty")) === 0,
    "a flat position",
  );
}

/** With elimination in force, shortly before a funding. */
export const trouble: Surface = {
  name: "trouble",
  cards: [
    card("R-15-05", "records §9.2, §15", "funding writes one FUNDING_FEE line for an open position", async (v) => {
      const opened = await v.open(BTC, "LONG");
      const funding = at(accepted(await v.get("/api/v1/market/fundingRate", { sym: BTC })), 0);
      await v.wait(35_000);
      const lines = listed(await v.get(STATEMENT, { statementType: "FUNDING_FEE" }));
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatchObject({ sym: BTC, coin: "USDT", businessType: "PERP" });
      // Longs pay when the rate is positive.
      const value = num(at(opened, "executedAmount"));
      const expected = -num(at(funding, "fundingRate")) * value;
      expect(Math.abs(num(at(lines[0] ?? null, "deltaAmount")) - expected)).toBeLessThan(value * 0.0005);
    }),
    card("R-2-50001", "records §2, §15", "code 50001: the service is closed for maintenance", async (v) => {
      await v.control("POST", "/control/faults", {
        name: "maintenance",
        params: { cutStreams: false, path: "/api/v1/adl/rank" },
      });
      const reply = await v.get("/api/v1/adl/rank");
      await v.control("DELETE", "/control/faults?name=maintenance");
      expect(reply.code).toBe("50001");
      expect(reply.status).toBeGreaterThanOrEqual(500);
    }),
    card("R-2-40000", "records §1.1, §2", "code 40000: a server failure is HTTP 5xx", async (v) => {
      await v.control("POST", "/control/faults", {
        name: "server-error",
        params: { path: "/api/v1/trading/loan/info" },
      });
      const reply = await v.get("/api/v1/trading/loan/info");
      await v.control("DELETE", "/control/faults?name=server-error");
      expect(reply.code).toBe("40000");
      expect(reply.status).toBeGreaterThanOrEqual(500);
    }),
    card("R-9.1-08", "records §9.1", "a halted symbol is not live and takes no orders: 401011", async (v) => {
      const order = await v.farOrder({ sym: XRP });
      await v.control("POST", "/control/symbol-state", { symbol: XRP, state: "halted" });
      refused(await v.post(ORDER, order), 401011);
      const info = accepted(await v.get("/api/v1/trading/sym/info", { sym: XRP }));
      expect(at(info, XRP, "state")).not.toBe("live");
    }),
    card(
      "T-1-01",
      "1 §1; records §5.9",
      "a transfer between the exchanges leaves a TRANSFER line on each side",
      async (v) => {
        const transfer = { accountId: v.account.id, from: "EXCHANGE_A", to: "EXCHANGE_B", amount: "250" };
        await v.control("POST", "/control/transfer", transfer);
        const lines = listed(await v.get(STATEMENT, { statementType: "TRANSFER" }));
        const deltas = lines.map((line) => [text(at(line, "exchangeType")), num(at(line, "deltaAmount"))]);
        expect([...deltas].sort()).toEqual([
          ["EXCHANGE_A", -250],
          ["EXCHANGE_B", 250],
        ]);
      },
    ),
    card(
      "R-15-06",
      "3 §8; records §4.2, §15",
      "equity under 800 closes everything and ends trading with 100041",
      async (v) => {
        await eliminate(v);
        const order = await v.farOrder({ sym: SOL });
        const reply = await v.until(
          () => v.post(ORDER, order),
          ({ code }) => code !== "429",
          "an order's turn",
        );
        refused(reply, 100041);
      },
    ),
    card(
      "R-15-07",
      "3 §8; records §4.2",
      "an eliminated account can still be read: status word, flat positions, last statement lines",
      async (v) => {
        await eliminate(v);
        const [account] = listed(await v.get("/api/v1/trading/account"));
        expect(["LIQUIDATING", "TAKEOVER"]).toContain(text(at(account ?? null, "accountStatus")));
        expect(listed(await v.get("/api/v1/trading/position"))).toEqual([]);
        expect(listed(await v.get("/api/v1/trading/statement")).length).toBeGreaterThan(0);
        const again = await v.user();
        expect(again.isOpen()).toBe(true);
      },
    ),
  ],
};

/** Without elimination, so that an account can come to its margin's end. */
export const marginEnd: Surface = {
  name: "margin-end",
  cards: [
    card(
      "R-11.3-04",
      "records §4.2, §11.3",
      "MarginCall pushes the account record when uniMMR falls to 1.5",
      async (v) => {
        const wire = await v.user();
        await largeLong(v, SOL);
        await v.push(SOL, -0.19);
        const called = (): boolean => wire.seen().some(onChannel("MarginCall"));
        for (let step = 0; step < 40 && !called(); step++) {
          await v.push(SOL, -0.005);
          wire.sayText("ping");
          await v.wait(1_000);
        }
        const data = at((await wire.some(onChannel("MarginCall"), "a margin call")).json, "data");
        expect(data).toMatchObject({ exchangeType: "EXCHANGE_A", portfolioId: v.account.id });
        expect(num(at(data, "uniMMR"))).toBeLessThanOrEqual(1.5);
        expect(at(data, "accountStatus")).not.toBe("NORMAL");
      },
    ),
    card("R-11.5-01", "records §11.5, §15", "a liquidation pushes its record and writes the fee", async (v) => {
      const wire = await v.user();
      await largeLong(v, LTC);
      await v.push(LTC, -0.24);
      const data = at((await wire.some(onChannel("LiquidationPosition"), "a liquidation")).json, "data");
      expect(data).toMatchObject({ sym: LTC, positionSide: "LONG", exchangeType: "EXCHANGE_A" });
      expect(num(at(data, "reduceQty"))).toBeGreaterThan(0);
      expect(typeof at(data, "createAt")).toBe("number");
      const line = listed(await v.get(STATEMENT, { statementType: "LIQUIDATION_FEE" }))[0] ?? null;
      expect(num(at(line, "deltaAmount"))).toBeLessThan(0);
      expect(isObject(line)).toBe(true);
    }),
    card("R-7.6-03", "records §7.2, §7.6", "what no fund carries is closed against the other side", async (v) => {
      const rival = v.another();
      const wire = await v.user({ key: rival });
      await v.open(XRP, "SHORT", rival);
      await largeLong(v, XRP);
      // Past the price at which the long has nothing left: at no bid of the book is there enough.
      await v.push(XRP, -0.3);
      const reduced = (frame: { json: Json }): boolean =>
        onChannel("Orders")(frame) && at(frame.json, "data", "reason") === "auto-deleveraged";
      const order = at((await wire.some(reduced, "the reducing order")).json, "data");
      expect(order).toMatchObject({ sym: XRP, side: "BUY", positionSide: "SHORT" });
      const closed = listed(await v.get("/api/v1/trading/history/position", { sym: XRP }, rival))[0] ?? null;
      expect(closed).toMatchObject({ closedType: "ADL_CLOSED", positionHistorySide: "SHORT" });
      expect(num(at(closed, "closedPnl"))).toBeGreaterThan(0);
    }),
  ],
};
