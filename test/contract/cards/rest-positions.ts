/** Positions, leverage, ADL and ranking. Spec: 1 §4.4, §4.6, §7.1; records §7, §8. */
import { expect } from "vitest";
import { card, type Surface } from "../harness.ts";
import { at, isObject, type Json, num, rows, text } from "../json.ts";
import { accepted, BTC, BTC_B, ETH, listed, ORDER, refused, type Venue } from "../venue.ts";

const POSITION = "/api/v1/trading/position";
const POSITIONS = "/api/v1/trading/positions";
const LEVERAGE = "/api/v1/trading/perp/leverage";
const SET_LEVERAGE = "/api/v1/trading/position/leverage";

const held = async (v: Venue, sym = BTC): Promise<readonly Json[]> =>
  listed(await v.get(POSITION, { sym })).filter((row) => num(at(row, "positionQty")) !== 0);

const flat = (v: Venue, sym = BTC) =>
  v.until(
    () => held(v, sym),
    (found) => found.length === 0,
    `a flat ${sym}`,
  );

const netMode = async (v: Venue): Promise<void> => {
  accepted(await v.post("/api/v1/trading/account", { exchange: "EXCHANGE_A", mode: "NET" }));
};

/** A market order in one-way mode. */
async function netOrder(v: Venue, side: "BUY" | "SELL"): Promise<void> {
  const { orderQty } = await v.farOrder();
  const reply = await v.post(ORDER, { sym: BTC, side, orderType: "MARKET", orderQty: orderQty ?? "0" });
  await v.settled(text(at(accepted(reply), "orderId")), ["FILLED"]);
}

const leverageOf = async (v: Venue, sym: string): Promise<string> =>
  text(at(listed(await v.get(LEVERAGE, { sym }))[0] ?? null, "leverage"));

export const restPositions: Surface = {
  name: "rest-positions",
  cards: [
    card("T-4.4-01", "1 §4.4; records §7.1", "a filled buy with LONG is a position", async (v) => {
      const order = await v.open(BTC, "LONG");
      const [row = null] = await held(v);
      expect(row).toMatchObject({ sym: BTC, positionSide: "LONG" });
      expect(num(at(row, "positionQty"))).toBe(num(at(order, "executedQty")));
      expect(num(at(row, "avgPrice"))).toBeCloseTo(num(at(order, "executedAvgPrice")), 4);
    }),
    card("R-7.1-01", "records §7.1", "the position record has the documented fields as text", async (v) => {
      await v.open(BTC, "LONG");
      const [row = null] = await held(v);
      const fields = [
        "positionId",
        "portfolioId",
        "sym",
        "positionSide",
        "positionQty",
        "avgPrice",
        "markPrice",
        "positionValue",
        "positionMargin",
        "positionMM",
        "unrealizedPNL",
        "unrealizedPNLRate",
        "leverage",
        "maxLeverage",
        "riskLevel",
        "fee",
        "fundingFee",
        "liqPrice",
        "createAt",
        "updateAt",
      ];
      for (const field of fields) expect(typeof at(row, field), field).toBe("string");
      expect(text(at(row, "positionId"))).toMatch(/^\d{17}$/);
    }),
    card("R-7.1-02", "records §7.1", "value, margin and profit of a position add up", async (v) => {
      await v.open(BTC, "SHORT");
      const [row = null] = await held(v);
      const figure = (field: string): number => num(at(row, field));
      expect(figure("positionValue")).toBeCloseTo(figure("positionQty") * figure("markPrice"), 4);
      expect(figure("positionMargin")).toBeCloseTo(figure("positionValue") / figure("leverage"), 4);
      expect(figure("unrealizedPNL")).toBeCloseTo(
        (figure("avgPrice") - figure("markPrice")) * figure("positionQty"),
        4,
      );
    }),
    card(
      "R-7.1-03",
      "records §7.1; 1 §2.6",
      "hedge mode holds a long and a short of one symbol side by side",
      async (v) => {
        await v.open(BTC, "LONG");
        await v.wait(5_300);
        await v.open(BTC, "SHORT");
        expect((await held(v)).map((row) => text(at(row, "positionSide"))).sort()).toEqual(["LONG", "SHORT"]);
      },
    ),
    card("R-7.1-04", "records §7.1", "in one-way mode a short is NONE with a negative quantity", async (v) => {
      await netMode(v);
      await netOrder(v, "SELL");
      const [row = null] = await held(v);
      expect(at(row, "positionSide")).toBe("NONE");
      expect(num(at(row, "positionQty"))).toBeLessThan(0);
    }),
    card("R-15-03", "records §15", "in one-way mode the opposite order nets the position away", async (v) => {
      await netMode(v);
      await netOrder(v, "BUY");
      await v.wait(5_300);
      await netOrder(v, "SELL");
      await flat(v);
    }),
    card("T-4.4-02", "1 §4.4", "sym and exchange filter the positions", async (v) => {
      await v.open(BTC, "LONG");
      expect(await held(v, ETH)).toEqual([]);
      expect(listed(await v.get(POSITION, { exchange: "EXCHANGE_B" }))).toEqual([]);
    }),
    card(
      "T-4.4-03",
      "1 §4.4; records §7.3",
      "DELETE position closes the whole side with HTTP 202 and an order id",
      async (v) => {
        await v.open(BTC, "LONG");
        const data = accepted(await v.del(POSITION, { sym: BTC, positionSide: "LONG" }), 202);
        await v.settled(text(at(data, "orderId")), ["FILLED"]);
        await flat(v);
      },
    ),
    card("T-7.1-401097", "1 §4.4, §7.1", "code 401097: closing a position of quantity 0", async (v) =>
      refused(await v.del(POSITION, { sym: BTC, positionSide: "LONG" }), 401097),
    ),
    card("R-7.3-01", "records §7.3", "a close needs positionSide in hedge mode", async (v) => {
      await v.open(BTC, "LONG");
      refused(await v.del(POSITION, { sym: BTC }), 400001);
    }),
    card("R-7.3-02", "records §7.3, §18.29", "in one-way mode a close with positionSide is refused", async (v) => {
      await netMode(v);
      await netOrder(v, "BUY");
      refused(await v.del(POSITION, { sym: BTC, positionSide: "LONG" }), 400001);
    }),
    card("R-7.3-03", "records §7.3", "in one-way mode a close names the symbol alone", async (v) => {
      await netMode(v);
      await netOrder(v, "BUY");
      accepted(await v.del(POSITION, { sym: BTC }), 202);
      await flat(v);
    }),
    card("R-7.3-04", "records §7.3", "a close of a malformed symbol is 400009", async (v) =>
      refused(await v.del(POSITION, { sym: "BTC", positionSide: "LONG" }), 400009),
    ),
    card("R-7.3-05", "records §7.3", "a close of a symbol not carried is 401011", async (v) =>
      refused(await v.del(POSITION, { sym: "EXCHANGE_A_PERP_NOPE_USDT", positionSide: "LONG" }), 401011),
    ),
    card("T-4.4-04", "1 §4.4; records §7.4", "closeAllPos as the text true closes all, one row each", async (v) => {
      await v.open(BTC, "LONG");
      const data = accepted(await v.del(POSITIONS, { exchangeType: "EXCHANGE_A", closeAllPos: "true" }), 202);
      expect(rows(data)).toHaveLength(1);
      expect(at(data, 0)).toMatchObject({ sym: BTC, positionSide: "LONG", success: "true", errorMsg: "" });
      await flat(v);
    }),
    card("R-7.4-01", "records §7.4", "symList closes the named symbols only", async (v) => {
      await v.open(BTC, "LONG");
      await v.wait(5_300);
      await v.open(ETH, "LONG");
      accepted(await v.del(POSITIONS, { symList: `${ETH}` }), 202);
      await flat(v, ETH);
      expect(await held(v)).toHaveLength(1);
    }),
    card("R-7.4-02", "records §7.4", "neither closeAllPos nor symList is refused with 400001", async (v) =>
      refused(await v.del(POSITIONS, { exchangeType: "EXCHANGE_A" }), 400001),
    ),
    card("T-4.4-05", "1 §4.4; records §7.2", "a closed position stands in the history", async (v) => {
      await v.open(BTC, "LONG");
      accepted(await v.del(POSITION, { sym: BTC, positionSide: "LONG" }), 202);
      await flat(v);
      const data = accepted(await v.get("/api/v1/trading/history/position"));
      expect(isObject(data)).toBe(true);
      const row = rows(data)[0] ?? null;
      expect(row).toMatchObject({
        sym: BTC,
        closedType: "COMPLETE_CLOSED",
        positionHistorySide: "LONG",
        positionMode: "BOTH",
      });
      expect(typeof at(row, "leverage")).toBe("number");
      expect(num(at(row, "closedQty"))).toBe(num(at(row, "maxPositionQty")));
    }),
    card("R-7.2-01", "records §7.2, §15", "closedPnl is the price difference times the quantity", async (v) => {
      await v.open(BTC, "LONG");
      accepted(await v.del(POSITION, { sym: BTC, positionSide: "LONG" }), 202);
      await flat(v);
      const row = listed(await v.get("/api/v1/trading/history/position"))[0] ?? null;
      const gain = (num(at(row, "closedAvgPrice")) - num(at(row, "openAvgPrice"))) * num(at(row, "closedQty"));
      expect(num(at(row, "closedPnl"))).toBeCloseTo(gain, 4);
    }),
    card("T-4.4-06", "1 §4.4; records §7.5", "leverage is an array of symbol and text; sym filters", async (v) => {
      const data = listed(await v.get(LEVERAGE, { sym: BTC }));
      expect(data).toHaveLength(1);
      expect(data[0]).toMatchObject({ sym: BTC, leverage: "5" });
    }),
    card("R-7.5-01", "records §7.5", "leverage by exchange lists the perpetuals of that exchange", async (v) => {
      const symbols = listed(await v.get(LEVERAGE, { exchange: "EXCHANGE_B" })).map((row) => at(row, "sym"));
      expect(symbols).toContain(BTC_B);
      expect(symbols).not.toContain(BTC);
    }),
    card(
      "T-4.4-07",
      "1 §4.4; records §7.5",
      "setting leverage answers 202 and is found by reading again",
      async (v) => {
        expect(accepted(await v.post(SET_LEVERAGE, { sym: BTC, leverage: 3 }), 202)).toEqual({});
        expect(
          await v.until(
            () => leverageOf(v, BTC),
            (found) => found === "3",
            "leverage 3",
          ),
        ).toBe("3");
      },
    ),
    card("R-7.5-02", "records §7.5, §18.4", "leverage is accepted as text", async (v) => {
      accepted(await v.post(SET_LEVERAGE, { sym: ETH, leverage: "4" }), 202);
      await v.until(
        () => leverageOf(v, ETH),
        (found) => found === "4",
        "leverage 4",
      );
    }),
    card("R-7.5-03", "records §7.5", "leverage 0 is refused with 400001", async (v) =>
      refused(await v.post(SET_LEVERAGE, { sym: BTC, leverage: 0 }), 400001),
    ),
    card("R-7.5-04", "records §7.5", "leverage above the first bracket is refused with 400001", async (v) =>
      refused(await v.post(SET_LEVERAGE, { sym: BTC, leverage: 125 }), 400001),
    ),
    card("R-7.5-05", "1 §4.4", "leverage is a whole number", async (v) =>
      refused(await v.post(SET_LEVERAGE, { sym: BTC, leverage: 2.5 }), 400001),
    ),
    card("R-7.5-06", "records §7.5", "a new leverage changes the margin of an open position", async (v) => {
      await v.open(BTC, "LONG");
      accepted(await v.post(SET_LEVERAGE, { sym: BTC, leverage: 1 }), 202);
      const found = await v.until(
        () => held(v),
        (list) => at(list[0] ?? null, "leverage") === "1",
        "leverage 1",
      );
      const row = found[0] ?? null;
      expect(num(at(row, "positionMargin"))).toBeCloseTo(num(at(row, "positionValue")), 4);
    }),
    card("T-4.4-08", "1 §4.4; records §7.6", "ADL ranks name position, side and a rank from 1 to 5", async (v) => {
      await v.open(BTC, "LONG");
      const rank = at(accepted(await v.get("/api/v1/adl/rank", { sym: BTC })), "adlRanks", 0);
      expect(rank).toMatchObject({ sym: BTC, positionSide: "LONG" });
      expect(text(at(rank, "adlRank"))).toMatch(/^[1-5]$/);
    }),
    card("R-7.6-01", "records §7.6", "a flat account has no ADL ranks", async (v) =>
      expect(at(accepted(await v.get("/api/v1/adl/rank")), "adlRanks")).toEqual([]),
    ),
    card("R-2-30015", "records §2, §8.1", "code 30015: an unknown phase in the ranking", async (v) =>
      refused(await v.get("/api/v1/tracka/ranking/self", { phase: "PHASE_IX" }), 30015),
    ),
    card("R-2-30016", "records §2, §8.1", "code 30016: a phase without figures", async (v) =>
      refused(await v.get("/api/v1/tracka/ranking/self", { phase: "PHASE_I" }), 30016),
    ),
    card("R-8.1-01", "1 §4.6; records §8.1", "the own row of track A comes with code 200", async (v) => {
      const reply = await v.get("/api/v1/tracka/ranking/self", { phase: "PHASE_II" });
      expect(reply.code).toBe("200");
      expect(reply.data).toMatchObject({ status: "ACTIVE", isEliminated: false, phase: "PHASE_II" });
      expect(num(at(reply.data, "equity"))).toBe(1_000);
      const today = new Date(num(at(reply.data, "calcTime"))).toISOString().slice(0, 10);
      expect(at(reply.data, "dt"), "an account of today has no figures of an earlier day").toBe(today);
    }),
    card("R-8.2-01", "1 §4.6; records §8.2", "the own row of track B comes with code 200", async (v) => {
      const reply = await v.get("/api/v1/trackb/ranking/self", { participantId: v.account.id });
      expect(reply.code).toBe("200");
      expect(num(at(reply.data, "netAssets"))).toBe(1_000);
    }),
    card("R-2-1100005", "records §2, §8.2", "code 1100005: a participant not bound to the key", async (v) =>
      refused(await v.get("/api/v1/trackb/ranking/self", { participantId: "p-1" }), 1100005),
    ),
  ],
};
