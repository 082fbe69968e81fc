/** The readings of the light house, each turned into the event that the agent's loop would make of it. */
import type { Effect } from "../../src/agent/contract/effects.ts";
import type { Rooms } from "./house.ts";
import { lookUpAlgo, lookUpOrder, readFillsSince, readFundingOf, readLeverages, readRules, readSweep } from "./line.ts";

export type Reading = Extract<
  Effect,
  { kind: "read-account" | "read-fills" | "load-rules" | "read-leverage" | "load-funding" | "look-up" | "read-algo" }
>;

export function read({ line, clock, feed }: Rooms, effect: Reading): void {
  const startedAtMs = clock.nowMs();
  switch (effect.kind) {
    case "read-account":
      return line.read(readSweep(startedAtMs, effect.withAlgos), (account) =>
        feed(account ? { kind: "account-read", account } : { kind: "account-read-failed", reason: "no answer came" }),
      );
    case "read-fills":
      return line.read(readFillsSince(effect.sinceMs), (fills) =>
        feed({ kind: "fills-read", startedAtMs, fills: fills ?? null }),
      );
    case "load-rules":
      return line.read(readRules, (rules) => rules && feed({ kind: "rules", rules }));
    case "read-leverage":
      return line.read(readLeverages, (settings) => settings && feed({ kind: "leverage", settings }));
    case "load-funding":
      return line.read(readFundingOf(effect.symbol), (funding) => funding && feed({ kind: "funding", funding }));
    case "read-algo": {
      const key =
        "algoOrderId" in effect ? { algoOrderId: effect.algoOrderId } : { clientOrderId: effect.clientOrderId };
      return line.read(lookUpAlgo(key), (found) =>
        feed({ kind: "algo-found", leg: effect.leg, found: found ?? { kind: "unknown", message: "no answer came" } }),
      );
    }
    case "look-up": {
      const { clientOrderId } = effect;
      return line.read(lookUpOrder(clientOrderId), (found) =>
        feed({ kind: "looked-up", clientOrderId, found: found ?? { kind: "unknown", message: "no answer came" } }),
      );
    }
  }
}
