/** Telegram: messages to the listed chats, and commands from them. Texts go without any parse mode, so they are only text. */
import { Api, Bot, GrammyError } from "grammy";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { type Send, TryAgain } from "./outbox.ts";
import { notificationText } from "./events.ts";

export interface TelegramAccess {
  readonly token: string;
  /** A Bot API server of one's own; Telegram's when absent. */
  readonly apiRoot?: string;
  readonly chats: readonly number[];
}

const SEND_SECONDS = 10;
const POLL_SECONDS = 45;
const TEXT_MAX = 3_900;

const clientOf = ({ apiRoot }: TelegramAccess, timeoutSeconds: number) => ({
  timeoutSeconds,
  ...(apiRoot === undefined ? {} : { apiRoot }),
});

/**
 * To every chat: one that refuses the message, such as one that has blocked the bot, keeps it from no other. A further attempt leaves out
 * the chats that have answered already.
 */
export function telegram(access: TelegramAccess): Send {
  const api = new Api(access.token, clientOf(access, SEND_SECONDS));
  let sent: { readonly events: unknown; readonly refusals: Map<number, string | null> } = {
    events: null,
    refusals: new Map(),
  };
  return async (events) => {
    if (sent.events !== events) sent = { events, refusals: new Map() };
    const { refusals } = sent;
    const text = events.map(notificationText).join("\n").slice(0, TEXT_MAX);
    for (const chat of access.chats) {
      if (refusals.has(chat)) continue;
      refusals.set(chat, await refusalOf(() => sendText(api, chat, text)));
    }
    const refused = [...refusals].flatMap(([chat, why]) => (why === null ? [] : [`chat ${chat}: ${why}`]));
    if (refused.length > 0) throw new Error(refused.join("; "));
  };
}

/** Null where the message was taken. Throws where another attempt may succeed. */
async function refusalOf(send: () => Promise<void>): Promise<string | null> {
  try {
    await send();
    return null;
  } catch (cause) {
    if (cause instanceof TryAgain) throw cause;
    return cause instanceof Error ? cause.message : String(cause);
  }
}

async function sendText(api: Api, chat: number, text: string): Promise<void> {
  try {
    await api.sendMessage(chat, text, { link_preview_options: { is_disabled: true } });
  } catch (cause) {
    if (!(cause instanceof GrammyError)) throw new TryAgain("Telegram cannot be reached");
    const said = `Telegram answered ${cause.error_code}: ${cause.description}`;
    if (cause.error_code !== 429 && cause.error_code < 500) throw new Error(said);
    const { retry_after: seconds } = cause.parameters;
    throw new TryAgain(said, seconds === undefined ? null : seconds * 1_000);
  }
}

/** What a chat may ask; each answer is a text. `args` is what follows the command. */
export type ChatCommands = Readonly<Record<string, (args: string) => string>>;

export interface ChatListener {
  unlisted(): number;
  stop(): void;
}

/** Long enough not to hammer a server that refuses the token. */
const ANEW_MS = 60_000;

/** Waits for commands. What was sent while nobody listened is not obeyed. Never throws. */
export function listen(
  access: TelegramAccess,
  answers: ChatCommands,
  { clock, log }: { clock: Clock; log: Log },
): ChatListener {
  let unlisted = 0;
  let stopped = false;
  const bot = new Bot(access.token, { client: clientOf(access, POLL_SECONDS) });
  bot.on("message", async (context) => {
    if (!access.chats.includes(context.chat.id)) {
      unlisted += 1;
      if (unlisted === 1) log.event("warn", "notify.stranger", "a chat that is not on the list wrote; it is ignored");
      return;
    }
    const [, name = "", args = ""] = /^\/([a-z]+)(?:@\w+)?(?:\s+(.*))?$/s.exec(context.message.text ?? "") ?? [];
    const answer = Object.hasOwn(answers, name) ? answers[name] : undefined;
    if (answer) log.event("info", "notify.command", `a Telegram chat asked /${name}`, { chat: context.chat.id });
    const text = answer
      ? answer(args.trim())
      : `I know ${Object.keys(answers)
          .map((known) => `/${known}`)
          .join(", ")}.`;
    await sendText(context.api, context.chat.id, text.slice(0, TEXT_MAX));
  });
  bot.catch(({ error }) => {
    const why = error instanceof Error ? error.message : String(error);
    log.event("warn", "notify.failed", `a Telegram command was not answered: ${why}`);
  });
  const begin = (): void => {
    bot.start({ drop_pending_updates: true }).catch((cause: unknown) => {
      if (stopped) return;
      const why = cause instanceof GrammyError ? cause.description : "it cannot be reached";
      log.event("warn", "notify.failed", `Telegram commands are unavailable; next try in a minute: ${why}`);
      clock.after(ANEW_MS, () => (stopped ? undefined : begin()));
    });
  };
  begin();
  return {
    unlisted: () => unlisted,
    stop: () => {
      stopped = true;
      bot.stop().catch(() => undefined);
    },
  };
}
