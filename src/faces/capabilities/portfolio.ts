/** Account reads. Spec: 3 §4.3. */
import { z } from "zod";
import { capability } from "../contract/capability.ts";
import * as fields from "./fields.ts";
import { readRest, wireParams } from "./read.ts";

const shared = {
  operationType: "TRADE_READ",
  riskLevel: "trade-read",
  output: fields.restEnvelope,
} as const;

/** Each is one REST call whose envelope is returned; `portfolio.assets` accepts `exchange` for `exchangeType`. */
export const portfolioReads = [
  capability({
    ...shared,
    id: "portfolio.overview",
    command: ["portfolio", "overview"],
    summary: "Equity, margin and position mode of every exchange account.",
    inputName: "EmptyInput",
    input: z.strictObject({}),
    outputName: "PortfolioOverview",
    run: (call) => readRest(call, "account", {}),
  }),
  capability({
    ...shared,
    id: "portfolio.assets",
    command: ["portfolio", "assets"],
    summary: "Balances by coin.",
    inputName: "PortfolioAssetsInput",
    input: z.strictObject({
      exchangeType: fields.exchange.optional(),
      exchange: fields.exchange.optional(),
      page: fields.page.optional(),
      pageSize: fields.pageSize.optional(),
    }),
    outputName: "PortfolioAssets",
    run: (call, input) => readRest(call, "portfolioAssets", wireParams(input, { exchange: "exchangeType" })),
  }),
  capability({
    ...shared,
    id: "portfolio.statement",
    command: ["portfolio", "statement"],
    summary: "Entries of the account statement: funding, transfers, fees.",
    inputName: "StatementInput",
    input: z.strictObject({
      coin: fields.text("Coin, for example USDT.").optional(),
      symbol: fields.symbol.optional(),
      statementType: fields.text("Kind of line, for example FUNDING_FEE.").optional(),
      exchange: fields.exchange.optional(),
      page: fields.page.optional(),
      pageSize: fields.pageSize.optional(),
      startTime: fields.begin.optional(),
      endTime: fields.end.optional(),
    }),
    outputName: "StatementResult",
    run: (call, input) => readRest(call, "statement", wireParams(input)),
  }),
  capability({
    ...shared,
    id: "portfolio.user-fee-rate",
    command: ["portfolio", "user-fee-rate"],
    summary: "Maker and taker fees of the account.",
    inputName: "EmptyInput",
    input: z.strictObject({}),
    outputName: "UserFeeRate",
    run: (call) => readRest(call, "userFeeRate", {}),
  }),
  capability({
    ...shared,
    id: "portfolio.position-bracket",
    command: ["portfolio", "position-bracket"],
    summary: "Leverage tiers and maintenance rates of a symbol.",
    inputName: "PositionBracketInput",
    input: z.strictObject({ symbol: fields.symbol }),
    outputName: "PositionBracket",
    example: { symbol: "EXCHANGE_A_PERP_BTC_USDT" },
    run: (call, input) => readRest(call, "positionBracket", wireParams(input)),
  }),
];
