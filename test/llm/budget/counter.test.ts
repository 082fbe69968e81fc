/** A counter of the gateway that states no reset, held against our own books over days. Spec: 3 §8 (cumulative spend). */
import { expect, test } from "vitest";
import { dec } from "../../../src/core/decimal.ts";
import { DAY_MS, HOUR_MS } from "../../../src/core/time.ts";
import { virtualClock } from "../../../src/core/virtual-clock.ts";
import { createModelGateway } from "../../../src/llm/gateway/gateway.ts";
import { createLedger } from "../../../src/llm/budget/ledger.ts";
import type { NetEnv, Network } from "../../../src/net/network.ts";
import { envOn, KEY, listLog, memoryStore, PROBE_DIR, prompts, settings } from "../support.ts";

const START_MS = Date.parse("2026-01-30T20:00:00Z");

/** One life after another over the same rows: `spend` is what the gateway's counter shows, `pay` what we book ourselves. */
function lives() {
  const clock = virtualClock(START_MS);
  const store = memoryStore(clock.nowMs);
  const shown = { spend: 0 };
  const http = {
    send: () =>
      Promise.resolve({ kind: "done" as const, status: 200, headers: {}, text: JSON.stringify({ info: shown }) }),
    close: () => Promise.resolve(),
  };
  const env: NetEnv = { ...envOn(clock), network: { http: () => http } as unknown as Network };
  const openGateway = () =>
    createModelGateway({
      env,
      log: listLog(),
      settings: settings(),
      apiKey: KEY,
      ledger: store,
      prompts: prompts(PROBE_DIR),
    });
  const pay = (usd: string): void => {
    const rules = { limitUsd: dec(10), boundaryMs: 0 };
    const ledger = createLedger({ env, log: listLog(), store, rules });
    const made = ledger.reserve({ decisionId: "d", purpose: "p", model: "m", boundUsd: dec(usd) });
    if (!made.ok) throw new Error(made.error.reason);
    ledger.settle(made.value, dec(usd));
    ledger.close();
  };
  return { clock, shown, openGateway, pay };
}

test("our own spending of before a pause of days is not charged to the day after it", async () => {
  const { clock, shown, openGateway, pay } = lives();
  shown.spend = 50;
  await openGateway().reconcile();
  await clock.advance(HOUR_MS);
  pay("8");
  shown.spend = 58;
  await clock.advance(2.5 * DAY_MS);
  const gateway = openGateway();
  expect(gateway.budget().leftUsd.toFixed()).toBe("10");
  await gateway.reconcile();
  expect(gateway.budget().leftUsd.toFixed()).toBe("10");
  shown.spend = 59;
  await gateway.reconcile();
  expect(gateway.budget().leftUsd.toFixed()).toBe("9");
});

test("what others spend after a figure was adopted is adopted too, also after a restart", async () => {
  const { clock, shown, openGateway } = lives();
  shown.spend = 4;
  const first = openGateway();
  await first.reconcile();
  expect(first.budget().leftUsd.toFixed()).toBe("6");
  await clock.advance(HOUR_MS);
  shown.spend = 7;
  await first.reconcile();
  expect(first.budget().leftUsd.toFixed()).toBe("3");
  await clock.advance(HOUR_MS);
  shown.spend = 9;
  const second = openGateway();
  await second.reconcile();
  expect(second.budget().leftUsd.toFixed()).toBe("1");
  await second.reconcile();
  expect(second.budget().leftUsd.toFixed()).toBe("1");
});
