/**
 * For a market with long steps: collects the pushes of one step and sends them at its end, each topic in one frame. All
 * trades and all finished bars are reported; of values that replace each other only the last. Nobody could act in
 * between, because the whole step happens at one instant of the clock.
 */
import type { TopicSink } from "./market-publisher.ts";

/** Steps up to this length are reported as they happen. */
export const LONG_STEP_MS = 1_000;

interface Reported {
  readonly channel: string;
  readonly symbol: string;
  readonly interval: string | null;
  data: unknown;
}

/** Deltas: all are sent, in order. There is only one per step anyway. */
const PASSED_ON = "ORDER_BOOK";

/** Wraps a sink; frames are sent in a microtask after the step. Book deltas pass directly. */
export function digestFor(sink: TopicSink): TopicSink {
  const waiting = new Map<string, Reported>();
  const reportAll = (): void => {
    const all = [...waiting.values()];
    waiting.clear();
    for (const { channel, symbol, interval, data } of all) sink.publish(channel, symbol, interval, data);
  };
  return {
    wanted: (channel, symbol, interval) => sink.wanted(channel, symbol, interval),
    intervals: (channel, symbol) => sink.intervals(channel, symbol),
    publish: (channel, symbol, interval, data) => {
      if (channel === PASSED_ON) return sink.publish(channel, symbol, interval, data);
      if (!sink.wanted(channel, symbol, interval)) return;
      if (waiting.size === 0) queueMicrotask(reportAll);
      const name = `${channel}|${symbol}|${interval ?? ""}`;
      const before = waiting.get(name);
      if (before) before.data = joined(channel, before.data, data);
      else waiting.set(name, { channel, symbol, interval, data });
    },
  };
}

function joined(channel: string, before: unknown, data: unknown): unknown {
  if (!Array.isArray(before) || !Array.isArray(data)) return data;
  if (channel === "TRADE") {
    before.push(...(data as readonly unknown[]));
    return before;
  }
  // Bars: a newer state of the same bar, or the next bar.
  const last: unknown = before.at(-1);
  const sameBar = Array.isArray(last) && Array.isArray(data[0]) && last[0] === (data[0] as readonly unknown[])[0];
  return [...(before as readonly unknown[]).slice(0, sameBar ? -1 : undefined), ...(data as readonly unknown[])];
}
