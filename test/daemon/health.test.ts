/** Healthy, degraded, dead: only what a restart would mend is dead, and only alarms fail a strict check. */
import { expect, test } from "vitest";
import type { Cause } from "../../src/causes/cause.ts";
import { healthOf } from "../../src/daemon/health.ts";

const cause = (severity: Cause["severity"], sentence: string): Cause => ({
  part: "model",
  severity,
  sentence,
  next: "look",
  sinceMs: 0,
});

test("a loop that ticks and lacks nothing is healthy", () => {
  const reason = "the decision loop last ticked 240 ms ago";
  expect(healthOf([], 240)).toEqual({ state: "healthy", ok: true, reason, alarms: 0, causes: [] });
  expect(healthOf([cause("notice", "x")], 240)).toMatchObject({ state: "healthy", reason });
});

test("it lives but is degraded with a cause, which comes first, and counts its alarms", () => {
  const causes = [cause("alarm", "the gateway refuses the key"), cause("degraded", "x")];
  expect(healthOf(causes, 100)).toEqual({
    state: "degraded",
    ok: true,
    reason: "model: the gateway refuses the key; look; model: x; look; the decision loop last ticked 100 ms ago",
    alarms: 1,
    causes,
  });
});

test("a loop that has stalled is dead and an alarm, whatever else is well", () => {
  expect(healthOf([], 14_999).ok).toBe(true);
  expect(healthOf([], 15_000)).toMatchObject({ state: "dead", ok: false, alarms: 1 });
});
