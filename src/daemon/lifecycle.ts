/**
 * The recurring work of a running agent (streams, ticks, clock checks) and its shutdown. The daemon and the
 * harness share it, so that simulated runs use the same code.
 */
import type { AgentEvent } from "../agent/contract/events.ts";
import type { Clock } from "../core/clock.ts";
import { HOUR_MS } from "../core/time.ts";
import type { Running } from "./daemon-setup.ts";
import type { Feed } from "./streams.ts";

/** Milliseconds between ticks. */
export const TICK_MS = 250;
/** The harness may tick less often; while a position waits for its stop, it ticks at least this often. */
const BARE_LOOK_MS = 2_000;
const CLOCK_REPORT_MS = 5_000;
const CLOCK_CHECK_MS = 10 * 60_000;
/** The fee tier of an account changes by the day. */
const FEES_EVERY_MS = 6 * HOUR_MS;
const DRAIN_MS = 7_000;

/** `feed` stamps an event with the run's clock and passes it to the loop. */
export interface Lifecycle {
  readonly feed: Feed;
  /** Stops new openings, drains effects, closes streams. The journal stays open for the last row. */
  end(reason: string): Promise<void>;
}

/** Streams, ticks and clock checks start at once; only the harness ticks more slowly than the default. */
export function startLifecycle(clock: Clock, running: Running, tickMs: number = TICK_MS): Lifecycle {
  const { agent, loop, streams, sources, venue, context, gateway, pages } = running;
  const feed: Feed = (event) => loop.dispatch({ ...event, atMs: clock.nowMs() } as AgentEvent);
  const reportClock = (): void => {
    const { offsetMs, uncertaintyMs } = venue.clock.offset();
    context.onClockOffset(offsetMs);
    feed({ kind: "clock-checked", offsetMs, uncertaintyMs });
  };
  const measure = async (): Promise<void> => {
    await venue.clock.measure();
    reportClock();
  };
  // Every reply of the venue refines the offset, and a step of our own clock shows at once. Fault C1.
  const followClock = (): void => {
    if (venue.clock.offset().measuredAtMs === null) void measure();
    else reportClock();
  };
  const tick = (): void => feed({ kind: "tick", monoMs: clock.monotonicMs() });
  // After the protection deadline a position would be closed before its stop is requested. Invariant I9.
  const watchBare =
    tickMs > BARE_LOOK_MS ? [clock.every(BARE_LOOK_MS, () => (agent.isBare() ? tick() : undefined))] : [];
  const readFees = async (): Promise<void> => {
    const read = await venue.fees();
    if (read.kind === "done") feed({ kind: "fees", rates: read.value });
  };
  void measure();
  void readFees();
  streams.start();
  sources.start();
  const stops = [
    clock.every(tickMs, tick),
    ...watchBare,
    clock.every(CLOCK_REPORT_MS, followClock),
    clock.every(CLOCK_CHECK_MS, () => void measure()),
    clock.every(FEES_EVERY_MS, () => void readFees()),
  ];
  void gateway.reconcile();
  return {
    feed,
    end: async (reason) => {
      feed({ kind: "stop", reason });
      await loop.drain(DRAIN_MS * clock.scale);
      for (const stop of stops) stop();
      sources.stop();
      loop.close();
      await streams.stop();
      gateway.close();
      await venue.client.close();
      await pages.idle();
    },
  };
}
