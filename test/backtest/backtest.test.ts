/** The command as people call it, on a short stretch of a made market. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const backtest = (...args: readonly string[]) =>
  spawnSync("npx", ["tsx", "src/main/ballast.ts", "backtest", ...args], { encoding: "utf8", timeout: 120_000 });

test("the same stretch twice has the same result, to the last digit", { timeout: 120_000 }, () => {
  const args = ["--config", "config/backtest.yaml", "--strategies", "hold,momentum"];
  const ask = () => backtest(...args, "--for", "10m", "--beat", "5s", "--symbols", "BTC", "--format", "json");
  const [first, second] = [ask(), ask()];
  expect(first.status, first.stderr).toBe(0);
  const { rows } = JSON.parse(first.stdout) as { rows: { strategy: string; endEquityUsdt: number; ended: unknown }[] };
  expect(rows.map(({ strategy }) => strategy).sort()).toEqual(["hold", "momentum"]);
  expect(rows.find(({ strategy }) => strategy === "hold")).toMatchObject({ endEquityUsdt: 1000, ended: null });
  expect(second.stdout).toBe(first.stdout);
});

test("recorded data without an instant is refused with what to write", () => {
  const { status, stderr } = backtest("--data", "somewhere");
  expect(status).not.toBe(0);
  expect(stderr).toContain("--from");
});
