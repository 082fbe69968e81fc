/**
 * The simulated service whole: exchange, market, news, model gateway, servers, faults and control, started by one call
 * and stopped by another. Architecture §7.
 */
import { scaledClock } from "../core/clock.ts";
import type { Env } from "../core/env.ts";
import { seededEntropy } from "../core/entropy.ts";
import { timedIds } from "../core/ids.ts";
import type { Exchange } from "./exchange/api.ts";
import { createExchange } from "./exchange/exchange.ts";
import { ALL_FAULTS } from "./faults/all.ts";
import { FaultBoard } from "./faults/board.ts";
import { checkScenario, playScenario, readScenarioFile } from "./faults/scenario.ts";
import type { Tape } from "./market/tape.ts";
import { createModelGateway } from "./model/gateway.ts";
import { practiceKey } from "./model/keys.ts";
import { startNews } from "./news-desk.ts";
import type { SimOptions, SimReady } from "./options.ts";
import { accountOfSeed, type AccountSetup, readAccountsFile } from "./servers/accounts.ts";
import { openControl } from "./servers/control.ts";
import { KeyBook } from "./servers/key-book.ts";
import { openServers } from "./servers/open-servers.ts";
import { startPulse } from "./servers/pulse.ts";
import { faultWorld } from "./servers/world.ts";
import { chooseMarket } from "./choose-market.ts";

export interface SimService {
  readonly ready: SimReady;
  readonly exchange: Exchange;
  /** Ends every socket and timer. The ports are free when it resolves. */
  stop(): Promise<void>;
}

/** Throws, with the reason, when a file it was pointed to cannot be used or a port is taken. */
export async function startSimService(options: SimOptions): Promise<SimService> {
  const scenario = options.scenario === undefined ? null : demand(readScenarioFile(options.scenario));
  const seed = scenario?.seed ?? options.seed;
  const env = ownEnv(options, seed);
  const { clock } = env;
  const accounts = accountsOf(options, seed);
  const { market, exchange, keys, openAccount } = foundVenue(options, env);
  const { tape } = market;
  accounts.forEach(openAccount);
  const faults = new FaultBoard({ faults: ALL_FAULTS, clock, log: options.log });
  if (scenario) demand(checkScenario(scenario, faults));
  const gateway = modelGateway(options, env, accounts);
  const stopPulse = startPulse({ clock, exchange, tape });
  const news = startNews({ env, market, data: options.data });
  const wireLogFile = options.wireLogFile ?? null;
  const servers = await openServers({
    ...options,
    env,
    exchange,
    store: news.store,
    gateway,
    keys,
    faults,
    wireLogFile,
  });
  const world = faultWorld({ env, exchange, tape, store: news.store, gateway, keys, servers });
  faults.plugIn(world);
  const control = await openControl({ host: options.host, port: options.controlPort }, () => ({
    ready,
    world,
    faults,
    gateway,
    keys,
    servers,
    entropy: env.entropy.fork("control"),
    openAccount,
  }));
  const ready = readyOf(options.host, { port: servers.port, controlPort: control.port, account: accounts[0] });
  const stopScenario = scenario ? playScenario(scenario, { board: faults, clock, log: options.log }) : () => undefined;
  const { restUrl, controlUrl } = ready;
  options.log.event("info", "sim.ready", "the simulated service is listening", {
    restUrl,
    controlUrl,
    scenario: scenario?.name,
  });
  return {
    ready,
    exchange,
    stop: async () => {
      stopScenario();
      faults.stop();
      stopPulse();
      news.stop();
      await Promise.all([servers.stop(), control.stop()]);
    },
  };
}

/** Market, exchange and key book, and how an account enters both books. */
function foundVenue(options: SimOptions, env: Env) {
  const market = chooseMarket(options, env);
  const { tape } = market;
  const { phase, settings = {} } = options;
  const startMs = Math.floor(env.clock.nowMs());
  const entropy = env.entropy.fork("exchange");
  const exchange = createExchange({ symbols: tape.symbols, phase, settings, startMs, entropy });
  const keys = new KeyBook();
  const openAccount = (account: AccountSetup): void =>
    enter(account, { exchange, keys, exchanges: carriedBy(tape, options), nowMs: env.clock.nowMs() });
  return { market, exchange, keys, openAccount };
}

function demand<T>(result: { ok: true; value: T } | { ok: false; error: string }): T {
  if (!result.ok) throw new RangeError(result.error);
  return result.value;
}

/** The service's own chance, so that it does not depend on what else draws from the caller's; and its own speed. */
function ownEnv({ env, speed = 1 }: SimOptions, seed: number | string): Env {
  const entropy = seededEntropy(`sim:${seed}`);
  const clock = speed === 1 ? env.clock : scaledClock(env.clock, speed, env.clock.nowMs());
  return { clock, entropy, ids: timedIds(() => clock.nowMs(), entropy.fork("ids")) };
}

function accountsOf({ accounts }: SimOptions, seed: number | string): readonly AccountSetup[] {
  if (accounts === undefined) return [accountOfSeed(seed)];
  return typeof accounts === "string" ? demand(readAccountsFile(accounts)) : accounts;
}

/** Exchanges without a single symbol have no accounts: a recorded window may hold one exchange alone. */
const carriedBy = (tape: Tape, { exchanges }: SimOptions): readonly string[] =>
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
  exchange.openAccount({ accountId, initialUsdt, mode, teamName, exchanges }, Math.floor(nowMs));
  const identity = account.kyc === undefined ? {} : { kyc: account.kyc };
  for (const key of account.keys) keys.add({ ...key, ...identity, accountId });
}

function modelGateway(options: SimOptions, env: Env, accounts: readonly AccountSetup[]) {
  const { modelLatencyMs } = options;
  return createModelGateway({
    clock: env.clock,
    entropy: env.entropy.fork("gateway"),
    keys: accounts.flatMap(({ aiKey, team }) => (aiKey === undefined ? [] : [practiceKey(aiKey, team)])),
    ...(modelLatencyMs === undefined ? {} : { latency: { minMs: modelLatencyMs, maxMs: modelLatencyMs * 3 } }),
  });
}

function readyOf(
  host: string,
  given: { readonly port: number; readonly controlPort: number; readonly account: AccountSetup | undefined },
): SimReady {
  const at = `${host}:${given.port}`;
  const key = given.account?.keys[0];
  return {
    restUrl: `http://${at}`,
    marketWsUrl: `ws://${at}/marketdata/v2/public`,
    userWsUrl: `ws://${at}/v1/private`,
    feedsWsUrl: `ws://${at}/feeds/v2/public`,
    aiUrl: `http://${at}/ai`,
    controlUrl: `http://${host}:${given.controlPort}/control`,
    accessKey: key?.accessKey ?? "",
    secretKey: key?.secretKey ?? "",
    aiKey: given.account?.aiKey ?? "",
  };
}
