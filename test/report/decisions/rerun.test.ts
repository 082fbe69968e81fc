import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Snapshot } from "../../../src/context/snapshot.ts";
import { explainProgram } from "../../../src/main/explain.ts";
import { BTC, ETH, newsOf, snapshotOf, viewOf } from "../../strategy/snapshots.ts";
import { reported, type WrittenRun, writtenRun } from "../explained-run.ts";
import { rawRow } from "../../support/raw-row.ts";

const rising = { returns: { "5m": 0.004, "15m": 0.008, "1h": 0.015, "4h": 0.03, "24h": 0.05 }, tradeFlow: 0.4 };
const seen = (): Snapshot => snapshotOf({ symbols: [viewOf(BTC, rising), viewOf(ETH)], news: [newsOf("1")] });

async function explained(run: WrittenRun, more: { rerun?: boolean; json?: boolean; full?: boolean } = {}) {
  await run.close();
  return reported(() =>
    explainProgram("last", { dataDir: run.dataDir, json: false, rerun: true, full: false, ...more }),
  );
}

/** Writes the decision rows around a kept decision, so that `last` finds it. */
async function decided(strategy: string, settings?: unknown): Promise<WrittenRun> {
  const run = writtenRun();
  run.row("decision", { trigger: ["cadence"], strategy, snapshot: {} }, "d-1");
  const answer = await run.decide("d-1", strategy, seen(), settings);
  const { note, ...rest } = { targets: [], ...answer } as { note?: string };
  run.row("decision", { by: strategy, note, ...rest }, "d-1");
  return run;
}

describe("a decision made again from what was kept is the same", () => {
  test.each([
    ["llm-trader", {}],
    ["llm-trader", { samples: 3 }],
    ["llm-cascade", {}],
    ["llm-panel", {}],
    ["momentum", {}],
    ["ensemble", { members: { momentum: {}, hold: {} } }],
  ])("%s with %j", async (strategy, settings) => {
    const answer = await explained(await decided(strategy, settings));
    expect(answer.out).toMatch(/Made again from what was kept: the same decision/);
    expect(answer.code).toBe(0);
    expect(answer.out).toMatch(new RegExp(`same +decide by ${strategy}`));
    if (strategy.startsWith("llm")) expect(answer.out).toMatch(/same +prompt llm-[\w-]+ +the same \d+ bytes/);
  });
});

/** Changes a kept page and the journal's word for it alike: what a changed strategy or prompt would come to. */
function tamper(run: WrittenRun, change: (text: string) => string): void {
  const dir = path.join(run.dataDir, "pages");
  for (const name of readdirSync(dir)) {
    const file = path.join(dir, name);
    writeFileSync(file, gzipSync(change(gunzipSync(readFileSync(file)).toString("utf8"))));
  }
}

test("a page that was changed is not trusted: it is said, and the exit code reports", async () => {
  const run = await decided("momentum");
  await run.close();
  tamper(run, (text) => text.replace('"1h":0.015', '"1h":0.9'));
  const answer = await explained(run);
  expect(answer.code).toBe(1);
  expect(answer.out).toMatch(/DIFFERS.*its hash differs/);
  expect(answer.out).toMatch(/not shown: .*its hash differs/);
});

test("what comes out otherwise is shown where it parts", async () => {
  const run = writtenRun();
  run.row("decision", { trigger: ["cadence"], strategy: "momentum", snapshot: {} }, "d-1");
  // The page says that another snapshot led to the answer of a rising market.
  const answer = await run.decide("d-0", "momentum", seen());
  expect(answer).toMatchObject({ kind: "targets", targets: [{ symbol: BTC }] });
  const page = { call: "decide", strategy: "momentum", settings: {}, snapshot: snapshotOf() };
  run.pages.append(rawRow("snapshot", { ...page, answer: { ok: true, value: answer } }), "d-1");
  const again = await explained(run);
  expect(again.code).toBe(1);
  expect(again.out).toMatch(/it DIFFERS in 1 of 1 step\n {2}DIFFERS decide by momentum +value\./);
});

test("without pages there is nothing to make again, and that is said", async () => {
  const run = writtenRun();
  run.row("decision", { trigger: ["cadence"], strategy: "momentum" }, "d-1");
  expect(await explained(run)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/the inputs of d-1 were not kept/),
  });
});

test("pruned pages are said to be gone, not to differ; without --rerun the rows are shown", async () => {
  const run = await decided("momentum");
  await run.close();
  rmSync(path.join(run.dataDir, "pages"), { recursive: true });
  const again = await explained(run);
  expect(again).toMatchObject({ code: 1, err: expect.stringMatching(/the inputs of d-1 were not kept/) });
  expect(again.out).toBe("");
  const rows = await explained(run, { rerun: false });
  expect(rows.code).toBe(0);
  expect(rows.out).toMatch(/Decision d-1/);
});
