/** The settings that were in force at an instant, and those of the last run, from the journal's config rows. */
import type { Decimal } from "../../core/decimal.ts";
import { competition, phase } from "../../config/competition.ts";
import { type Config, ConfigSchema } from "../../config/config.ts";
import type { JournalReader } from "../../journal/reader.ts";
import { modelSection } from "../../llm/contract/settings.ts";
import { UNCOMPILED } from "../../rows/form.ts";
import { type JournalRow, peek } from "../../rows/row.ts";

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
    const model = configIn(row)?.["model"];
    return model === undefined ? [] : [{ atMs: row.atMs, model }];
  });
  return settingsOf((rows.findLast((row) => row.atMs <= atMs) ?? rows[0])?.model);
}

function settingsOf(found: unknown): ModelConfig {
  const parsed = modelSection.safeParse(found ?? {}, UNCOMPILED);
  const model = parsed.success ? parsed.data : modelSection.parse({}, UNCOMPILED);
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
export const configOfLastRun = (reader: Pick<JournalReader, "rows">): Config | null =>
  newestOf(reader, (config) => {
    const parsed = ConfigSchema.safeParse(config, UNCOMPILED);
    return parsed.success ? parsed.data : null;
  });

/** The phase of the last run and its dates, independent of its other settings; null if there are none to be read. */
export const phaseOfLastRun = (reader: Pick<JournalReader, "rows">): Pick<Config, "phase" | "competition"> | null =>
  newestOf(reader, (config) => {
    const [number, dates] = [
      phase.safeParse(config["phase"], UNCOMPILED),
      competition.safeParse(config["competition"] ?? {}, UNCOMPILED),
    ];
    return number.success && dates.success ? { phase: number.data, competition: dates.data } : null;
  });

const CONFIGS_READ = 20;

/** The newest configuration that `read` understands. */
function newestOf<T>(
  reader: Pick<JournalReader, "rows">,
  read: (config: Readonly<Record<string, unknown>>) => T | null,
): T | null {
  const rows: readonly JournalRow[] = reader.rows({ kinds: ["config"], limit: CONFIGS_READ, newest: true });
  for (const row of rows.toReversed()) {
    const config = configIn(row);
    const made = config && read(config);
    if (made !== null) return made;
  }
  return null;
}

/** The settings as written: their own schemas check what is read of them. Null in a row about something else. */
function configIn(row: JournalRow): Readonly<Record<string, unknown>> | null {
  const config = peek(row, "config");
  return typeof config === "object" && config !== null ? (config as Readonly<Record<string, unknown>>) : null;
}
