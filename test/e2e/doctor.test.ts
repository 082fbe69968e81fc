/** `ballast doctor` against a simulated service: it names what is wrong, and the service sees no write. */
import { expect, test } from "vitest";
import { mkdirSync } from "node:fs";
import { pinOf } from "../../src/control/account-pin.ts";
import { Secret } from "../../src/core/secret.ts";
import { openJournal } from "../../src/journal/journal.ts";
import { virtualEnv } from "../journal/support.ts";
import { folder, quickConfig, run, serviceEnv, simProcess, takenDown } from "../support/process.ts";
import { configRow } from "../../src/rows/config.ts";

const { started, folders } = takenDown();

interface Report {
  readonly ok: boolean;
  readonly checks: readonly {
    readonly id: string;
    readonly result: string;
    readonly text: string;
    readonly next?: string;
  }[];
}

test("doctor passes a good set-up, names a refused key and model, and writes nothing at the service", async () => {
  const { running, ready } = await simProcess(["--seed", "3"]);
  started.push(running);
  const made = folder();
  folders.push(made);
  const model = `model:
  names: [{ name: NAME, inputPerMillionUsd: "0.3", outputPerMillionUsd: "1.2", cachedPerMillionUsd: "0.06" }]
status: { port: 0 }
`;
  const text = `${quickConfig({ strategy: "llm-trader", kind: "service" })}${model}`;
  const good = made.file("good.yaml", text.replace("NAME", "ballast-sim-1"));
  const unknown = made.file("unknown.yaml", text.replace("NAME", "no-such-model").replace("live: true", "live: false"));
  const practice = made.file("practice.yaml", quickConfig());
  const dataDir = `${made.dir}/data`;
  const doctor = async (
    file: string,
    env: Record<string, string>,
  ): Promise<{ code: number | null; report: Report }> => {
    const { code, out } = await run(["doctor", "--config", file, "--data-dir", dataDir, "--json"], env);
    expect(out).not.toContain(ready.secretKey);
    return { code, report: JSON.parse(out.slice(out.indexOf("{"))) as Report };
  };
  const failing = ({ checks }: Report): readonly string[] =>
    checks.filter(({ result }) => result === "FAIL").map(({ id }) => id);
  const env = serviceEnv(ready);
  const [fine, refused, embedded] = await Promise.all([
    doctor(good, env),
    doctor(unknown, { ...env, SVC_ACCESS_KEY: "no-such-access-key" }),
    doctor(practice, {}),
  ]);
  expect([fine.code, failing(fine.report)]).toEqual([0, []]);
  const passed = fine.report.checks.filter(({ result }) => result === "PASS").map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(["keys", "clock", "position-mode", "universe", "model", "price"]));
  expect(passed).toEqual(expect.arrayContaining(["consent", "live"]));
  expect(refused.report.checks.find(({ id }) => id === "live")).toMatchObject({
    result: "WARN",
    text: expect.stringMatching(/none for 127\.0\.0\.1:\d+ in /),
    next: expect.stringContaining("--live"),
  });
  expect([refused.code, failing(refused.report)]).toEqual([1, ["keys", "model"]]);
  for (const check of refused.report.checks.filter(({ result }) => result === "FAIL")) expect(check.next).toMatch(/\w/);
  expect(embedded.code).toBe(0);
  expect(embedded.report.checks.filter(({ result }) => result === "SKIP").map(({ id }) => id)).toEqual([
    "keys",
    "model",
  ]);
  expect(embedded.report.checks.find(({ id }) => id === "environment")?.text).toMatch(/not set: SVC_ACCESS_KEY, /);
  const wire = (await (await fetch(`${ready.controlUrl}/wire-log`)).json()) as { entries: readonly unknown[] };
  expect(wire.entries).toEqual([]);
  // The folder of a practice account is no place for another one.
  const practised = `${made.dir}/practised`;
  mkdirSync(practised);
  const journal = openJournal({ path: `${practised}/journal.db`, env: virtualEnv(), runId: "b" });
  journal.append(configRow({ event: "account", pin: pinOf("embedded", { restUrl: "", accessKey: new Secret("") }) }));
  journal.close();
  const elsewhere = await run(["doctor", "--config", good, "--data-dir", practised], env);
  expect([elsewhere.code, elsewhere.out]).toEqual([
    1,
    expect.stringMatching(/FAIL {2}account of the folder: this data folder belongs to the embedded practice venue/),
  ]);
}, 120_000);
