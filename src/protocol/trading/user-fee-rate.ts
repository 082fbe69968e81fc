import { z } from "zod";
import type { ExchangeFees } from "../../domain/venue.ts";
import { endpoint } from "../endpoint.ts";
import { idMaybe, moneyMaybe, moneyNeeded, moneyOf, textMaybe } from "../reply-fields.ts";

/** Maker and taker fee rates, one record for each exchange and business type. */
export const userFeeRate = endpoint({
  method: "GET",
  path: "/api/v1/trading/userFeeRate",
  section: "1 §4.1; records §4.6",
  limit: { requests: 1, perMs: 20_000 },
  permission: "read",
  request: z.strictObject({}),
  reply: z.array(
    z.looseObject({
      exchangeType: z.string().min(1),
      /** SPOT or PERP. */
      businessType: z.string().min(1),
      /** Fraction of notional. */
      takerFeeRate: moneyNeeded,
      /** Fraction of notional. */
      makerFeeRate: moneyNeeded,
      /** Tier label. */
      level: idMaybe,
      /** Symbol groups with rates of their own. */
      groupList: z
        .array(
          z.looseObject({
            groupName: textMaybe,
            takerFee: moneyMaybe,
            makerFee: moneyMaybe,
            symList: z.array(z.string()).nullish(),
          }),
        )
        .nullish(),
    }),
  ),
});

/** A larger rate is not a fee but a figure in another unit. */
const RATE_MAX = 0.05;

/** The rates of perpetuals. Those of symbol groups are left out: fills show them. */
export const feesOf = (records: z.output<typeof userFeeRate.reply>): readonly ExchangeFees[] =>
  records
    .filter(({ businessType }) => businessType === "PERP")
    .map(({ exchangeType: exchange, takerFeeRate, makerFeeRate }) => ({
      exchange,
      taker: moneyOf(takerFeeRate),
      maker: moneyOf(makerFeeRate),
    }))
    .filter(({ taker, maker }) => taker.abs().lte(RATE_MAX) && maker.abs().lte(RATE_MAX));
