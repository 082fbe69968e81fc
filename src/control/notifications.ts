/** The targets of the section `notifications` with their tokens and addresses, which only the environment has. */
import { Secret } from "../core/secret.ts";
import { webhook } from "../notify/webhook.ts";
import { telegram, type TelegramAccess } from "../notify/telegram.ts";
import type { ReadyTarget } from "../notify/notifier.ts";
import type { NotificationSettings } from "../notify/settings.ts";
import { variable } from "./environment.ts";

export interface PlannedNotifications {
  readonly targets: readonly ReadyTarget[];
  /** Whose commands are heard; null where none are. */
  readonly commands: TelegramAccess | null;
  /** Targets that cannot be used, each with what to do. The others are. */
  readonly problems: readonly string[];
  /** What must never be printed. */
  readonly secrets: readonly Secret[];
}

type Variables = Readonly<Record<string, string | undefined>>;

const variableOf = ({ kind, name }: NotificationSettings["targets"][number]): string =>
  kind === "telegram" ? "BALLAST_TELEGRAM_TOKEN" : `BALLAST_NOTIFY_URL_${name.toUpperCase().replaceAll("-", "_")}`;

/** The variables with the tokens and addresses of all targets. */
export const variablesOfTargets = ({ targets }: NotificationSettings): readonly string[] => [
  ...new Set(targets.map(variableOf)),
];

export function planNotifications({ targets: all }: NotificationSettings, env: Variables): PlannedNotifications {
  const targets: ReadyTarget[] = [];
  const problems: string[] = [];
  const secrets: Secret[] = [];
  let commands: TelegramAccess | null = null;
  for (const settings of all) {
    const { kind, chats, name } = settings;
    const needed = variableOf(settings);
    const found = variable(env, needed);
    const text = found.ok ? found.value : null;
    const fits = kind === "telegram" ? /^\d+:[\w-]+$/ : /^https?:\/\/\S+$/;
    if (text !== null) secrets.push(new Secret(text));
    if (text === null || !fits.test(text) || (kind !== "telegram" && !URL.canParse(text))) {
      const rule = kind === "telegram" ? "a token such as 123456:ABC from @BotFather" : "an http or https address";
      problems.push(found.ok ? `target ${name}: set ${needed} to ${rule}` : `target ${name}: ${found.error}`);
      continue;
    }
    if (kind !== "telegram") targets.push({ settings, send: webhook(kind, text) });
    else {
      const root = variable(env, "BALLAST_TELEGRAM_API_URL");
      const apiRoot = root.ok && root.value !== null ? { apiRoot: root.value.replace(/\/+$/, "") } : {};
      const access = { token: text, chats, ...apiRoot };
      targets.push({ settings, send: telegram(access) });
      if (settings.commands) commands = access;
    }
  }
  return { targets, commands, problems, secrets };
}
