/**
 * The clock port. Code receives a `Clock` as an argument; only `main/` builds the real one, tests and backtests build a
 * virtual one. All wall times are epoch milliseconds, UTC.
 */

export type Stop = () => void;

/** Spans are in this clock's own milliseconds; `scale` converts real milliseconds to them. */
export interface Clock {
  /** Milliseconds of this clock per real millisecond: 1, or more if practice time runs faster. */
  readonly scale: number;
  /** Wall time, epoch ms. May step when the machine's clock is corrected; never use it for durations. */
  nowMs(): number;
  /** Milliseconds since an arbitrary start; never goes back. For durations and ages. */
  monotonicMs(): number;
  /** Resolves after `ms`; resolves early, without throwing, when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs `fn` once after `ms`. The returned function cancels it. */
  after(ms: number, fn: () => void): Stop;
  /** Runs `fn` every `ms`, first after `ms`. The returned function ends it. */
  every(ms: number, fn: () => void): Stop;
}

/** The largest delay of a Node timer; a longer one would fire at once. */
const TIMER_MAX_MS = 2_147_483_647;

function safeDelay(ms: number): number {
  if (!Number.isFinite(ms)) throw new RangeError(`timer delay must be finite, found ${String(ms)}`);
  return Math.max(0, ms);
}

/** A sleep for clocks that have only `after`. */
export const sleepBy =
  (after: Clock["after"]): Clock["sleep"] =>
  (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        stop();
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const stop = after(ms, done);
      signal?.addEventListener("abort", done, { once: true });
    });

/** The machine's own clock. */
export function systemClock(): Clock {
  const after = (ms: number, fn: () => void): Stop => {
    const delay = safeDelay(ms);
    // A longer delay is waited for in parts.
    const wait = (left: number): NodeJS.Timeout =>
      setTimeout(
        () => (left > TIMER_MAX_MS ? (timer = wait(left - TIMER_MAX_MS)) : fn()),
        Math.min(left, TIMER_MAX_MS),
      );
    let timer = wait(delay);
    return () => clearTimeout(timer);
  };
  return {
    scale: 1,
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    sleep: sleepBy(after),
    after,
    every: (ms, fn) => {
      const timer = setInterval(fn, Math.min(Math.max(1, safeDelay(ms)), TIMER_MAX_MS));
      return () => clearInterval(timer);
    },
  };
}

/** Runs `fn` after `ms` of the machine's time. The timer does not keep the process alive. */
export const afterUnheld = (ms: number, fn: () => void): void => void setTimeout(fn, ms).unref();

/**
 * A clock on which `scale` milliseconds pass for each one of `base`, starting at `startMs`. A practice venue and an
 * agent that share it run through a day in minutes, with all spans in proportion.
 */
export function scaledClock(base: Clock, scale: number, startMs: number): Clock {
  const baseStart = base.monotonicMs();
  const elapsed = (): number => (base.monotonicMs() - baseStart) * scale;
  return {
    scale: base.scale * scale,
    nowMs: () => startMs + elapsed(),
    monotonicMs: elapsed,
    sleep: (ms, signal) => base.sleep(ms / scale, signal),
    after: (ms, fn) => base.after(ms / scale, fn),
    every: (ms, fn) => base.every(ms / scale, fn),
  };
}

/**
 * A clock whose wall time always advances. It follows a forward step of the machine's time at once, as after a long sleep, so
 * that old data looks old. It ignores a backward step, because running spans would be extended by the step. Signatures use the
 * service's own time, which is measured separately. Only `nowMs` differs from `base`; between two calls it advances at least as
 * far as the monotonic time. Spec: faults C1, C2, P5.
 */
export function steadyClock(base: Clock): Clock {
  let lastMs = base.nowMs();
  let lastMonoMs = base.monotonicMs();
  return {
    ...base,
    nowMs: () => {
      const monoMs = base.monotonicMs();
      const goneMs = Math.max(0, monoMs - lastMonoMs);
      lastMs = Math.max(base.nowMs(), lastMs + goneMs);
      lastMonoMs = monoMs;
      return lastMs;
    },
  };
}
