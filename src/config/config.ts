/**
 * The one schema of all settings, composed of sections: each field has a default, a meaning and a unit. A section belongs to
 * the room that uses it, and its output is the type used there. `config/read.ts` reads and freezes the configuration. Secrets
 * are not in it: they come from the environment (`control/environment.ts`).
 */
import { z } from "zod";
import { cadence, execution, funding, protection } from "../agent/contract/settings.ts";
import { decimal, span } from "../core/setting-fields.ts";
import { modelSection } from "../llm/contract/settings.ts";
import { notificationsSection } from "../notify/settings.ts";
import { riskSection } from "../risk/settings.ts";
import { competition, phase } from "./competition.ts";
import { OBJECTIVE_NAMES } from "./objectives.ts";
import { session } from "./session.ts";
import { sources } from "./sources.ts";
import { history, journal, learning, recorder, status, venue, cron, handover } from "./surroundings.ts";

/** A base asset, or the canonical name of a perpetual. */
const INSTRUMENT = /^[A-Z0-9]+(?:(?:_[A-Z0-9]+)*_PERP_[A-Z0-9]+_USDT)?$/;

/** `parse({})` gives all defaults. Unknown names are refused; `config/read.ts` locates them. */
export const ConfigSchema = z.strictObject({
  phase,
  objective: z
    .enum(OBJECTIVE_NAMES)
    .default("score")
    .describe(
      "What the account is for. A file that names an objective starts from its set of settings (docs/OBJECTIVES.md); its own lines take precedence.",
    ),
  venue: venue.prefault({}),
  universe: z
    .union([
      z.literal("phase"),
      z
        .array(
          z.string().regex(INSTRUMENT, "a base asset such as BTC, or a perpetual such as EXCHANGE_B_PERP_BTC_USDT"),
        )
        .min(1)
        .max(100),
    ])
    .default("phase")
    .describe(
      "What to watch and trade: base assets (on the first exchange) and, for Phase II, perpetuals of either exchange by their full name; or `phase` for the fifty pairs of Phase I. Instruments outside the fifty are traded from Phase II on. The first one is the lead instrument.",
    ),
  strategy: z
    .strictObject({
      use: z.string().default("trend-carry").describe("Name of a file in strategies/."),
      fallback: z.string().default("hold").describe("Strategy that decides while the chosen one cannot."),
      handover: handover
        .optional()
        .describe(
          "Treatment of open positions when another strategy takes over. Without it a saved file cannot switch, and `ballast strategy use` must name it.",
        ),
      windDown: span(
        "Longest time that positions stay open under the handover `wind-down`; then the rest is closed.",
      ).prefault("4h"),
      settings: z
        .record(z.string(), z.record(z.string(), z.unknown()))
        .default({})
        .describe("Settings by strategy name; each strategy documents its own."),
      shadows: z
        .array(
          z.union([
            z.string().min(1),
            z.strictObject({
              use: z.string().min(1),
              as: z.string().regex(/^[a-z0-9-]+$/, "lower-case letters, digits and dashes"),
              settings: z.record(z.string(), z.unknown()).default({}),
            }),
          ]),
        )
        .max(20)
        .default([])
        .describe(
          "Strategies that run on paper accounts beside the trading one: a name, or {use, as, settings} for one with its own settings.",
        ),
      shadowModelUsd: decimal("Most that all shadows together may spend on the model in a UTC day, USD.").prefault("1"),
      schedule: z
        .array(z.strictObject({ cron, use: z.string().min(1), handover }))
        .max(50)
        .default([])
        .describe("Scheduled strategies: at each time that matches `cron`, `use` takes over with that `handover`."),
    })
    .prefault({}),
  sources,
  cadence: cadence.prefault({}),
  funding: funding.prefault({}),
  learning: learning.prefault({}),
  session: session.prefault({}),
  risk: riskSection.prefault({}),
  execution: execution.prefault({}),
  protection: protection.prefault({}),
  model: modelSection.prefault({}),
  status: status.prefault({}),
  notifications: notificationsSection.prefault({}),
  recorder: recorder.prefault({}),
  history: history.prefault({}),
  competition: competition.prefault({}),
  journal: journal.prefault({}),
});

/** With all defaults filled in, amounts exact and spans in milliseconds; deeply frozen after reading. */
export type Config = z.output<typeof ConfigSchema> & {
  /** The coin that each made-up name of a disguised backtest stands for. No file can set it. */
  readonly standsFor?: Readonly<Record<string, string>>;
};
/** In the form of a file, for the journal and for people. `ConfigSchema` reads it back. */
export function asWritten(config: Config): z.input<typeof ConfigSchema> {
  const settings = { ...config };
  delete settings.standsFor;
  return z.encode(ConfigSchema, settings);
}
/** The practice venue inside the agent's own process, or the real service. */
export type VenueKind = Config["venue"]["kind"];

/** Read only at the start: a saved file that changes one of them is refused. */
export const FIXED_AT_START = [
  "phase",
  "venue",
  "universe",
  "status",
  "notifications",
  "model",
  "recorder",
  "history",
  "journal",
  "sources",
] as const;
