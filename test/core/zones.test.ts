/** The machine's time zone and its summer time change nothing: each zone in a process of its own. Fault C5. */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { BUNDLE } from "../../scripts/bundle.mjs";
import { parseInstant } from "../../src/core/time.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FACTS = path.join(ROOT, "test/support/zone-facts.ts");

interface Reported {
  readonly facts: {
    readonly parsed: readonly unknown[];
    readonly resets: readonly unknown[];
    readonly at: readonly At[];
  };
  /** Minutes behind UTC in July. */
  readonly zone: number;
}
interface At {
  readonly day: string;
  readonly budgetDay: string;
  readonly due: readonly [cron: string, at: string];
  readonly phaseTwo: boolean;
}

async function toldIn(zone: string, script: string): Promise<Reported> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", TZ: zone };
  const { stdout } = await promisify(execFile)(process.execPath, [script], { cwd: ROOT, env });
  return JSON.parse(stdout) as Reported;
}

/** From +14 to -12, a zone of quarter hours, and both halves of the world's summer times. */
const ZONES = [
  ["Pacific/Kiritimati", -840],
  ["Etc/GMT+12", 720],
  ["Asia/Kathmandu", -345],
  ["America/New_York", 240],
  ["Europe/Berlin", -120],
  ["Australia/Lord_Howe", -630],
] as const;

test(
  "days, budgets, uptime, schedules, file names and times of others are the same in every zone",
  { timeout: 120_000 },
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "ballast-zones-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const script = path.join(folder, "zone-facts.mjs");
    await build({ ...BUNDLE, splitting: false, entryPoints: [FACTS], outfile: script });
    const utc = await toldIn("UTC", script);
    expect(utc.zone).toBe(0);
    expect(utc.facts.at[3]).toMatchObject({
      day: "2026-03-29",
      budgetDay: "2026-03-29T00:00:00.000Z",
      phaseTwo: false,
    });
    expect(utc.facts.at[4]?.due).toEqual(["0 1 29 3 *", "2026-03-29T01:00:00.000Z"]);
    expect(utc.facts.at.map(({ phaseTwo }) => phaseTwo)).toEqual([false, false, false, false, false, true, true, true]);
    expect(utc.facts.parsed).toEqual([
      "2026-03-29T01:30:00.000Z",
      "2026-03-29T01:30:00.250Z",
      "2026-03-29T00:00:00.000Z",
      "2026-03-29T01:30:00.000Z",
    ]);
    expect(new Set(utc.facts.resets)).toEqual(new Set(["2026-03-30T00:00:00.000Z"]));
    for (const [zone, minutes] of ZONES) {
      const reported = await toldIn(zone, script);
      // The zone was in force: otherwise the comparison would compare nothing.
      expect(reported.zone, zone).toBe(minutes);
      expect(reported.facts, zone).toEqual(utc.facts);
    }
  },
);

test.each(["", "soon", "2026-13-01", "2026-02-30", "2026-04-31T09:30:00Z", "2026-01-01T25:00:00"])(
  "%j is no instant",
  (text) => {
    expect(parseInstant(text)).toBeNull();
  },
);

test("no line of the program reads local time", () => {
  const LOCAL =
    /\.(?:get|set)(?:Hours|Minutes|Day|Date|Month|FullYear|Year)\(|getTimezoneOffset|toLocale\w*String|to(?:Date|Time)String\(|Intl\.DateTimeFormat|new Date\(\s*["'`]/;
  const files = ["src", "strategies"].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => path.join(folder, name)),
  );
  expect(files.length).toBeGreaterThan(400);
  expect(files.filter((file) => LOCAL.test(readFileSync(path.join(ROOT, file), "utf8")))).toEqual([]);
});
