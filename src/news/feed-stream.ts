/**
 * The public news stream: subscribes to both channels after every connect, checks the reply, and passes items on as
 * they arrive. Needs no login and does not filter items. Spec: 2 §4, §6, §7.2, §8.
 */
import type { Log } from "../core/log.ts";
import type { NetEnv } from "../net/network.ts";
import { createSocket, type SocketHealth } from "../net/socket.ts";
import { FEED_CHANNELS, feedSubscribeMessage, readFeedFrame } from "../protocol/feeds/feed-stream.ts";
import type { AnyNewsRecord } from "../protocol/feeds/news-record.ts";
import { FEED_STREAM_LIMITS } from "../protocol/limits.ts";

/** Listeners must not throw; `atMs` is our own time of arrival. */
export interface FeedStreamOptions {
  readonly env: NetEnv;
  readonly log: Log;
  /** `ws(s)://host[:port]/feeds/v2/public`. */
  readonly url: string;
  readonly on: {
    item(record: AnyNewsRecord, atMs: number): void;
    /** Called once subscribed. Items pushed before are not pushed again. */
    up(): void;
    down(reason: string): void;
  };
}

/** `subscribed` is true from the acceptance of the first channel until the connection is lost. */
export interface FeedStreamHealth extends SocketHealth {
  readonly subscribed: boolean;
  /** Channels that the service did not recognise. */
  readonly invalid: readonly string[];
}

/** Reconnects by itself. Items pushed in between are missing from the stream; queries find them. */
export interface FeedStream {
  start(): void;
  stop(): void;
  health(): FeedStreamHealth;
}

const ACK_WITHIN_MS = 10_000;
/** Half-open connections count against the limit of five per address for up to two minutes (fault N5). */
const CROWDED_WAIT_MS = 30_000;
const REFUSED_LOGGED_MAX = 5;

/** Opens no connection before `start`. Reconnects if the subscription has no reply within 10 s. */
export function createFeedStream({ env, log, url, on }: FeedStreamOptions): FeedStream {
  let subscribed = false;
  let invalid: readonly string[] = [];
  let refused = 0;
  let stopAckWait: () => void = () => undefined;

  const socket = createSocket(env, log, {
    url,
    name: "news",
    heartbeat: { style: "json", everyMs: FEED_STREAM_LIMITS.pingEveryMs },
    silenceMs: FEED_STREAM_LIMITS.idleMs - FEED_STREAM_LIMITS.checkEveryMs,
    crowdedWaitMs: CROWDED_WAIT_MS,
    on: { open: () => opened(), frame: (value, atMs) => heard(value, atMs), down: (reason) => lost(reason) },
  });
  const opened = (): void => {
    socket.send(feedSubscribeMessage("subscribe", FEED_CHANNELS));
    stopAckWait = env.clock.after(ACK_WITHIN_MS, () => socket.rebuild("no reply to the subscription"));
  };
  const lost = (reason: string): void => {
    stopAckWait();
    subscribed = false;
    on.down(reason);
  };
  const heard = (value: unknown, atMs: number): void => {
    const frame = readFeedFrame(value);
    switch (frame.kind) {
      case "push":
        return on.item(frame.item, atMs);
      case "reply":
        return frame.ok ? acknowledged(frame.invalid) : refuse(`the service reports ${frame.code}`);
      case "refused":
        return refuse(frame.reason);
      case "pong":
        return;
    }
  };
  const acknowledged = (unknownChannels: readonly string[]): void => {
    stopAckWait();
    invalid = unknownChannels;
    if (invalid.length > 0) refuse(`channels not recognised: ${invalid.join(", ")}`);
    if (subscribed) return;
    subscribed = invalid.length < FEED_CHANNELS.length;
    if (subscribed) on.up();
  };
  const refuse = (reason: string): void => {
    if (++refused > REFUSED_LOGGED_MAX && refused % 1_000 !== 0) return;
    log.event("warn", "frame.refused", `news: ${reason.slice(0, 160)} (${refused} so far)`, {
      stream: "news",
      refused,
    });
  };

  return {
    start: () => socket.start(),
    stop: () => {
      stopAckWait();
      subscribed = false;
      socket.stop();
    },
    health: () => ({ ...socket.health(), subscribed, invalid }),
  };
}
