/** A handle on one run of the simulated process. */
import type { OperatorCommand } from "../agent/contract/events.ts";
import type { Log } from "../core/log.ts";
import type { Journal } from "../journal/journal.ts";
import type { Lifecycle } from "../daemon/lifecycle.ts";
import { lastRow, obey } from "../control/operator.ts";
import type { Running } from "../daemon/daemon-setup.ts";
import type { CallbackClass, CrashableProcess } from "./crashable-process.ts";

/** One run of the agent's process, from start to stop or crash. */
export interface AgentRun {
  readonly running: Running;
  readonly journal: Journal;
  /** The error that ended it from inside; null otherwise. Such a process shuts down, as the daemon does. */
  fatal(): unknown;
  /** False once it has crashed by its token or by `kill`. */
  alive(): boolean;
  operator(command: OperatorCommand): void;
  /** Suspends it, as under SIGSTOP, until it is thawed. */
  freeze(): void;
  unfreeze(): void;
  /**
   * The next callback of that kind throws instead of running; null plants none. Returns the one that was still planted.
   * Fault P7.
   */
  plantException(callback: CallbackClass | null): CallbackClass | null;
  /** Reports an unhandled rejection of the process: it ends the process as an exception does. */
  unhandled(cause: unknown): void;
  stop(reason: string): Promise<void>;
  /**
   * Kills it at once: nothing is written, connections are cut. Also cleans up after a process that crashed by its
   * token.
   */
  kill(): void;
}

/** `own` is the journal on disk, `journal` the one that crashes with the process. */
export function agentRunOf(parts: {
  readonly endHealthWatch: () => void;
  readonly running: Running;
  readonly journal: Journal;
  readonly log: Log;
  readonly own: Journal;
  readonly lifecycle: Lifecycle;
  readonly life: CrashableProcess;
  die(): void;
  fatal(): unknown;
  onFatal(cause: unknown): void;
}): AgentRun {
  const { running, journal, log, own, lifecycle, life, die } = parts;
  return {
    running,
    journal,
    fatal: parts.fatal,
    alive: life.alive,
    operator: (command) => {
      if (!life.alive()) return;
      obey(command, { journal, log, feed: lifecycle.feed });
    },
    freeze: () => life.freeze(),
    unfreeze: () => life.unfreeze(),
    plantException: (callback) => life.plantException(callback),
    unhandled: parts.onFatal,
    stop: async (reason) => {
      parts.endHealthWatch();
      await lifecycle.end(reason);
      lastRow({ journal, log }, { reason });
      own.close();
      life.kill();
    },
    kill: () => {
      die();
      own.close();
    },
  };
}
