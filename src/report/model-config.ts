/** The settings that were in force at an instant, and those of the last run, from the journal's config rows. */
import { type Decimal, dec } from "../core/decimal.ts";
import { type Config, ConfigSchema } from "../config/config.ts";
import { fieldsOf } from "../journal/fields.ts";
import type { JournalReader } from "../journal/reader.ts";

/** At the prices of ordinary prompts; those of a long context are left out. */
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

/** Settings of a later or earlier version are read as far as they fit; what does not fit falls back to the defaults. */
export function modelConfigAt(reader: JournalReader, atMs: number): ModelConfig {
  const rows = reader.rows({ kinds: ["config"] });
  const withModel = rows.filter((row) => fieldsOf(fieldsOf(row.body)["config"])["model"] !== undefined);
  const row = withModel.findLast((candidate) => candidate.atMs <= atMs) ?? withModel[0];
  return settingsOf(fieldsOf(fieldsOf(row?.body)["config"])["model"]);
}

function settingsOf(found: unknown): ModelConfig {
  const parsed = ConfigSchema.shape.model.safeParse(found ?? {});
  const model: Config["model"] = parsed.success ? parsed.data : ConfigSchema.parse({}).model;
  return {
    limitUsd: dec(model.dayLimitUsd),
    floorUsd: model.floorUsd === undefined ? null : dec(model.floorUsd),
    boundaryUtcHour: model.dayBoundaryUtcHour,
    models: model.names.map((entry) => ({
      name: entry.name,
      input: dec(entry.inputPerMillionUsd),
      output: dec(entry.outputPerMillionUsd),
      cached: dec(entry.cachedPerMillionUsd),
    })),
  };
}

/** As the journal has it; null where it holds none that this build can read. */
export function configOfLastRun(reader: Pick<JournalReader, "rows">): Config | null {
  const rows = reader.rows({ kinds: ["config"], limit: 20, newest: true });
  const configs = rows.map((row) => ConfigSchema.safeParse((row.body as { config?: unknown } | null)?.config));
  const last = configs.filter((parsed) => parsed.success).at(-1);
  return last?.success ? last.data : null;
}
