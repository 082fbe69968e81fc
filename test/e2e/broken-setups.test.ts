/** Each broken set-up of the table against one simulated service: the first start ends at once and names the cause. */
import { mkdirSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { BROKEN_SETUPS, type BrokenSetup, LATER_TROUBLES } from "../support/broken-setups.ts";
import { isLong } from "../support/lengths.ts";
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

const MODEL = `
model:
  names: [{ name: ballast-sim-1, inputPerMillionUsd: "0.3", outputPerMillionUsd: "1.2", cachedPerMillionUsd: "0.06" }]
`;

/** Some at a time: a machine with few cores starts them no faster all at once. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>, lanes = 3): Promise<void> {
  const left = [...items];
  const lane = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Each takes two or three processes. In short the first of each exit code is started, and of later troubles those that the service itself makes. */
const oneOfEach = <T>(items: readonly T[], kindOf: (item: T) => unknown): readonly T[] =>
  isLong ? items : [...new Map(items.toReversed().map((item) => [kindOf(item), item])).values()];

const said = ({ lines, text }: Running): string => [...text, ...lines.map(({ msg }) => msg)].join("\n");

test("a first start that cannot work ends with its code and one sentence", async () => {
  const { running, ready } = await simProcess(["--seed", "3"]);
  started.push(running);
  const works = `${quickConfig({ strategy: "llm-trader", kind: "service" })}status: { port: 0 }\n${MODEL}`;
  const start = ({ env = {}, config = (text) => text, dataDir }: BrokenSetup) => {
    const made = folder();
    folders.push(made);
    const file = made.file("agent.yaml", config(works));
    const where = dataDir?.(made.dir) ?? `${made.dir}/data`;
    const args = ["run", "--config", file, "--data-dir", where, "--log-format", "json"];
    const surroundings = { ...serviceEnv(ready), ...env };
    const agent = ballast(args, surroundings);
    started.push(agent);
    const examine = () => run(["doctor", "--config", file, "--data-dir", where], surroundings);
    return { agent, examine, where };
  };
  await each(
    oneOfEach(BROKEN_SETUPS, ({ exit }) => exit),
    async (setup) => {
      const { agent, examine, where } = start(setup);
      const examined = await examine();
      // The next step stands on a line of its own there.
      const found = examined.out.replaceAll(/\n {6}/g, "; ");
      expect([setup.name, found]).toEqual([setup.name, expect.stringMatching(setup.doctor ?? setup.says)]);
      expect([setup.name, examined.code === 0]).toEqual([setup.name, setup.exit === null]);
      if (setup.exit === null) {
        await agent.until(({ msg }) => setup.says.test(msg), 60_000, setup.name);
        agent.child.kill("SIGKILL");
        return;
      }
      const { code } = await agent.ended;
      expect([setup.name, code, said(agent)]).toEqual([setup.name, setup.exit, expect.stringMatching(setup.says)]);
      expect(agent.lines.some(({ evt }) => evt === "stream.up")).toBe(false);
      // Where the start got as far as its data folder, `status` says afterwards why it ended.
      if (setup.exit < 6) return;
      const status = await run(["status", "--data-dir", where]);
      expect([setup.name, status.out.split("\n")[0]]).toEqual([setup.name, expect.stringMatching(setup.says)]);
      expect(status.out).toMatch(/^FAILED [^]*last equity +unknown\n/);
      const whyNot = await run(["why-not", "--data-dir", where]);
      expect(whyNot.out).toMatch(/^In the last 1h there was no decision: no agent is running, the last run failed at /);
      expect(whyNot.out).toMatch(setup.says);
    },
  );
}, 240_000);

test("what has worked starts again whatever is broken or taken, and status names the cause", async () => {
  const { running, ready } = await simProcess(["--seed", "3"]);
  started.push(running);
  const made = folder();
  folders.push(made);
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  const taken = (other.address() as AddressInfo).port;
  const text = `${quickConfig({ strategy: "llm-trader", kind: "service" }).replace("firstAfter: 22s", "firstAfter: 2s")}${MODEL}`;
  const dataDir = `${made.dir}/data`;
  mkdirSync(dataDir);
  const start = (port: number, env: Record<string, string>): Running => {
    const file = made.file("agent.yaml", `${text}status: { port: ${port} }\n`);
    const args = ["run", "--config", file, "--data-dir", dataDir, "--log-format", "json"];
    const agent = ballast(args, { ...serviceEnv(ready), ...env });
    started.push(agent);
    return agent;
  };
  try {
    // With the path that other programs want at the end of the address.
    const first = start(taken, { AI_BASE_URL: `${ready.aiUrl}/v1/` });
    const asked = await first.until(({ evt }) => evt === "model.answered", 60_000, "the tiny question");
    expect(String(asked["decision"])).toMatch(/^check/);
    const line = await first.until(({ evt }) => evt === "status.listening", 60_000, "the taken port");
    expect([line.level, line.msg]).toEqual(["error", expect.stringContaining(`127.0.0.1:${taken}`)]);
    await first.until(({ evt }) => evt === "venue.opened", 60_000, "its start");
    first.child.kill("SIGTERM");
    await first.ended;
    for (const { name, env = {}, fault, status } of isLong
      ? LATER_TROUBLES
      : LATER_TROUBLES.filter(({ fault }) => fault)) {
      const control = (method: string, more: object = {}) =>
        fetch(`${ready.controlUrl}/faults${method === "DELETE" ? `?name=${fault?.name}` : ""}`, { method, ...more });
      if (fault) expect((await control("POST", { body: JSON.stringify(fault) })).status).toBeLessThan(300);
      const again = start(0, env);
      await again.until(({ evt }) => evt === "venue.opened", 60_000, name);
      const firstLine = async () => (await run(["status", "--data-dir", dataDir])).out.split("\n")[0];
      await expect.poll(firstLine, { timeout: 60_000, interval: 500, message: name }).toMatch(status);
      if (fault) await control("DELETE");
      again.child.kill("SIGTERM");
      await again.ended;
    }
  } finally {
    other.close();
  }
}, 240_000);
