/** Account figures and the position mode over REST. Spec: 1 §3.2, §4.1; records §4. */
import { z } from "zod";
import { mapOutcome } from "../core/outcome.ts";
import type { VenuePort } from "../domain/venue-calls.ts";
import { accountRecord, readExchangeAccount } from "../protocol/records/account-record.ts";
import { readAsset } from "../protocol/records/asset-record.ts";
import { account } from "../protocol/trading/account.ts";
import { portfolioAssets } from "../protocol/trading/portfolio-assets.ts";
import { setPositionMode } from "../protocol/trading/set-position-mode.ts";
import type { VenueCall } from "./call.ts";
import { allPages } from "./pages.ts";

type AccountCalls = Pick<VenuePort, "account" | "assets" | "setPositionMode">;

const accounts = z.array(accountRecord);

/** `exchanges` as the operator names them; accounts of other exchanges are left out. */
export function accountCalls(call: VenueCall, exchanges: readonly string[]): AccountCalls {
  const isOurs = (record: { readonly exchange: string }): boolean =>
    exchanges.length === 0 || exchanges.includes(record.exchange);
  return {
    account: async (given = {}) => {
      const listed = await call(account, {}, given);
      if (listed.kind !== "done") return listed;
      // Only our accounts need figures: an empty one of another exchange must not hide our equity.
      const ours = accounts.safeParse(listed.value.filter(({ exchangeType }) => isOurs({ exchange: exchangeType })));
      if (ours.success) return { kind: "done", value: ours.data.map(readExchangeAccount) };
      const [issue] = ours.error.issues;
      return { kind: "unknown", message: `${account.path} ${issue?.path.join(".")}: must be ${issue?.message}` };
    },
    assets: async () =>
      mapOutcome(await allPages(call, portfolioAssets, {}), (rows) => rows.map(readAsset).filter(isOurs)),
    setPositionMode: async (exchange, mode) =>
      mapOutcome(await call(setPositionMode, { exchange, mode }), () => undefined),
  };
}
