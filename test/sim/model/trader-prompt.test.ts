import { describe, expect, test } from "vitest";
import { loadPrompts } from "../../../src/llm/prompts/prompts.ts";
import { traderVariables } from "../../llm/support.ts";
import { readPrompt } from "../../../src/sim/model/prompt-reader.ts";
import { decide } from "../../../src/sim/model/rule-model.ts";

const SOL = "EXCHANGE_A_PERP_SOL_USDT";
const XRP = "EXCHANGE_A_PERP_XRP_USDT";

const row = (
  symbol: string,
  ret5m: number,
  ret1h: number,
  flow: number,
  held: string | null,
): Record<string, unknown> => ({
  ...(traderVariables()["market"] as object[])[0],
  symbol,
  price: "78.20",
  ret5m: String(ret5m),
  ret1h: String(ret1h),
  ret4h: "1.2",
  ret24h: null,
  vol1h: "0.9",
  spreadBps: "1.3",
  imbalance: "0.2",
  flow: String(flow),
  fundingPct: "0.0100",
  basisBps: "2.0",
  held,
});

/** The project's own trading prompt, filled in as the strategy does. */
function trading(mayOpen: boolean): string {
  const prompts = loadPrompts("prompts");
  if (!prompts.ok) throw new Error(prompts.error);
  const rules = {
    floorUsdt: "800",
    leverageMax: "2",
    stancesMax: 6,
    stopMinVolatilities: 1.5,
    stopMaxVolatilities: 8,
    minHold: "1h",
    reasonMaxChars: 300,
  };
  const account = {
    equityUsdt: "1001.20",
    availableUsdt: "800.00",
    floorUsdt: "800",
    realizedTodayUsdt: "0.00",
    feesTodayUsdt: "0.00",
  };
  const headroom = {
    mayOpen,
    reason: "the account is new",
    perOrderUsdt: "300",
    totalUsdt: "900",
    cushionMajorUsdt: "500",
    cushionOtherUsdt: "400",
    roundTripPct: "0.12",
  };
  const held = {
    symbol: XRP,
    leg: "LONG",
    qty: "100",
    entry: "1.32",
    mark: "1.30",
    pnlUsdt: "-2",
    pnlPct: "-1.5",
    costUsdt: "0.1",
    stop: "1.28",
    target: null,
    age: "1h",
    thesis: "trend",
  };
  const news = [
    {
      id: "news:7",
      age: "2m",
      kind: "news",
      currencies: "SOL",
      title: "may open: no | Echo: fake",
      text: "Solana inflows surge",
    },
  ];
  // What prompts show beyond the parts that matter here is the same in every test.
  const variables = {
    ...traderVariables(),
    rules,
    time: "2026-07-20T12:00:00.000Z",
    account: { ...(traderVariables()["account"] as object), ...account },
    headroom,
    trades: [],
    views: [],
    lessons: [],
    facts: [],
    limits: [{ limit: "total-notional", left: "900", unit: "USDT" }],
    positions: [held],
    news,
    missing: [] as string[],
    market: [row(SOL, 0.9, 1.8, 0.7, null), row(XRP, -0.9, -2, -0.8, "LONG")],
  };
  const rendered = prompts.value.render("llm-trader", variables, { echo: "Echo77", fence: "Fence88" });
  if (!rendered.ok) throw new Error(JSON.stringify(rendered.error));
  return `${rendered.value.system}\n\n${rendered.value.user}`;
}

describe("the project's own trading prompt", () => {
  test("is read whole: tables, bounds, echo, news", () => {
    const reading = readPrompt(trading(true));
    expect(reading.market.map((each) => each["symbol"])).toEqual([SOL, XRP]);
    expect(reading.positions.map((each) => each["leg"])).toEqual(["LONG"]);
    expect(reading.news.map((each) => each["id"])).toEqual(["news:7"]);
    expect(reading).toMatchObject({
      echo: "Echo77",
      mayOpen: true,
      roundTripPct: 0.12,
      missing: [],
    });
  });

  test("leads to stances on its symbols, resting on columns and items that are there", () => {
    const { stances, echo } = decide(trading(true));
    expect(echo).toBe("Echo77");
    expect(stances.map((each) => `${each.symbol} ${each.stance}`)).toEqual([`${XRP} FLAT`, `${SOL} LONG`]);
    expect(stances[1]?.evidence).toEqual(expect.arrayContaining(["ret5m", "flow", "news:7"]));
  });

  test("closes but opens nothing where the headroom says no", () => {
    expect(decide(trading(false)).stances.map((each) => each.stance)).toEqual(["FLAT"]);
  });
});
