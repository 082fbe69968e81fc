/** The operator's commands. */
import { overridable } from "../../../core/overridable.ts";
import * as operate from "../accounts/account-ops.ts";
import type * as api from "../contract/api.ts";
import { commands, during, empty } from "./command.ts";
import { numberOf } from "../state/ids.ts";
import { endPending } from "../persistence/restore.ts";
import { rollOver } from "../accounts/roll-over.ts";
import type { OperatorRules } from "../contract/settings.ts";
import type { World } from "../state/state.ts";
import { rejectOnArrival } from "../state/steps.ts";

/** None of them can be called over the participants' ports. */
export function operatorCommands(world: World): api.OperatorCommands {
  const { read } = commands(world);
  const rules = overridable<OperatorRules>(world.settings, (now) => void Object.assign(world.settings, now));
  return {
    openAccount: (account, nowMs) => during(world, nowMs, () => operate.openAccount(world, account), true),
    endPending: (nowMs) => during(world, nowMs, () => endPending(world), true),
    beginPhase: (phase, nowMs) => during(world, nowMs, () => rollOver(world, phase)),
    transfer: read((portfolio, request) => empty(operate.transfer(world, portfolio, request))),
    setFrozen(accountId, frozen) {
      const portfolio = world.portfolios.get(accountId);
      if (portfolio !== undefined) portfolio.frozen = frozen;
    },
    isFrozen(accountId) {
      const portfolio = world.portfolios.get(accountId);
      return portfolio !== undefined && portfolio.frozen;
    },
    accountIds: () => [...world.portfolios.keys()],
    setDuplicatePolicy: (duplicatePolicy) => rules.set({ duplicatePolicy }),
    setEnforceLeverageCap: (enforceLeverageCap) => rules.set({ enforceLeverageCap }),
    setDelays: ({ placeMs, cancelMs, amendMs }) =>
      rules.set({
        ...(placeMs === undefined ? {} : { placeDelayMs: placeMs }),
        ...(cancelMs === undefined ? {} : { cancelDelayMs: cancelMs }),
        ...(amendMs === undefined ? {} : { amendDelayMs: amendMs }),
      }),
    overrideRules: (change) => rules.override(change),
    rejectOnArrival: (orderId) => rejectOnArrival(world.steps, numberOf(orderId)),
    haltSymbol: (symbol) => world.instruments.get(symbol)?.trading.override({ state: "halted" }) ?? (() => undefined),
  };
}
