/** The live score of a running agent: counted from its readings and those before a restart, with what the venue publishes. */
import { expect, test } from "vitest";
import { ownScoring } from "../../src/control/scoring-file.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/time.ts";
import { createHourlyEquity } from "../../src/domain/hourly-equity.ts";
import type { Ranking } from "../../src/domain/live-score.ts";
import { account, ready, scripted, settingsOf, START_MS } from "../support/agent-world.ts";

const MIDNIGHT = START_MS - 12 * HOUR_MS;
const dates = { startMs: MIDNIGHT - DAY_MS, days: 7, phaseTwoMs: null };
const settings = settingsOf({ competition: { dates, scoring: ownScoring() } });
const none = { computedAtMs: null, day: null, composite: null, sharpe: null, roi: null, pnlUsdt: null };
const ranking: Ranking = {
  ...none,
  rank: 3,
  maxDrawdown: null,
  scores: { sharpe: null, pnl: null, roi: null, drawdown: null },
  status: "ACTIVE",
  eliminated: false,
};

test("the hours before a restart count, and a strategy sees the score that the status shows", () => {
  const hourly = createHourlyEquity();
  for (let hour = 0; hour <= 36; hour++) hourly.note(MIDNIGHT - DAY_MS + hour * HOUR_MS, 1_000 + hour);
  const seen: unknown[] = [];
  const looking = scripted("looking", () => ({ kind: "abstain", note: "" }));
  const chosen = {
    ...looking,
    strategy: {
      ...looking.strategy,
      decide: (snapshot: { score?: unknown }) => {
        seen.push(snapshot.score);
        return { kind: "abstain" as const, note: "" };
      },
    },
  };
  const w = ready(
    { settings, strategies: { chosen, fallback: looking }, restored: { hourly } },
    { account: [account("1010")] },
  );
  w.tick(2_000);
  expect(w.agent.status(w.nowMs).score).toMatchObject({
    phase: 1,
    startUsdt: 1_000,
    equityUsdt: 1_010,
    days: [{ day: "2026-01-14" }],
    drawdown: { tierScore: 100 },
    ranking: null,
  });
  expect(seen.at(-1)).toEqual(w.agent.status(w.nowMs).score);
});

test("the ranking is requested once an hour, and that of another phase is not shown", () => {
  const w = ready({ settings });
  w.tick();
  w.feed({ kind: "ranking", phase: 1, ranking });
  expect(w.agent.status(w.nowMs).score?.ranking?.rank).toBe(3);
  w.tick(HOUR_MS / 2);
  expect(w.of("read-ranking")).toEqual([{ kind: "read-ranking", phase: 1 }]);
  w.tick(HOUR_MS);
  expect(w.of("read-ranking")).toHaveLength(2);
  w.feed({ kind: "ranking", phase: 2, ranking: { ...ranking, rank: 1 } });
  expect(w.agent.status(w.nowMs).score?.ranking).toBeNull();
});

test("without a competition in the settings there is no score, and no ranking is requested", () => {
  const w = ready();
  w.tick(2_000);
  expect(w.agent.status(w.nowMs).score).toBeNull();
  expect(w.of("read-ranking")).toEqual([]);
});
