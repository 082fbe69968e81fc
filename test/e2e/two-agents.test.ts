/** Two agents with folders of their own on one account: the younger one halts, and the older one trades on. Fault P4. */
import path from "node:path";
import { expect, test } from "vitest";
import {
  ballast,
  folder,
  quickConfig,
  run,
  type Running,
  serviceEnv,
  simProcess,
  takenDown,
} from "../support/process.ts";

const { started, folders } = takenDown();

/** Orders that open, as the log has them. */
const placed = ({ lines }: Running): number =>
  lines.filter(({ evt, msg }) => evt === "order.submitted" && msg.startsWith("place ")).length;
const halted = ({ lines }: Running): boolean =>
  lines.some(({ evt, msg }) => evt === "floor.changed" && /to HALT/.test(msg));

test("of two agents on one account the younger one halts at the other's first order", async () => {
  const made = folder();
  folders.push(made);
  const { running: sim, ready } = await simProcess(["--seed", "3", "--speed", "5"]);
  started.push(sim);
  const config = made.file("agent.yaml", quickConfig({ kind: "service" }));
  const begin = async (name: string): Promise<Running> => {
    const dataDir = ["--data-dir", path.join(made.dir, name)];
    const clock = ["--practice-clock", ready.controlUrl];
    const agent = ballast(["run", "--config", config, ...dataDir, "--log-format", "json", ...clock], serviceEnv(ready));
    started.push(agent);
    await agent.until(({ evt }) => evt === "agent.ready", 40_000, `${name} is ready`);
    return agent;
  };
  const older = await begin("older");
  const younger = await begin("younger");
  const said = await younger.until(
    ({ evt, msg }) => evt === "floor.changed" && /another agent/.test(msg),
    60_000,
    "a halt",
  );
  expect(said.msg).toMatch(/opens positions on this account \(i-[0-9a-z]+-[0-9a-z]+, .*\): stop one of the two/);
  expect(halted(older)).toBe(false);
  const first = older.lines.find(({ evt, msg }) => evt === "order.submitted" && msg.startsWith("place "));
  expect(Date.parse(String(said["time"])) - Date.parse(String(first?.["time"]))).toBeLessThan(30_000);
  const before = placed(younger);
  await older.until(({ evt }) => evt === "position.protected", 40_000, "the older one protects what it opened");
  const status = await run(["status", "--data-dir", path.join(made.dir, "younger")]);
  expect(status.out).toMatch(/HALT: another agent/);
  expect(placed(younger)).toBe(before);
}, 180_000);
