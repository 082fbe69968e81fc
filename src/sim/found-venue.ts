/** Creates the venue: market, exchange and key store, and enters accounts in both exchange and key store. */
import type { Env } from "../core/ids.ts";
import { chooseMarket } from "./choose-market.ts";
import type { Exchange } from "./exchange/contract/api.ts";
import { createExchange } from "./exchange/exchange.ts";
import type { Scenario } from "./faults/scenario.ts";
import type { Tape } from "./market/tape.ts";
import type { HostedOptions } from "./options.ts";
import { profileNamed } from "./profiles.ts";
import type { AccountSetup } from "./servers/service/accounts.ts";
import { KeyBook } from "./servers/access/key-book.ts";

/** A venue without accounts; `openAccount` enters one in the exchange and the key store. */
export function foundVenue(options: HostedOptions, env: Env, scenario: Scenario | null) {
  const market = chooseMarket(options, env, scenario);
  const { tape } = market;
  const { phase } = options;
  const settings = { ...profileNamed(options.profile).settings, ...options.settings };
  const startMs = Math.floor(env.clock.nowMs());
  const entropy = env.entropy.fork("exchange");
  const { kept } = options;
  const exchange = createExchange({
    symbols: tape.symbols,
    phase,
    settings,
    startMs,
    entropy,
    ...(kept ? { keep: kept.save } : {}),
    ...(kept?.accounts ? { saved: kept.accounts } : {}),
  });
  const keys = new KeyBook();
  const openAccount = (account: AccountSetup): void =>
    enter(account, { exchange, keys, exchanges: carriedBy(tape, options), nowMs: env.clock.nowMs() });
  return { market, exchange, keys, openAccount };
}

/** Exchanges without a symbol get no accounts, because a recorded window may have only one exchange. */
const carriedBy = (tape: Tape, { exchanges }: HostedOptions): readonly string[] =>
  exchanges.filter((exchange) => tape.symbols.some(({ rules }) => rules.symbol.startsWith(`${exchange}_`)));

function enter(
  account: AccountSetup,
  {
    exchange,
    keys,
    exchanges,
    nowMs,
  }: { exchange: Exchange; keys: KeyBook; exchanges: readonly string[]; nowMs: number },
): void {
  const { id: accountId, initialUsdt, mode, team: teamName } = account;
  // A restored venue already has its accounts and only needs their keys.
  if (!exchange.accountIds().includes(accountId))
    exchange.openAccount({ accountId, initialUsdt, mode, teamName, exchanges }, Math.floor(nowMs));
  const identity = account.kyc === undefined ? {} : { kyc: account.kyc };
  for (const key of account.keys) keys.add({ ...key, ...identity, accountId });
}
