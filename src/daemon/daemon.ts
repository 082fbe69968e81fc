/**
 * The daemon's lifecycle: what starts when, what a saved file changes, and how it shuts down. It contains no trading
 * rules.
 */
import { systemClock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { countStatusRequests } from "../faces/status/request-counts.ts";
import { loadPrompts } from "../llm/prompts/prompts.ts";
import { pinAccount, pinOf } from "../control/account-pin.ts";
import { CAUSE_LOOK_MS } from "../causes/cause-watch.ts";
import { startJobs } from "./jobs.ts";
import { consentGap, consentVenue } from "../control/consent-gap.ts";
import { firstStart } from "./first-start.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { watchHealth } from "./watch-health.ts";
import { livePermit } from "../control/go-live.ts";
import { liveFile } from "../control/live-file.ts";
import { startLifecycle } from "./lifecycle.ts";
import { lastRow, obey } from "../control/operator.ts";
import { OWN_PROMPTS_DIR, PROMPTS_DIR } from "../ops/paths.ts";
import type { DaemonSetup, Running } from "./daemon-setup.ts";
import { beginPast } from "./past.ts";
import { plug } from "./plug.ts";
import { archiveOld } from "../ops/retention.ts";
import { takeCommand } from "../control/command-file.ts";
import { journalPath, removeRunCard, writeRunCard } from "../ops/run-file.ts";
import { onStopSignal } from "../ops/stop-signals.ts";
import { failureText, haltAtStrays, isStray } from "./stray-failures.ts";
import { startRunLog } from "./run-log.ts";
import { openVenue, type VenueAccess } from "./venue-access.ts";
import { shutDown, type ShutdownStep } from "./shutdown.ts";
import { healthNow, serveStatus, statusOf } from "./status-endpoint.ts";
import { type OwnerNotifications, notifyOwner } from "./notify-owner.ts";
import { telemetryOf } from "./telemetry.ts";

const OPERATOR_MS = 1_000;

/** Runs until a signal, an unforeseen error or a refused account; returns an exit code of `exit-codes.ts`. */
export async function daemon(setup: DaemonSetup): Promise<number> {
  const { env, log, config, environment } = setup;
  const prompts = loadPrompts(PROMPTS_DIR, OWN_PROMPTS_DIR);
  if (!prompts.ok) return fail(log, EXIT.config, prompts.error);
  for (const fault of prompts.value.faults) log.event("warn", "prompt.refused", fault);
  const venue = await openVenue(setup.kind, config, environment, { env, log, runId: setup.runId });
  if (!venue.ok) return fail(log, EXIT.venueRefused, venue.error);
  const access = venue.value;
  const stop = stopSignal(log);
  const dealing = consentVenue(setup.kind, access.restUrl);
  const hosts = liveFile(environment.dataDir, log);
  const permit = livePermit(setup.journal, dealing, { session: config.session, flag: setup.live === true, log, hosts });
  const on = { log, refused: stop.refuse, known: permit.accountKnown };
  const account = pinAccount(setup.journal, pinOf(setup.kind, access), on);
  if (!account.ok) {
    await access.sim?.stop();
    return fail(log, EXIT.venueRefused, account.error);
  }
  const requests = countStatusRequests();
  const telemetry = telemetryOf({
    env,
    access,
    requests,
    dataDir: environment.dataDir,
    journalFile: journalPath(environment.dataDir),
    promptsDir: PROMPTS_DIR,
    sinceMs: performance.timeOrigin,
  });
  const plugged = plug(
    {
      ...setup,
      account: account.value,
      permit,
      env: telemetry.env,
      telemetry: telemetry.sources,
      bootFacts: telemetry.bootFacts,
    },
    access,
    prompts.value,
    (cause) => stop.fatal(cause),
  );
  const refusal = await Promise.race([firstStart(setup, plugged, access), stop.reason.then(() => null)]);
  if (refusal) {
    plugged.gateway.close();
    await plugged.venue.client.close();
    await access.sim?.stop();
    return fail(log, refusal.code, refusal.sentence);
  }
  const status = statusOf(setup, plugged);
  const owner = notifyOwner(setup, status);
  const server = await serveStatus(setup, plugged, {
    requests,
    status,
    owner,
    health: () => healthNow(setup, plugged),
  });
  announce(setup, access, server);
  const gap = permit.missing() ?? consentGap(config.session, dealing);
  if (gap) log.event("warn", "agent.observing", gap);
  const ends = start(setup, plugged, { owner, onFatal: stop.fatal, onStray: stop.onStray });
  const reason = await stop.reason;
  const steps: readonly ShutdownStep[] = [
    ...ends(reason.text),
    { name: "the notifications", end: () => owner?.stop() },
    { name: "the page", end: () => server?.page?.stop() },
    { name: "the status endpoint", end: () => server?.close() },
    { name: "the run card", end: () => (server ? removeRunCard(environment.dataDir) : undefined) },
    { name: "the practice venue", end: () => access.sim?.stop() },
  ];
  const clean = await shutDown(steps, { clock: systemClock(), log, exit: (code) => process.exit(code) });
  const code = reason.code === EXIT.ok && !(clean && stop.quiet()) ? EXIT.failed : reason.code;
  log.event(code === EXIT.ok ? "info" : "error", code === EXIT.ok ? "agent.stopped" : "agent.failed", reason.text, {
    exitCode: code,
  });
  return code;
}

/** Logs where the status and the venue are, and leaves the address of the status endpoint in the data folder. */
function announce(
  { env, log, environment, runId }: DaemonSetup,
  access: VenueAccess,
  server: Awaited<ReturnType<typeof serveStatus>>,
): void {
  log.event(
    "info",
    "status.listening",
    server
      ? `${server.page ? `the page is at ${server.url}/, ` : ""}health at ${server.url}/health, status at ${server.url}/status`
      : "no status endpoint",
    server ? { url: server.url } : {},
  );
  log.event("info", "venue.opened", `trading on ${access.about}`, { embedded: access.sim !== null });
  if (server)
    writeRunCard(environment.dataDir, {
      pid: process.pid,
      boot: runId,
      statusUrl: server.url,
      sinceMs: env.clock.nowMs(),
    });
}

function fail(log: Log, code: number, message: string): number {
  log.event("error", "agent.failed", message, { exitCode: code });
  return code;
}

interface StopReason {
  readonly code: number;
  readonly text: string;
}

/** Resolves at the first SIGINT, SIGTERM or unforeseen error; a later signal ends the process at once. */
function stopSignal(log: Log): {
  readonly reason: Promise<StopReason>;
  /** False if an unforeseen error came during the shutdown. */
  readonly quiet: () => boolean;
  readonly fatal: (cause: unknown) => void;
  /** Who takes rejections that are not the program's own; until then they are unforeseen errors too. */
  readonly onStray: (take: (cause: unknown) => void) => void;
  /** The venue's account is not one that this agent may trade. */
  readonly refuse: (text: string) => void;
} {
  let resolveReason: (reason: StopReason) => void = () => undefined;
  const reason = new Promise<StopReason>((resolve) => (resolveReason = resolve));
  let stopping = false;
  let quiet = true;
  const settle = (why: StopReason): void => {
    stopping = true;
    resolveReason(why);
  };
  onStopSignal({
    first: (name) => settle({ code: EXIT.ok, text: `stopped by ${name}` }),
    again: () => process.exit(EXIT.failed),
  });
  const fatal = (cause: unknown): void => {
    const text = failureText(cause);
    if (!stopping) return settle({ code: EXIT.failed, text });
    quiet = false;
    log.event("error", "agent.failed", `another fault while stopping: ${text}`);
  };
  process.on("uncaughtException", fatal);
  let stray = fatal;
  process.on("unhandledRejection", (cause) => (!stopping && isStray(cause) ? stray(cause) : fatal(cause)));
  const onStray = (take: typeof stray): void => void (stray = take);
  return { reason, quiet: () => quiet, fatal, onStray, refuse: (text) => settle({ code: EXIT.venueRefused, text }) };
}

/** Starts everything; the returned function lists the shutdown steps, in order. */
function start(
  setup: DaemonSetup,
  running: Running,
  {
    owner,
    onFatal,
    onStray,
  }: Pick<ReturnType<typeof stopSignal>, "onStray"> & {
    readonly owner: OwnerNotifications | null;
    readonly onFatal: (cause: unknown) => void;
  },
): (reason: string) => readonly ShutdownStep[] {
  const { env, environment } = setup;
  const { dataDir } = environment;
  const { clock } = env;
  const life = startLifecycle(clock, running);
  const endPast = beginPast(running);
  const { feed } = life;
  onStray(haltAtStrays(setup.log, feed, running.agent.status, clock.nowMs));
  const places = { dataDir, journalFile: journalPath(dataDir) };
  const endHealthWatch = watchHealth({ ...setup, ...places, clock, venue: running.venue.client, feed, onFatal });
  const stopLooking = clock.every(CAUSE_LOOK_MS * clock.scale, running.causes.look);
  const stopListening = clock.every(OPERATOR_MS * clock.scale, () => {
    const command = takeCommand(environment.dataDir);
    if (command !== null) obey(command, { ...setup, feed });
  });
  const runLog = startRunLog(setup, running);
  const endJobs = startJobs(setup, running, [
    { name: "model spend", cron: "*/5 * * * *", run: () => running.gateway.reconcile() },
    { name: "day's end", cron: "59 23 * * *", run: runLog.sumUpDay },
    { name: "day's message", cron: "58 23 * * *", run: () => owner?.sumUpDay() ?? Promise.resolve() },
    { name: "old rows", cron: "20 0 * * *", run: () => moveOldRows(setup) },
  ]);
  return (reason) => [
    { name: "the command listener", end: stopListening },
    { name: "the watch of causes", end: stopLooking },
    { name: "the health monitor", end: endHealthWatch },
    { name: "the heartbeat", end: runLog.stopBeating },
    { name: "the schedule", end: endJobs },
    { name: "the agent", end: () => life.end(reason) },
    { name: "the loading of history", end: endPast },
    { name: "the recorder", end: () => running.recording?.stop() },
    { name: "the summary", end: runLog.sumUp },
    { name: "the journal", end: () => lastRow(setup, { reason, ...running.facts.last() }) },
  ];
}

const moveOldRows = async ({ env, log, journal, config }: DaemonSetup): Promise<void> =>
  void (await archiveOld(journal, { keepMs: config.journal.keep, nowMs: env.clock.nowMs(), log }));
