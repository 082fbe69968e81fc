/** The whole simulated service, assembled: exchange, market, news, model gateway, servers, faults and control. */
import { scaledClock } from "../core/clock.ts";
import { seededEntropy } from "../core/entropy.ts";
import { type Env, timedIds } from "../core/ids.ts";
import type { CandleSource } from "../domain/market.ts";
import type { ChosenMarket } from "./choose-market.ts";
import type { Exchange } from "./exchange/contract/api.ts";
import { ALL_FAULTS } from "./faults/all.ts";
import { FaultBoard } from "./faults/board.ts";
import { checkScenario, playScenario, readScenarioFile } from "./faults/scenario.ts";
import { foundVenue } from "./found-venue.ts";
import type { Tape } from "./market/tape.ts";
import { ChargeLog } from "./model/charge-log.ts";
import { createModelGateway } from "./model/gateway.ts";
import { practiceKey } from "./model/keys.ts";
import { type NewsDesk, startNews } from "./news-desk.ts";
import type { HostedOptions, SimReady } from "./options.ts";
import { profileNamed } from "./profiles.ts";
import { accountOfSeed, type AccountSetup, readAccountsFile } from "./servers/service/accounts.ts";
import { uptimes } from "./servers/control/control-reads.ts";
import { controlHandler } from "./servers/control/control.ts";
import type { Handlers } from "./servers/transport/handlers.ts";
import { openServers } from "./servers/service/open-servers.ts";
import { STEP_MS, startPulse } from "./servers/service/pulse.ts";
import type { RestServerOptions } from "./servers/rest/rest-server.ts";
import { VenueLog } from "./servers/service/venue-log.ts";
import { keepPrices, lineFile } from "./kept-files.ts";
import { faultWorld } from "./servers/service/world.ts";

/** The addresses of its servers. */
export interface Addresses {
  readonly at: string;
  readonly controlAt: string;
}

/** The service without its network. */
export interface Hosted {
  readonly exchange: Exchange;
  /** The market's history before this run. */
  readonly past: CandleSource;
  readonly handlers: Handlers;
  readonly controlHandlers: Handlers;
  /** Sets the addresses, and starts. */
  open(addresses: Addresses): SimReady;
  stop(): Promise<void>;
}

/** Assembles the parts. Throws, with the reason, if a file that the options name cannot be used. */
export function host(options: HostedOptions): Hosted {
  const scenario = options.scenario === undefined ? null : demand(readScenarioFile(options.scenario));
  const seed = scenario?.seed ?? options.seed;
  const runs = options.kept?.runs ?? 0;
  // Each run draws its own prices and news; otherwise every run would repeat the first.
  const env = ownEnv(options, runs === 0 ? seed : `${seed}:${runs}`);
  const { clock } = env;
  const accounts = accountsOf(options, seed);
  const { market, exchange, keys, openAccount } = foundVenue(options, env, scenario);
  accounts.forEach(openAccount);
  const usdtByExchange = moneyOf(exchange, accounts[0], Math.floor(clock.nowMs()));
  const faults = new FaultBoard({ faults: ALL_FAULTS, clock, log: options.log });
  if (scenario) demand(checkScenario(scenario, faults));
  const charges = new ChargeLog(lineFile(options.modelLogFile, options.log));
  const gateway = modelGateway(options, { env, accounts, charges });
  const { stepMs = STEP_MS } = options;
  const movesPrices = scenario?.market?.newsMoves ?? true;
  const { store, stop: stopCourse } = startCourse(options, { env, market, exchange, stepMs, movesPrices });
  const wireLogFile = lineFile(options.wireLogFile, options.log);
  const { rateStretch } = profileNamed(options.profile);
  const parts = { env, exchange, store, gateway, keys };
  const watchCall: RestServerOptions["watchCall"] = (kind, accountId) => venueLog?.watchCall(kind, accountId) ?? null;
  const servers = openServers({ ...options, ...parts, faults, wireLogFile, watchCall, stepMs, rateStretch });
  const venueLog = options.venueLog
    ? new VenueLog({
        exchange,
        faults,
        nowMs: steady(env.clock),
        cap: 400_000,
        file: lineFile(options.venueLogFile, options.log),
      })
    : null;
  const world = faultWorld({ ...parts, tape: market.tape, servers });
  faults.plugIn(world);
  if (options.kept?.accounts) exchange.endPending(Math.floor(clock.nowMs()));
  const stopKeeping = keepPrices(options, exchange, clock);
  let ready: SimReady = { ...readyOf({ at: "", controlAt: "" }, accounts[0]), usdtByExchange };
  const entropy = env.entropy.fork("control");
  const control = controlHandler(() => ({
    ready,
    world,
    faults,
    gateway,
    keys,
    servers,
    entropy,
    openAccount,
    charges,
    venueLog,
  }));
  let stopScenario = (): void => undefined;
  return {
    exchange,
    past: pastOf(market.tape),
    handlers: servers.handlers,
    controlHandlers: { http: { control, "": control }, sockets: [] },
    open: (addresses) => {
      ready = { ...readyOf(addresses, accounts[0]), usdtByExchange };
      if (scenario) stopScenario = playScenario(scenario, { board: faults, clock, log: options.log });
      announce(options.log, ready, scenario?.name);
      return ready;
    },
    stop: async () => {
      stopScenario();
      faults.stop();
      stopCourse();
      stopKeeping();
      const seen = uptimes({ world, servers });
      await Promise.all([servers.stop(), charges.stop(), venueLog?.stop(seen)]);
    },
  };
}

function announce(log: HostedOptions["log"], ready: SimReady, scenario: string | undefined): void {
  const { restUrl, controlUrl, usdtByExchange } = ready;
  const text = `the simulated service listens at ${restUrl}, its control at ${controlUrl}; starting balance: ${moneyText(usdtByExchange)}`;
  log.event("info", "sim.ready", text, { restUrl, controlUrl, scenario });
}

/** Starts everything that runs on timers: the steps of the market, the start of the second phase, the news. */
function startCourse(
  options: HostedOptions,
  given: {
    readonly env: Env;
    readonly market: ChosenMarket;
    readonly exchange: Exchange;
    readonly stepMs: number;
    readonly movesPrices: boolean;
  },
): NewsDesk {
  const { env, market, exchange, stepMs, movesPrices } = given;
  const { clock } = env;
  const stopPulse = startPulse({ clock, exchange, tape: market.tape, stepMs });
  const stopPhase = phaseTwoAt(options, clock, exchange);
  const { data, disguise, newsPastMs: pastMs } = options;
  const news = startNews({ env, market, data, disguise, stepMs, movesPrices, pastMs });
  return {
    store: news.store,
    stop: () => {
      stopPulse();
      stopPhase();
      news.stop();
    },
  };
}

const PAST_ROWS_MAX = 3_000;

const pastOf = (tape: Tape): CandleSource => ({
  name: "practice market's past",
  most: PAST_ROWS_MAX,
  candles: (symbol, interval, limit) => Promise.resolve(tape.past(symbol, interval).slice(-limit)),
});

function phaseTwoAt({ phase, phaseTwoMs }: HostedOptions, clock: Env["clock"], exchange: Exchange): () => void {
  if (phase === 2 || phaseTwoMs === undefined) return () => undefined;
  return clock.after(Math.max(0, phaseTwoMs - clock.nowMs()), () => exchange.beginPhase(2, Math.floor(clock.nowMs())));
}

/** Whole milliseconds that never go back, as the exchange counts them. */
function steady(clock: Env["clock"]): () => number {
  let lastMs = 0;
  return () => (lastMs = Math.max(lastMs, Math.floor(clock.nowMs())));
}

function demand<T>(result: { ok: true; value: T } | { ok: false; error: string }): T {
  if (!result.ok) throw new RangeError(result.error);
  return result.value;
}

/** The service's own random source, independent of other draws from the caller's; and its own speed. */
function ownEnv({ env, speed = 1 }: HostedOptions, seed: number | string): Env {
  const entropy = seededEntropy(`sim:${seed}`);
  const clock = speed === 1 ? env.clock : scaledClock(env.clock, speed, env.clock.nowMs());
  return { clock, entropy, ids: timedIds(() => clock.nowMs(), entropy.fork("ids")) };
}

function accountsOf({ accounts, profile }: HostedOptions, seed: number | string): readonly AccountSetup[] {
  if (accounts === undefined) return [{ ...accountOfSeed(seed), mode: profileNamed(profile).mode }];
  return typeof accounts === "string" ? demand(readAccountsFile(accounts)) : accounts;
}

function modelGateway(
  { modelLatencyMs, profile }: HostedOptions,
  given: { readonly env: Env; readonly accounts: readonly AccountSetup[]; readonly charges: ChargeLog },
) {
  const { env, accounts, charges } = given;
  return createModelGateway({
    onCharge: (charge) => charges.add(charge),
    clock: env.clock,
    entropy: env.entropy.fork("gateway"),
    budgetResetMs: profileNamed(profile).budgetResetMs,
    keys: accounts.flatMap(({ aiKey, team, id }) => (aiKey === undefined ? [] : [practiceKey(aiKey, team, id)])),
    ...(modelLatencyMs === undefined ? {} : { latency: { minMs: modelLatencyMs, maxMs: modelLatencyMs * 3 } }),
  });
}

type Money = SimReady["usdtByExchange"];

function moneyOf(exchange: Exchange, account: AccountSetup | undefined, nowMs: number): Money {
  const answer = account === undefined ? null : exchange.account(account.id, {}, nowMs);
  const rows = answer?.ok ? answer.value : [];
  return Object.fromEntries(rows.map(({ exchangeType, equity }) => [String(exchangeType), String(equity)]));
}

const moneyText = (money: Money): string =>
  Object.entries(money)
    .filter(([, usdt]) => Number(usdt) !== 0)
    .map(([name, usdt]) => `${usdt} USDT on ${name}`)
    .join(", ") || "nowhere: the first account has none";

function readyOf({ at, controlAt }: Addresses, account: AccountSetup | undefined): Omit<SimReady, "usdtByExchange"> {
  const key = account?.keys[0];
  return {
    restUrl: `http://${at}`,
    marketWsUrl: `ws://${at}/marketdata/v2/public`,
    userWsUrl: `ws://${at}/v1/private`,
    feedsWsUrl: `ws://${at}/feeds/v2/public`,
    aiUrl: `http://${at}/ai`,
    controlUrl: `http://${controlAt}/control`,
    accessKey: key?.accessKey ?? "",
    secretKey: key?.secretKey ?? "",
    aiKey: account?.aiKey ?? "",
  };
}
