import { z } from "zod";
import type { Funding } from "../../domain/position.ts";
import { endpoint } from "../endpoint.ts";
import { upperCased } from "../normalize.ts";
import { moneyNeeded, moneyOf, time, timeMaybe, timeOf } from "../reply-fields.ts";
import { symbol } from "../request-fields.ts";

/** One perpetual's rate; both times in epoch ms. */
export const fundingRecord = z.looseObject({
  sym: z.string().min(1),
  /** Fraction per settlement: "0.0001" is 0.01 %. */
  fundingRate: moneyNeeded,
  /** When this reading was taken. */
  fundingTime: timeMaybe,
  /** Next settlement. */
  nextFundingTime: time,
});

/** The funding rate of one perpetual, in an array of one. */
export const fundingRate = endpoint({
  method: "GET",
  path: "/api/v1/market/fundingRate",
  section: "1 §4.5, §8.1; records §9.2",
  limit: { requests: 3, perMs: 10_000 },
  permission: "read",
  normalize: upperCased("sym"),
  request: z.strictObject({ sym: symbol }),
  reply: z.union([z.array(fundingRecord), fundingRecord]),
});

/** The rate as a fraction per settlement; the time of the reading is dropped. */
export function readFunding(wire: z.output<typeof fundingRecord>): Funding {
  return { symbol: wire.sym, rate: moneyOf(wire.fundingRate), nextFundingAtMs: timeOf(wire.nextFundingTime) };
}

/** The only reading of a reply, or null if the venue sent none for that symbol. */
export function fundingOf(reply: z.output<typeof fundingRate.reply>, symbolAsked: string): Funding | null {
  const rows = Array.isArray(reply) ? reply : [reply];
  const row = rows.find((candidate) => candidate.sym === symbolAsked);
  return row ? readFunding(row) : null;
}
