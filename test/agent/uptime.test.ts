/** Uptime from beats: what counts as down, for which span, and what is left. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  BEAT_EVERY_MS,
  countBeat,
  noBeats,
  tallyDue,
  uptimeAt,
  type UptimeCount,
} from "../../src/agent/books/uptime.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 15, 12);

/** Beats as a healthy loop makes them, from one instant to another, both included. */
function beats(count: UptimeCount, fromMs: number, toMs: number): UptimeCount {
  let counted = count;
  for (let at = fromMs; at <= toMs; at += BEAT_EVERY_MS)
    counted = countBeat(counted, at, at - (counted.lastBeatMs ?? at));
  return counted;
}

const free = { startMs: null, lengthMs: 7 * DAY };

describe("what counts as down", () => {
  test("nothing before the first beat, and no outage while beats come", () => {
    expect(uptimeAt(noBeats, START, free)).toMatchObject({ sinceMs: null, ratio: 1, days: [] });
    const view = uptimeAt(beats(noBeats, START, START + HOUR), START + HOUR + 20_000, free);
    expect(view).toMatchObject({ sinceMs: START, ratio: 1, downMs: 0 });
  });

  test("a late heartbeat costs nothing, a longer gap of one process all but one beat's span", () => {
    const quick = countBeat(countBeat(noBeats, START), START + 25_000, 25_000);
    expect(uptimeAt(quick, START + 25_000, free).downMs).toBe(0);
    const slow = countBeat(countBeat(noBeats, START), START + 10 * MINUTE, 10 * MINUTE);
    expect(uptimeAt(slow, START + 10 * MINUTE, free).downMs).toBe(10 * MINUTE - BEAT_EVERY_MS);
  });

  test("a death counts from the last durable heartbeat to the first of the next run, however short", () => {
    let count = beats(noBeats, START, START + MINUTE);
    for (const awayMs of [3_000, 12_000, 40_000]) {
      const [beforeMs, { downMs }] = [count.lastBeatMs ?? 0, uptimeAt(count, count.lastBeatMs ?? 0, free)];
      count = countBeat(count, beforeMs + awayMs);
      expect(uptimeAt(count, beforeMs + awayMs, free).downMs).toBe(downMs + awayMs);
      count = beats(count, beforeMs + awayMs + BEAT_EVERY_MS, beforeMs + awayMs + MINUTE);
    }
  });

  test("an outage that goes on counts", () => {
    const count = beats(noBeats, START, START + HOUR);
    expect(uptimeAt(count, START + HOUR + 5 * MINUTE, free).downMs).toBe(5 * MINUTE - BEAT_EVERY_MS);
    expect(uptimeAt(count, START + 30 * MINUTE, free).downMs).toBe(0);
  });

  test("a clock that was set back makes nothing undone and hides nothing that follows", () => {
    const known = countBeat(beats(noBeats, START, START + HOUR), START + 70 * MINUTE);
    const back = countBeat(known, START + 10 * MINUTE + 10_000, 10_000);
    expect(uptimeAt(back, START + 10 * MINUTE + 10_000, free)).toMatchObject({ downMs: 10 * MINUTE });
    const stalled = countBeat(back, START + 10 * MINUTE + 70_000, 60_000);
    expect(uptimeAt(stalled, START + 10 * MINUTE + 70_000, free).downMs).toBe(11 * MINUTE - BEAT_EVERY_MS);
    const restarted = countBeat(known, START + 20 * MINUTE);
    expect(uptimeAt(restarted, START + 25 * MINUTE, free).downMs).toBe(15 * MINUTE - BEAT_EVERY_MS);
  });

  test("the longer of wall and monotonic time counts, in a stall and in a sleep", () => {
    const count = beats(noBeats, START, START + HOUR);
    const stalled = countBeat(count, START + 30 * MINUTE, 5 * MINUTE);
    expect(uptimeAt(stalled, START + 30 * MINUTE, free).downMs).toBe(5 * MINUTE - BEAT_EVERY_MS);
    const slept = countBeat(count, START + 2 * HOUR, 10_000);
    expect(uptimeAt(slept, START + 2 * HOUR, free).downMs).toBe(HOUR - BEAT_EVERY_MS);
  });

  test("drift between the two clocks moves nothing", () => {
    let count = countBeat(noBeats, START);
    for (let n = 1; n <= 8_640; n++) count = countBeat(count, START + n * 9_999, 10_000);
    expect(count.firstBeatMs).toBe(START);
  });

  test("any pattern of beats: the days and the window report what the whole reports", () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(gaps, (steps) => {
        let at = START;
        let count = countBeat(noBeats, at);
        for (const step of steps) count = countBeat(count, (at += step * MINUTE));
        const view = uptimeAt(count, at, { startMs: START, lengthMs: 400 * DAY });
        const byDay = view.days.reduce((sum, day) => sum + day.downMs, 0);
        if (at - START < 13 * DAY) expect(byDay).toBe(view.downMs);
        expect(view.window.downMs).toBe(view.downMs);
        expect(view.ratio).toBeCloseTo(1 - view.downMs / (at - START), 12);
        expect(view.window.best).toBeGreaterThanOrEqual(view.window.forecast - 1e-12);
      }),
    );
  });

  test("thousands of outages are kept in bounded room without losing a millisecond", () => {
    let count = countBeat(noBeats, START);
    for (let n = 1; n <= 2_000; n++) count = countBeat(count, START + n * MINUTE);
    expect(count.outages.length).toBeLessThanOrEqual(500);
    expect(uptimeAt(count, START + 2_000 * MINUTE, free).downMs).toBe(2_000 * MINUTE);
  });
});

describe("a restart", () => {
  const known = beats(noBeats, START, START + HOUR);

  test("is reported from beat to beat, with what of it counts", () => {
    expect(uptimeAt(noBeats, START, free).restart).toBeNull();
    const quick = countBeat(countBeat(known, START + HOUR + 12_000), START + HOUR + 22_000, 10_000);
    expect(uptimeAt(quick, START + HOUR + 22_000, free).restart).toEqual({
      atMs: START + HOUR + 12_000,
      awayMs: 12_000,
      countedMs: 12_000,
    });
    const slow = countBeat(known, START + 2 * HOUR);
    const { restart, downMs } = uptimeAt(slow, START + 2 * HOUR, free);
    expect(restart).toEqual({ atMs: START + 2 * HOUR, awayMs: HOUR, countedMs: HOUR });
    expect(restart?.countedMs).toBe(downMs);
  });

  test("moves with the past when the clock is set back", () => {
    const count = countBeat(countBeat(known, START + 2 * HOUR), START + HOUR, 10_000);
    expect(count.restart?.toMs).toBe(START + HOUR - 10_000);
  });
});

describe("the days", () => {
  test("an outage over midnight is shared between its days", () => {
    const before = beats(noBeats, START, START + 11 * HOUR + 50 * MINUTE);
    const after = beats(before, START + 12 * HOUR + 20 * MINUTE, START + 13 * HOUR);
    const { days } = uptimeAt(after, START + 13 * HOUR, free);
    expect(days.map(({ day, downMs }) => [day, downMs])).toEqual([
      ["2026-01-15", 10 * MINUTE - BEAT_EVERY_MS],
      ["2026-01-16", 20 * MINUTE],
    ]);
    expect(days[1]?.ratio).toBeCloseTo(2 / 3, 10);
  });
});

describe("the competition's window", () => {
  const window = { startMs: START, lengthMs: 10 * DAY };

  test("before it begins everything is still affordable", () => {
    const early = beats(noBeats, START - 2 * HOUR, START - HOUR);
    expect(uptimeAt(early, START - HOUR, window).window).toMatchObject({
      downMs: 0,
      ratio: 1,
      leftBefore95Ms: 12 * HOUR,
      leftBefore90Ms: 24 * HOUR,
      forecast: 1,
    });
  });

  test("whoever comes late was down until then, and what was down before it does not count", () => {
    const late = beats(noBeats, START + 6 * HOUR, START + 24 * HOUR);
    expect(uptimeAt(late, START + 24 * HOUR, window).window).toMatchObject({
      downMs: 6 * HOUR,
      ratio: 0.75,
      leftBefore95Ms: 6 * HOUR,
      leftBefore90Ms: 18 * HOUR,
      best: 1 - 6 / 240,
    });
    const earlier = beats(beats(noBeats, START - DAY, START - 20 * HOUR), START, START + HOUR);
    expect(uptimeAt(earlier, START + HOUR, window).window.downMs).toBe(0);
  });

  test("the forecast goes on as the last 24 hours went", () => {
    let count = noBeats;
    for (let hour = 0; hour < 48; hour++)
      count = beats(count, START + hour * HOUR, START + hour * HOUR + (hour < 24 ? 60 : 54) * MINUTE - BEAT_EVERY_MS);
    count = countBeat(count, START + 48 * HOUR, 6 * MINUTE + BEAT_EVERY_MS);
    const { forecast, best } = uptimeAt(count, START + 48 * HOUR, window).window;
    expect(forecast).toBeCloseTo(0.1 + 0.9 * 0.9, 6);
    expect(best).toBeCloseTo(1 - (24 * 6) / (240 * 60), 6);
  });

  test("it says when each line is crossed at the rate of the last 24 hours", () => {
    const down = countBeat(beats(noBeats, START, START + 12 * HOUR), START + 24 * HOUR, 12 * HOUR);
    const { crosses95AtMs, crosses90AtMs, leftBefore95Ms } = uptimeAt(down, START + 24 * HOUR, window).window;
    expect(leftBefore95Ms).toBe(10_000);
    expect(crosses95AtMs).toBeCloseTo(START + 24 * HOUR + 20_000, -3);
    expect(crosses90AtMs).toBeCloseTo(START + 48 * HOUR + 40_000, -4);
    const fine = beats(noBeats, START, START + DAY);
    expect(uptimeAt(fine, START + DAY, window).window).toMatchObject({ crosses95AtMs: null, crosses90AtMs: null });
    const late = { startMs: START, lengthMs: 25 * HOUR };
    expect(uptimeAt(down, START + 24 * HOUR, late).window.crosses90AtMs).toBe(START + 24 * HOUR);
  });

  test("after it has ended it stands still", () => {
    const count = beats(beats(noBeats, START, START + 10 * DAY), START + 11 * DAY, START + 11 * DAY + HOUR);
    const { ratio, downMs } = uptimeAt(count, START + 11 * DAY + HOUR, window).window;
    expect({ ratio, downMs }).toEqual({ ratio: 1, downMs: 0 });
  });

  test("no figure goes below zero however long the outage", () => {
    const count = countBeat(countBeat(noBeats, START), START + 9 * DAY);
    expect(uptimeAt(count, START + 9 * DAY, window).window).toMatchObject({ leftBefore95Ms: 0, leftBefore90Ms: 0 });
  });
});

test("the whole count is written down once an hour", () => {
  let written = 0;
  let count = noBeats;
  for (let at = START; at < START + DAY; at += BEAT_EVERY_MS) {
    const next = countBeat(count, at);
    if (tallyDue(count, next)) written += 1;
    count = next;
  }
  expect(written).toBe(24);
});
