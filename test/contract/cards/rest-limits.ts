/** The competition's REST rates, one card for each row of the tables. Spec: 1 §8.1; records §3. */
import { expect } from "vitest";
import { type Card, card, type Surface } from "../harness.ts";
import type { Key, Method, Params } from "../rest-client.ts";
import { BTC, type Venue } from "../venue.ts";

interface Row {
  readonly id: string;
  readonly section: string;
  readonly method: Method;
  readonly path: string;
  readonly requests: number;
  readonly seconds: number;
}

/** Written off the tables by hand: method, path, requests, seconds. */
const SEED_ROWS = `
POST /api/v1/trading/order 1 5
PUT /api/v1/trading/order 1 5
DELETE /api/v1/trading/order 1 5
GET /api/v1/market/fundingRate 3 10
GET /api/v1/market/markPrice 3 10
GET /api/v1/trading/sym/info 3 10
DELETE /api/v1/trading/positions 1 10`;

const RECORD_ROWS = `
GET /api/v1/trading/account 1 3
POST /api/v1/trading/account 1 3
GET /api/v1/trading/portfolio/assets 4 1
GET /api/v1/trading/user/tradingStats 4 1
GET /api/v1/trading/userFeeRate 1 20
GET /api/v1/broker/feeRate 1 20
DELETE /api/v1/trading/cancelAll 10 10
GET /api/v1/trading/order 240 60
GET /api/v1/trading/orders 240 60
GET /api/v1/trading/history/orders 6 10
GET /api/v1/trading/archive/history/orders 6 10
GET /api/v1/trading/executions 1 10
GET /api/v1/trading/executions/pageable 1 10
GET /api/v1/trading/statement 20 60
GET /api/v1/trading/position 60 60
GET /api/v1/trading/history/position 6 10
DELETE /api/v1/trading/position 10 10
GET /api/v1/trading/perp/leverage 6 1
POST /api/v1/trading/position/leverage 6 1
GET /api/v1/adl/rank 2 60
GET /api/v1/trading/positionBracket 1 20
GET /api/v1/trading/loan/info 1 20
GET /api/v1/trading/coin/discount 1 20
GET /api/v1/trading/margin/leverage 20 10
POST /api/v1/algo/order 3 50
PUT /api/v1/algo/order 3 50
DELETE /api/v1/algo/order 3 50
GET /api/v1/algo/order 3 50
GET /api/v1/algo/openOrders 3 50
GET /api/v1/algo/history/orders 3 50
DELETE /api/v1/algo/cancelAll 10 10
GET /api/v1/tracka/ranking/self 10 60
GET /api/v1/trackb/ranking/self 10 60`;

const rowsOf = (table: string, section: string, prefix: string): readonly Row[] =>
  table
    .trim()
    .split("\n")
    .map((line, index) => {
      const [method = "GET", path = "", requests = "0", seconds = "0"] = line.split(" ");
      return {
        id: `${prefix}-${String(index + 1).padStart(2, "0")}`,
        section,
        method: method as Method,
        path,
        requests: Number(requests),
        seconds: Number(seconds),
      };
    });

/** Parameters do not matter: the rate is judged before them (records §1.2). They only must do no harm. */
const PARAMS: Readonly<Record<string, Params>> = { "GET /api/v1/market/fundingRate": { sym: BTC } };

/** All calls leave at once, so that they fall into one window whatever the machine does. */
async function burst(v: Venue, row: Row, key: Key, count: number): Promise<readonly number[]> {
  const params = PARAMS[`${row.method} ${row.path}`] ?? {};
  const replies = await Promise.all(Array.from({ length: count }, () => v.call(row.method, row.path, params, key)));
  return replies.map((reply) => reply.status);
}

async function holds(v: Venue, row: Row): Promise<void> {
  // A portfolio key is turned away from the broker endpoint before its rate is counted.
  const fresh = (): Key => (row.path.includes("broker") ? v.key("main") : v.another());
  let key = row.path.includes("broker") ? fresh() : v.account;
  let statuses = await burst(v, row, key, row.requests + 1);
  // A machine that stands still in the middle spreads a burst over two windows; another key shows it undisturbed.
  for (let again = 0; again < 2 && !statuses.includes(429); again++) {
    key = fresh();
    statuses = await burst(v, row, key, row.requests + 1);
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  await v.wait(row.seconds * 1_000 + 500);
  expect(await burst(v, row, key, 1)).not.toContain(429);
}

const cardOf = (row: Row): Card =>
  card(row.id, row.section, `${row.method} ${row.path}: ${row.requests} per ${row.seconds} s, then HTTP 429`, (v) =>
    holds(v, row),
  );

export const restLimits: Surface = {
  name: "rest-limits",
  cards: [
    ...rowsOf(SEED_ROWS, "1 §8.1", "T-8.1").map(cardOf),
    ...rowsOf(RECORD_ROWS, "1 §8.1; records §3", "R-3").map(cardOf),
    card("R-3-50", "records §3", "the rate counts for each key by itself", async (v) => {
      expect((await v.get("/api/v1/trading/account")).status).toBe(200);
      expect((await v.get("/api/v1/trading/account", {}, v.another())).status).toBe(200);
    }),
    card("R-3-51", "records §3", "each verb of a path has a rate of its own", async (v) => {
      expect((await v.post("/api/v1/trading/order")).status).toBe(200);
      expect((await v.put("/api/v1/trading/order")).status).toBe(200);
      expect((await v.del("/api/v1/trading/order")).status).toBe(200);
    }),
    card("R-1.1-05", "records §1.1", "a rate answer is HTTP 429 with an empty body or code 429", async (v) => {
      const [, second] = await Promise.all([v.get("/api/v1/trading/account"), v.get("/api/v1/trading/account")]);
      const replies = [second, await v.get("/api/v1/trading/account")];
      const limited = replies.find((reply) => reply.status === 429);
      expect(limited).toBeDefined();
      expect(["", "429"]).toContain(limited?.code);
    }),
  ],
};
