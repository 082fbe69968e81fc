/** Connects all parts of the daemon, on one page. Nothing is started here. */
import { type Agent, createAgent } from "../agent/shell/agent.ts";
import type { AgentEvent } from "../agent/contract/events.ts";
import { createLoop } from "../agent/shell/loop.ts";
import { type Context, createContext } from "../context/context.ts";
import type { Gauge } from "../core/bounded.ts";
import { homeExchange } from "../domain/symbol.ts";
import type { VenuePort } from "../domain/venue-calls.ts";
import { spendLedger } from "../journal/spend-ledger.ts";
import { createModelGateway } from "../llm/gateway/gateway.ts";
import type { ModelGateway } from "../llm/contract/port.ts";
import type { Recorder } from "../recorder/recorder.ts";
import type { PinnedAccount } from "../control/account-pin.ts";
import { agentRows } from "./agent-rows.ts";
import { agentSettings } from "../control/agent-settings.ts";
import { watchedOf } from "../control/universe.ts";
import { beatFacts } from "./beat-facts.ts";
import { restoredFrom, writeBootRows } from "./boot-rows.ts";
import { causeFacts } from "./cause-facts.ts";
import { createCauseWatch } from "../causes/cause-watch.ts";
import { countLines } from "../ops/line-counts.ts";
import type { DaemonSetup, Running } from "./daemon-setup.ts";
import { historyOf } from "./past.ts";
import { keepPages } from "./decision-pages.ts";
import { modelPort } from "./model-port.ts";
import { type Recording, recordingFor } from "./recording.ts";
import { answering } from "../control/requests.ts";
import { createSources, plannedSources } from "./sources.ts";
import { createStreams, type Feed } from "./streams.ts";
import { tradingSide } from "./trading-side.ts";
import type { VenueAccess } from "./venue-access.ts";

type Prompts = Parameters<typeof createModelGateway>[0]["prompts"];

type AgentSetup = Parameters<typeof createAgent>[0];

const BARS_KEPT = ["1m", "5m", "15m", "1H", "4H", "1D"];

/** All parts of the daemon, created and connected. */
export function plug(
  setup: DaemonSetup,
  access: VenueAccess,
  prompts: Prompts,
  onFatal: (cause: unknown) => void,
): Running {
  const { env, log, config, environment, journal } = setup;
  const exchange = homeExchange(environment.exchanges);
  const settings = agentSettings(config, exchange);
  const watched = watchedOf(config, exchange);
  const planned = setup.sources ?? [];
  const context = createContext({ universe: watched, sources: planned, intervals: BARS_KEPT });
  const rows = agentRows(journal);
  const { venue, desk, consent } = tradingSide(setup, access, {
    record: rows.record,
    wireFacts: (symbol) => agent.wireFacts(symbol, env.clock.nowMs()),
  });
  const gateway = gatewayOf(setup, access, prompts);
  const recording = recordingOf(setup, access, watched);
  const recorder = recording?.recorder ?? null;
  const history = historyOf(setup, access, { context, symbols: watched });
  const restored = restoredFrom(setup);
  const heard = recorder ? overheard(context, recorder) : context;
  const agent = agentOf(setup, { context: heard, settings, rates: venue.limits.rates, restored });
  const lineCounts = countLines(log);
  const gauges = (): readonly Gauge[] =>
    [agent, loop, rows, context, streams.news, ...(recorder ? [recorder] : [])].flatMap((part) => part.gauges());
  const facts = beatFacts(rows.append, env.clock, {
    ...setup.telemetry,
    gauges,
    changing: { said: lineCounts.reported, ...setup.telemetry?.changing },
  });
  const pages = keepPages(facts.append, setup.pages, log);
  const loop = createLoop({
    env,
    log: lineCounts.log,
    agent,
    venue: boundTo(setup.account, venue.client),
    desk,
    model: modelPort(gateway, pages, log),
    journal: pages,
    consent,
    answer: answering(environment.dataDir, log),
    slotReady: venue.limits.ready,
    onFatal,
  });
  const feed: Feed = (event) => loop.dispatch({ ...event, atMs: env.clock.nowMs() } as AgentEvent);
  const streams = createStreams({ env, log, access, venue, context, feed, symbols: watched, recorder });
  writeBootRows(setup, access.about, restored);
  const sources = createSources(plannedSources(planned, env, setup.sourceReadMsMax), { env, log, feed, recorder });
  const savedConfig: Running["savedConfig"] = { refused: null };
  const worldTime = setup.kind !== "embedded";
  const known = { clock: env.clock, agent, venue, streams, gateway, worldTime, savedConfig };
  const causes = createCauseWatch(() => causeFacts(known), log);
  return {
    agent,
    loop,
    streams,
    sources,
    venue,
    context,
    gateway,
    consent,
    causes,
    savedConfig,
    pages,
    recording,
    history,
    gauges,
    facts,
  };
}

/** The agent begins with what earlier runs left in the journal, and reads only while writes are not allowed. */
const agentOf = (
  { runId, env, strategies, permit }: DaemonSetup,
  given: Pick<AgentSetup, "context" | "settings" | "rates" | "restored">,
): Agent =>
  createAgent({
    ...given,
    runId,
    strategies,
    atMs: env.clock.nowMs(),
    monoMs: env.clock.monotonicMs(),
    readOnly: (permit?.missing() ?? null) !== null,
  });

/** The model behind its budget, by the configuration in force. */
const gatewayOf = (
  { env, log, config, journal, chat }: DaemonSetup,
  access: VenueAccess,
  prompts: Prompts,
): ModelGateway =>
  createModelGateway({
    env,
    ...(chat ? { chat } : {}),
    log,
    settings: { ...config.model, aiUrl: access.aiUrl },
    apiKey: access.aiKey,
    ledger: spendLedger(journal),
    prompts,
  });

const recordingOf = (
  { env, log, config, environment, sources = [] }: DaemonSetup,
  access: VenueAccess,
  symbols: readonly string[],
): Recording | null =>
  recordingFor({
    env,
    log,
    config,
    dataDir: environment.dataDir,
    restUrl: access.sim ? null : access.restUrl,
    symbols,
    sources: sources.map(({ name }) => name),
  });

/** A context that also passes funding readings to the recorder. */
const overheard = (context: Context, recorder: Recorder): Context => ({
  ...context,
  onFunding: (funding) => {
    context.onFunding(funding);
    recorder.funding(funding);
  },
});

/** The client, with account readings checked against the account of the folder. */
const boundTo = (account: PinnedAccount | undefined, client: VenuePort): VenuePort =>
  account ? { ...client, account: async (given) => account.check(await client.account(given)) } : client;
