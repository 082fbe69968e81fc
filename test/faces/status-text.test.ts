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
  },
};

test("uptime is told since the start, for today, for the competition, and what is left in minutes", () => {
  expect(uptimeText(uptime)).toBe(
    "  uptime         99.34 % since the start, 100.00 % today, down 61 min\n" +
      "  competition    99.34 % so far, 99.87 % expected by 2026-01-22T12:00Z; outage left: 443 min before 95 %, 947 min before 90 %\n",
  );
  expect(uptimeText({ ...uptime, days: [] })).toContain("since the start, down 61 min");
});

test("what holds up entries stands out, and the limits that fired are named, most often first", () => {
  const facts: StatusFacts = {
    atMs: 0,
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
  expect(text).toContain("limits         asked 41 times; cushion 9, pace 2\n");
  expect(text).toContain("HELD           disk: the disk is 93 % full\n");
  expect(text).toContain("BLOCKED        every entry since 1970-01-01T00:00:00.000Z: Openings are held");
  const calm = statusText({ ...facts, holds: {}, entriesBlocked: null, limits: [] });
  expect(calm).toContain("asked 0 times; none fired");
  expect(calm).not.toMatch(/HELD|BLOCKED/);
});
