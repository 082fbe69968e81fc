/** One bad file of the owner's stops only itself, and is named with its line at the start and in the check. */
import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ballast, folder, quickConfig, run, takenDown } from "../support/process.ts";

const { started, folders } = takenDown();

test("a broken strategy and a draft of a prompt are named, and whatever needs neither runs", async () => {
  const made = folder();
  folders.push(made);
  for (const name of ["strategies", "prompts"]) mkdirSync(`${made.dir}/own/${name}`, { recursive: true });
  const broken = `${made.dir}/own/strategies/broken.ts`;
  writeFileSync(
    broken,
    'import { z } from "zod";\nexport default {\n  name: "broken",\n  decide() { return ((; },\n};\n',
  );
  writeFileSync(`${made.dir}/own/prompts/draft.md`, "---\nname: draft\nversion: 1\n---\nHello\n=== user ===\nx\n");
  const namesake = `${made.dir}/own/strategies/hold.mjs`;
  writeFileSync(namesake, "export default {};\n");
  const config = made.file("agent.yaml", quickConfig({ strategy: "hold" }));
  const env = { BALLAST_OWN_DIR: `${made.dir}/own` };
  const agent = ballast(["run", "--config", config, "--data-dir", `${made.dir}/data`, "--log-format", "json"], env);
  started.push(agent);
  await agent.until((line) => line.evt === "agent.ready", 60_000, "ready");
  const said = (evt: string): string =>
    agent.lines
      .filter((line) => line.evt === evt)
      .map(({ msg }) => msg)
      .join("\n");
  expect(said("strategy.refused")).toMatch(
    /strategy broken could not be loaded: line 4: .*; correct .*broken\.ts, or remove it/,
  );
  expect(said("prompt.refused")).toMatch(/draft\.md: line 4: the head lacks purpose, output, tokenBudget; correct/);
  expect(said("strategy.refused")).toMatch(
    /own\/strategies\/hold\.mjs is not used: .*hold\.js has the name hold already/,
  );

  const check = await run(["config", "check", config], env);
  expect(check.code).toBe(0);
  expect(check.out).toMatch(/warning: .*strategy broken could not be loaded: line 4/);
  expect(check.out).toMatch(/warning: .*draft\.md: line 4: the head lacks/);

  made.file("needs-it.yaml", quickConfig({ strategy: "broken" }));
  const refused = await run(["run", "--config", `${made.dir}/needs-it.yaml`, "--data-dir", `${made.dir}/other`], env);
  expect([refused.code, refused.out]).toEqual([
    3,
    expect.stringContaining("strategy broken could not be loaded: line 4"),
  ]);
}, 120_000);
