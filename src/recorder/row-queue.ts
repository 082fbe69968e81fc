/** Rows waiting to be written: a bounded queue, written in the background, one write at a time, never throwing. */
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { HOUR_MS } from "../core/time.ts";
import type { GrowingFolder } from "./files.ts";
import { monthOf } from "./layout.ts";

/** One line of one file, including its line end; `header` is the file's first line, null for none. */
export interface QueuedRow {
  readonly file: string;
  readonly header: string | null;
  readonly line: string;
  /** Rows at or before the file's last one are not written again; null if order does not matter. */
  readonly openMs: number | null;
}

/** The most rows that may wait; further ones are dropped and counted. */
export const PENDING_MAX = 20_000;
const COMPLAIN_EVERY_MS = HOUR_MS;

/**
 * Decouples the market path, which must not wait, from the disk. `flush` never rejects; `complain` logs once an hour.
 */
export class RowQueue {
  readonly #folder: GrowingFolder;
  readonly #clock: Clock;
  readonly #log: Log;
  #pending: QueuedRow[] = [];
  #writing: Promise<void> = Promise.resolve();
  #full = false;
  #complainedMs = -Infinity;
  /** Rows that could not be written. */
  lost = 0;

  constructor(folder: GrowingFolder, clock: Clock, log: Log) {
    this.#folder = folder;
    this.#clock = clock;
    this.#log = log;
  }

  get size(): number {
    return this.#pending.length;
  }

  /** False if too many are waiting already. */
  add(row: QueuedRow): boolean {
    if (this.#pending.length < PENDING_MAX) return this.#pending.push(row) > 0;
    this.lost++;
    return false;
  }

  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write()).catch((cause: unknown) => this.complain(cause));
    return this.#writing;
  }

  complain(cause: unknown): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#complainedMs < COMPLAIN_EVERY_MS) return;
    this.#complainedMs = nowMs;
    const reason = cause instanceof Error ? cause.message : String(cause);
    this.#log.event("warn", "recorder.failed", `${reason.slice(0, 200)} (${this.lost} rows lost so far)`, {
      lost: this.lost,
    });
  }

  async #write(): Promise<void> {
    const rows = this.#pending;
    if (rows.length === 0) return;
    this.#pending = [];
    const month = monthOf(this.#clock.nowMs());
    let left = rows.length;
    try {
      if (!(await this.#roomIn(month))) return;
      for (const [file, mine] of byFile(rows)) {
        await this.#writeFile(file, mine);
        left -= mine.length;
      }
    } finally {
      this.lost += left;
    }
    this.#folder.forget(month);
  }

  async #writeFile(file: string, rows: readonly QueuedRow[]): Promise<void> {
    const { lastLine } = await this.#folder.opened(file, rows[0]?.header ?? null);
    const lastMs = Number(lastLine.split(",")[0]);
    const later = rows.filter(({ openMs }) => openMs === null || !(openMs <= lastMs));
    await this.#folder.append(file, later.map(({ line }) => line).join(""));
  }

  async #roomIn(month: string): Promise<boolean> {
    const { fits, removed } = await this.#folder.prune(month);
    if (removed.length > 0 || (!fits && !this.#full)) {
      const text = fits
        ? `removed the recordings of ${removed.join(", ")}: the quota is reached`
        : "the quota is reached by this month alone: nothing more is recorded";
      this.#log.event("warn", "recorder.pruned", text, { dir: this.#folder.dir });
    }
    this.#full = !fits;
    return fits;
  }
}

function byFile(rows: readonly QueuedRow[]): ReadonlyMap<string, readonly QueuedRow[]> {
  const found = new Map<string, QueuedRow[]>();
  for (const row of rows) {
    const mine = found.get(row.file);
    if (mine) mine.push(row);
    else found.set(row.file, [row]);
  }
  return found;
}
