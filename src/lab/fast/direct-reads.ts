/** The reads of the direct loop, each turned into the event that the agent's loop would create. */
import type { ReadEffect } from "../../agent/contract/effects.ts";
import type { LoopState } from "./loop-state.ts";
import { lookUpAlgo, lookUpOrder, readFillsSince, readFundingOf } from "./exchange-link.ts";

export function read({ link, clock, feed, sweep, leverages, rules: rulesOf }: LoopState, effect: ReadEffect): void {
  const startedAtMs = clock.nowMs();
  switch (effect.kind) {
    case "read-account":
      return link.read(sweep(startedAtMs, effect.withAlgos), (account) =>
        feed({ kind: "account-read", ...(account ? { account } : unanswered(startedAtMs)) }),
      );
    case "read-fills":
      return link.read(readFillsSince(effect.sinceMs), (fills) =>
        feed({ kind: "fills-read", startedAtMs, fills: fills ?? null }),
      );
    case "load-rules":
      return link.readTerms(rulesOf, (rules) => rules && feed({ kind: "rules", rules }));
    case "read-leverage":
      return link.readTerms(leverages, (settings) => settings && feed({ kind: "leverage", settings }));
    case "load-funding":
      return link.readTerms(readFundingOf(effect.symbol), (funding) => funding && feed({ kind: "funding", funding }));
    case "read-ranking":
      // The exchange has only this account; a backtest adds its own rivals.
      return;
    case "read-algo": {
      const { kind: _, positionKey, ...key } = effect;
      const asked = "clientOrderId" in key ? key : {};
      return link.read(lookUpAlgo(key), (found) =>
        feed({
          kind: "algo-found",
          positionKey,
          ...asked,
          found: found ?? { kind: "unknown", message: "no answer came" },
        }),
      );
    }
    case "look-up": {
      const { clientOrderId } = effect;
      return link.read(lookUpOrder(clientOrderId), (found) =>
        feed({ kind: "looked-up", clientOrderId, found: found ?? { kind: "unknown", message: "no answer came" } }),
      );
    }
  }
}

const unanswered = (startedAtMs: number) => ({
  account: { startedAtMs, account: null, positions: null, openOrders: null, openAlgos: null },
  failed: "no answer came",
});
