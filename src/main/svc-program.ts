/** Connects the command line of `svc` to this process: streams, files, clock, and the client on first use. */
import { fstatSync } from "node:fs";
import { readInputFile } from "../client/input-file.ts";
import { randomBytes } from "node:crypto";
import { systemClock } from "../core/clock.ts";
import { seededEntropy } from "../core/entropy.ts";
import { type Env, timedIds } from "../core/ids.ts";
import { type Log, silentLog } from "../core/log.ts";
import { redactor } from "../core/secret.ts";
import { runSvc } from "../faces/svc/command-line.ts";
import type { Face } from "../faces/contract/statuses.ts";
import { launchOf } from "../client/launch.ts";
import { onStopSignal } from "../ops/stop-signals.ts";
import type { OpenClient } from "../client/plug.ts";

/** Ids that no other process can create in the same millisecond. */
function processEnv(): Env {
  const clock = systemClock();
  const entropy = seededEntropy(randomBytes(16).toString("hex"));
  const ids = timedIds(clock.nowMs, entropy.fork("ids"));
  const own = randomBytes(5).readUIntBE(0, 5).toString(36);
  return { clock, entropy, ids: { next: (kind) => `${ids.next(kind)}${own}` } };
}

/** Reads a pipe or a file to its end; null for a terminal or a closed stream. */
async function standardInput(): Promise<string | null> {
  try {
    const stat = fstatSync(0);
    if (!stat.isFIFO() && !stat.isFile() && !stat.isSocket()) return null;
  } catch {
    return null;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** Log lines on standard error if SVC_LOG=1, without secrets. */
async function logger({ clock }: Env): Promise<Log> {
  if (process.env["SVC_LOG"] !== "1") return silentLog;
  const [{ createLogger }, { secretsOf }] = await Promise.all([
    import("../ops/logger.ts"),
    import("../client/plug.ts"),
  ]);
  const redact = redactor(secretsOf(process.env));
  return createLogger({ clock, format: "json", level: "info", redact, stream: process.stderr });
}

/** Loads the client layer on the first call, so that help and completion answer at once. */
function opener(env: Env, version: string): (face: Face) => Promise<OpenClient> {
  return async (face) => {
    const { plugClient } = await import("../client/plug.ts");
    return plugClient({ env, log: await logger(env), face, variables: process.env, version, cwd: process.cwd() });
  };
}

/** Returns the exit code. The first SIGINT cancels the call and lets its answer be printed. */
export async function svcProgram(argv: readonly string[], version: string): Promise<number> {
  const env = processEnv();
  const open = opener(env, version);
  const ending = new AbortController();
  const endListening = onStopSignal({ signals: ["SIGINT"], first: () => ending.abort() });
  const code = await runSvc(argv, {
    version,
    signal: ending.signal,
    io: {
      out: (text) => void process.stdout.write(text),
      err: (text) => void process.stderr.write(text),
      stdin: standardInput,
      file: readInputFile,
      colour: process.stdout.isTTY && !process.env["NO_COLOR"],
      nowMs: env.clock.nowMs,
    },
    open: () => open("command-line"),
    launch: () =>
      launchOf(process.env, {
        node: process.execPath,
        nodeArgs: process.execArgv,
        script: process.argv[1] ?? "",
        cwd: process.cwd(),
      }),
    serveMcp: async (options) => {
      endListening();
      return (await import("../client/serve-mcp.ts")).mcpProgram(await open("tool-server"), options);
    },
  });
  endListening();
  return code;
}
