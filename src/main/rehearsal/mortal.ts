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
  /** After this nothing of it is ever called again. */
  kill(): void;
}

const never = <T>(): Promise<T> => new Promise(() => undefined);

export function mortal(clock: Clock, network: Network): Mortal {
  let alive = true;
  const ends = new Set<Stop>();
  const timed = (start: (fn: () => void) => Stop, fn: () => void, once: boolean): Stop => {
    if (!alive) return () => undefined;
    const stop = start(() => {
      if (once) ends.delete(end);
      if (alive) fn();
    });
    const end = (): void => {
      ends.delete(end);
      stop();
    };
    ends.add(end);
    return end;
  };
  const whileAlive = <T>(begin: () => Promise<T>): Promise<T> =>
    alive ? begin().then((told) => (alive ? told : never())) : never();
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
      open: () => alive && on.open(),
      message: (data) => alive && on.message(data),
      closed: (reason, retryAfterMs) => {
        ends.delete(abandon);
        if (alive) on.closed(reason, retryAfterMs);
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
    network: { http, connect, gate: () => network.gate() },
    alive: () => alive,
    kill: () => {
      alive = false;
      for (const end of [...ends]) end();
    },
  };
}
