/**
 * Jobs beside the loop, by request and by schedule: saved files, the operator's requests, scheduled switches, reviews.
 * Each becomes an event for the agent; nothing is decided here.
 */
import type { AgentEvent } from "../agent/contract/events.ts";
import type { Config } from "../config/config.ts";
import { hashOf } from "../core/hash.ts";
import { homeExchange } from "../domain/symbol.ts";
import { dailyReview } from "../control/daily-review.ts";
import { lookForRequests } from "../control/office.ts";
import type { DaemonSetup, Running } from "./daemon-setup.ts";
import { type Job, startSchedules } from "../control/schedules.ts";
import { createSwitching, type Switching } from "../control/switching.ts";
import { watchConfig } from "../control/watch-config.ts";

const LOOK_EVERY_MS = 500;

/** Starts them all beside the daemon's own `jobs`; the returned function stops them. */
export function startJobs(setup: DaemonSetup, running: Running, jobs: readonly Job[]): () => Promise<void> {
  const { env, log, environment, journal } = setup;
  const { clock } = env;
  const nowMs = (): number => clock.nowMs();
  const dispatch = (event: AgentEvent): void => running.loop.dispatch(event);
  const switching = createSwitching({
    log,
    config: setup.config,
    fileUse: setup.fileUse ?? setup.config.strategy.use,
    strategyFlag: setup.strategyFlag,
    exchange: homeExchange(environment.exchanges),
    consent: running.consent,
    modelCheck: () => running.gateway.check(),
    nowMs,
    append: (row) => journal.append(row),
    dispatch,
  });
  const review = (): Promise<string> =>
    dailyReview({
      env,
      log,
      journal,
      gateway: running.gateway,
      learning: () => switching.current().learning,
      contractSize: running.context.contractSize,
      learnt: (lessons) => dispatch({ kind: "learnt", atMs: nowMs(), lessons }),
    });
  const clockwork = keepClockwork(switching, review, { jobs, log });
  const office = { dataDir: environment.dataDir, log, switching, nowMs, dispatch, review };
  const stopLooking = clock.every(LOOK_EVERY_MS * clock.scale, () => {
    lookForRequests(office);
    const { offsetMs, uncertaintyMs } = running.venue.clock.offset();
    void switching.beginPhase(nowMs() + offsetMs - uncertaintyMs);
  });
  const watch = watchConfig(setup.file, fileConfig(setup), {
    log,
    refused: (reason) => (running.savedConfig.refused = reason),
    accept: async (config) => {
      const accepted = await switching.accept(config);
      if (accepted.ok) clockwork.follow(switching.current());
      return accepted;
    },
  });
  const stopReloads = setup.reloads?.follow(watch.reload);
  return async () => {
    stopReloads?.();
    clockwork.end();
    stopLooking();
    await watch.close();
  };
}

/** The file as read; it may name another strategy than the running one. */
const fileConfig = ({ config, filePhase, fileUse }: DaemonSetup): Config => ({
  ...config,
  phase: filePhase ?? config.phase,
  strategy: { ...config.strategy, use: fileUse ?? config.strategy.use },
});

interface Clockwork {
  /** Adopts the schedule of a saved file. */
  follow(config: Config): void;
  end(): void;
}

/** Runs scheduled switches and reviews beside the fixed jobs. */
function keepClockwork(
  switching: Switching,
  review: () => Promise<string>,
  { jobs, log }: { jobs: readonly Job[]; log: DaemonSetup["log"] },
): Clockwork {
  const endFixed = startSchedules(jobs, log);
  let followed = "";
  let end = (): void => undefined;
  const follow = ({ strategy, learning }: Config): void => {
    const wanted = hashOf([strategy.schedule, learning.review]);
    if (wanted === followed) return;
    followed = wanted;
    end();
    const switches = strategy.schedule.map(({ cron, use, handover }) => ({
      name: `switch to ${use}`,
      cron,
      late: true,
      run: async () => void (await switching.use({ use, handover, by: "schedule", request: null })),
    }));
    const reviews =
      learning.review === "off"
        ? []
        : [
            {
              name: "review of closed trades",
              cron: learning.review,
              late: true,
              run: async () => void (await review()),
            },
          ];
    end = startSchedules([...switches, ...reviews], log);
  };
  follow(switching.current());
  return {
    follow,
    end: () => {
      endFixed();
      end();
    },
  };
}
