/** Builders for the tests of the budget: an environment on a clock, a ledger store in memory and a log that is a list. */
import type { Clock } from "../../../src/core/clock.ts";
import { seededEntropy } from "../../../src/core/entropy.ts";
import { type Env, timedIds } from "../../../src/core/ids.ts";
import type { Log, LogFields, LogLevel } from "../../../src/core/log.ts";
import type { SpendLedgerStore } from "../../../src/llm/contract/port.ts";

export function envOn(clock: Clock, seed = 1): Env {
  const entropy = seededEntropy(seed);
  return { clock, entropy, ids: timedIds(clock.nowMs, entropy.fork("ids")) };
}

export interface MemoryStore extends SpendLedgerStore {
  readonly rows: {
    readonly seq: number;
    readonly kind: string;
    readonly atMs: number;
    readonly body: Record<string, unknown>;
  }[];
}

/** Keeps rows as the journal does: bodies as JSON text and back. */
export function memoryStore(nowMs: () => number): MemoryStore {
  const rows: MemoryStore["rows"] = [];
  return {
    rows,
    append: ({ kind, body }) => {
      const text = JSON.stringify(body);
      const row = { seq: rows.length + 1, kind, atMs: nowMs(), body: JSON.parse(text) as Record<string, unknown> };
      rows.push(row);
      return row;
    },
    rowsSince: (sinceMs, atLeast) => rows.filter((row, i) => row.atMs >= sinceMs || i >= rows.length - atLeast),
  };
}

export interface ListLog extends Log {
  readonly lines: { level: LogLevel; evt: string; msg: string; fields: LogFields }[];
}

export function listLog(): ListLog {
  const lines: ListLog["lines"] = [];
  return { lines, event: (level, evt, msg, fields) => void lines.push({ level, evt, msg, fields: fields ?? {} }) };
}
