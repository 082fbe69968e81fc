/** What the venue shows of the account in a story: the snapshot, and pushes of positions, stops and the wallet. */
import { dec, ZERO } from "../../../src/core/decimal.ts";
import type { AlgoOrder } from "../../../src/domain/algo-order.ts";
import type { Position } from "../../../src/domain/position.ts";
import { account, position, rulesOf, standingStop, START_MS, type World } from "../agent-world.ts";
import { listedOrder } from "./orders.ts";
import { after, idOf, legOf, secondsAgo, sideOf, type Story, symbolOf, SYMBOLS, type Words } from "./words.ts";

function listed(words: Words, world: World): Position {
  const [symbol = "", side = "", qty = ""] = words;
  return { ...position(symbolOf(symbol), qty, after(words, "@") ?? "60000", sideOf(side)), updatedAtMs: world.nowMs };
}

export function stopOf({ stops, world }: Story, words: Words): AlgoOrder {
  const [name = "", state] = words.filter(
    (word, i) => !/^(for|at|target|of)$/.test(word) && !/^(for|at|target|of)$/.test(words[i - 1] ?? ""),
  );
  const before =
    stops.get(name) ??
    standingStop({
      algoOrderId: idOf(name),
      clientOrderId: name.startsWith("H") ? "by-hand" : `p-boot-${name.slice(1)}`,
      symbol: symbolOf(after(words, "of") ?? "BTC"),
    });
  const [qty, price, goal] = [after(words, "for"), after(words, "at"), after(words, "target")];
  const oco = goal === undefined ? {} : { condition: "OCO" as const, triggerPrice: null, takeProfitPrice: dec(goal) };
  const field = goal !== undefined || before.condition === "OCO" ? "stopLossPrice" : "triggerPrice";
  const stop = {
    ...before,
    ...oco,
    ...(qty === undefined ? {} : { qty: dec(qty) }),
    ...(qty === "0" ? { condition: "ENTIRE_CLOSE_POSITION" as const } : {}),
    ...(price === undefined ? {} : { [field]: dec(price) }),
    state: (state ?? "NEW") as AlgoOrder["state"],
    updatedAtMs: world.nowMs,
  };
  stops.set(name, stop);
  return stop;
}

function positionsOf(parts: Words, world: World): readonly Position[] {
  return parts
    .filter((part) => !part.startsWith("order ") && (part in SYMBOLS || / (LONG|SHORT) /.test(part)))
    .map((part) => {
      const began = parts.includes("new") ? 0 : secondsAgo(part, "began");
      const changed = secondsAgo(part, "changed");
      return {
        ...listed(part.split(" "), world),
        ...(began === undefined ? {} : { createdAtMs: world.nowMs - began * 1_000 }),
        ...(changed === undefined ? {} : { updatedAtMs: world.nowMs - changed * 1_000 }),
      };
    });
}

export function readList(story: Story, rest: string): void {
  const { world } = story;
  const parts = rest.split(",").map((part) => part.trim());
  const named = parts.filter((part) => /^[SH]\d/.test(part)).map((part) => stopOf(story, part.split(" ")));
  const openAlgos = named.length > 0 || parts.includes("no stops") ? named : null;
  const openOrders = parts.flatMap((part) => (part.startsWith("order ") ? [listedOrder(story, part)] : []));
  const agoMs = (secondsAgo(rest, "asked") ?? 0) * 1_000;
  const [, equity = "1000"] = /equity ([\d.]+)/.exec(rest) ?? [];
  const status = /account ([A-Z_]+)/.exec(rest)?.[1] ?? "NORMAL";
  const positionMode = parts.includes("one-way") ? "NET" : "BOTH";
  const shown = [{ ...account(equity), positionMode, status }] as const;
  const startedAtMs = world.nowMs - agoMs;
  world.account({ account: shown, positions: positionsOf(parts, world), openAlgos, openOrders, startedAtMs });
}

export function pushPosition({ world }: Story, words: Words): void {
  const [symbol = "", side = "", qty = ""] = words;
  const flat = qty === "flat";
  const update = {
    ...{ symbol: symbolOf(symbol), positionSide: legOf(side), qty: flat ? ZERO : dec(qty), leverage: null },
    avgPrice: flat ? ZERO : dec(after(words, "@") ?? "60000"),
    ...(words.includes("dated") ? { atMs: START_MS + Number(after(words, "dated")) } : {}),
  };
  world.feed({ kind: "position", update });
}

export function pushWallet({ world }: Story, balance: string): void {
  const [exchange, coin] = ["EXCHANGE_A", "USDT"];
  const asset = { exchange, coin, balance: dec(balance), available: dec(balance), frozen: ZERO };
  world.feed({ kind: "asset", asset });
}

/** `rules BTC, ETH halted` */
export function readRules({ world }: Story, rest: string): void {
  const rules = rest.split(",").map((part) => {
    const [symbol = "", state = "live"] = part.trim().split(" ");
    return { ...rulesOf(symbolOf(symbol)), state };
  });
  world.feed({ kind: "rules", rules });
}
