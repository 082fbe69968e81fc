/** What `ballast status` prints where no agent runs. */
import { expect, test } from "vitest";
import { DEFAULT_WINDOW, noBeats, uptimeAt } from "../../../src/agent/books/uptime.ts";
import { pastStatusText } from "../../../src/report/status/past-text.ts";

const NOW_MS = Date.UTC(2026, 0, 5, 12);
const nothing = {
  ...{ journal: "data/journal.db", rows: 1, lastBeat: null, equityUsdt: null, lastDecision: null, positions: [] },
  ...{ uptime: uptimeAt(noBeats, NOW_MS, DEFAULT_WINDOW), score: null },
};

test("an agent that was never heard has neither equity nor positions", () => {
  expect(pastStatusText("No agent is running", nothing)).toMatch(
    /^No agent is running\. From the journal data\/journal\.db \(1 row\):\n {2}last beat +never\n {2}last equity +unknown\n/,
  );
  expect(pastStatusText("No agent is running", nothing)).toMatch(/\n {2}positions +none\n/);
});

test("each position is shown as the journal last had it, with its size, entry and wanted stop", () => {
  const held = {
    symbol: "EXCHANGE_A_PERP_BTC_USDT",
    side: "LONG",
    qty: "0.004",
    avgPrice: "60000",
    openedAtMs: NOW_MS,
  };
  const positions = [
    { ...held, stopPrice: "58800" },
    { ...held, side: "SHORT", stopPrice: null },
  ];
  const page = pastStatusText("No agent is running", { ...nothing, positions });
  expect(page).toContain("LONG EXCHANGE_A_PERP_BTC_USDT: 0.004 at 60000, stop 58800");
  expect(page).toContain("SHORT EXCHANGE_A_PERP_BTC_USDT: 0.004 at 60000, stop none");
});
