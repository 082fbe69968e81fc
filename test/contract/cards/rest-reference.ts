/** Market reference data over REST. Spec: 1 §2.1, §4.5; records §9. */
import { expect } from "vitest";
import { card, type Surface } from "../harness.ts";
import { at, isObject, num, rows, text } from "../json.ts";
import { accepted, BTC, BTC_B, BTC_SPOT, ETH, listed, refused } from "../venue.ts";

const INFO = "/api/v1/trading/sym/info";
const FUNDING = "/api/v1/market/fundingRate";
const MARK = "/api/v1/market/markPrice";
const BRACKET = "/api/v1/trading/positionBracket";

export const restReference: Surface = {
  name: "rest-reference",
  cards: [
    card("T-4.5-01", "1 §4.5; records §9.1", "symbol info is an object keyed by symbol", async (v) => {
      const data = accepted(await v.get(INFO));
      expect(isObject(data) && Object.keys(data)).toEqual(expect.arrayContaining([BTC, ETH, BTC_B]));
    }),
    card("R-9.1-01", "records §9.1", "symbol info stays an object when one symbol is asked for", async (v) => {
      const data = accepted(await v.get(INFO, { sym: BTC }));
      expect(isObject(data) && Object.keys(data)).toEqual([BTC]);
    }),
    card("R-9.1-02", "records §9.1", "the rules of BTC are those of the table, all text", async (v) => {
      const info = at(accepted(await v.get(INFO, { sym: BTC })), BTC);
      expect(info).toMatchObject({
        sym: BTC,
        originalSymbol: "BTCUSDT",
        state: "live",
        pricePrecision: "1",
        qtyPrecision: "3",
      });
      expect(num(at(info, "tickSize"))).toBe(0.1);
      expect(num(at(info, "lotSize"))).toBe(0.001);
      expect(num(at(info, "minNotional"))).toBe(50);
      expect(num(at(info, "contractSize"))).toBe(1);
      expect(at(info, "defaultLeverage")).toBe("5");
      for (const value of Object.values(isObject(info) ? info : {})) expect(typeof value).toBe("string");
    }),
    card("R-9.1-03", "records §9.1", "EXCHANGE_B counts in contracts and states no minimum notional", async (v) => {
      const info = at(accepted(await v.get(INFO, { sym: BTC_B })), BTC_B);
      expect(num(at(info, "contractSize"))).toBe(0.01);
      expect(num(at(info, "minNotional"))).toBe(0);
      expect(at(info, "minSize")).toBe(at(info, "lotSize"));
    }),
    card("R-9.1-04", "records §0.3, §9.1", "native spellings: BTC-USDT-SWAP on EXCHANGE_B", async (v) => {
      expect(at(accepted(await v.get(INFO, { sym: BTC_B })), BTC_B, "originalSymbol")).toBe("BTC-USDT-SWAP");
    }),
    card("T-2.1-01", "1 §2.1", "symbols are EXCHANGE_TYPE_BASE_QUOTE in upper case", async (v) => {
      const data = accepted(await v.get(INFO));
      for (const symbol of Object.keys(isObject(data) ? data : {})) {
        expect(symbol).toMatch(/^EXCHANGE_[AB]_(PERP|SPOT)_[A-Z0-9]+_[A-Z0-9]+$/);
      }
    }),
    card("R-9.1-05", "records §9.1", "a malformed symbol is 400009", async (v) =>
      refused(await v.get(INFO, { sym: "BTC/USDT" }), 400009),
    ),
    card("R-9.1-06", "records §9.1", "a symbol not carried is 401011", async (v) =>
      refused(await v.get(INFO, { sym: "EXCHANGE_A_PERP_NOPE_USDT" }), 401011),
    ),
    card("T-4.5-02", "1 §4.5; records §9.2", "the funding rate of a perpetual is an array of one", async (v) => {
      const data = listed(await v.get(FUNDING, { sym: BTC }));
      expect(data).toHaveLength(1);
      expect(data[0]).toMatchObject({ sym: BTC });
      expect(text(at(data[0] ?? null, "fundingRate"))).toMatch(/^-?\d+(\.\d+)?$/);
    }),
    card("T-4.5-03", "1 §4.5", "sym is required for the funding rate", async (v) =>
      refused(await v.get(FUNDING), 400001),
    ),
    card("R-9.2-01", "records §9.2", "the next funding is at 00:00, 08:00 or 16:00 UTC and ahead", async (v) => {
      const next = num(at(accepted(await v.get(FUNDING, { sym: BTC })), 0, "nextFundingTime"));
      expect(next % (8 * 3_600_000)).toBe(0);
      expect(next).toBeGreaterThan(v.clock.nowMs() - 5_000);
    }),
    card("R-9.2-02", "records §9.2", "a SPOT symbol has no funding rate: 400001", async (v) =>
      refused(await v.get(FUNDING, { sym: BTC_SPOT }), 400001),
    ),
    card("T-4.5-04", "1 §4.5; records §9.3", "the mark price of one symbol", async (v) => {
      const data = listed(await v.get(MARK, { sym: BTC }));
      expect(data).toHaveLength(1);
      expect(data[0]).toMatchObject({
        publicChannelTypeEnum: "MARK_PRICE",
        sym: BTC,
        time: expect.any(Number) as unknown,
      });
      expect(num(at(data[0] ?? null, "markPrice"))).toBeGreaterThan(0);
    }),
    card("R-9.3-01", "records §9.3", "without sym the marks of the perpetuals come, not of spot", async (v) => {
      const symbols = listed(await v.get(MARK)).map((row) => text(at(row, "sym")));
      expect(symbols).toEqual(expect.arrayContaining([BTC, ETH]));
      expect(symbols.filter((symbol) => symbol.includes("_SPOT_"))).toEqual([]);
    }),
    card("T-4.5-05", "1 §4.5; records §9.4", "brackets are an object of tiers keyed by symbol", async (v) => {
      const tiers = rows(at(accepted(await v.get(BRACKET, { sym: BTC })), BTC));
      expect(tiers.length).toBeGreaterThan(1);
      expect(tiers[0]).toMatchObject({ sym: BTC, minNotionalValue: "0", riskLevel: "1" });
      expect(num(at(tiers[0] ?? null, "mmRate"))).toBe(0.008);
    }),
    card("R-9.4-01", "records §9.4", "tiers join without holes, leverage falls as value grows", async (v) => {
      const tiers = rows(at(accepted(await v.get(BRACKET, { sym: ETH })), ETH));
      for (let tier = 1; tier < tiers.length; tier++) {
        const [lower = null, upper = null] = [tiers[tier - 1], tiers[tier]];
        expect(at(upper, "minNotionalValue")).toBe(at(lower, "maxNotionalValue"));
        expect(num(at(upper, "maxLeverage"))).toBeLessThan(num(at(lower, "maxLeverage")));
        expect(num(at(upper, "mmRate"))).toBeGreaterThan(num(at(lower, "mmRate")));
      }
    }),
    card("R-9.4-02", "records §9.4, §18.7", "the broker path serves the brackets too", async (v) => {
      accepted(await v.get("/api/v1/trading/broker/positionBracket", { sym: BTC }));
    }),
    card("T-4.5-06", "1 §4.5; records §9.5", "loan info is keyed by the MARGIN symbol", async (v) => {
      const data = accepted(await v.get("/api/v1/trading/loan/info"));
      for (const key of Object.keys(isObject(data) ? data : {})) expect(key).toContain("_MARGIN_");
    }),
    card("R-9.5-01", "records §9.5, §18.8", "loan info and coin discount have their longer paths too", async (v) => {
      accepted(await v.get("/api/v1/trading/loan/info_detail"));
      accepted(await v.get("/api/v1/trading/coin/discount_detail"));
    }),
    card("T-4.5-07", "1 §4.5; records §9.5", "the discount of USDT is 0.9999", async (v) => {
      const data = accepted(await v.get("/api/v1/trading/coin/discount", { coin: "USDT" }));
      expect(at(data, "USDT")).toEqual({ coin: "USDT", discount: "0.9999" });
    }),
    card("T-4.5-08", "1 §4.5; records §9.5", "margin leverage is a page object", async (v) => {
      expect(accepted(await v.get("/api/v1/trading/margin/leverage"))).toMatchObject({ page: 1, pageSize: 1000 });
    }),
  ],
};
