/** Which part is plugged into which: the whole house on one page. Nothing is started here. */
import { createAgent, type Agent } from "../agent/agent.ts";
import type { Restored } from "../agent/restored.ts";
import type { AgentEvent, Strategies } from "../agent/events.ts";
import { createLoop, type Loop } from "../agent/loop.ts";
import type { Config } from "../config.ts";
import { type Context, createContext } from "../context/context.ts";
import type { Gauge } from "../core/gauge.ts";
import type { Log } from "../core/log.ts";
import type { Phase } from "../domain/competition.ts";
import type { NetEnv } from "../net/network.ts";
import { createDesk } from "../desk/desk.ts";
import { memoryPreviewStore, memorySessionStore } from "../desk/memory-stores.ts";
import { restoredSessions } from "../desk/session-rows.ts";
import type { Journal } from "../journal/journal.ts";
import type { PageStore } from "../journal/page-store.ts";
import type { RowKind } from "../journal/rows.ts";
import { spendLedger } from "../journal/spend-ledger.ts";
import { createModelGateway } from "../llm/gateway.ts";
import type { ModelGateway } from "../llm/port.ts";
import { amendAlgo } from "../protocol/trading/amend-algo.ts";
import { amendOrder } from "../protocol/trading/amend-order.ts";
import { placeAlgo } from "../protocol/trading/place-algo.ts";
import { placeOrder } from "../protocol/trading/place-order.ts";
import { createTradingClient, type TradingClient } from "../venue/trading-client.ts";
import type { RateLimiter } from "../net/rate-limit.ts";
import type { PinnedAccount } from "./account-pin.ts";
import { agentRows } from "./agent-rows.ts";
import { beatFacts, type BeatFacts, type BeatSources } from "./beat-facts.ts";
import { countClaims } from "./claims.ts";
import { agentSettings, modelSettings, universeOf, watchedOf } from "./agent-settings.ts";
import { type ConsentKeeper, keepConsent } from "./consent.ts";
import { keepPages, type PageKeeper } from "./decision-pages.ts";
import type { Environment } from "./environment.ts";
import type { Recorder } from "../recorder/recorder.ts";
import { modelPort } from "./model-port.ts";
import { routedVenue } from "./order-route.ts";
import { type Recording, recordingFor } from "./recording.ts";
import { writeAnswer } from "./requests.ts";
import { restedModel } from "./rested-model.ts";
import { restore } from "./restore.ts";
import { createStreams, type Feed, type Streams } from "./streams.ts";
import { type VenueAccess, type VenueKind } from "./venue-access.ts";

const keyOf = ({ method, path }: { readonly method: string; readonly path: string }): string => `${method} ${path}`;
/** An opening order that has been judged waits no longer than what it was judged by stays fresh. */
const OPEN_PATIENCE_MS = 1_000;

export interface DaemonSetup {
  readonly file: string;
  /** `--strategy` on the command line outlives a saved file. */
  readonly strategyFlag: string | undefined;
  /** The strategy that the file names, where a later word has put another in its place. */
  readonly fileUse?: string;
  /** The phase that the file names, where a later one has begun. */
  readonly filePhase?: Phase;
  readonly environment: Environment;
  readonly config: Config;
  readonly strategies: Strategies;
  readonly kind: VenueKind;
  readonly env: NetEnv;
  readonly log: Log;
  readonly boot: string;
  /** Stands in the boot row; the process's own when absent. */
  readonly pid?: number;
  readonly journal: Journal;
  /** The rate limits' windows, where they outlive the process. */
  readonly limiter?: RateLimiter;
  /** What every reading of the account must pass, where the folder is bound to one account. */
  readonly account?: PinnedAccount;
  /** How long no model is asked, ms: after a crash. */
  readonly modelRestMs?: number;
  /** What the beats tell of the process beside its collections; nothing on virtual time. */
  readonly witness?: Omit<BeatSources, "gauges">;
  /** What the boot row says of the files and hosts that this run may use. */
  readonly bootFacts?: Readonly<Record<string, unknown>>;
  /** Where the pages of decisions go. */
  readonly pages: PageStore;
}

export interface Running {
  readonly agent: Agent;
  readonly loop: Loop;
  readonly streams: Streams;
  readonly client: TradingClient;
  readonly context: Context;
  readonly gateway: ModelGateway;
  readonly consent: ConsentKeeper;
  /** Null when it is switched off. */
  readonly recording: Recording | null;
  readonly pages: PageKeeper;
  /** Every bounded collection with its cap. Invariant I30. */
  gauges(): readonly Gauge[];
  /** What the last row tells of the run as a whole. */
  readonly facts: BeatFacts;
}

/** Every room of the daemon, made and connected. */
export function plug(
  setup: DaemonSetup,
  access: VenueAccess,
  prompts: Parameters<typeof createModelGateway>[0]["prompts"],
  onFatal: (cause: unknown) => void,
): Running {
  const { env, log, config, environment, journal, boot } = setup;
  const exchange = environment.exchanges[0] ?? "EXCHANGE_A";
  const settings = agentSettings(config, exchange);
  const client = createTradingClient({
    env,
    log,
    baseUrl: access.restUrl,
    accessKey: access.accessKey,
    secretKey: access.secretKey,
    exchanges: environment.exchanges,
    ...(setup.limiter ? { limiter: setup.limiter } : {}),
    openPatienceMs: OPEN_PATIENCE_MS,
  });
  const watched = watchedOf(config, exchange);
  const context = createContext({ universe: watched, intervals: ["1m", "5m", "15m", "1H", "4H", "1D"] });
  const record = (kind: string, body: unknown, decisionId?: string | null): void =>
    void journal.append(kind as RowKind, body, decisionId ?? undefined);
  const rows = agentRows(journal);
  const sessions = memorySessionStore(restoredSessions(journal.rows({ kinds: ["session"] }).map((row) => row.body)));
  let entry: Streams["user"] | null = null;
  const venue = config.venue.orderRoute === "rest" ? client : routedVenue(client, () => entry);
  const desk = createDesk({
    env,
    log,
    venue,
    sessions,
    previews: memoryPreviewStore(),
    record: rows.record,
    runtime: `daemon-${boot}`,
    wireFacts: (symbol) => agent.wireFacts(symbol, env.clock.nowMs()),
  });
  const consent = keepConsent(desk, env.clock, { session: config.session, symbols: universeOf(config, exchange) });
  const gateway = createModelGateway({
    env,
    log,
    settings: modelSettings(config, access.aiUrl),
    apiKey: access.aiKey,
    ledger: spendLedger(journal),
    prompts,
  });
  const recording = recordingFor({
    env,
    log,
    config,
    dataDir: environment.dataDir,
    restUrl: access.sim ? null : access.restUrl,
    symbols: watched,
  });
  const restored = restoredFrom(setup);
  const agent = createAgent({
    boot,
    context: recording ? overheard(context, recording.recorder) : context,
    settings,
    strategies: setup.strategies,
    restored,
    atMs: env.clock.nowMs(),
    monoMs: env.clock.monotonicMs(),
  });
  const claims = countClaims(log);
  const gauges = (): readonly Gauge[] => [
    ...agent.gauges(),
    ...loop.gauges(),
    ...rows.gauges(),
    ...context.gauges(),
    ...streams.news.gauges(),
    ...(recording?.recorder.gauges() ?? []),
  ];
  const facts = beatFacts(rows.append, env.clock, {
    ...setup.witness,
    gauges,
    changing: { said: claims.told, ...setup.witness?.changing },
  });
  const pages = keepPages(facts.append, setup.pages, log);
  const loop = createLoop({
    env,
    log: claims.log,
    agent,
    venue: boundTo(setup.account, client),
    desk,
    model: restedModel(modelPort(gateway, pages, log), env.clock, setup.modelRestMs ?? 0),
    journal: pages,
    consent,
    answer: (request, body) => writeAnswer(environment.dataDir, request, body),
    turn: async (action) => {
      const byStream = config.venue.orderRoute === "user-stream" && entry?.health().loggedIn;
      if (action === "algo.place")
        await client.limiter.ready(keyOf(placeAlgo), placeAlgo.limit, { priority: "protect", patienceMs: 60_000 });
      else if (action === "algo.replace")
        await client.limiter.ready(keyOf(amendAlgo), amendAlgo.limit, { priority: "protect", patienceMs: 60_000 });
      else if (!byStream && action === "order.replace")
        await client.limiter.ready(keyOf(amendOrder), amendOrder.limit, { priority: "replace", patienceMs: 30_000 });
      else if (!byStream)
        await client.limiter.ready(keyOf(placeOrder), placeOrder.limit, { priority: "open", patienceMs: 30_000 });
    },
    onFatal,
  });
  const feed: Feed = (event) => loop.dispatch({ ...event, atMs: env.clock.nowMs() } as AgentEvent);
  const streams = createStreams({
    env,
    log,
    access,
    client,
    context,
    feed,
    symbols: watched,
    recorder: recording?.recorder ?? null,
  });
  entry = streams.user;
  record("boot", {
    boot,
    pid: setup.pid ?? process.pid,
    version: process.version,
    venue: access.about,
    strategy: setup.strategies.chosen.strategy.name,
    ...setup.bootFacts,
  });
  record("config", { file: setup.file, config });
  for (const intentId of restored.unsentIntents ?? [])
    record("intent", {
      event: "end",
      intentId,
      how: "not-sent",
      reason: "the run that promised it ended before it left",
    });
  return { agent, loop, streams, client, context, gateway, consent, pages, recording, gauges, facts };
}

/** The context with the recorder listening to the funding that is read. */
const overheard = (context: Context, recorder: Recorder): Context => ({
  ...context,
  onFunding: (funding) => {
    context.onFunding(funding);
    recorder.funding(funding);
  },
});

/** The client, its account readings checked against the account that the folder belongs to. */
const boundTo = (account: PinnedAccount | undefined, client: TradingClient): TradingClient =>
  account ? { ...client, account: async () => account.check(await client.account()) } : client;

/** What earlier runs wrote down. A journal that lost rows is not trusted with openings until the operator has looked. */
function restoredFrom({ journal, env, log }: DaemonSetup): Restored {
  const restored = restore(journal, env.clock.nowMs());
  const { opened } = journal;
  if (opened.state === "ok") return restored;
  log.event(
    "error",
    "journal.damaged",
    `${opened.problem}. Nothing is opened; what is held is managed. After you have looked: ballast resume`,
    { ...opened },
  );
  return { ...restored, floor: "HALT" };
}
