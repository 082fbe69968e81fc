/** `ballast sim`: the simulated service alone. One ready line on standard output, logs on standard error. */
import { mkdirSync, writeFileSync } from "node:fs";
import { systemClock } from "../../core/clock.ts";
import { seededEntropy } from "../../core/entropy.ts";
import { timedIds } from "../../core/ids.ts";
import type { SimOptions } from "../../faces/cli/ballast-cli.ts";
import { startSimService } from "../../sim/service.ts";
import { EXIT } from "../exit-codes.ts";
import { createLogger } from "../logger.ts";
import { type RecordFiles, recordFilesIn } from "../practice-record.ts";

/** The three files of a recorded run, which `ballast verify` reads. */
function recordFiles(dir: string): RecordFiles {
  mkdirSync(dir, { recursive: true });
  return recordFilesIn(dir);
}

/** Until a signal comes; exit code 1 where it cannot start. */
export async function simProgram(options: SimOptions): Promise<number> {
  const clock = systemClock();
  const entropy = seededEntropy(options.seed);
  const env = { clock, entropy, ids: timedIds(clock.nowMs, entropy.fork("ids")) };
  // Standard output carries the ready line and nothing else, so that a script can read it.
  const log = createLogger({
    clock,
    format: options.logFormat,
    level: options.logLevel,
    redact: (text) => text,
    stream: process.stderr,
  });
  const { data, window, from, scenario, accounts, profile } = options;
  try {
    const service = await startSimService({
      env,
      log,
      host: "127.0.0.1",
      port: options.port,
      controlPort: options.controlPort,
      seed: options.seed,
      exchanges: options.exchanges.split(",").map((name) => name.trim()),
      phase: options.phase,
      speed: options.speed,
      venueLog: true,
      ...(options.record === undefined ? {} : recordFiles(options.record)),
      ...(data === undefined ? {} : { data }),
      ...(window === undefined ? {} : { window }),
      ...(from === undefined ? {} : { from }),
      ...(profile === undefined ? {} : { profile }),
      ...(scenario === undefined ? {} : { scenario }),
      ...(accounts === undefined ? {} : { accounts }),
    });
    const line = `${JSON.stringify(service.ready)}\n`;
    process.stdout.write(line);
    if (options.readyFile) writeFileSync(options.readyFile, line, { mode: 0o600 });
    await new Promise<void>((resolve) => {
      process.once("SIGINT", () => resolve());
      process.once("SIGTERM", () => resolve());
    });
    await service.stop();
    return EXIT.ok;
  } catch (cause) {
    process.stderr.write(`ballast: ${cause instanceof Error ? cause.message : String(cause)}\n`);
    return EXIT.failed;
  }
}
