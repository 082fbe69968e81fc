/** Callers of the status port take nothing from trading: a thousand half-sent requests, with few descriptors to spare. */
import { connect, type Socket } from "node:net";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { programArgs } from "../support/bundled-program.ts";
import { folder, quickConfig } from "../support/process.ts";

/** The program under a limit of open files; its output goes to a file of the folder. */
function limited(dir: string, files: number): { pid: number | undefined; ended: Promise<number | null> } {
  const [program = ""] = programArgs("ballast");
  const run = `exec "${process.execPath}" "${program}" run --config "${dir}/agent.yaml" --data-dir "${dir}/data" --log-format json`;
  const child = spawn("bash", ["-c", `ulimit -n ${files}; ${run} > "${dir}/log" 2>&1`]);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  onTestFinished(() => void child.kill("SIGKILL"));
  return { pid: child.pid, ended };
}

test("a thousand half-sent requests under 120 descriptors leave the agent ticking and the port open", async () => {
  const made = folder();
  onTestFinished(made.remove);
  made.file("agent.yaml", quickConfig({ strategy: "hold" }));
  const { pid, ended } = limited(made.dir, 120);
  const log = (): string => readFileSync(`${made.dir}/log`, "utf8");
  await expect.poll(log, { timeout: 30_000 }).toContain("agent.ready");
  const url = new URL(/"url":"([^"]+)"/.exec(log())?.[1] ?? "");
  const sockets: Socket[] = Array.from({ length: 1_000 }, () => {
    const socket = connect(Number(url.port), url.hostname);
    socket.on("error", () => undefined).resume();
    socket.write("GET /status HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ");
    return socket;
  });
  const open = (): number => sockets.filter(({ closed }) => !closed).length;
  await expect.poll(open, { timeout: 20_000 }).toBeLessThanOrEqual(32);
  // Those within the cap are given up as well, because they never finish.
  await expect.poll(open, { timeout: 20_000 }).toBe(0);
  const health = await fetch(`${url.origin}/health`);
  expect(await health.json()).toMatchObject({ ok: true });
  expect(log()).not.toMatch(/agent.failed|EMFILE/);
  process.kill(pid ?? 0, "SIGTERM");
  expect(await ended).toBe(0);
}, 90_000);

test("too few descriptors at the start are named with the remedy", async () => {
  const made = folder();
  onTestFinished(made.remove);
  made.file("agent.yaml", quickConfig());
  expect(await limited(made.dir, 60).ended).toBe(3);
  expect(readFileSync(`${made.dir}/log`, "utf8")).toMatch(
    /may open 60 files and sockets, and needs 96: .*ulimit -n 1024/,
  );
});
