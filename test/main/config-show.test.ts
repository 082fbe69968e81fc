/** `ballast config show --origin`: each setting with its place, and no secret anywhere. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inspectConfig } from "../../src/config/read.ts";
import { settingOrigins } from "../../src/config/origins.ts";
import { programArgs } from "../support/bundled-program.ts";
import { folder, takenDown } from "../support/process.ts";

const HANG_MS = 120_000;
const { folders } = takenDown();

const FILE = `phase: 1
risk:
  maxPositions: 2
strategy: { use: hold, settings: { momentum: { horizon: fast } } }
model:
  names:
    - { name: one, inputPerMillionUsd: &price "1", outputPerMillionUsd: *price, cachedPerMillionUsd: "0.5" }
notifications:
  targets: [{ name: team, kind: slack }]
sources:
  flows: { url: "https://user:password-in-file@data.example.com/flows?token=query-in-file&day=1", keyHeader: x-key }
`;
const SECRETS = {
  SVC_SECRET_KEY: "secret-of-the-account",
  BALLAST_STATUS_TOKEN: "token-of-the-status-page",
  BALLAST_NOTIFY_URL_TEAM: "https://hooks.example.com/services/T000/B000/very-secret",
  BALLAST_SOURCE_KEY_FLOWS: "key-of-the-source",
};

function show(...options: string[]): { readonly code: number | null; readonly out: string; readonly err: string } {
  const made = folder();
  folders.push(made);
  made.file("agent.yaml", FILE);
  made.file("access-key", "access-key-in-a-file\n");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...programArgs("ballast"), "config", "show", "agent.yaml", ...options],
    {
      cwd: made.dir,
      encoding: "utf8",
      env: { ...SECRETS, SVC_ACCESS_KEY_FILE: `${made.dir}/access-key`, AI_BASE_URL: "https://gateway.example.com" },
    },
  );
  return { code: status, out: stdout, err: stderr };
}

/** As an editor counts it. */
function placed(row: number, text: string): string {
  const line = FILE.split("\n")[row - 1] ?? "";
  return `agent.yaml:${row}:${line.indexOf(text) + 1}`;
}

const HIDDEN = [...Object.values(SECRETS), "access-key-in-a-file", "password-in-file", "query-in-file"];

test("each setting has its line or its default, and the environment its variables", { timeout: HANG_MS }, () => {
  const { code, out } = show("--origin");
  expect(code).toBe(0);
  const said = out.split("\n").map((line) => line.replace(/ {2,}/g, "  "));
  for (const line of [
    "phase = 1  agent.yaml:1:8",
    "risk.maxPositions = 2  agent.yaml:3:17",
    'cadence.every = "5m"  default',
    `strategy.settings.momentum.horizon = "fast"  ${placed(4, "fast")}`,
    `model.names.0.outputPerMillionUsd = "1"  ${placed(7, "*price")}`,
    'model.names.0.speech = "chat"  default',
    "AI_BASE_URL = https://gateway.example.com  environment",
    "SVC_ACCESS_KEY = acce***file  environment, by SVC_ACCESS_KEY_FILE",
    "SVC_SECRET_KEY = secr***ount  environment",
    "AI_API_KEY  not set",
  ])
    expect(said).toContain(line);
  expect(out).toContain("https://***@data.example.com/flows?token=***&day=***");
});

test.each([[["--origin"]], [["--origin", "--json"]], [["--json"]], [[]]])(
  "%j shows no secret",
  { timeout: HANG_MS },
  (options) => {
    const { code, out, err } = show(...options);
    expect(code).toBe(0);
    for (const secret of HIDDEN) expect(out + err).not.toContain(secret);
    if (options.includes("--json")) JSON.parse(out);
  },
);

test("what is printed without origins is a configuration that means the same", { timeout: HANG_MS }, () => {
  const again = inspectConfig(show().out);
  const before = inspectConfig(FILE);
  expect(again.parsed?.risk).toEqual(before.parsed?.risk);
  expect(again.parsed?.model).toEqual(before.parsed?.model);
});

test("every setting that the file writes has the place of its value", () => {
  const written = settingOrigins(inspectConfig(FILE)).filter(({ place }) => place !== null);
  const lines = FILE.split("\n");
  for (const { path, value, place } of written) {
    const rest = lines[(place?.line ?? 0) - 1]?.slice((place?.column ?? 0) - 1) ?? "";
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (!rest.startsWith("*")) expect(rest.replace(/^&\w+ /, "").replace(/^["']/, ""), path).toMatch(text.slice(0, 5));
  }
  expect(written.length).toBeGreaterThan(9);
});

test("a file that cannot be used says why, as the check does", { timeout: HANG_MS }, () => {
  const made = folder();
  folders.push(made);
  writeFileSync(`${made.dir}/bad.yaml`, "risk: { maxPosition: 2 }\n");
  const args = [...programArgs("ballast"), "config", "show", `${made.dir}/bad.yaml`, "--origin"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env: {} });
  expect(status).toBe(3);
  expect(stderr).toMatch(/bad\.yaml:1:\d+ risk\.maxPosition: unknown setting; did you mean maxPositions\?/);
});
