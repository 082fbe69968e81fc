/**
 * A source whose text is polled: an HTTP reply or a file. The owner's code only parses the text, within a time limit;
 * fetching and bounds are here. Any fault is counted as the source's and ends nothing.
 */
import { readFileSync, statSync } from "node:fs";
import type { PolledPlan, TextOrigin } from "../control/sources.ts";
import { HungError, withinTime } from "../core/time-box.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { type NetEnv, networkOf } from "../net/network.ts";
import { type ArmedReader, READ_MS_MAX, type Source } from "../strategy/source.ts";

const ANSWER_BYTES_MAX = 1024 * 1024;
const FILE_BYTES_MAX = 4 * 1024 * 1024;
const ANSWER_WITHIN_MS = 10 * SECOND_MS;
/** Points of one reading that are passed on. */
const POINTS_MAX = 10_000;
/** Longest pause after a reading that hung, and after any other fault. */
const HUNG_REST_MS = HOUR_MS;
const REST_MS = 5 * MINUTE_MS;
/** A reading that was stopped with less than this share of its CPU time was delayed by a busy machine. */
const HUNG_SHARE = 0.5;
/** A check says that a reader hung after so many readings that did not come back. */
const CHECKED_TIMES = 5;

/** The text, or null if it has not changed since the last time. */
interface Text {
  fetch(signal: AbortSignal): Promise<string | null> | string | null;
  /** The last text could not be parsed: it counts as new. */
  forget(): void;
  close(): void;
}

/** `readMsMax` is Infinity on virtual time, where real time does not count. */
export function polledSource(plan: PolledPlan, env: NetEnv, readMsMax: number = READ_MS_MAX): Source {
  const { name, staleAfterMs, everyMs, origin, reader } = plan;
  const { clock } = env;
  return {
    name,
    staleAfterMs,
    start: (signal, sink) => {
      const text = origin.kind === "file" ? fileText(origin.path) : answerText(origin, env);
      const waiting = origin.kind === "file" ? new Waiting() : null;
      const rest = new Rest(everyMs);
      let busy = false;
      const take = (found: string | null): void => {
        if (found !== null) {
          const points = readPoints(reader, found, readMsMax);
          if (waiting && Array.isArray(points)) sink.points(waiting.replace(points, clock.nowMs()));
          else sink.points(points);
        } else sink.points(waiting?.due(clock.nowMs()) ?? []);
        rest.worked();
      };
      const failed = (cause: unknown): void => {
        text.forget();
        rest.failed(clock.monotonicMs(), cause instanceof HungError && cause.usedShare >= HUNG_SHARE);
        sink.fault((cause instanceof Error ? cause.message : String(cause)).slice(0, 200));
      };
      const poll = (): void => {
        if (busy || signal.aborted || rest.lasts(clock.monotonicMs())) return;
        try {
          const fetched = text.fetch(signal);
          if (!(fetched instanceof Promise)) return take(fetched);
          busy = true;
          void fetched
            .then((found) => (signal.aborted ? undefined : take(found)))
            .catch((cause: unknown) => (signal.aborted ? undefined : failed(cause)))
            .finally(() => (busy = false));
        } catch (cause) {
          failed(cause);
        }
      };
      // Practice time may run faster than the machine; no server is asked more than once a real second.
      const stop = clock.every(Math.max(everyMs, SECOND_MS * clock.scale), poll);
      signal.addEventListener("abort", () => [stop, text.close].forEach((end) => end()), { once: true });
      poll();
    },
  };
}

/** All points of a source's file, for a check; throws why there are none. */
export function pointsInFile(file: string, reader: ArmedReader): unknown {
  const text = wholeFile(file);
  for (let attempt = 1; ; attempt += 1)
    try {
      return readPoints(reader, text, READ_MS_MAX);
    } catch (cause) {
      // A busy machine interrupts a quick reader too, but not each time.
      if (!(cause instanceof HungError) || attempt === CHECKED_TIMES) throw cause;
    }
}

/** Only plain data comes back, so that no code of the source can run later. Throws what the source throws. */
const readPoints = ({ reader, settings }: ArmedReader, text: string, msMax: number): unknown =>
  withinTime(() => {
    const made: unknown = reader.read(text, settings);
    if (made instanceof Promise) {
      made.catch(() => undefined);
      throw new Error("read returned a promise; it must return points at once");
    }
    return JSON.parse(JSON.stringify(made) ?? "null") as unknown;
  }, msMax);

/** Points of a file that also holds the future, as in a backtest: each is shown once its time has come. */
class Waiting {
  #later: { readonly atMs: number }[] = [];

  /** Replaces the waiting points; returns those already due, and invalid ones. */
  replace(points: readonly unknown[], nowMs: number): readonly unknown[] {
    const isTimed = (point: unknown): point is { atMs: number } =>
      typeof (point as { atMs?: unknown } | null)?.atMs === "number";
    // Latest first: due points are taken from the end.
    this.#later = points.filter(isTimed).sort((a, b) => b.atMs - a.atMs);
    return [...points.filter((point) => !isTimed(point)), ...this.due(nowMs)].slice(-POINTS_MAX);
  }

  due(nowMs: number): readonly unknown[] {
    const due: unknown[] = [];
    for (let next = this.#later.at(-1); next && next.atMs <= nowMs; next = this.#later.at(-1)) {
      due.push(next);
      this.#later.pop();
    }
    return due.slice(-POINTS_MAX);
  }
}

/** After a fault the source pauses, twice as long after each further fault in a row. */
class Rest {
  readonly #everyMs: number;
  #inARow = 0;
  #untilMs = -Infinity;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  lasts(monoMs: number): boolean {
    return monoMs < this.#untilMs;
  }

  worked(): void {
    this.#inARow = 0;
  }

  failed(monoMs: number, hung: boolean): void {
    this.#inARow += 1;
    const longest = Math.max(this.#everyMs, hung ? HUNG_REST_MS : REST_MS);
    this.#untilMs = monoMs + Math.min(longest, this.#everyMs * 2 ** Math.min(this.#inARow, 20));
  }
}

function wholeFile(file: string): string {
  if (statSync(file).size > FILE_BYTES_MAX) throw new Error(`${file} is larger than ${FILE_BYTES_MAX} bytes`);
  return readFileSync(file, "utf8");
}

function fileText(file: string): Text {
  let seen = "";
  return {
    fetch: () => {
      const { size, mtimeMs } = statSync(file);
      const version = `${size}:${mtimeMs}`;
      if (version === seen) return null;
      const text = wholeFile(file);
      seen = version;
      return text;
    },
    forget: () => {
      seen = "";
    },
    close: () => undefined,
  };
}

function answerText({ url, header }: Extract<TextOrigin, { kind: "url" }>, env: NetEnv): Text {
  const { origin, host, pathname, search } = new URL(url);
  const http = networkOf(env).http(env.clock, { baseUrl: origin, bodyMaxBytes: ANSWER_BYTES_MAX });
  const headers = { accept: "*/*", ...(header ? { [header.name]: header.key.reveal() } : {}) };
  return {
    fetch: async (signal) => {
      const path = `${pathname}${search}`;
      const outcome = await http.send({ method: "GET", path, headers, timeoutMs: ANSWER_WITHIN_MS, signal });
      if (outcome.kind !== "done") throw new Error(`${host}: ${outcome.message}`);
      if (outcome.status !== 200) throw new Error(`${host} answered ${outcome.status}`);
      return outcome.text;
    },
    forget: () => undefined,
    close: () => void http.close(),
  };
}
