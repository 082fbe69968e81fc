/** A backtest as typed, in this process: a refusal needs none of its own, which would take a second to load. */
import { Command } from "commander";
import { vi } from "vitest";
import { addBacktest, type BacktestOptions } from "../../src/faces/cli/backtest-command.ts";
import { backtestProgram } from "../../src/main/lab/backtest.ts";

/** The exit status, and what stood on standard error. */
export async function backtestHere(...args: readonly string[]): Promise<{ status: number; stderr: string }> {
  let typed: BacktestOptions | null = null;
  const program = new Command();
  addBacktest(program, (options) => {
    typed = options;
    return Promise.resolve();
  });
  await program.parseAsync(["node", "ballast", "backtest", ...args]);
  if (typed === null) throw new Error("the command did not run");
  let stderr = "";
  const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
  try {
    return { status: await backtestProgram(typed), stderr };
  } finally {
    spy.mockRestore();
  }
}
