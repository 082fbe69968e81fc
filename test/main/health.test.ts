/** Healthy, degraded, dead: only what a restart would mend is dead. */
import { expect, test } from "vitest";
import { healthOf } from "../../src/main/health.ts";

const fine: Parameters<typeof healthOf>[0] = {
  stage: "ready",
  streams: { market: true, user: true, news: true },
  holds: {},
  floorState: "NORMAL",
  floorReason: "",
  observing: null,
  accountAgeMs: 4_000,
};

test("a loop that ticks and lacks nothing is healthy", () => {
  expect(healthOf(fine, 240)).toEqual({
    state: "healthy",
    ok: true,
    reason: "the decision loop last ticked 240 ms ago",
  });
  expect(healthOf({ ...fine, floorState: "WARN" }, 240).state).toBe("healthy");
});

test.each([
  ["a stream is away", { streams: { market: true, user: false, news: true } }, "no user stream"],
  ["it has just begun", { stage: "starting" as const, accountAgeMs: null }, "it is starting; the account is not read"],
  ["the account was not read for a minute", { accountAgeMs: 60_001 }, "the account is not read"],
  ["openings are held", { holds: { disk: "the disk is 93 % full" } }, "disk: the disk is 93 % full"],
  ["the operator has halted it", { floorState: "HALT", floorReason: "the operator said halt" }, "HALT: the operator"],
  ["there is no consent", { observing: "no consent is given" }, "it only watches: no consent is given"],
])("it lives but is degraded when %s", (_what, change, reason) => {
  const found = healthOf({ ...fine, ...change }, 100);
  expect(found).toMatchObject({ state: "degraded", ok: true });
  expect(found.reason).toContain(reason);
});

test("a loop that has stalled is dead, whatever else is well", () => {
  expect(healthOf(fine, 14_999).ok).toBe(true);
  expect(healthOf(fine, 15_000)).toMatchObject({ state: "dead", ok: false });
});
