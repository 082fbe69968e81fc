/** `ballast logs` as a process: in a pipe, on a terminal of 80 columns, and beside a log file that grows and turns over. */
import { spawn, spawnSync } from "node:child_process";
import { renameSync } from "node:fs";
import { createInterface } from "node:readline";
import { afterEach, expect, test } from "vitest";
import { logPath, olderLogPath, openLogFile } from "../../src/ops/log-file.ts";
import { programArgs } from "../support/bundled-program.ts";
import { folder, takenDown } from "../support/process.ts";

const { folders } = takenDown();
const children: ReturnType<typeof spawn>[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

const COMMAND = [process.execPath, ...programArgs("ballast"), "logs"];
const ENV = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" };

const line = (n: number, more: object = {}): string =>
  JSON.stringify({
    level: "info",
    time: new Date(Date.UTC(2026, 10, 23, 12, 0, n)).toISOString(),
    evt: "order.filled",
    msg: `fill ${n}`,
    ...more,
  });

function logs(args: readonly string[], input: string): { code: number | null; out: string[]; err: string } {
  const [program = "", ...rest] = COMMAND;
  const done = spawnSync(program, [...rest, ...args], { input, env: ENV, encoding: "utf8", maxBuffer: 1e8 });
  return { code: done.status, out: done.stdout.split("\n").slice(0, -1), err: done.stderr };
}

test("a pipe is read to its end: foreign lines pass, a huge one is cut, the last may be torn", () => {
  const lines = [
    "npm warn something",
    line(1),
    "\u001b[2J",
    JSON.stringify({ huge: "x".repeat(3_000_000) }),
    line(2, { level: "warn", decision: "d-1" }),
    line(3).slice(0, 40),
  ];
  const { code, out, err } = logs([], lines.join("\n"));
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out[0]).toBe("npm warn something");
  expect(out[1]).toBe("2026-11-23 12:00:01Z order.filled         fill 1");
  expect(out[2]).toBe(" [2J");
  expect(out[3]).toMatch(/^\{"huge":"x{100,200}\.\.\. \(a line of 3000011 characters\)$/);
  expect(out[4]).toBe("12:00:02Z order.filled         WARN fill 2 [d-1]");
  expect(out.slice(5)).toEqual([line(3).slice(0, 40)]);
}, 60_000);

test("what is asked for is chosen and can stay JSON; a misspelt event is refused with the right one", () => {
  const lines = [line(1), "foreign", line(2, { level: "warn" }), line(3, { evt: "position.opened" })];
  const chosen = logs(["-", "--evt", "order", "--since", "2026-11-23T12:00:02Z", "--json"], lines.join("\n"));
  expect(chosen.out).toEqual([lines[2]]);
  const wrong = logs(["--evt", "order.filed"], "");
  expect(wrong.code).toBe(2);
  expect(wrong.err).toContain("did you mean order.filled?");
}, 60_000);

const hasTerminal = spawnSync("script", ["--version"]).status === 0;

test.skipIf(!hasTerminal)(
  "on a terminal of 80 columns no line is longer, and colours stand there",
  () => {
    const made = folder();
    folders.push(made);
    const file = made.file("x.log", `${line(1, { msg: `${"1234.50 USDT and ".repeat(12)}` })}\n`);
    const command = `stty cols 80; ${COMMAND.join(" ")} ${file}`;
    const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], { env: ENV, encoding: "utf8" });

    const rows = stdout.replace(/\u001b\[\d+m/g, "").split("\r\n");
    expect(stdout).toContain("\u001b[36morder.filled");
    expect(rows.length).toBeGreaterThan(3);
    for (const row of rows) {
      expect(row.length).toBeLessThanOrEqual(80);
      expect(row).not.toMatch(/1234\.50$/);
    }
  },
  60_000,
);

test("a data folder's log is followed, also where a new file takes its name", async () => {
  const made = folder();
  folders.push(made);
  const file = openLogFile(made.dir, expect.fail);
  for (let n = 0; n < 30; n++) file.write(`${line(n)}\n`);
  const [program = "", ...rest] = COMMAND;
  const child = spawn(program, [...rest, "-f", "-n", "2", "--data-dir", made.dir], { env: ENV, stdio: "pipe" });
  children.push(child);
  const seen = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await seen.next()).value).slice(-7);
  expect([await next(), await next()]).toEqual(["fill 28", "fill 29"]);
  file.write(`${line(30)}\n`);
  expect(await next()).toBe("fill 30");
  file.write(line(31).slice(0, 30));
  file.write(`${line(31).slice(30)}\n`);
  file.close();
  renameSync(logPath(made.dir), olderLogPath(made.dir));
  openLogFile(made.dir, expect.fail).write(`${line(32)}\n`);
  expect([await next(), await next()]).toEqual(["fill 31", "fill 32"]);
}, 60_000);
