/** The command as people call it, on a short stretch of a generated market. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { ConfigSchema } from "../../src/config/config.ts";
import { addBacktest } from "../../src/faces/cli/backtest-command.ts";
import { consentGap, consentVenue } from "../../src/control/consent-gap.ts";
import { configFor } from "../../src/lab/runs/practice-config.ts";
import { readReport } from "../../src/lab/sheet/report-files.ts";
import { backtestHere } from "../support/backtest-refusal.ts";
import { programArgs } from "../support/bundled-program.ts";

const ballast = (...args: readonly string[]) =>
  spawnSync(process.execPath, [...programArgs("ballast"), ...args], { encoding: "utf8", timeout: 120_000 });
const backtest = (...args: readonly string[]) => ballast("backtest", ...args);

test(
  "the same stretch twice has the same result, to the last digit, and a kept run can be decided again",
  { timeout: 240_000 },
  () => {
    const keep = mkdtempSync(join(tmpdir(), "ballast-kept-"));
    const args = ["--config", "config/backtest.yaml", "--strategies", "hold,momentum", "--profile", "usual"];
    const ask = (...more: readonly string[]) =>
      backtest(
        ...args,
        "--fidelity",
        "full",
        "--for",
        "10m",
        "--beat",
        "5s",
        "--symbols",
        "BTC",
        "--format",
        "json",
        ...more,
      );
    const [first, second] = [ask(), ask("--keep", keep)];
    expect(first.status, first.stderr).toBe(0);
    expect(first.stderr).toContain("profile usual");
    const { rows } = JSON.parse(first.stdout) as {
      rows: { strategy: string; endEquityUsdt: number; ended: unknown }[];
    };
    expect(rows.map(({ strategy }) => strategy).sort()).toEqual(["hold", "momentum"]);
    expect(rows.find(({ strategy }) => strategy === "hold")).toMatchObject({ endEquityUsdt: 1000, ended: null });
    expect(second.stdout).toBe(first.stdout);
    const twice = ask("--keep", keep);
    expect(twice.stderr).toMatch(/--keep: .*hold already holds a run; name another folder/);
    const again = ballast("explain", "last", "--rerun", "--data-dir", join(keep, "momentum"));
    expect(again.stdout).toContain("Made again from what was kept: the same decision");
    expect(again.status).toBe(0);
  },
);

test("--out writes equity and closed trades as CSV, and what to run again as JSON", () => {
  const out = join(mkdtempSync(join(tmpdir(), "ballast-out-")), "runs");
  const args = ["--strategies", "momentum", "--symbols", "BTC,SOL", "--for", "6h", "--out", out];
  const { status, stderr } = backtest(...args);
  expect(status, stderr).toBe(0);
  const lines = (file: string) => readFileSync(join(out, file), "utf8").trim().split("\n");
  expect(lines("momentum.equity.csv").length).toBe(1 + 6 * 60 + 1);
  expect(lines("momentum.equity.csv")[1]).toBe("2026-01-05T09:30:00.000Z,1000");
  const { rows, market } = JSON.parse(readFileSync(join(out, "result.json"), "utf8")) as {
    rows: readonly [{ closedPositions: number }];
    market: object;
  };
  expect(lines("momentum.trades.csv").length).toBe(1 + rows[0].closedPositions);
  expect(rows[0].closedPositions).toBeGreaterThan(0);
  expect(market).toEqual({ made: true, seed: 1 });
  const report = readReport(out);
  expect(report.ok && report.value.runs[0]?.about).toContainEqual(["symbols", "BTC,SOL"]);
});

test("a fast run is placed among rivals by the scoring file", () => {
  const args = ["--config", "config/backtest.yaml", "--strategies", "hold", "--symbols", "BTC,ETH", "--for", "2d"];
  const { stdout, stderr } = backtest(...args, "--rivals", "40", "--format", "json");
  const { places, fidelity } = JSON.parse(stdout) as { places: unknown; fidelity: string };
  expect(fidelity, stderr).toBe("fast");
  expect(places).toMatchObject([{ strategy: "hold", rivals: 40, pools: 20, eliminated: false }]);
});

test("without a strategy named, a file that asks a model is run by its fallback, and says so", () => {
  const { status, stdout, stderr } = backtest("--symbols", "BTC", "--for", "1h", "--format", "json");
  expect(status, stderr).toBe(0);
  expect(stderr).toContain("llm-trader asks a model");
  const { rows } = JSON.parse(stdout) as { rows: readonly { strategy: string }[] };
  expect(rows.map(({ strategy }) => strategy).sort()).toEqual(["hold", "trend-carry"]);
});

test("a model that would never be asked is refused, and the one that is asked is named", () => {
  const args = ["--fidelity", "full", "--strategies", "llm-trader", "--symbols", "BTC", "--for", "2m", "--beat", "5s"];
  const asks = (url?: string) =>
    spawnSync(process.execPath, [...programArgs("ballast"), "backtest", ...args], {
      encoding: "utf8",
      env: { ...process.env, AI_BASE_URL: url },
    });
  const refused = asks("https://models.example.com/v1");
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain("AI_BASE_URL is set, but the practice model answers llm-trader: add --model live");
  const asked = asks();
  expect(asked.status, asked.stderr).toBe(0);
  expect(asked.stderr).toContain("model: the practice model of the simulated service, as ballast-sim-1");
});

test("recorded data without an instant is refused with what to write", async () => {
  const { status, stderr } = await backtestHere("--data", "somewhere");
  expect(status).not.toBe(0);
  expect(stderr).toContain("--from");
});

test.each([
  ["--window without --data", ["--window", "klines-1m/x"], /--window klines-1m\/x .* add its folder with --data/],
  ["a --keep of a fast run", ["--keep", "somewhere"], /a fast run keeps no journal; add --fidelity full/],
  ["a scoring file that is none", ["--scoring", "config/agent.yaml"], /config\/agent\.yaml: weights: /],
  ["a model in a fast run", ["--strategies", "llm-trader"], /llm-trader asks a model.*add --fidelity full/],
  [
    "a --keep that takes no folder",
    ["--fidelity", "full", "--keep", "/proc/x"],
    /--keep: folder \/proc\/x\/\w+ cannot be created \(ENOENT\)/,
  ],
])("%s is refused with what to do", async (_what, args, said) => {
  const { status, stderr } = await backtestHere(...args);
  expect([2, 3]).toContain(status);
  expect(stderr).toMatch(said);
});

test("an --out that takes no files is refused before the run, not after it", async () => {
  const { status, stderr } = await backtestHere("--strategies", "hold", "--for", "1h", "--out", "package.json/x");
  expect(status).toBe(2);
  expect(stderr).toMatch(/--out: folder package\.json\/x cannot be created: \S+package\.json is a file, not a folder/);
  expect(stderr).not.toContain("hold: 1h in");
});

test.each(["", "My agent may trade: 400 USDT in one order, 20000 USDT in one session."])(
  "a file of the service is simulated under its own caps, with the consent %j",
  (consent) => {
    const session = { consent, consentFor: "api.example.com" };
    const config = configFor(ConfigSchema.parse({ venue: { kind: "service" }, session }), {});
    expect(config.venue.kind).toBe("embedded");
    expect(consentGap(config.session, consentVenue("embedded", null))).toBeNull();
    expect(config.session).toMatchObject({ maxNotionalPerOrder: dec(400), maxTotalNotional: dec(20_000) });
  },
);

test.each([
  ["--beat", "21s", "At most 20s: the agent treats a market that is silent for longer than 25 s as a dead stream"],
  ["--beat", "soon", "Write a span such as 30s"],
  ["--rivals", "-5", "write a whole number from 0 to 10000"],
])("%s %s is refused with the reason", (option, value, reason) => {
  const program = new Command();
  addBacktest(program, () => Promise.resolve());
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => undefined });
  expect(() => program.parse(["node", "ballast", "backtest", option, value])).toThrow(reason);
});
