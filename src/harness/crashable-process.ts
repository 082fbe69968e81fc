/**
 * A process that can crash at any instant inside the test process: its timers never fire again, its promises never
 * settle, and its connections are cut as the kernel would cut them.
 */
import type { Clock, Stop } from "../core/clock.ts";
import type { Connection } from "../net/connection.ts";
import type { HttpClient } from "../net/http.ts";
import type { Network } from "../net/network.ts";

/** The kinds of callbacks of a process. */
export const CALLBACK_CLASSES = ["timer", "rhythm", "sleep", "answer", "open", "message", "closed"] as const;
/** `rhythm` is a repeating timer, `timer` a single one; `answer` is HTTP's, the last three are a socket's. */
export type CallbackClass = (typeof CALLBACK_CLASSES)[number];

/** An unforeseen exception, planted in a callback. Fault P7. */
export class PlantedException extends Error {
  override readonly name = "Startled";
}

/** Clock and network belong to the process: both stop with it. */
export interface CrashableProcess {
  readonly clock: Clock;
  readonly network: Network;
  readonly alive: () => boolean;
  /** Stops all its code, as under SIGSTOP; callbacks due meanwhile wait. Fault P5. */
  freeze(): void;
  /** Runs the waiting callbacks at once, in order of arrival; a repeating timer only once. */
  unfreeze(): void;
  /**
   * The next callback of that kind throws instead of running; null plants none. Returns the one that was still planted.
   */
  plantException(callback: CallbackClass | null): CallbackClass | null;
  /** Afterwards none of its callbacks ever runs. */
  kill(): void;
}

const never = <T>(): Promise<T> => new Promise(() => undefined);

const rethrow = (cause: unknown): void => {
  throw cause;
};

/** The state that the clock and the network of a process share. */
interface Life {
  alive(): boolean;
  /** What must be stopped with it. */
  readonly ends: Set<Stop>;
  /** Runs the work now, or when the process is thawed. A key holds one entry only. */
  whenAwake(key: unknown, work: () => void): void;
  /** Runs a callback of that kind; the handler of uncaught exceptions gets what it throws. */
  called(callback: CallbackClass, work: () => void): void;
  /** A promise that never settles for a killed process, and settles for a frozen one when it is thawed. */
  whileAlive<T>(callback: CallbackClass, begin: () => Promise<T>): Promise<T>;
}

type Fate = Omit<CrashableProcess, "clock" | "network">;

/** `uncaught` receives what a callback threw, as a process's handler of uncaught exceptions does. */
export function crashableProcess(
  clock: Clock,
  network: Network,
  uncaught: (cause: unknown) => void = rethrow,
): CrashableProcess {
  const { life, fate } = newLife(uncaught);
  const ownClock = clockOf(clock, life);
  return { clock: ownClock, network: networkOf(network, ownClock, life), ...fate };
}

function newLife(uncaught: (cause: unknown) => void): { readonly life: Life; readonly fate: Fate } {
  let alive = true;
  let startled: CallbackClass | null = null;
  /** What runs when it is thawed; null while it is running. */
  let waiting: Map<unknown, () => void> | null = null;
  const ends = new Set<Stop>();
  const whenAwake = (key: unknown, work: () => void): void => {
    if (!alive) return;
    if (waiting) waiting.set(key, work);
    else work();
  };
  const perhapsThrow = (callback: CallbackClass): void => {
    if (startled !== callback) return;
    startled = null;
    throw new PlantedException(`planted in a callback: ${callback}`);
  };
  const called = (callback: CallbackClass, work: () => void): void => {
    try {
      perhapsThrow(callback);
      work();
    } catch (cause) {
      uncaught(cause);
    }
  };
  const settled = <T>(callback: CallbackClass, reported: T): T => {
    perhapsThrow(callback);
    return reported;
  };
  const later = <T>(reported: T): Promise<T> => new Promise((resolve) => whenAwake({}, () => resolve(reported)));
  const whileAlive = <T>(callback: CallbackClass, begin: () => Promise<T>): Promise<T> =>
    alive ? begin().then((reported) => (alive && !waiting ? settled(callback, reported) : later(reported))) : never();
  const fate: Fate = {
    alive: () => alive,
    freeze: () => {
      waiting ??= new Map();
    },
    unfreeze: () => {
      const due = [...(waiting?.values() ?? [])];
      waiting = null;
      for (const work of due) if (alive) work();
    },
    plantException: (callback) => {
      const before = startled;
      startled = callback;
      return before;
    },
    kill: () => {
      alive = false;
      waiting = null;
      for (const end of [...ends]) end();
    },
  };
  return { life: { alive: fate.alive, ends, whenAwake, called, whileAlive }, fate };
}

function clockOf(clock: Clock, life: Life): Clock {
  const timed = (start: (fn: () => void) => Stop, fn: () => void, once: boolean): Stop => {
    if (!life.alive()) return () => undefined;
    let over = false;
    const stop = start(() =>
      life.whenAwake(once ? {} : fn, () => {
        if (once) life.ends.delete(end);
        if (!over) life.called(once ? "timer" : "rhythm", fn);
      }),
    );
    const end = (): void => {
      over = true;
      life.ends.delete(end);
      stop();
    };
    life.ends.add(end);
    return end;
  };
  return {
    ...clock,
    sleep: (ms, signal) => life.whileAlive("sleep", () => clock.sleep(ms, signal)),
    after: (ms, fn) => timed((run) => clock.after(ms, run), fn, true),
    every: (ms, fn) => timed((run) => clock.every(ms, run), fn, false),
  };
}

function networkOf(network: Network, ownClock: Clock, life: Life): Network {
  const awake = (callback: CallbackClass, work: () => void): void =>
    life.whenAwake({}, () => life.called(callback, work));
  const http: Network["http"] = (_clock, options): HttpClient => {
    const client = network.http(ownClock, options);
    return { ...client, send: (request) => life.whileAlive("answer", () => client.send(request)) };
  };
  const connect: Network["connect"] = (url, on): Connection => {
    if (!life.alive()) return { send: () => false, abandon: () => undefined };
    const connection = network.connect(url, {
      open: () => awake("open", () => on.open()),
      message: (data) => awake("message", () => on.message(data)),
      closed: (reason, retryAfterMs) => {
        life.ends.delete(abandon);
        awake("closed", () => on.closed(reason, retryAfterMs));
      },
    });
    const abandon = (): void => connection.abandon();
    life.ends.add(abandon);
    return {
      send: (text) => life.alive() && connection.send(text),
      abandon: () => {
        life.ends.delete(abandon);
        abandon();
      },
    };
  };
  return { ...network, http, connect };
}
