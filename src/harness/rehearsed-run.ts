/** One run of a rehearsed process, as whoever rehearses it holds it in hand. */
import type { OperatorCommand } from "../agent/contract/events.ts";
import type { Log } from "../core/log.ts";
import type { Journal } from "../journal/journal.ts";
import type { Life } from "../daemon/lifecycle.ts";
import { lastRow, obey } from "../control/operator.ts";
import type { Running } from "../daemon/daemon-setup.ts";
import type { CallbackClass, CrashableProcess } from "./crashable-process.ts";

/** One run of the agent's process, from start to stop or death. */
export interface Boot {
  readonly running: Running;
  readonly journal: Journal;
  /** What ended it from inside; null while nothing has. A process that has one comes down, as the daemon does. */
  fatal(): unknown;
  /** False once it has died by its crash token or by `kill`. */
  alive(): boolean;
  operator(command: OperatorCommand): void;
  /** Stands still, as under SIGSTOP, until it is thawed. */
  freeze(): void;
  thaw(): void;
  /** The next callback of that class throws instead of running; null: none does. Says which was still to throw. Fault P7. */
  plantException(callback: CallbackClass | null): CallbackClass | null;
  /** A rejection of its that nobody handled: it ends the process as an exception does. */
  unhandled(cause: unknown): void;
  stop(reason: string): Promise<void>;
  /** Death without a word: nothing is written, connections are cut. Also buries a process that has died by its token. */
  kill(): void;
}

/** `own` is the journal on the disk, `journal` the one that dies with the process. */
export function bootOf(parts: {
  readonly endHealthWatch: () => void;
  readonly running: Running;
  readonly journal: Journal;
  readonly log: Log;
  readonly own: Journal;
  readonly beating: Life;
  readonly life: CrashableProcess;
  die(): void;
  fatal(): unknown;
  onFatal(cause: unknown): void;
}): Boot {
  const { running, journal, log, own, beating, life, die } = parts;
  return {
    running,
    journal,
    fatal: parts.fatal,
    alive: life.alive,
    operator: (command) => {
      if (!life.alive()) return;
      obey(command, { journal, log, feed: beating.feed });
    },
    freeze: () => life.freeze(),
    thaw: () => life.thaw(),
    plantException: (callback) => life.plantException(callback),
    unhandled: parts.onFatal,
    stop: async (reason) => {
      parts.endHealthWatch();
      await beating.end(reason);
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
