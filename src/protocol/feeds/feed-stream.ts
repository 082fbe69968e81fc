/** The public news stream: subscribe, its reply, pushes, heartbeat. No login. Spec: 2 §4, §5.3, §6, §7.2; records §13. */
import { z } from "zod";
import { hotRecord, newsRecord } from "./news-record.ts";

/** Every channel; the news client subscribes to all of them. */
export const FEED_CHANNELS = ["news.category.all", "news.hot.all"] as const;
/** `news.category.all` carries news records, `news.hot.all` hot ones. */
export type FeedChannel = (typeof FEED_CHANNELS)[number];

/** True only for the exact spelling; case matters. */
const isFeedChannel = (word: unknown): word is FeedChannel => (FEED_CHANNELS as readonly unknown[]).includes(word);

const channelItem = z.looseObject({ channel: z.string() });

/** Any message a client may send. Unsubscribe is a guess of the records. */
export const feedClientMessage = z.union([
  z.looseObject({ event: z.enum(["subscribe", "unsubscribe"]), arg: z.array(channelItem) }),
  z.looseObject({ ping: z.number() }),
]);

/** One frame for all of these channels; the server's reply may name some of them as invalid. */
export const feedSubscribeMessage = (event: "subscribe" | "unsubscribe", channels: readonly FeedChannel[]): string =>
  JSON.stringify({ event, arg: channels.map((channel) => ({ channel })) });

/** `code` is the text "0"; `invalidArg` lists unknown channels and does not affect the others. 2 §6.1. */
const feedReply = z.looseObject({
  event: z.string(),
  code: z.union([z.string(), z.number()]).optional(),
  msg: z.string().nullish(),
  arg: z.array(channelItem).nullish(),
  invalidArg: z.array(channelItem).nullish(),
});

/** The content of one frame; an unusable frame is "refused" with channel, field and rule. */
export type FeedFrame =
  | { readonly kind: "push"; readonly item: z.output<typeof newsRecord> | z.output<typeof hotRecord> }
  | { readonly kind: "reply"; readonly ok: boolean; readonly code: string; readonly invalid: readonly string[] }
  | { readonly kind: "pong" }
  | { readonly kind: "refused"; readonly reason: string };

function readPush(channel: unknown, data: unknown): FeedFrame {
  if (!isFeedChannel(channel)) return { kind: "refused", reason: `unknown channel ${String(channel).slice(0, 40)}` };
  const parsed = (channel === "news.hot.all" ? hotRecord : newsRecord).safeParse(data);
  if (parsed.success) return { kind: "push", item: parsed.data };
  const issue = parsed.error.issues[0];
  return { kind: "refused", reason: `${channel} ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "unsound"}` };
}

/** Takes a frame after `JSON.parse`. */
export function readFeedFrame(frame: unknown): FeedFrame {
  if (typeof frame !== "object" || frame === null) return { kind: "refused", reason: "frame is not an object" };
  const { channel, data, pong, event } = frame as Readonly<Record<string, unknown>>;
  if (pong !== undefined) return { kind: "pong" };
  if (channel !== undefined && event === undefined) return readPush(channel, data);
  const reply = feedReply.safeParse(frame);
  if (!reply.success) return { kind: "refused", reason: "frame is neither push, reply nor pong" };
  const code = String(reply.data.code ?? 0);
  return {
    kind: "reply",
    ok: reply.data.event !== "error" && (code === "0" || code === "200"),
    code,
    invalid: (reply.data.invalidArg ?? []).map((item) => item.channel),
  };
}
