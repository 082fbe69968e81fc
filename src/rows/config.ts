/** `config` rows: the settings in force, and what a data folder is bound to. */
import { z } from "zod";
import { always, anything, text } from "./fields.ts";
import { rowForm } from "./form.ts";

/** The parts that a start reads before it trusts the rest; the whole configuration has its own schema. */
const settings = z
  .looseObject({
    phase: z
      .union([z.literal(1), z.literal(2)])
      .optional()
      .meta({ description: "Phase of the competition." }),
    strategy: z
      .looseObject({ use: text("The strategy that decides.").optional() })
      .optional()
      .meta({ description: "Settings of the strategy." }),
    model: anything("Settings of the models.").optional(),
  })
  .meta({ description: "The whole configuration that runs from here on (docs/CONFIGURATION.md).", is: "object" });

const inForce = z
  .object({
    config: settings,
    file: text("The file it was read from, at a start.").optional(),
    by: text("Who changed it: `file`, `operator`, `schedule` or `phase`.").optional(),
  })
  .readonly();

const pin = z
  .object({
    venue: text("Kind of venue, as `venue.kind` in the configuration names it."),
    host: text("Host of the service.").nullable(),
    key: text("Hash of the access key; it reveals nothing about the key.").nullable(),
    portfolios: text("The venue's names of our portfolios, as read back.").nullable(),
  })
  .readonly();

const account = z
  .object({
    event: always("account", "The account that the data folder belongs to."),
    pin: pin.meta({
      description: "What identifies an account: venue, host, hash of the key, portfolios.",
      is: "object",
    }),
  })
  .readonly();

const worked = z
  .object({
    event: always("worked", "A first start of these settings found the venue and the models."),
    of: text("Hash of the settings concerned."),
  })
  .readonly();

const live = z
  .object({
    event: always("live", "Orders go to the real service from here on."),
    host: text("Its host.").nullable(),
    by: text("`--live` or `session.live`."),
  })
  .readonly();

export const CONFIG = rowForm(
  "config",
  {
    written:
      "At a start and after every change of settings; when a data folder is bound to an account, proven or taken live.",
    readBy: "A start (phase, account, consent), `ballast budget`, `status`, `why-not` and the verifier.",
  },
  z.union([account, worked, live, inForce]),
);

export type ConfigRow = z.output<typeof CONFIG.body>;
export const configRow = CONFIG.write;
export const readConfig = CONFIG.read;

/** Who or what changed the settings, or what the folder is bound to. */
export function configText(row: ConfigRow): string {
  if ("config" in row) return row.file === undefined ? `changed by ${row.by ?? "?"}` : `read from ${row.file}`;
  if (row.event === "account") return `the folder belongs to ${row.pin.venue} ${row.pin.host ?? ""}`.trim();
  if (row.event === "worked") return "venue and models answered";
  return `live at ${row.host ?? "?"} by ${row.by}`;
}
