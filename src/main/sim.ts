/** `ballast sim`: the simulated service alone. One ready line on standard output, logs on standard error. */
import { writeFileSync } from "node:fs";
import { systemClock } from "../core/clock.ts";
import { seededEntropy } from "../core/entropy.ts";
import { timedIds } from "../core/ids.ts";
import { parseInstant } from "../core/time.ts";
import { startSimService } from "../sim/service.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { createLogger } from "../ops/logger.ts";
import { makeFolder } from "../core/make-folder.ts";
import { onStopSignal } from "../ops/stop-signals.ts";
import { recordFilesIn } from "../daemon/practice-record.ts";
import type { SimCommandOptions } from "../faces/cli/run-commands.ts";

function complain(code: number, text: string): number {
  process.stderr.write(`ballast: ${text}\n`);
  return code;
}

/** An option that would have no effect or cannot work; null if all are fine. */
function problemOf({ data, window, from, port, controlPort, record }: SimCommandOptions): string | null {
  for (const [name, value] of Object.entries({ "--window": window, "--from": from }))
    if (value !== undefined && data === undefined)
      return `${name} ${value} applies to recorded data: add its folder with --data`;
  if (from !== undefined && parseInstant(from) === null)
    return `--from must be ISO 8601 UTC such as 2025-06-12T00:00:00Z, found ${from}`;
  if (port === controlPort && port !== 0) return `--port and --control-port are both ${port}; give each its own`;
  // The three files of a recorded run, which `ballast verify` reads.
  const made = record === undefined ? null : makeFolder(record);
  return made === null || made.ok ? null : `--record: ${made.error}`;
}

/** A used port or an unusable file is a usage or configuration error; any other failure is unexpected. */
function complainOfStart(cause: unknown, { controlPort }: SimCommandOptions): number {
  const { code, syscall, port } = cause as NodeJS.ErrnoException & { readonly port?: number };
  if (syscall === "listen") {
    const option = port === controlPort ? "--control-port" : "--port";
    return complain(
      EXIT.usage,
      `${option} ${port} cannot be listened on (${code}): stop the program that uses it, or give another; 0 takes a free one`,
    );
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return complain(cause instanceof RangeError ? EXIT.config : EXIT.failed, message);
}

/** Runs until a signal comes. */
export async function simProgram(options: SimCommandOptions): Promise<number> {
  const problem = problemOf(options);
  if (problem !== null) return complain(EXIT.usage, problem);
  const clock = systemClock();
  const entropy = seededEntropy(options.seed);
  const env = { clock, entropy, ids: timedIds(clock.nowMs, entropy.fork("ids")) };
  // Standard output carries the ready line and nothing else, so that a script can read it.
  const log = await createLogger({
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
      ...(options.record === undefined ? {} : recordFilesIn(options.record)),
      ...(data === undefined ? {} : { data }),
      ...(window === undefined ? {} : { window }),
      ...(from === undefined ? {} : { from }),
      ...(profile === undefined ? {} : { profile }),
      ...(scenario === undefined ? {} : { scenario }),
      ...(accounts === undefined ? {} : { accounts }),
    });
    const line = `${JSON.stringify(service.ready)}\n`;
    if (options.readyFile !== undefined && !wrote(options.readyFile, line)) {
      await service.stop();
      return complain(
        EXIT.usage,
        `--ready-file ${options.readyFile} cannot be written; give a file in an existing folder`,
      );
    }
    process.stdout.write(line);
    await new Promise<void>((resolve) => void onStopSignal({ first: () => resolve() }));
    await service.stop();
    return EXIT.ok;
  } catch (cause) {
    return complainOfStart(cause, options);
  }
}

function wrote(file: string, line: string): boolean {
  try {
    writeFileSync(file, line, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}
