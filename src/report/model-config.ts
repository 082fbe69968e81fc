/** The settings that were in force at an instant, and those of the last run, from the journal's config rows. */
import type { Decimal } from "../core/decimal.ts";
import { type Config, ConfigSchema } from "../config/config.ts";
import type { JournalReader } from "../journal/reader.ts";
import { readConfig } from "../rows/config.ts";

/** At the prices of ordinary prompts; long-context prices are left out. */
export interface PricedModel {
  readonly name: string;
  /** USD per million tokens. */
  readonly input: Decimal;
  readonly output: Decimal;
  readonly cached: Decimal;
}

/** `limitUsd` is for one budget day; `floorUsd` is null without a lower band. */
export interface ModelConfig {
  readonly limitUsd: Decimal;
  readonly floorUsd: Decimal | null;
  readonly boundaryUtcHour: number | "gateway";
  readonly models: readonly PricedModel[];
}

/** Settings of a later or earlier version are read as far as they fit; the rest falls back to the defaults. */
export function modelConfigAt(reader: JournalReader, atMs: number): ModelConfig {
  const rows = reader.rows({ kinds: ["config"] }).flatMap((row) => {
    const read = readConfig(row);
    const model = "config" in read ? read.config.model : undefined;
    return model === undefined ? [] : [{ atMs: row.atMs, model }];
  });
  return settingsOf((rows.findLast((row) => row.atMs <= atMs) ?? rows[0])?.model);
}

function settingsOf(found: unknown): ModelConfig {
  const parsed = ConfigSchema.shape.model.safeParse(found ?? {});
  const model: Config["model"] = parsed.success ? parsed.data : ConfigSchema.parse({}).model;
  return {
    limitUsd: model.dayLimitUsd,
    floorUsd: model.floorUsd ?? null,
    boundaryUtcHour: model.dayBoundaryUtcHour,
    models: model.names.map((entry) => ({
      name: entry.name,
      input: entry.inputPerMillionUsd,
      output: entry.outputPerMillionUsd,
      cached: entry.cachedPerMillionUsd,
    })),
  };
}

/** As the journal holds it; null if it holds none that this build can read. */
export function configOfLastRun(reader: Pick<JournalReader, "rows">): Config | null {
  const rows = reader.rows({ kinds: ["config"], limit: 20, newest: true });
  const configs = rows.map(readConfig).flatMap((row) => ("config" in row ? [ConfigSchema.safeParse(row.config)] : []));
  const last = configs.filter((parsed) => parsed.success).at(-1);
  return last?.success ? last.data : null;
}
