/** `.env.example` of a new set-up: every variable with its meaning, those that this set-up needs without a comment sign. */
import { type Answers, onService } from "./questions.ts";

const URL_START = /^https?:\/\//;

/** The address that was given, as a client calls it. */
const address = (host: string): string => (URL_START.test(host) ? host.replace(/\/+$/, "") : `https://${host}`);

export function environmentText(answers: Answers): string {
  const real = onService(answers);
  const inContainer = answers.place === "container";
  const needed = (line: string, is: boolean): string => (is ? line : `#${line}`);
  return [
    "# Secrets and addresses. Copy to .env, fill in, and keep .env to yourself: chmod 600 .env",
    "# Lines are NAME=value, without quotes or spaces. Instead of any NAME, NAME_FILE may name a file with the value.",
    ...(inContainer ? [] : ["# A shell reads it with: set -a; . ./.env; set +a"]),
    "",
    "# The token for callers of the page from outside: 6 or more visible characters, for example from `openssl rand -hex 24`.",
    needed("BALLAST_STATUS_TOKEN=", inContainer),
    "",
    "# The real service: address and keys of your account.",
    needed(`SVC_API_HOST=${real ? address(answers.apiHost) : ""}`, real),
    needed("SVC_ACCESS_KEY=", real),
    needed("SVC_SECRET_KEY=", real),
    "",
    "# The model gateway." +
      (real ? "" : " Without it the practice model answers, which is a set of rules, not a language model."),
    needed("AI_BASE_URL=", real),
    needed("AI_API_KEY=", real),
    "",
    ...(inContainer
      ? []
      : [
          "# The folder of the journal. A folder belongs to one account.",
          needed(`BALLAST_DATA_DIR=${real ? "./live" : "./data"}`, real),
          "",
        ]),
    "# Notifications (docs/NOTIFICATIONS.md): the bot's token, and the address of each webhook by the name of its target.",
    "#BALLAST_TELEGRAM_TOKEN=",
    "#BALLAST_NOTIFY_URL_TEAM=",
    "",
  ].join("\n");
}
