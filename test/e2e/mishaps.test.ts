/**
 * What befalls a real process from inside: an exception, a rejection, a loop that stands still, no memory, hardly any
 * processor. Faults P6, P7, E2, E3.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readJournal } from "../../src/journal/reader.ts";
import {
  ballast,
  folder,
  type Line,
  quickConfig,
  type Ready,
  run,
  type Running,
  serviceEnv,
  simProcess,
  takenDown,
} from "../support/process.ts";

const { started, folders } = takenDown();
const MISHAP = fileURLToPath(new URL("../support/mishap.mjs", import.meta.url));

/** Two processes report the time of one practice clock apart by the way between them. */
const SKEW = "1s";

interface Place {
  readonly dir: string;
  readonly journal: string;
  readonly ready: Ready;
  agent(env?: Record<string, string>): Running;
}

async function place(speed: number): Promise<Place> {
  const made = folder();
  folders.push(made);
  const { running, ready } = await simProcess(["--seed", "3", "--speed", String(speed)]);
  started.push(running);
  const config = made.file("agent.yaml", quickConfig({ kind: "service" }));
  const dataDir = `${made.dir}/data`;
  return {
    dir: made.dir,
    journal: `${dataDir}/journal.db`,
    ready,
    agent: (env = {}) => {
      const next = ballast(
        [
          ...["run", "--config", config, "--data-dir", dataDir, "--log-format", "json"],
          ...["--practice-clock", ready.controlUrl],
        ],
        { ...serviceEnv(ready), ...env },
      );
      started.push(next);
      return next;
    },
  };
}

const mishap = (name: string, more: Record<string, string> = {}, flags = ""): Record<string, string> => ({
  NODE_OPTIONS: `${flags} --import ${MISHAP}`,
  MISHAP: name,
  ...more,
});

/** A beat vouches for this long; two that are further apart are an outage. */
const BEAT_COVERS_MS = 25_000;
const EVIDENCE = { "--wire": "wire-log", "--ledger": "venue-log", "--model-ledger": "model-ledger" } as const;

/** What the verifier finds in the journal beside what the venue and the model gateway saw. Call it while the venue runs. */
async function violated({ dir, journal, ready }: Place): Promise<readonly string[]> {
  const files = Object.entries(EVIDENCE).map(async ([flag, name]) => {
    const file = path.join(dir, `${name}.json`);
    const all = name === "model-ledger" ? "" : "?limit=50000";
    writeFileSync(file, await (await fetch(`${ready.controlUrl}/${name}${all}`)).text());
    return [flag, file];
  });
  const given = (await Promise.all(files)).flat();
  const reported = await run(["verify", "--journal", journal, "--format", "json", "--skew", SKEW, ...given]);
  const { invariants } = JSON.parse(reported.out) as {
    invariants: { id: string; verdict: { kind: string; findings?: { what: string }[] } }[];
  };
  return invariants.flatMap(({ id, verdict }) => (verdict.findings ?? []).map(({ what }) => `${id}: ${what}`));
}

const rowsOf = (journal: string, kind: "stop" | "beat" | "boot") => {
  const reader = readJournal(journal);
  const rows = reader.rows({ kinds: [kind] });
  reader.close();
  return rows;
};

test("an exception that nobody foresaw, and a rejection, end the process once the reason is in the journal", async () => {
  const here = await place(5);
  for (const [name, words] of [
    ["throw", "planted: an exception"],
    ["reject", "planted: a rejection"],
  ] as const) {
    const agent = here.agent(mishap(name));
    await agent.until((line) => line.evt === "agent.ready", 60_000, "ready");
    agent.child.kill("SIGUSR2");
    expect(await agent.ended).toEqual({ code: 1, signal: null });
    expect(agent.lines.at(-1)).toMatchObject({ evt: "agent.failed", level: "error" });
    expect(JSON.stringify(rowsOf(here.journal, "stop").at(-1)?.body)).toContain(words);
  }
}, 180_000);

/** A mistake of its author: nobody awaits what it starts. */
const PINGER = `export default {
  name: "pinger", description: "", needsModel: false, settings: { safeParse: (data) => ({ success: true, data }) },
  decide: () => {
    void (async () => {
      await null;
      throw new Error("planted: a promise of a shadow");
    })();
    return { kind: "abstain", note: "" };
  },
};`;

test("a promise of a shadow that fails halts the agent and does not end it", async () => {
  const made = folder();
  folders.push(made);
  mkdirSync(`${made.dir}/own/strategies`, { recursive: true });
  made.file("own/strategies/pinger.mjs", PINGER);
  const config = quickConfig().replace("  handover: adopt", "  handover: adopt\n  shadows: [pinger]");
  const args = ["run", "--config", made.file("agent.yaml", config), "--data-dir", `${made.dir}/data`];
  const agent = ballast([...args, "--log-format", "json"], { BALLAST_OWN_DIR: `${made.dir}/own` });
  started.push(agent);
  await agent.until((line) => line.evt === "promise.failed" && line.msg.includes("pinger.mjs:6"), 90_000, "it");
  await agent.until((line) => line.evt === "floor.changed" && line.msg.includes("to HALT"), 10_000, "a halt");
  const seen = agent.lines.length;
  await agent.until((line) => agent.lines.indexOf(line) >= seen && line.evt === "decision.made", 60_000, "a decision");
  agent.child.kill("SIGTERM");
  expect(await agent.ended).toMatchObject({ code: 0 });
}, 180_000);

/** Lets a process run for `onMs` out of every `everyMs`, as on a machine that gives it no more. Answers what ends that. */
function throttle({ child }: Running, onMs: number, everyMs: number): () => void {
  let timer: NodeJS.Timeout;
  const turn = (signal: "SIGCONT" | "SIGSTOP", ms: number): void => {
    child.kill(signal);
    timer = setTimeout(() => turn(signal === "SIGCONT" ? "SIGSTOP" : "SIGCONT", everyMs - ms), ms);
  };
  turn("SIGCONT", onMs);
  return () => {
    clearTimeout(timer);
    child.kill("SIGCONT");
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A minute of mostly waiting, and easily late on a busy machine: `npm run mishaps` takes it along. */
test.skipIf(process.env["BALLAST_MISHAPS"] !== "1")(
  "without memory, processor or a free loop: positions are taken over, beats go on, nothing opens",
  async () => {
    const here = await place(5);
    const first = here.agent(mishap("memory", {}, "--max-old-space-size=192"));
    await first.until((line) => line.evt === "order.submitted" && line.msg.startsWith("place"), 90_000, "an order");
    first.child.kill("SIGUSR2");
    const { code, signal } = await first.ended;
    expect([code, signal]).not.toEqual([0, null]);
    expect(rowsOf(here.journal, "stop")).toEqual([]);

    const second = here.agent(mishap("stall", { MISHAP_MS: "2000" }));
    await second.until((line) => line.evt === "position.protected", 90_000, "protection");
    second.child.kill("SIGUSR2");
    await pause(3_000);

    const before = rowsOf(here.journal, "beat").length;
    const end = throttle(second, 20, 200);
    await pause(10_000);
    end();
    const beats = rowsOf(here.journal, "beat").slice(before);
    const gapsMs = beats.slice(1).map(({ atMs }, at) => atMs - (beats[at]?.atMs ?? 0));
    expect(gapsMs.length).toBeGreaterThan(1);
    expect(Math.max(...gapsMs)).toBeLessThan(BEAT_COVERS_MS);
    const seen = second.lines.length;
    const later = (evt: string) => (line: Line) => line.evt === evt && second.lines.indexOf(line) >= seen;
    await second.until(later("decision.made"), 60_000, "a decision");
    second.child.kill("SIGTERM");
    expect(await second.ended).toMatchObject({ code: 0 });
    expect(await violated(here)).toEqual([]);
  },
  300_000,
);
