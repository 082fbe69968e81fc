/** Where the budget day begins, and the lower end of its band, as the gateway's own figures report. */
import { describe, expect, test } from "vitest";
import { dec } from "../../../src/core/decimal.ts";
import { DAY_MS, HOUR_MS, isoTime } from "../../../src/core/time.ts";
import { virtualClock } from "../../../src/core/virtual-clock.ts";
import { createModelGateway } from "../../../src/llm/gateway/gateway.ts";
import { lowBandAdvice } from "../../../src/llm/gateway/budget-notices.ts";
import type { ModelSettings } from "../../../src/llm/contract/settings.ts";
import type { NetEnv, Network } from "../../../src/net/network.ts";
import { envOn, KEY, listLog, memoryStore, PROBE_DIR, prompts, settings } from "../support.ts";

const START_MS = Date.parse("2026-01-31T20:00:00Z");

function gatewayWith(changed: Partial<ModelSettings>, info: () => object, store = memoryStore(() => START_MS)) {
  const clock = virtualClock(START_MS);
  const text = (): string => JSON.stringify({ info: info() });
  const http = {
    send: () => Promise.resolve({ kind: "done" as const, status: 200, headers: {}, text: text() }),
    close: () => Promise.resolve(),
  };
  const network = { http: () => http } as unknown as Network;
  const env: NetEnv = { ...envOn(clock), network };
  const log = listLog();
  const parts = { env, log, settings: settings(changed), apiKey: KEY, ledger: store, prompts: prompts(PROBE_DIR) };
  return { gateway: createModelGateway(parts), clock, log, store };
}

const at16 = () => ({ spend: 0, budget_duration: "1d", budget_reset_at: isoTime(START_MS - 4 * HOUR_MS + DAY_MS) });

describe("the day's beginning", () => {
  test("follows the gateway's reset where the setting says so, also after a restart", async () => {
    const { gateway, store } = gatewayWith({ dayBoundaryUtcHour: "gateway" }, at16);
    expect(isoTime(gateway.budget().dayStartMs)).toBe("2026-01-31T00:00:00.000Z");
    await gateway.reconcile();
    await gateway.reconcile();
    expect(isoTime(gateway.budget().dayStartMs)).toBe("2026-01-31T16:00:00.000Z");
    expect(store.rows.map((row) => row.body["how"])).toEqual(["boundary"]);
    const again = gatewayWith({ dayBoundaryUtcHour: "gateway" }, () => ({}), store);
    expect(isoTime(again.gateway.budget().dayStartMs)).toBe("2026-01-31T16:00:00.000Z");
    const fixed = gatewayWith({ dayBoundaryUtcHour: 0 }, () => ({}), store);
    expect(isoTime(fixed.gateway.budget().dayStartMs)).toBe("2026-01-31T00:00:00.000Z");
  });

  test("taken from the gateway is still known in the second week, looking back three days", async () => {
    let nowMs = START_MS;
    const store = memoryStore(() => nowMs);
    const { gateway, clock } = gatewayWith(
      { dayBoundaryUtcHour: "gateway" },
      () => ({ ...at16(), budget_reset_at: isoTime(nowMs - 4 * HOUR_MS + DAY_MS) }),
      store,
    );
    for (let day = 0; day < 8; day++) {
      await gateway.reconcile();
      await gateway.reconcile();
      await clock.advance(DAY_MS);
      nowMs += DAY_MS;
    }
    expect(store.rows.map((row) => row.body["how"])).toEqual(Array.from({ length: 8 }, () => "boundary"));
    const late = { ...store, rowsSince: () => store.rows.filter(({ atMs }) => atMs >= nowMs - 3 * DAY_MS) };
    const again = gatewayWith({ dayBoundaryUtcHour: "gateway" }, () => ({}), late);
    expect(isoTime(again.gateway.budget().dayStartMs).slice(11, 16)).toBe("16:00");
  });

  test("set to another hour than the gateway's is logged once, and stays as it is set", async () => {
    const { gateway, log } = gatewayWith({ dayBoundaryUtcHour: 0 }, at16);
    await gateway.reconcile();
    await gateway.reconcile();
    expect(log.lines.filter(({ evt }) => evt === "budget.boundary")).toHaveLength(1);
    expect(isoTime(gateway.budget().dayStartMs)).toBe("2026-01-31T00:00:00.000Z");
    expect(gateway.budget().gatewayResetAtMs).toBe(START_MS + 20 * HOUR_MS);
    const agreed = gatewayWith({ dayBoundaryUtcHour: 16 }, at16);
    await agreed.gateway.reconcile();
    expect(agreed.log.lines.filter(({ evt }) => evt === "budget.boundary")).toEqual([]);
  });

  test("a reset that is not daily moves nothing", async () => {
    const weekly = () => ({ ...at16(), budget_duration: "7d" });
    const { gateway } = gatewayWith({ dayBoundaryUtcHour: "gateway" }, weekly);
    await gateway.reconcile();
    expect(isoTime(gateway.budget().dayStartMs)).toBe("2026-01-31T00:00:00.000Z");
  });
});

describe("the lower band", () => {
  test("raises one alarm a day, with useful ways to meet it", async () => {
    const { gateway, log, clock } = gatewayWith({ floorUsd: dec(1) }, () => ({ spend: 0 }));
    const alarms = () => log.lines.filter(({ evt }) => evt === "budget.under-floor");
    await gateway.reconcile();
    await gateway.reconcile();
    expect(alarms()).toHaveLength(1);
    expect(alarms()[0]?.fields).toMatchObject({ forecastUsd: "0", floorUsd: "1" });
    await clock.advance(DAY_MS);
    await gateway.reconcile();
    expect(alarms()).toHaveLength(2);
    expect(gateway.budget().underFloor).toBe(true);
  });

  test("says how many calls are missing, never before six hours, never without a band", () => {
    const view = {
      forecastUsd: dec("0.4"),
      floorUsd: dec(1),
      underFloor: true,
      meanCallUsd: dec("0.002"),
      dayStartMs: 0,
    };
    expect(lowBandAdvice(view, 7 * HOUR_MS)?.join(" ")).toMatch(
      /0\.60 below the lower band of 1\.00\. .*about 300 more calls/,
    );
    expect(lowBandAdvice({ ...view, meanCallUsd: null }, 7 * HOUR_MS)?.join(" ")).not.toMatch(/calls/);
    expect(lowBandAdvice(view, 5 * HOUR_MS)).toBeNull();
    expect(lowBandAdvice({ ...view, floorUsd: null }, 7 * HOUR_MS)).toBeNull();
    expect(lowBandAdvice({ ...view, underFloor: false }, 7 * HOUR_MS)).toBeNull();
  });
});
