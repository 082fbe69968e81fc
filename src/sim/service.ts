/**
 * The simulated service whole: exchange, market, news, model gateway, servers, faults and control, started by one call
 * and stopped by another; on ports, or for callers of the same process alone. Architecture §7.
 */
import { scaledClock } from "../core/clock.ts";
import type { Env } from "../core/env.ts";
import { seededEntropy } from "../core/entropy.ts";
import { timedIds } from "../core/ids.ts";
import type { Exchange } from "./exchange/api.ts";
import { createExchange } from "./exchange/exchange.ts";
import { ALL_FAULTS } from "./faults/all.ts";
import { FaultBoard } from "./faults/board.ts";
import { checkScenario, playScenario, readScenarioFile, type Scenario } from "./faults/scenario.ts";
import type { Tape } from "./market/tape.ts";
import { ChargeLog } from "./model/charge-log.ts";
import { createModelGateway } from "./model/gateway.ts";
import { practiceKey } from "./model/keys.ts";
import { startNews } from "./news-desk.ts";
import { profileNamed } from "./profiles.ts";
import type { HostedOptions, SimOptions, SimReady } from "./options.ts";
import { accountOfSeed, type AccountSetup, readAccountsFile } from "./servers/accounts.ts";
import { uptimes } from "./servers/control-reads.ts";
import { controlDoor } from "./servers/control.ts";
import type { Doors } from "./servers/doors.ts";
import { type FrontDoor, openFrontDoor } from "./servers/front-door.ts";
import { type InProcess, inProcess } from "./servers/in-process.ts";
import { KeyBook } from "./servers/key-book.ts";
import { openServers } from "./servers/open-servers.ts";
import { BEAT_MS, startPulse } from "./servers/pulse.ts";
import { VenueLog } from "./servers/venue-log.ts";
import { faultWorld } from "./servers/world.ts";
import { chooseMarket } from "./choose-market.ts";

export interface SimService {
  readonly ready: SimReady;
  readonly exchange: Exchange;
  /** Ends every socket and timer. The ports are free when it resolves. */
  stop(): Promise<void>;
}

/** The service on ports. Throws, with the reason, when a file it was pointed to cannot be used or a port is taken. */
export async function startSimService(options: SimOptions): Promise<SimService> {
  const hosted = host(options);
  const { host: name, port, controlPort } = options;
  const opened: FrontDoor[] = [];
  const open = async (doors: Doors, at: number): Promise<string> => {
    const door = await openFrontDoor(doors, { host: name, port: at });
    opened.push(door);
    return `${name}:${door.port}`;
  };
  const stop = async (): Promise<void> => {
    await hosted.stop();
    await Promise.all(opened.map((door) => door.stop()));
  };
  try {
    const at = await open(hosted.doors, port);
    const controlAt = await open(hosted.controlDoors, controlPort);
    return { ready: hosted.open({ at, controlAt }), exchange: hosted.exchange, stop };
  } catch (cause) {
    // One port was taken: what has begun would keep the process alive, and the other port with it.
    await stop();
    throw cause;
  }
}

/** Host names of a service without ports; they exist in its own process alone. */
const [VENUE_HOST, CONTROL_HOST] = ["venue.in-process", "control.in-process"] as const;

export interface InProcessService extends SimService {
  /** The only way to it. Its delays count on the clock of the options. */
  readonly network: InProcess;
}

/** The service for callers of this process alone. Throws, with the reason, when a file cannot be used. */
export function startInProcess(options: HostedOptions & { readonly latencyMs?: number }): InProcessService {
  const hosted = host(options);
  const hosts = { [VENUE_HOST]: hosted.doors, [CONTROL_HOST]: hosted.controlDoors };
  const { latencyMs = 0, beatMs = BEAT_MS } = options;
  const network = inProcess({ clock: options.env.clock, hosts, latencyMs, beatMs });
  const ready = hosted.open({ at: VENUE_HOST, controlAt: CONTROL_HOST });
  return { ready, exchange: hosted.exchange, network, stop: hosted.stop };
}

interface Addresses {
  readonly at: string;
  readonly controlAt: string;
}

interface Hosted {
  readonly exchange: Exchange;
  readonly doors: Doors;
  readonly controlDoors: Doors;
  /** Says under which addresses it is reached, and begins. */
  open(addresses: Addresses): SimReady;
  stop(): Promise<void>;
}

function host(options: HostedOptions): Hosted {
  const scenario = options.scenario === undefined ? null : demand(readScenarioFile(options.scenario));
  const seed = scenario?.seed ?? options.seed;
  const env = ownEnv(options, seed);
  const { clock } = env;
  const accounts = accountsOf(options, seed);
  const { market, exchange, keys, openAccount } = foundVenue(options, env, scenario);
  const { tape } = market;
  accounts.forEach(openAccount);
  const faults = new FaultBoard({ faults: ALL_FAULTS, clock, log: options.log });
  if (scenario) demand(checkScenario(scenario, faults));
  const charges = new ChargeLog(options.modelLogFile ?? null);
  const gateway = modelGateway(options, { env, accounts, charges });
  const { beatMs = BEAT_MS } = options;
  const stopPulse = startPulse({ clock, exchange, tape, beatMs });
  const stopPhase = phaseTwoAt(options, clock, exchange);
  const { data, newsPastMs: pastMs } = options;
  const news = startNews({ env, market, data, beatMs, movesPrices: scenario?.market?.newsMoves ?? true, pastMs });
  const { store } = news;
  const wireLogFile = options.wireLogFile ?? null;
  const servers = openServers({
    ...options,
    env,
    exchange,
    store,
    gateway,
    keys,
    faults,
    wireLogFile,
    beatMs,
    rateStretch: profileNamed(options.profile).rateStretch,
  });
  const venueLog = options.venueLog
    ? new VenueLog({ exchange, faults, nowMs: steady(env.clock), cap: 400_000, file: options.venueLogFile ?? null })
    : null;
  const world = faultWorld({ env, exchange, tape, store, gateway, keys, servers });
  faults.plugIn(world);
  let ready: SimReady = readyOf({ at: "", controlAt: "" }, accounts[0]);
  const entropy = env.entropy.fork("control");
  const control = controlDoor(() => ({
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
    doors: servers.doors,
    controlDoors: { http: { control, "": control }, sockets: [] },
    open: (addresses) => {
      ready = readyOf(addresses, accounts[0]);
      if (scenario) stopScenario = playScenario(scenario, { board: faults, clock, log: options.log });
      const { restUrl, controlUrl } = ready;
      const fields = { restUrl, controlUrl, scenario: scenario?.name };
      options.log.event("info", "sim.ready", "the simulated service is listening", fields);
      return ready;
    },
    stop: async () => {
      stopScenario();
      faults.stop();
      stopPulse();
      stopPhase();
      news.stop();
      const seen = uptimes({ world, servers });
      await Promise.all([servers.stop(), charges.stop(), venueLog?.stop(seen)]);
    },
  };
}

/** Market, exchange and key book, and how an account enters both books. */
function foundVenue(options: HostedOptions, env: Env, scenario: Scenario | null) {
  const market = chooseMarket(options, env, scenario);
  const { tape } = market;
  const { phase } = options;
  const settings = { ...profileNamed(options.profile).settings, ...options.settings };
  const startMs = Math.floor(env.clock.nowMs());
  const entropy = env.entropy.fork("exchange");
  const exchange = createExchange({ symbols: tape.symbols, phase, settings, startMs, entropy });
  const keys = new KeyBook();
  const openAccount = (account: AccountSetup): void =>
    enter(account, { exchange, keys, exchanges: carriedBy(tape, options), nowMs: env.clock.nowMs() });
  return { market, exchange, keys, openAccount };
}

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

/** The service's own chance, so that it does not depend on what else draws from the caller's; and its own speed. */
function ownEnv({ env, speed = 1 }: HostedOptions, seed: number | string): Env {
  const entropy = seededEntropy(`sim:${seed}`);
  const clock = speed === 1 ? env.clock : scaledClock(env.clock, speed, env.clock.nowMs());
  return { clock, entropy, ids: timedIds(() => clock.nowMs(), entropy.fork("ids")) };
}

function accountsOf({ accounts, profile }: HostedOptions, seed: number | string): readonly AccountSetup[] {
  if (accounts === undefined) return [{ ...accountOfSeed(seed), mode: profileNamed(profile).mode }];
  return typeof accounts === "string" ? demand(readAccountsFile(accounts)) : accounts;
}

/** Exchanges without a single symbol have no accounts: a recorded window may hold one exchange alone. */
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
  exchange.openAccount({ accountId, initialUsdt, mode, teamName, exchanges }, Math.floor(nowMs));
  const identity = account.kyc === undefined ? {} : { kyc: account.kyc };
  for (const key of account.keys) keys.add({ ...key, ...identity, accountId });
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
    keys: accounts.flatMap(({ aiKey, team }) => (aiKey === undefined ? [] : [practiceKey(aiKey, team)])),
    ...(modelLatencyMs === undefined ? {} : { latency: { minMs: modelLatencyMs, maxMs: modelLatencyMs * 3 } }),
  });
}

function readyOf({ at, controlAt }: Addresses, account: AccountSetup | undefined): SimReady {
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
