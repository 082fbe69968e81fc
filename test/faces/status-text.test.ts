/** What `ballast status` prints of uptime and of the guards. */
import { expect, test } from "vitest";
import { type StatusFacts, statusText, uptimeText } from "../../src/faces/cli/status-text.ts";

const uptime: StatusFacts["uptime"] = {
  ratio: 0.9934,
  downMs: 3_660_000,
  days: [
    { day: "2026-01-15", ratio: 0.98 },
    { day: "2026-01-16", ratio: 1 },
  ],
  window: {
    endMs: Date.UTC(2026, 0, 22, 12),
    ratio: 0.9934,
    leftBefore95Ms: 26_580_000,
    leftBefore90Ms: 56_820_000,
    forecast: 0.9987,
    crosses95AtMs: null,
    crosses90AtMs: null,
  },
  restart: null,
};

test("uptime is told since the start, for today, for the competition, and what is left in minutes", () => {
  expect(uptimeText(uptime)).toBe(
    "  uptime         99.34 % since the start, 100.00 % today, down 61 min\n" +
      "  competition    99.34 % so far, 99.87 % expected by 2026-01-22T12:00Z; outage left: 443 min before 95 %, 947 min before 90 %\n",
  );
  expect(uptimeText({ ...uptime, days: [] })).toContain("since the start, down 61 min");
  const worse = { ...uptime.window, crosses95AtMs: Date.UTC(2026, 0, 19, 3, 4), crosses90AtMs: Date.UTC(2026, 0, 21) };
  const restart = { atMs: 1, awayMs: 12_340, countedMs: 0 };
  expect(uptimeText({ ...uptime, window: worse, restart })).toContain(
    "  AT THIS RATE   95 % is lost at 2026-01-19T03:04Z, 90 % at 2026-01-21T00:00Z\n" +
      "  restart        the last one took 12.3 s from beat to beat and cost 0.0 s of outage\n",
  );
});

test("what holds up entries stands out, and the limits that fired are named, most often first", () => {
  const facts: StatusFacts = {
    atMs: 0,
    health: { state: "degraded", reason: "no news stream; the decision loop last ticked 3 ms ago" },
    stage: "ready",
    observing: null,
    strategy: "hold",
    equityUsdt: "1000",
    floorDistanceUsdt: "200",
    floorState: "NORMAL",
    positions: [],
    session: null,
    streams: { market: true },
    uptime,
    holds: { disk: "the disk is 93 % full" },
    limits: [
      { limit: "pace", evaluated: 40, fired: 2 },
      { limit: "cushion", evaluated: 40, fired: 9 },
      { limit: "session", evaluated: 41, fired: 0 },
    ],
    entriesBlocked: { sinceMs: 0, reason: "Openings are held: the disk is 93 % full." },
    lastDecision: null,
    mind: { shadows: [], lessons: [], leaving: [], switchWaits: null },
    model: { spentTodayUsd: "1", limitUsd: "10" },
  };
  const text = statusText(facts);
  expect(text).toContain("health         DEGRADED: no news stream; the decision loop last ticked 3 ms ago\n");
  expect(text).toContain("limits         asked 41 times; cushion 9, pace 2\n");
  expect(text).toContain("HELD           disk: the disk is 93 % full\n");
  expect(text).toContain("BLOCKED        every entry since 1970-01-01T00:00:00.000Z: Openings are held");
  const calm = statusText({ ...facts, holds: {}, entriesBlocked: null, limits: [] });
  expect(calm).toContain("asked 0 times; none fired");
  expect(calm).not.toMatch(/HELD|BLOCKED/);
});
