/** The clock of a run: the machine's, or a faster one shared with a practice venue. */
import { type Clock, scaledClock, systemClock, steadyClock } from "../core/clock.ts";
import { err, ok, type Result } from "../core/result.ts";
import { readJournal } from "../journal/reader.ts";
import { journalPath } from "../ops/run-file.ts";

/**
 * `controlUrl` is the control address of a running `ballast sim`, whose clock is adopted. A faster clock of our own goes on
 * from `lastMs`, the newest time in the data folder, which it may have left ahead of the machine's.
 */
export async function practiceClock(
  controlUrl: string | undefined,
  speed: number,
  lastMs = 0,
): Promise<Result<Clock, string>> {
  const base = systemClock();
  if (controlUrl === undefined)
    return ok(speed === 1 ? steadyClock(base) : scaledClock(base, speed, Math.max(base.nowMs(), lastMs)));
  if (!/^https?:\/\//.test(controlUrl) || !URL.canParse(controlUrl))
    return err(
      `--practice-clock must be the controlUrl that \`ballast sim\` prints, such as http://127.0.0.1:8701, found ${controlUrl}`,
    );
  try {
    const asked = base.nowMs();
    const reply = await fetch(`${controlUrl.replace(/\/+$/, "").replace(/\/control$/, "")}/control/clock`, {
      signal: AbortSignal.timeout(5_000),
    });
    const { nowMs, scale } = (await reply.json()) as { nowMs?: unknown; scale?: unknown };
    if (typeof nowMs !== "number" || typeof scale !== "number") return err(`${controlUrl} is not a practice clock`);
    return ok(scaledClock(base, scale, nowMs + ((base.nowMs() - asked) / 2) * scale));
  } catch (cause) {
    return err(
      `the practice clock at ${controlUrl} cannot be read (${cause instanceof Error ? cause.message : String(cause)}). Is \`ballast sim\` running?`,
    );
  }
}

/** The time of the newest row of the journal in this folder, 0 without one. Who opens it to write says what is wrong with it. */
export function newestRowMs(dataDir: string): number {
  try {
    const reader = readJournal(journalPath(dataDir));
    try {
      return reader.rows({ newest: true, limit: 1 })[0]?.atMs ?? 0;
    } finally {
      reader.close();
    }
  } catch {
    return 0;
  }
}
