/**
 * `npm run soak`: runs the agent unattended for a long time and reports what grew. In real time with separate processes
 * (`--for 60m`), or on virtual time in one process with a restart a day (`--virtual 30d`).
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { parseSpan } from "../src/core/time.ts";
import { realSoak } from "./soak/real.ts";
import { virtualSoak } from "./soak/virtual.ts";

const USAGE = `npm run soak -- [--for SPAN | --virtual SPAN [--beat SPAN]] [--keep DIR] [--config FILE] [--program FILE]
  --for SPAN      real time, default 2m; needs \`npm run build\`
  --virtual SPAN  virtual time, for example 30d
  --beat SPAN     how often the virtual market moves and the agent looks, default 20s
  --keep DIR      an empty folder that receives everything and stays
  --config FILE   of the real soak, default config/agent.yaml
  --program FILE  of the real soak, default dist/src/main/ballast.cjs
Example: npm run soak -- --for 60m --keep /tmp/soak`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function refuse(message: string): number {
  process.stderr.write(`${message}\n${USAGE}\n`);
  return 2;
}

async function main(): Promise<number> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: {
      for: text,
      virtual: text,
      beat: text,
      keep: text,
      config: text,
      program: text,
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    say(USAGE);
    return 0;
  }
  const spans = { for: values.for ?? "2m", virtual: values.virtual ?? "30d", beat: values.beat ?? "20s" };
  for (const [name, span] of Object.entries(spans))
    if (parseSpan(span) === null) return refuse(`--${name} must be a span such as 20s, 60m or 30d, found ${span}`);
  const program = path.resolve(values.program ?? "dist/src/main/ballast.cjs");
  if (values.virtual === undefined && !existsSync(program)) return refuse(`there is no ${program}`);
  const dir = values.keep ?? mkdtempSync(path.join(tmpdir(), "ballast-soak-"));
  try {
    if (values.virtual !== undefined)
      return await virtualSoak({ forMs: parseSpan(spans.virtual) ?? 0, stepMs: parseSpan(spans.beat) ?? 0, dir, say });
    const config = path.resolve(values.config ?? "config/agent.yaml");
    return await realSoak({ forMs: parseSpan(spans.for) ?? 0, dir: path.resolve(dir), config, program, say });
  } finally {
    if (values.keep === undefined) rmSync(dir, { recursive: true, force: true });
  }
}

process.exitCode = await main();
