/** Commands and market moves drawn from a seed, for tests of what holds whatever is done. */
import { dec } from "../../../src/core/decimal.ts";
import type { Entropy } from "../../../src/core/entropy.ts";
import type { Exchange } from "../../../src/sim/exchange/contract/api.ts";
import { ALICE, BOB, CAROL, ETH_B, field, good, SOL } from "./venue.ts";

export const ACCOUNTS = [ALICE, BOB, CAROL];
const pick = <T>(chance: Entropy, values: readonly T[]): T => values[chance.int("pick", 0, values.length)] as T;

/** A venue under random commands. */
export interface Run {
  readonly exchange: Exchange;
  readonly chance: Entropy;
  nowMs: number;
}

const price = (chance: Entropy, spread: number): string =>
  ((1000 + chance.int("price", -spread, spread + 1)) / 10).toString();

function placeSomething({ exchange, chance, nowMs }: Run, accountId: string): void {
  exchange.place(
    accountId,
    {
      sym: pick(chance, [SOL, SOL, ETH_B]),
      side: pick(chance, ["BUY", "SELL"]),
      positionSide: pick(chance, ["LONG", "SHORT"]),
      orderType: pick(chance, ["LIMIT", "LIMIT", "MARKET"]),
      orderQty: (chance.int("qty", 5, 400) / 100).toString(),
      limitPrice: price(chance, 15),
      timeInForce: pick(chance, ["GTC", "GTC", "IOC", "FOK", "GTX"]),
      reduceOnly: pick(chance, ["TRUE", "FALSE", "FALSE"]),
      ...(chance.chance("protected", 0.2) ? { slTriggerPrice: price(chance, 100), slTriggerType: "MARK_PRICE" } : {}),
    },
    nowMs,
  );
}

function changeSomething({ exchange, chance, nowMs }: Run, accountId: string): void {
  const open = good(exchange.openOrders(accountId, {}, nowMs)).list;
  const orderId = open.length === 0 ? "2190000000000001" : field(pick(chance, open), "orderId");
  if (chance.chance("cancel", 0.5)) exchange.cancel(accountId, { orderId }, nowMs);
  else {
    const replaceQty = chance.chance("qty", 0.5) ? (chance.int("qty", 5, 400) / 100).toString() : undefined;
    exchange.amend(accountId, { orderId, replaceQty, replacePrice: price(chance, 15) }, nowMs);
  }
}

function algoSomething({ exchange, chance, nowMs }: Run, accountId: string): void {
  const side = pick(chance, ["BUY", "SELL"] as const);
  const [low, high] = ["96", "104"];
  const sells = side === "SELL";
  exchange.placeAlgo(
    accountId,
    {
      algoOrderType: "TPSL",
      sym: SOL,
      conditionType: pick(chance, ["OCO", "PARTIAL_CLOSE_POSITION", "ENTIRE_CLOSE_POSITION", "CONDITIONAL"]),
      side,
      positionSide: sells ? "LONG" : "SHORT",
      orderQty: "1",
      reduceOnly: chance.chance("reduce", 0.7),
      tpTriggerPrice: sells ? high : low,
      slTriggerPrice: sells ? low : high,
      slTriggerType: pick(chance, ["MARK_PRICE", "LAST_PRICE"]),
    },
    nowMs,
  );
  if (chance.chance("cancel algos", 0.2)) exchange.cancelAllAlgos(accountId, {}, nowMs);
}

function moveMarket({ exchange, chance, nowMs }: Run): void {
  const sym = pick(chance, [SOL, ETH_B]);
  const middle = 1000 + chance.int("middle", -40, 41);
  const dice = chance.int("market", 0, 4);
  if (dice === 0) exchange.market.setMark(sym, dec(middle).div(10), dec(middle).div(10), nowMs);
  else if (dice === 1)
    exchange.market.print(sym, chance.chance("side", 0.5), middle, chance.int("lots", 1, 300), nowMs);
  else {
    const bid = dice === 2;
    const levels = [1, 3, 9].map((away) => [middle + (bid ? -away : away), chance.int("lots", 0, 500)] as const);
    exchange.market.setLiquidity(sym, bid, levels, nowMs);
  }
}

/** Draws one command, or one move of the market, and carries it out. */
export function step(run: Run): void {
  const { chance, exchange } = run;
  run.nowMs += chance.int("time", 0, 200);
  const accountId = pick(chance, ACCOUNTS);
  const dice = chance.int("what", 0, 100);
  if (dice < 50) placeSomething(run, accountId);
  else if (dice < 65) changeSomething(run, accountId);
  else if (dice < 70) algoSomething(run, accountId);
  else if (dice < 72) exchange.closePosition(accountId, { sym: SOL, positionSide: "LONG" }, run.nowMs);
  else if (dice < 73) exchange.setLeverage(accountId, { sym: SOL, leverage: chance.int("leverage", 1, 21) }, run.nowMs);
  else if (dice < 74) exchange.transfer(accountId, { from: "EXCHANGE_A", to: "EXCHANGE_B", amount: "50" }, run.nowMs);
  else if (dice < 75) exchange.advance((run.nowMs += 3_600_000));
  else moveMarket(run);
}
