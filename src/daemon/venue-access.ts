/** The venue of the file: the real service, or the embedded one, hosted here on free ports. */
import type { Config, VenueKind } from "../config/config.ts";
import type { Env } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { err, ok, type Result } from "../core/result.ts";
import { Secret } from "../core/secret.ts";
import type { CandleSource } from "../domain/market.ts";
import { homeExchange, perpSymbol } from "../domain/symbol.ts";
import type { Venue } from "../domain/venue.ts";
import type { ConnectOptions } from "../net/network.ts";
import type { Saved } from "../sim/exchange/persistence/saved.ts";
import type { HostedOptions, SimReady } from "../sim/options.ts";
import { startSimService, type SimService } from "../sim/service.ts";
import { connectService } from "../venue/service-venue.ts";
import { watchedOf } from "../control/universe.ts";
import type { Environment, ServiceAccess } from "../control/environment.ts";
import { keepPracticeKeys, openPracticeRecord } from "./practice-record.ts";
import { hasPracticeState, openPracticeState, type PracticeTerms } from "./practice-state.ts";

/** Address and key of the model are empty if the environment of a real service has none. */
export interface VenueAccess extends ServiceAccess {
  /** Connects to the venue, which sends nothing before it is used. */
  connect(options: ConnectOptions): Venue;
  readonly aiUrl: string;
  readonly aiKey: Secret;
  /** The embedded service, which must be stopped last; null for the real one. */
  readonly sim: SimService | null;
  /** The history of a practice market; null where the configured sources apply. */
  readonly past: CandleSource | null;
  /** One line for people: the venue being traded. */
  readonly about: string;
}

/** The service at an address, real or simulated. */
export const serviceAt = (address: ServiceAccess): ServiceAccess & Pick<VenueAccess, "connect"> => ({
  ...address,
  connect: (options) => connectService(address, options),
});

/** The addresses of a simulated service once it is ready. */
export const simulatedAt = (ready: SimReady): ReturnType<typeof serviceAt> =>
  serviceAt({
    restUrl: ready.restUrl,
    marketWsUrl: ready.marketWsUrl,
    userWsUrl: ready.userWsUrl,
    feedsWsUrl: ready.feedsWsUrl,
    accessKey: new Secret(ready.accessKey),
    secretKey: new Secret(ready.secretKey),
  });

/** Only the file decides this, never the environment. The error is for people. */
export function venueKind(config: Config, environment: Environment): Result<VenueKind, string> {
  const { kind } = config.venue;
  if (kind !== "embedded" && !environment.service) {
    return err(
      `venue.kind is ${kind}, but the environment lacks ${environment.missing.slice(0, 3).join(", ")}. Set them, or use venue.kind: embedded to practise.`,
    );
  }
  return ok(kind);
}

/** For the log, in case somebody believes that credentials alone decide; null if none are unused. */
export const idleCredentials = (kind: VenueKind, { service }: Environment): string | null =>
  kind === "embedded" && service !== null
    ? "credentials of the service (SVC_*) are set and not used: venue.kind is embedded, which practises"
    : null;

/** `runId` names the trading run: its account is kept in the data folder. Without it nothing is kept. */
interface OpenedFor {
  readonly env: Env;
  readonly log: Log;
  readonly runId?: string;
}

/**
 * Starts the practice venue, with the account of earlier runs if there is one; makes no request to the real service.
 */
export async function openVenue(
  kind: VenueKind,
  config: Config,
  environment: Environment,
  at: OpenedFor,
): Promise<Result<VenueAccess, string>> {
  if (kind === "embedded") return embeddedVenue(config, environment, at);
  const { service, aiUrl, aiKey } = environment;
  if (!service) return err("the credentials of the service are missing");
  return ok({
    ...serviceAt(service),
    aiUrl: aiUrl ?? "",
    aiKey: aiKey ?? new Secret(""),
    sim: null,
    past: null,
    about: `the service at ${service.restUrl}`,
  });
}

/** The embedded service's options from the configuration. */
export function embeddedOptions(config: Config, exchanges: readonly string[]): Omit<HostedOptions, "env" | "log"> {
  const { embedded } = config.venue;
  const { phaseTwo } = config.competition;
  const first = homeExchange(exchanges);
  const others = exchanges.filter((exchange) => exchange !== first);
  return {
    exchanges,
    phase: config.phase,
    seed: embedded.seed,
    // One symbol on each other exchange besides the universe, so that every account of the portfolio exists.
    symbols: [...new Set([...watchedOf(config, first), ...others.map((exchange) => perpSymbol(exchange, "BTC"))])],
    ...(phaseTwo === undefined ? {} : { phaseTwoMs: phaseTwo }),
    settings: { phaseTwoEverywhere: watchedOf(config, first).some((symbol) => !symbol.startsWith(`${first}_`)) },
    profile: embedded.profile,
    modelLatencyMs: embedded.modelLatency,
    ...(embedded.data === undefined ? {} : { data: embedded.data }),
    ...(embedded.window === undefined ? {} : { window: embedded.window }),
    ...(embedded.from === undefined ? {} : { from: embedded.from }),
  };
}

const practiceTerms = ({ venue: { embedded } }: Config, exchanges: readonly string[]): PracticeTerms => ({
  seed: embedded.seed,
  profile: embedded.profile,
  exchanges,
  data: embedded.data ?? null,
  window: embedded.window ?? null,
});

/** Symbols that the account ever traded stay included after they have left the universe. */
const symbolsHeld = (accounts: Saved | null): readonly string[] =>
  accounts?.exposures.map(([, , symbol]) => symbol) ?? [];

async function embeddedVenue(
  config: Config,
  environment: Environment,
  { env, log, runId }: OpenedFor,
): Promise<Result<VenueAccess, string>> {
  const { dataDir } = environment;
  const record = config.venue.embedded.record && runId !== undefined;
  const goesOn = hasPracticeState(dataDir);
  const files = runId === undefined ? null : openPracticeRecord(dataDir, goesOn);
  const terms = practiceTerms(config, environment.exchanges);
  const onTrouble = (reason: string): void =>
    log.event("warn", "sim.unsaved", `the practice account cannot be written (${reason}); it is tried again`);
  const kept = runId === undefined ? null : openPracticeState(dataDir, terms, { runId, onTrouble });
  if (kept && !kept.ok) return kept;
  const state = kept?.value ?? null;
  try {
    const options = embeddedOptions(config, environment.exchanges);
    const sim = await startSimService({
      env,
      log,
      host: "127.0.0.1",
      port: 0,
      controlPort: 0,
      ...options,
      ...(state
        ? { kept: state, symbols: [...new Set([...(options.symbols ?? []), ...symbolsHeld(state.accounts)])] }
        : {}),
      ...(record && files ? { venueLog: true, ...files } : {}),
    });
    const { ready } = sim;
    if (record) keepPracticeKeys(dataDir, [ready.accessKey, ready.secretKey, ready.aiKey]);
    const own = environment.aiUrl && environment.aiKey;
    return ok({
      ...simulatedAt(ready),
      aiUrl: own ? (environment.aiUrl ?? "") : ready.aiUrl,
      aiKey: own ? (environment.aiKey ?? new Secret("")) : new Secret(ready.aiKey),
      sim: { ...sim, stop: () => sim.stop().finally(() => state?.close()) },
      past: sim.past,
      about: `the embedded practice venue at ${ready.restUrl}, profile ${config.venue.embedded.profile}${own ? `, the model at ${environment.aiUrl}` : ""}`,
    });
  } catch (cause) {
    state?.close();
    return err(cause instanceof Error ? cause.message : String(cause));
  }
}
