/**
 * The page of an agent that has lived for a while: shadows that decide beside it, a model's prompt and reply, and its money
 * by day. Agent and venue run on virtual time. `BALLAST_DECK_HOURS=50` lets it live for two days, whose returns are shown
 * then; with `BALLAST_PICTURES=DIR` it leaves pictures.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConfigSchema } from "../../src/config/config.ts";
import type { Log } from "../../src/core/log.ts";
import { isoTime, MINUTE_MS } from "../../src/core/time.ts";
import type { VirtualClock } from "../../src/core/virtual-clock.ts";
import { type AgentRun, createHarness } from "../../src/harness/harness.ts";
import { lineRing } from "../../src/ops/line-ring.ts";
import { NO_BROWSER, openBrowser, overflows, violations, watch } from "../support/browser.ts";
import { serveDeck } from "../support/harness-deck.ts";
import { lengthOf } from "../support/lengths.ts";

const HOUR_MS = 3_600_000;
const hours = Number(process.env["BALLAST_DECK_HOURS"] ?? lengthOf(0.25, 0.4));
const pictures = process.env["BALLAST_PICTURES"];
const START_MS = Date.UTC(2026, 0, 14, 23, 50);
const WHY = NO_BROWSER ? " (skipped: no Chromium is installed)" : "";

const config = ConfigSchema.parse({
  venue: { kind: "embedded" },
  universe: ["ADA", "LINK"],
  strategy: {
    use: "llm-trader",
    fallback: "momentum",
    shadows: ["trend-carry", "mean-reversion", { use: "momentum", as: "quick", settings: { horizon: "fast" } }],
  },
  cadence: { every: hours > 2 ? "15m" : "2m", minGap: "1m" },
  session: {
    consentFor: "embedded",
    consent: "I let this agent trade automatically in a test, up to 400 USDT an order and 20000 USDT in all.",
    maxNotionalPerOrder: "400",
    maxTotalNotional: "20000",
  },
  model: {
    dayLimitUsd: "0.5",
    floorUsd: "0.02",
    names: [
      { name: "ballast-sim-1", inputPerMillionUsd: "0.31", outputPerMillionUsd: "1.24", cachedPerMillionUsd: "0.06" },
    ],
  },
  recorder: { enabled: false },
});

/** Virtual time passes beside the browser's, until the returned function is called: the page stays live meanwhile. */
function letTimePass(clock: VirtualClock): () => Promise<void> {
  let ended = false;
  const pass = async (): Promise<void> => {
    while (!ended) {
      await clock.advance(100);
      await wait(100);
    }
  };
  const passing = pass();
  return () => {
    ended = true;
    return passing;
  };
}

/** A position with its stop at the venue, so that the page has one to draw. */
async function untilHeld(clock: VirtualClock, { running }: AgentRun): Promise<void> {
  for (let minutes = 0; minutes < 600; minutes++) {
    if (running.agent.status(clock.nowMs()).positions.some(({ stopPrice }) => stopPrice !== null)) return;
    await clock.advance(MINUTE_MS);
  }
  throw new Error("no position was opened in ten hours");
}

/** Opens the newest decision that a model was asked about, and in its story the prompt and the reply. */
async function openReply(page: Page): Promise<void> {
  const dialog = page.locator("dialog");
  for (const story of await page.getByText("story", { exact: true }).all()) {
    await story.click();
    await dialog.getByText("triggered by").first().waitFor();
    const asked = dialog.locator("details").filter({ hasText: /^Asked with / });
    if ((await asked.count()) > 0) {
      await asked.first().locator("summary").click();
      await asked.first().getByText("Reply").waitFor();
      return asked.first().evaluate((element: { scrollIntoView(): void }) => element.scrollIntoView());
    }
    await page.getByRole("button", { name: "Close" }).click();
  }
  throw new Error("no decision has a reply");
}

const LOOKS = {
  "wide-light": { width: 1280, height: 900 },
  "wide-dark": { width: 1280, height: 900, scheme: "dark" },
  "phone-light": { width: 390, height: 844 },
  "phone-dark": { width: 390, height: 844, scheme: "dark" },
} as const;

describe.skipIf(NO_BROWSER)(`the page of an agent that has lived for a while${WHY}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test(
    "shows shadows, spend, prompt and reply, and fits at every width",
    { timeout: 120_000 + hours * 60_000 },
    async () => {
      const dataDir = mkdtempSync(path.join(tmpdir(), "ballast-deck-"));
      const lines = lineRing(500);
      let nowMs = (): number => START_MS;
      const log: Log = {
        event: (level, evt, msg) => lines.push(JSON.stringify({ time: isoTime(nowMs()), level, evt, msg })),
      };
      const stage = createHarness({ config, seed: 5, startMs: START_MS, dataDir, log, keepPages: true });
      nowMs = stage.clock.nowMs;
      const started = await stage.start();
      if (!started.ok) throw new Error(started.error);
      const served = await serveDeck(stage, started.value, { config, log: lines });
      let stopTime = (): Promise<void> => Promise.resolve();
      try {
        for (let left = hours * HOUR_MS; left > 0; left -= HOUR_MS / 4)
          await stage.clock.advance(Math.min(left, HOUR_MS / 4));
        await untilHeld(stage.clock, started.value);
        stopTime = letTimePass(stage.clock);
        for (const [name, look] of Object.entries(LOOKS)) {
          const { page, errors, foreign } = await watch(browser, served.url, [served.url], look);
          const shadows = page.getByRole("region", { name: "Shadow strategies" });
          for (const shadow of ["trend-carry", "mean-reversion", "quick"]) await shadows.getByText(shadow).waitFor();
          await page.getByRole("img", { name: /^Model money by day, USD/ }).waitFor();
          if (hours > 48) expect(await page.locator("table.days tr").count()).toBeGreaterThan(1);
          await page.getByText("The journal is still being read.").waitFor({ state: "detached" });
          await page.getByRole("group", { name: /: candles with [1-9]\d* fills?$/ }).waitFor();
          if (pictures) await picture(page, `days-${name}`, true);
          await openReply(page);
          expect([await violations(page), await overflows(page)]).toEqual([[], false]);
          if (pictures) await picture(page, `reply-${name}`, false);
          expect([errors, foreign]).toEqual([[], []]);
          await page.close();
        }
      } finally {
        await stopTime();
        started.value.kill();
        await served.close();
        await Promise.all([stage.close(), stage.clock.advance(1_000)]);
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
  );
});

async function picture(page: Page, name: string, fullPage: boolean): Promise<void> {
  mkdirSync(pictures ?? "", { recursive: true });
  await page.waitForTimeout(1_500);
  await page.screenshot({ path: path.join(pictures ?? "", `${name}.png`), fullPage });
}
