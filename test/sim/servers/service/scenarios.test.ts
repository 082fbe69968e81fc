import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { silentLog } from "../../../../src/core/log.ts";
import { virtualClock } from "../../../../src/core/virtual-clock.ts";
import { ALL_FAULTS } from "../../../../src/sim/faults/all.ts";
import { FaultBoard } from "../../../../src/sim/faults/board.ts";
import type { FaultWorld } from "../../../../src/sim/faults/fault.ts";
import { checkScenario, playScenario, readScenarioFile } from "../../../../src/sim/faults/scenario.ts";

const FOLDER = join(import.meta.dirname, "../../../../config/scenarios");

test.each(readdirSync(FOLDER))("%s reads, and every step names a fault with good parameters", (file) => {
  const scenario = readScenarioFile(join(FOLDER, file));
  if (!scenario.ok) throw new Error(scenario.error);
  expect(`${scenario.value.name}.yaml`).toBe(file);
  const board = new FaultBoard({ faults: ALL_FAULTS, clock: virtualClock(0), log: silentLog });
  expect(checkScenario(scenario.value, board)).toMatchObject({ ok: true });
});

test("a scenario switches faults on and off at its times", async () => {
  const clock = virtualClock(0);
  const board = new FaultBoard({ faults: ALL_FAULTS, clock, log: silentLog });
  const entropy = { fork: () => entropy, chance: () => true } as unknown as FaultWorld["env"]["entropy"];
  board.plugIn({ env: { clock, entropy } } as unknown as FaultWorld);
  const faults = [
    { at: 1_000, fault: "cut-json", params: {}, for: 2_000 },
    { at: 2_000, fault: "clock-skew", params: { ms: 5 } },
  ];
  playScenario({ name: "x", description: "two faults", faults }, { board, clock, log: silentLog });
  const on: string[] = [];
  for (let second = 0; second < 5; second++) {
    on.push(
      board
        .active()
        .map(({ name }) => name)
        .join("+"),
    );
    await clock.advance(1_000);
  }
  expect(on).toEqual(["", "cut-json", "cut-json+clock-skew", "clock-skew", "clock-skew"]);
  expect(board.skewMs()).toBe(5);
});

test("a broken scenario file is refused with file, field and rule", () => {
  const path = join(mkdtempSync(join(tmpdir(), "scenario-")), "bad.yaml");
  writeFileSync(path, "name: Bad Name\ndescription: a bad one for the test\nfaults:\n  - at: soon\n    fault: mute\n");
  const read = readScenarioFile(path);
  if (read.ok) throw new Error("was accepted");
  expect(read.error).toContain(path);
  expect(read.error).toMatch(/line 1: name: .*lower-case letters/);
  expect(read.error).toMatch(/line 4: faults\.0\.at: write a span/);
});
