/** Account, assets, fees and statement. Spec: 1 §2.6, §3.2, §4.1; records §4, §5.9. */
import { expect } from "vitest";
import { card, type Surface } from "../harness.ts";
import { at, num, rows, text } from "../json.ts";
import { accepted, BTC, listed, ORDER, refused, type Venue } from "../venue.ts";

const ACCOUNT = "/api/v1/trading/account";
const ASSETS = "/api/v1/trading/portfolio/assets";
const STATEMENT = "/api/v1/trading/statement";
const STATS = "/api/v1/trading/user/tradingStats";

const ACCOUNT_FIELDS = [
  "equity",
  "maintainMargin",
  "positionValue",
  "uniMMR",
  "riskRatio",
  "marginValue",
  "frozenMargin",
  "perpMargin",
  "debtMargin",
  "openLossMargin",
  "validMargin",
  "availableMargin",
  "upnl",
] as const;

const accountOf = async (v: Venue, exchange = "EXCHANGE_A") =>
  listed(await v.get(ACCOUNT)).find((row) => at(row, "exchangeType") === exchange) ?? null;

/** The account is limited to 1 per 3 s: a card that reads it twice waits between. */
const again = async (v: Venue) => {
  await v.wait(3_300);
  return accountOf(v);
};

const setMode = (v: Venue, mode: string) => v.post(ACCOUNT, { exchange: "EXCHANGE_A", mode });
const secondsAround = (v: Venue) => ({ begin: v.nonce(-3_600), end: v.nonce(3_600) });

export const restAccount: Surface = {
  name: "rest-account",
  cards: [
    card("T-4.1-01", "1 §4.1; records §4.1", "the account overview has one record for each exchange", async (v) => {
      const names = listed(await v.get(ACCOUNT)).map((row) => text(at(row, "exchangeType")));
      expect([...names].sort()).toEqual(["EXCHANGE_A", "EXCHANGE_B"]);
    }),
    card("R-4.1-01", "records §0.2, §4.1", "figures of the account are plain decimal texts", async (v) => {
      const row = await accountOf(v);
      for (const field of ACCOUNT_FIELDS) expect(text(at(row, field)), field).toMatch(/^-?\d+(\.\d+)?$/);
    }),
    card("R-4.1-02", "records §4.1", "portfolioId is a text of 16 digits", async (v) => {
      expect(at(await accountOf(v), "portfolioId")).toBe(v.account.id);
    }),
    card("R-4.1-03", "records §4.1; 3 §8", "a fresh account holds 1000 USDT over all exchanges", async (v) => {
      const total = listed(await v.get(ACCOUNT)).reduce((sum: number, row) => sum + num(at(row, "equity")), 0);
      expect(total).toBe(1000);
    }),
    card("R-4.1-04", "records §4.1", "a flat account: riskRatio 0 and a huge uniMMR", async (v) => {
      const row = await accountOf(v);
      expect(num(at(row, "riskRatio"))).toBe(0);
      expect(num(at(row, "uniMMR"))).toBeGreaterThanOrEqual(99_999);
    }),
    card("R-4.1-05", "records §4.1", "with a position the margin figures add up", async (v) => {
      await v.open(BTC, "LONG");
      const row = await accountOf(v);
      const figure = (field: string): number => num(at(row, field));
      expect(figure("frozenMargin")).toBeCloseTo(figure("perpMargin") + figure("debtMargin"), 6);
      expect(figure("validMargin")).toBeCloseTo(figure("marginValue") - figure("openLossMargin"), 6);
      expect(figure("availableMargin")).toBeCloseTo(figure("validMargin") - figure("frozenMargin"), 6);
      expect(figure("positionValue")).toBeGreaterThan(0);
      expect(figure("maintainMargin")).toBeGreaterThan(0);
    }),
    card("R-4.1-06", "records §4.1", "an open order freezes initial margin", async (v) => {
      const before = num(at(await accountOf(v), "availableMargin"));
      accepted(await v.post(ORDER, await v.farOrder()));
      const row = await again(v);
      expect(num(at(row, "availableMargin"))).toBeLessThan(before);
      expect(num(at(row, "perpMargin"))).toBeGreaterThan(0);
    }),
    card("R-4.2-01", "records §4.2", "an account without trouble is NORMAL", async (v) => {
      expect(at(await accountOf(v), "accountStatus")).toBe("NORMAL");
    }),
    card("T-2.6-01", "1 §2.6", "the position mode is BOTH by default", async (v) => {
      expect(at(await accountOf(v), "positionMode")).toBe("BOTH");
    }),
    card("T-3.2-01", "1 §3.2", "BOTH to NET when nothing is open", async (v) => {
      accepted(await setMode(v, "NET"));
      expect(at(await accountOf(v), "positionMode")).toBe("NET");
    }),
    card("T-3.2-02", "1 §3.2", "NET to BOTH when nothing is open", async (v) => {
      accepted(await setMode(v, "NET"));
      await v.wait(3_300);
      accepted(await setMode(v, "BOTH"));
      expect(at(await accountOf(v), "positionMode")).toBe("BOTH");
    }),
    card("T-3.2-03", "1 §3.2, §7.1", "code 406012: the mode stays while an order is open", async (v) => {
      accepted(await v.post(ORDER, await v.farOrder()));
      refused(await setMode(v, "NET"), 406012);
      expect(at(await accountOf(v), "positionMode")).toBe("BOTH");
    }),
    card("T-3.2-04", "1 §3.2, §7.1", "code 406012: the mode stays while a position is open", async (v) => {
      await v.open(BTC, "LONG");
      refused(await setMode(v, "NET"), 406012);
      expect(at(await accountOf(v), "positionMode")).toBe("BOTH");
    }),
    card("R-4.3-01", "records §4.3", "setting the mode in force succeeds without effect", async (v) => {
      expect(accepted(await setMode(v, "BOTH"))).toEqual({});
    }),
    card("R-4.3-02", "records §4.3, §18.1", "exchangeType and positionMode are accepted as aliases", async (v) => {
      accepted(await v.post(ACCOUNT, { exchangeType: "EXCHANGE_A", positionMode: "NET" }));
      expect(at(await accountOf(v), "positionMode")).toBe("NET");
    }),
    card("R-4.3-03", "records §4.3", "an unknown mode is refused with 400001", async (v) =>
      refused(await setMode(v, "SIDEWAYS"), 400001),
    ),
    card("R-4.3-04", "records §4.3", "a missing exchange is refused with 400001", async (v) =>
      refused(await v.post(ACCOUNT, { mode: "NET" }), 400001),
    ),
    card("R-4.3-05", "records §4.3", "an unknown exchange is refused with 400001", async (v) =>
      refused(await v.post(ACCOUNT, { exchange: "EXCHANGE_Q", mode: "NET" }), 400001),
    ),
    card("T-4.1-02", "1 §4.1; records §4.4", "assets come as a page with the initial USDT", async (v) => {
      const data = accepted(await v.get(ASSETS));
      expect(data).toMatchObject({ page: 1, pageSize: 1000, pageNum: 1 });
      const usdt = rows(data).find((row) => at(row, "coin") === "USDT" && at(row, "exchangeType") === "EXCHANGE_A");
      expect(num(at(usdt ?? null, "balance"))).toBe(1000);
    }),
    card("R-4.4-01", "records §4.4", "every field of an asset is text, as the records list them", async (v) => {
      const item = listed(await v.get(ASSETS))[0] ?? null;
      const fields = [
        "portfolioId",
        "coin",
        "exchangeType",
        "balance",
        "available",
        "frozen",
        "debt",
        "equity",
        "equityValue",
        "borrow",
        "virtualBorrow",
        "overdraw",
        "indexPrice",
        "marginValue",
        "upnl",
        "debtMargin",
        "perpMargin",
        "maxTransferable",
        "createAt",
        "updateAt",
      ];
      for (const field of fields) expect(typeof at(item, field), field).toBe("string");
    }),
    card("R-4.4-02", "records §4.4", "the margin value of USDT is its balance times 0.9999", async (v) => {
      const usdt =
        listed(await v.get(ASSETS, { exchangeType: "EXCHANGE_A" })).find((row) => at(row, "coin") === "USDT") ?? null;
      expect(num(at(usdt, "marginValue"))).toBeCloseTo(999.9, 6);
    }),
    card("R-4.4-03", "records §4.4", "exchangeType filters the assets", async (v) => {
      for (const row of listed(await v.get(ASSETS, { exchangeType: "EXCHANGE_B" }))) {
        expect(at(row, "exchangeType")).toBe("EXCHANGE_B");
      }
    }),
    card("R-4.4-04", "records §1.3", "pageNum is an alias of page on the assets", async (v) => {
      const data = accepted(await v.get(ASSETS, { pageNum: "99", pageSize: "1" }));
      expect(data).toMatchObject({ page: 99, list: [] });
    }),
    card("T-4.1-03", "1 §4.1; records §4.5", "trading statistics take epoch seconds and echo them", async (v) => {
      const window = secondsAround(v);
      const data = accepted(await v.get(STATS, window));
      expect(data).toMatchObject({ begin: window.begin, end: window.end });
      expect(num(at(data, "allPerp"))).toBe(0);
    }),
    card("R-4.5-01", "records §4.5", "executed amounts are counted in USDT, by exchange and type", async (v) => {
      const order = await v.open(BTC, "LONG");
      const data = accepted(await v.get(STATS, secondsAround(v)));
      expect(num(at(data, "allPerp"))).toBeCloseTo(num(at(order, "executedAmount")), 6);
      expect(at(data, "details", 0)).toMatchObject({ exchange: "EXCHANGE_A", businessType: "PERP" });
    }),
    card("R-4.5-02", "records §4.5", "statistics without begin are refused with 400001", async (v) =>
      refused(await v.get(STATS, { end: v.nonce() }), 400001),
    ),
    card("R-4.5-03", "records §1.4", "endTime is accepted for end on the statistics", async (v) => {
      accepted(await v.get(STATS, { begin: v.nonce(-60), endTime: v.nonce() }));
    }),
    card("T-4.1-04", "1 §4.1; records §4.6", "fee rates: taker 0.000175 on perpetuals", async (v) => {
      const rates = listed(await v.get("/api/v1/trading/userFeeRate"));
      const perp =
        rates.find((row) => at(row, "exchangeType") === "EXCHANGE_A" && at(row, "businessType") === "PERP") ?? null;
      expect(num(at(perp, "takerFeeRate"))).toBe(0.000175);
      expect(typeof at(perp, "level")).toBe("string");
    }),
    card("R-4.6-01", "records §4.6", "fee rates come for spot and perpetuals of each exchange", async (v) => {
      const rates = listed(await v.get("/api/v1/trading/userFeeRate"));
      const pairs = rates.map((row) => `${text(at(row, "exchangeType"))} ${text(at(row, "businessType"))}`);
      expect([...pairs].sort()).toEqual(["EXCHANGE_A PERP", "EXCHANGE_A SPOT", "EXCHANGE_B PERP", "EXCHANGE_B SPOT"]);
    }),
    card("T-4.2-20", "1 §4.2; records §5.9", "the initial credit is one MODIFY_ASSET line of 1000 USDT", async (v) => {
      const lines = listed(await v.get(STATEMENT));
      expect(lines).toHaveLength(1);
      const line = lines[0] ?? null;
      expect(line).toMatchObject({ statementType: "MODIFY_ASSET", coin: "USDT", exchangeType: "EXCHANGE_A" });
      expect(num(at(line, "deltaAmount"))).toBe(1000);
    }),
    card(
      "R-5.9-01",
      "records §0.2, §5.9",
      "statement portfolioId and createAt are JSON numbers, statementId is text",
      async (v) => {
        const line = listed(await v.get(STATEMENT))[0] ?? null;
        expect(typeof at(line, "portfolioId")).toBe("number");
        expect(typeof at(line, "createAt")).toBe("number");
        expect(text(at(line, "statementId"))).toMatch(/^\d{17}$/);
      },
    ),
    card("R-5.9-02", "records §5.9", "deltaAmount is afterAvailable less beforeAvailable", async (v) => {
      const line = listed(await v.get(STATEMENT))[0] ?? null;
      expect(num(at(line, "deltaAmount"))).toBeCloseTo(
        num(at(line, "afterAvailable")) - num(at(line, "beforeAvailable")),
        8,
      );
    }),
    card("R-5.9-03", "records §5.9", "trading fees and profits are no statement lines", async (v) => {
      await v.open(BTC, "LONG");
      expect(listed(await v.get(STATEMENT))).toHaveLength(1);
    }),
    card("R-5.9-04", "records §5.9", "statementType and the window filter the statement", async (v) => {
      expect(listed(await v.get(STATEMENT, { statementType: "FUNDING_FEE" }))).toEqual([]);
      expect(listed(await v.get(STATEMENT, { statementType: "MODIFY_ASSET" }))).toHaveLength(1);
      expect(listed(await v.get(STATEMENT, { endTime: "1600000000000" }))).toEqual([]);
    }),
    card("R-4.7-01", "records §4.7", "a broker fee row names portfolio, exchange and instrument type", async (v) => {
      const data = listed(await v.get("/api/v1/broker/feeRate", { instType: "perp" }, v.key("main")));
      expect(data.length).toBeGreaterThan(0);
      for (const row of data) expect(at(row, "instType")).toBe("perp");
    }),
  ],
};
