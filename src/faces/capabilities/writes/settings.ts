/** position.set-leverage and portfolio.set-position-mode. Spec: 3 §4.3, §4.6. */
import { err, ok } from "../../../core/result.ts";
import type { PositionMode } from "../../../domain/position.ts";
import { readBackLeverage } from "../../../desk/readback.ts";
import { blocked } from "../../contract/statuses.ts";
import * as fields from "../fields.ts";
import { recordsOf } from "../read.ts";
import { forgetMode } from "./account.ts";
import { rulesOf } from "./rules.ts";
import { type DoneAt, type PlanAt, type ReadBack, remembering, type WriteTarget } from "./target.ts";

/** The service's record of the setting before the change. */
const leverageBefore = async ({ service }: PlanAt, symbol: string): Promise<unknown> =>
  recordsOf({ leverage: await service.venue.leverage(symbol) });

async function afterLeverage({ action, call, service, answer }: DoneAt): Promise<ReadBack> {
  if (action.kind !== "position.set-leverage") return { data: {} };
  const { symbol, leverage } = action;
  const setting = remembering((of?: string) => service.venue.leverage(of));
  const { confirmed } = await readBackLeverage(call.client.env.clock, { leverage: setting.ask }, { symbol, leverage });
  return { data: { ...answer, confirmed, readback: recordsOf({ leverage: setting.last() }) } };
}

/** An unknown symbol stops the preview; rules that could not be read do not. */
export const leverageTarget: WriteTarget = {
  id: "position.set-leverage",
  shape: { symbol: fields.symbol, leverage: fields.whole(1, 125, "New leverage, 1 to 125.") },
  plan: async (at) => {
    const symbol = at.input.text("symbol") ?? "";
    if (at.previewing) {
      const known = await rulesOf({ client: at.call.client, service: at.service, symbol });
      if (!known.ok && known.error.digits === "12001") return known;
    }
    const leverage = Number(at.input.params["leverage"]);
    const notes = at.previewing ? { leverageReadback: await leverageBefore(at, symbol) } : {};
    return ok({ action: { kind: "position.set-leverage", symbol, leverage, also: at.input.params }, notes });
  },
  readBack: afterLeverage,
  lookUp: async ({ action, service }) =>
    action.kind === "position.set-leverage"
      ? recordsOf({ leverage: await service.venue.leverage(action.symbol) })
      : null,
};

async function accountNow({ call, service }: DoneAt): Promise<unknown> {
  forgetMode(call.client, service);
  return recordsOf({ account: await service.venue.account() });
}

/** Afterwards the cached mode is dropped, because it decides whether orders name a position side. */
export const modeTarget: WriteTarget = {
  id: "portfolio.set-position-mode",
  shape: {
    exchange: fields.exchange,
    mode: fields.words(["BOTH", "NET"], "BOTH is hedge mode, NET is one-way."),
  },
  plan: async ({ call, input }) => {
    const exchange = input.text("exchange") ?? "";
    const { exchanges } = call.client;
    if (!exchanges.includes(exchange)) return err(blocked("00001", `exchange must be one of ${exchanges.join(", ")}`));
    const mode = input.text("mode") as PositionMode;
    return ok({ action: { kind: "portfolio.set-position-mode", exchange, mode, also: input.params }, notes: {} });
  },
  readBack: async (at) => ({ data: { ...at.answer, readback: await accountNow(at) } }),
  lookUp: accountNow,
};
