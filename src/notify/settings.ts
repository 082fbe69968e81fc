/** The section `notifications`: who is notified, of what, and when not. Tokens and addresses come from the environment. */
import { z } from "zod";
import { span } from "../core/setting-fields.ts";

export const LEVELS = ["notice", "warning", "alarm"] as const;
export type NotificationLevel = (typeof LEVELS)[number];

/** The kinds of notifications; each has its usual level in `events.ts`. */
export const EVENTS = [
  "run",
  "position-opened",
  "position-closed",
  "stop-moved",
  "stop-missing",
  "floor",
  "command",
  "strategy",
  "cause",
  "uptime",
  "spend",
  "day",
] as const;
export type EventName = (typeof EVENTS)[number];

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const time = (what: string) => z.string().regex(TIME, "write a UTC time such as 22:00").describe(what);

const target = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,29}$/, "lower-case letters, digits and dashes")
      .describe("Its name; the address of a webhook is in BALLAST_NOTIFY_URL_NAME, upper case, `-` as `_`."),
    kind: z
      .enum(["telegram", "slack", "discord", "ntfy", "json"])
      .describe("telegram takes its token from BALLAST_TELEGRAM_TOKEN; json is any webhook that reads plain JSON."),
    level: z.enum(LEVELS).default("notice").describe("The least important level that it receives."),
    chats: z
      .array(z.number().int())
      .max(20)
      .default([])
      .describe("Telegram: ids of the chats that receive messages and may send commands. Others get no reply."),
    commands: z.boolean().default(true).describe("Telegram: whether those chats may command the agent."),
  })
  .superRefine(({ kind, chats }, { addIssue }) => {
    if ((kind === "telegram") !== chats.length > 0)
      addIssue({ code: "custom", path: ["chats"], message: "list chats for telegram, and for no other kind" });
  });

export const notificationsSection = z.strictObject({
  targets: z
    .array(target)
    .max(8)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, "names must differ")
    .refine((all) => all.filter(({ kind }) => kind === "telegram").length <= 1, "one telegram at most")
    .default([])
    .describe("Where notifications go; docs/NOTIFICATIONS.md has an example."),
  levels: z
    .partialRecord(z.enum(EVENTS), z.enum([...LEVELS, "off"]))
    .default({})
    .describe("Another level for an event, or `off`."),
  quietHours: z
    .strictObject({ from: time("They begin, UTC."), to: time("They end, UTC.") })
    .optional()
    .describe("Only alarms are sent in this span of the day; what else happens follows at its end."),
  batch: span("Events within this time become one message; alarms are sent at once.").prefault("5s"),
  queue: z
    .number()
    .int()
    .min(10)
    .max(1_000)
    .default(200)
    .describe("The most events that wait for one target; beyond it the oldest are dropped."),
});
export type NotificationSettings = z.output<typeof notificationsSection>;
export type TargetSettings = NotificationSettings["targets"][number];
