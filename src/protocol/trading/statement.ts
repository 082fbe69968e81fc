import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { inOrder, listSpellings, upperCased } from "../normalize.ts";
import { pageOf } from "../page.ts";
import { idMaybe, moneyMaybe, moneyNeeded, textMaybe, time } from "../reply-fields.ts";
import { epochMs, exchange, pageFields, symbol } from "../request-fields.ts";

/** The types of statement lines. Trading fees and realised profit are not statement lines. Records §5.9. */
export const STATEMENT_TYPES = [
  "FUNDING_FEE",
  "MODIFY_ASSET",
  "TRANSFER",
  "DEDUCT_INTEREST",
  "LIQUIDATION_FEE",
  "LIQ_COMPENSATION",
] as const;

/** One change of one coin's balance; its time in epoch ms. */
export const statementRecord = z.looseObject({
  /** A JSON number here. */
  portfolioId: idMaybe,
  requestId: idMaybe,
  /** 17 digits. */
  statementId: idMaybe,
  coin: textMaybe,
  /** Empty for account-level lines. */
  sym: textMaybe,
  exchangeType: textMaybe,
  businessType: textMaybe,
  /** One of STATEMENT_TYPES; others may come. */
  statementType: z.string().min(1),
  /** Signed change = afterAvailable - beforeAvailable. */
  deltaAmount: moneyNeeded,
  beforeAvailable: moneyMaybe,
  afterAvailable: moneyMaybe,
  beforeOverdraw: moneyMaybe,
  afterOverdraw: moneyMaybe,
  beforeBorrow: moneyMaybe,
  afterBorrow: moneyMaybe,
  /** A JSON number here. */
  createAt: time,
});

/** Balance changes that trading did not cause; 90 days are kept. */
export const statement = endpoint({
  method: "GET",
  path: "/api/v1/trading/statement",
  section: "1 §4.2; records §5.9",
  limit: { requests: 20, perMs: 60_000 },
  permission: "read",
  paging: { defaultSize: 100, maxSize: 1000 },
  normalize: inOrder(listSpellings, upperCased("statementType")),
  request: z.strictObject({
    coin: z
      .string("a coin")
      .regex(/^[A-Za-z0-9]{1,20}$/, "a coin")
      .optional(),
    sym: symbol.optional(),
    exchange: exchange.optional(),
    statementType: z
      .string("a statement type")
      .regex(/^[A-Z_]{1,40}$/, "a statement type")
      .optional(),
    startTime: epochMs.optional(),
    endTime: epochMs.optional(),
    ...pageFields,
  }),
  reply: pageOf(statementRecord),
});
