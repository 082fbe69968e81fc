/** `ballast status`: from the running agent's endpoint, else from the journal, saying which. */
import { existsSync } from "node:fs";
import { usedToday } from "../explain/budget-day.ts";
import { readEnvironment, variable } from "../environment.ts";
import { EXIT, Refused } from "../exit-codes.ts";
import type { Health } from "../health.ts";
import { journalPath, readRunCard } from "../run-file.ts";
import type { StatusReport } from "../status-report.ts";
import { systemClock } from "../../core/clock.ts";
import { toWire } from "../../core/decimal.ts";
import { isoTime } from "../../core/time.ts";
import { DEFAULT_WINDOW } from "../../agent/status.ts";
import { uptimeAt, type UptimeWindow } from "../../agent/uptime.ts";
import { type Config, ConfigSchema } from "../../config.ts";
import { uptimeWindow } from "../agent-settings.ts";
import { restore } from "../restore.ts";
import type { StatusOptions } from "../../faces/cli/ballast-cli.ts";
import { statusText, uptimeText } from "../../faces/cli/status-text.ts";
import { type JournalReader, readJournal } from "../../journal/reader.ts";

/** The option's, else BALLAST_DATA_DIR's, else `data`. Refused where they cannot be read: `data` may be another agent's. */
export function dataDirOf(options: { readonly dataDir?: string }): string {
  const environment = readEnvironment({
    BALLAST_DATA_DIR: options.dataDir ?? process.env["BALLAST_DATA_DIR"],
    BALLAST_DATA_DIR_FILE: options.dataDir ? undefined : process.env["BALLAST_DATA_DIR_FILE"],
  });
  if (!environment.ok) throw new Refused(EXIT.config, environment.error.join("; "));
  return environment.value.dataDir;
}

/** The running agent's answer to `path`, or null when none answers. */
export async function askAgent<T>(dataDir: string, path: string): Promise<{ ok: boolean; body: T } | null> {
  const card = readRunCard(dataDir);
  if (!card) return null;
  try {
    // An endpoint on an address of the network takes this very machine for another one.
    const token = variable(process.env, "BALLAST_STATUS_TOKEN");
    const headers = token.ok && token.value !== null ? { authorization: `Bearer ${token.value}` } : {};
    const reply = await fetch(`${card.statusUrl}${path}`, { headers, signal: AbortSignal.timeout(4_000) });
    return { ok: reply.ok, body: (await reply.json()) as T };
  } catch {
    return null;
  }
}

const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

/** With `health` exit code 1 unless an agent answers and is not dead. */
export async function statusProgram(options: StatusOptions): Promise<number> {
  const dataDir = dataDirOf(options);
  if (options.health) {
    const health = await askAgent<Health>(dataDir, "/health");
    process.stdout.write(health ? `${health.body.state}: ${health.body.reason}\n` : "dead: no agent answers\n");
    return health?.ok ? EXIT.ok : EXIT.failed;
  }
  const live = await askAgent<StatusReport>(dataDir, "/status");
  if (live?.ok) {
    if (options.json) print({ running: true, ...live.body });
    else process.stdout.write(statusText(live.body));
    return EXIT.ok;
  }
  return fromJournal(dataDir, options.json);
}

function fromJournal(dataDir: string, json: boolean): number {
  const file = journalPath(dataDir);
  if (!existsSync(file)) {
    process.stderr.write(
      `ballast: no agent is running and there is no journal in ${dataDir}. Start one with: ballast run\n`,
    );
    return EXIT.failed;
  }
  const reader = readJournal(file);
  try {
    const last = (kind: "equity" | "beat" | "floor" | "stop" | "decision") => {
      const row = reader.latest(kind);
      return row ? { atMs: row.atMs, at: isoTime(row.atMs), decision: row.decisionId, body: row.body } : null;
    };
    const nowMs = systemClock().nowMs();
    const known = restore(reader, nowMs);
    const report = {
      running: false,
      journal: file,
      rows: reader.count(),
      equity: last("equity"),
      floorState: known.floor,
      positions: [...known.legs].map(([leg, { strategy, thesis, stopPrice, openedAtMs }]) => ({
        leg,
        strategy,
        thesis,
        stopPrice: stopPrice && toWire(stopPrice),
        openedAtMs,
      })),
      undecidedIntents: known.openIntents.length,
      // An agent on a faster practice clock is ahead of this machine: its last row says what day it is there.
      spentTodayUsd: toWire(usedToday(reader, Math.max(nowMs, reader.rows({ limit: 1, newest: true })[0]?.atMs ?? 0))),
      uptime: uptimeAt(known.uptime, nowMs, windowOf(reader)),
      lastBeat: last("beat"),
      floor: last("floor"),
      stopped: last("stop"),
      lastDecision: last("decision"),
    };
    if (json) print(report);
    else {
      const equity = (report.equity?.body as { equityUsdt?: string } | undefined)?.equityUsdt;
      process.stdout.write(`No agent is running. From the journal ${file} (${report.rows} rows):\n`);
      process.stdout.write(
        `  last beat      ${report.lastBeat?.at ?? "never"}\n  last equity    ${equity ? `${equity} USDT` : "unknown"}\n  last decision  ${report.lastDecision?.decision ?? "none"}\n${uptimeText(report.uptime)}`,
      );
    }
    return EXIT.ok;
  } finally {
    reader.close();
  }
}

/** As the journal has it; null where it holds none that this build can read. */
export function configOfLastRun(reader: Pick<JournalReader, "rows">): Config | null {
  const rows = reader.rows({ kinds: ["config"], limit: 20, newest: true });
  const configs = rows.map((row) => ConfigSchema.safeParse((row.body as { config?: unknown } | null)?.config));
  const last = configs.filter((parsed) => parsed.success).at(-1);
  return last?.success ? last.data : null;
}

/** The competition's span as the last run was configured. */
function windowOf(reader: JournalReader): UptimeWindow {
  const config = configOfLastRun(reader);
  return config ? uptimeWindow(config) : DEFAULT_WINDOW;
}
