/**
 * A process that can die at any instant without dying for real: its timers never fire again, what it waits for never
 * comes, and its connections are cut as the kernel would cut them.
 */
import type { Clock, Stop } from "../../core/clock.ts";
import type { Connection } from "../../net/connection.ts";
import type { HttpClient } from "../../net/http.ts";
import type { Network } from "../../net/network.ts";

export interface Mortal {
  readonly clock: Clock;
  readonly network: Network;
  readonly alive: () => boolean;
  /** Nothing of it runs from now on, as under SIGSTOP; what falls due meanwhile waits. Fault P5. */
  freeze(): void;
  /** What waited runs at once, in the order in which it came; a repeating timer only once. */
  thaw(): void;
  /** After this nothing of it is ever called again. */
  kill(): void;
}

const never = <T>(): Promise<T> => new Promise(() => undefined);

export function mortal(clock: Clock, network: Network): Mortal {
  let alive = true;
  /** What waits for the thaw; null while it runs. A key holds one entry only. */
  let waiting: Map<unknown, () => void> | null = null;
  const ends = new Set<Stop>();
  const whenAwake = (key: unknown, work: () => void): void => {
    if (!alive) return;
    if (waiting) waiting.set(key, work);
    else work();
  };
  const timed = (start: (fn: () => void) => Stop, fn: () => void, once: boolean): Stop => {
    if (!alive) return () => undefined;
    let over = false;
    const stop = start(() =>
      whenAwake(once ? {} : fn, () => {
        if (once) ends.delete(end);
        if (!over) fn();
      }),
    );
    const end = (): void => {
      over = true;
      ends.delete(end);
      stop();
    };
    ends.add(end);
    return end;
  };
  const whileAlive = <T>(begin: () => Promise<T>): Promise<T> =>
    alive ? begin().then((told) => (alive && !waiting ? told : later(told))) : never();
  const later = <T>(told: T): Promise<T> => new Promise((resolve) => whenAwake({}, () => resolve(told)));
  const ownClock: Clock = {
    ...clock,
    sleep: (ms, signal) => whileAlive(() => clock.sleep(ms, signal)),
    after: (ms, fn) => timed((run) => clock.after(ms, run), fn, true),
    every: (ms, fn) => timed((run) => clock.every(ms, run), fn, false),
  };
  const http: Network["http"] = (_clock, options): HttpClient => {
    const client = network.http(ownClock, options);
    return { ...client, send: (request) => whileAlive(() => client.send(request)) };
  };
  const connect: Network["connect"] = (url, on): Connection => {
    if (!alive) return { send: () => false, abandon: () => undefined };
    const connection = network.connect(url, {
      open: () => whenAwake({}, () => on.open()),
      message: (data) => whenAwake({}, () => on.message(data)),
      closed: (reason, retryAfterMs) => {
        ends.delete(abandon);
        whenAwake({}, () => on.closed(reason, retryAfterMs));
      },
    });
    const abandon = (): void => connection.abandon();
    ends.add(abandon);
    return {
      send: (text) => alive && connection.send(text),
      abandon: () => {
        ends.delete(abandon);
        abandon();
      },
    };
  };
  return {
    clock: ownClock,
    network: { ...network, http, connect },
    alive: () => alive,
    freeze: () => {
      waiting ??= new Map();
    },
    thaw: () => {
      const due = [...(waiting?.values() ?? [])];
      waiting = null;
      for (const work of due) if (alive) work();
    },
    kill: () => {
      alive = false;
      waiting = null;
      for (const end of [...ends]) end();
    },
  };
}
