/** Fast and full runs of the same made market end close together. On recorded windows: `npm run agreement`. */
import { expect, test } from "vitest";
import { apart } from "../../src/lab/runs/agreement.ts";
import { runFull } from "../../src/lab/runs/full-run.ts";
import { barsFor } from "../../src/lab/runs/bars-for.ts";
import { DEFAULT_EXCHANGES } from "../../src/domain/symbol.ts";
import { HOUR_MS } from "../../src/core/time.ts";
import { lengthOf } from "../support/lengths.ts";
import { configOf, FROM_MS, run, strategiesOf } from "./fast-scene.ts";

const HOURS = lengthOf(2, 3);
const BEAT_MS = lengthOf(4_000, 2_000);

test("a strategy trades and ends alike in both", { timeout: 120_000 }, async () => {
  const config = configOf("momentum", ["BTC", "SOL"]);
  const stretch = { fromMs: FROM_MS, forMs: HOURS * HOUR_MS, seed: 3, beatMs: BEAT_MS };
  const bars = barsFor(config, DEFAULT_EXCHANGES, stretch);
  if (!bars.ok) throw new Error(bars.error);
  const fast = run(config, bars.value, { strategies: await strategiesOf(config), minutes: HOURS * 60 });
  const full = await runFull({ config, ...stretch });
  if (!full.ok) throw new Error(full.error);
  expect(full.value.executions).toBeGreaterThan(3);
  expect(full.value.points.length).toBe(fast.points.length);
  expect(apart(fast, full.value)).toBe(false);
  const trades = [fast.executions, full.value.executions];
  expect(Math.max(...trades)).toBeLessThan(2 * Math.min(...trades));
});
