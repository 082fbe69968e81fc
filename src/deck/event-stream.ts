/**
 * Server-sent events for open pages. Every second what has changed is read once and sent to all of them; a page that does not
 * keep up is dropped, and one that comes back gets what it has missed.
 */
import type { Clock } from "../core/clock.ts";
import { SECOND_MS } from "../core/time.ts";
import type { Context as Door } from "hono";
import type { Bound } from "../faces/status/server.ts";

/** What is sent to one page next, given what it has received so far. */
export interface Update {
  /** Named messages, each as JSON text. */
  readonly messages: readonly (readonly [event: string, json: string])[];
  /** Where it stands afterwards: the id of the event, which a browser sends back when it returns. */
  readonly seen: string;
}

export interface EventStreams {
  /** Null where as many pages are open as there may be. `disconnect` is called if the page does not keep up. */
  open(seen: string, disconnect: () => void): ReadableStream<Uint8Array> | null;
  readonly count: () => number;
  stop(): void;
}

/** Few enough that the port has connections left for health checks. */
const PAGES_MAX = 16;
/** What may wait for one page; a page that is behind by more is stalled. */
const WAITING_BYTES_MAX = 512 * 1024;

interface Subscriber {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly disconnect: () => void;
  seen: string;
}

/** `updateFor` is called once a second for each place at which a page stands, and not while no page is open. */
export function createEventStreams(
  clock: Pick<Clock, "every" | "scale">,
  updateFor: (seen: string) => Update,
): EventStreams {
  const subscribers = new Set<Subscriber>();
  const encoder = new TextEncoder();
  let stopTicking: (() => void) | null = null;
  const leave = (one: Subscriber): void => {
    subscribers.delete(one);
    if (subscribers.size > 0) return;
    stopTicking?.();
    stopTicking = null;
  };
  const send = (one: Subscriber, bytes: Uint8Array, seen: string): void => {
    if ((one.controller.desiredSize ?? 0) < -WAITING_BYTES_MAX) {
      leave(one);
      // Whoever does not read does not see an end either: the connection has to go, and what waits for it goes with it.
      return one.disconnect();
    }
    one.seen = seen;
    one.controller.enqueue(bytes);
  };
  const encoded = ({ messages, seen }: Update): Uint8Array =>
    encoder.encode(messages.map(([event, json]) => `event: ${event}\nid: ${seen}\ndata: ${json}\n\n`).join(""));
  const tick = (): void => {
    const made = new Map<string, { readonly bytes: Uint8Array; readonly seen: string }>();
    for (const one of [...subscribers]) {
      let next = made.get(one.seen);
      if (!next) {
        const update = updateFor(one.seen);
        next = { bytes: encoded(update), seen: update.seen };
        made.set(one.seen, next);
      }
      send(one, next.bytes, next.seen);
    }
  };
  return {
    count: () => subscribers.size,
    open: (seen, disconnect) => {
      if (subscribers.size >= PAGES_MAX) return null;
      let own: Subscriber | null = null;
      return new ReadableStream<Uint8Array>(
        {
          start: (controller) => {
            own = { controller, disconnect, seen };
            subscribers.add(own);
            const update = updateFor(seen);
            send(own, encoded(update), update.seen);
            stopTicking ??= clock.every(SECOND_MS * clock.scale, tick);
          },
          cancel: () => {
            if (own) leave(own);
          },
        },
        new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
      );
    },
    stop: () => {
      for (const one of [...subscribers]) {
        leave(one);
        one.controller.close();
      }
    },
  };
}

export function openEvents(context: Door<Bound>, streams: Pick<EventStreams, "open">): Response {
  const { incoming } = context.env;
  const stream = streams.open(context.req.header("last-event-id") ?? "", () => incoming?.socket.destroy());
  // The connection goes as well: a hundred pages that wait would keep a health check out.
  if (!stream) return context.json({ error: "too many pages are open" }, 503, { connection: "close" });
  return context.body(stream, 200, {
    "content-type": "text/event-stream; charset=utf-8",
    "x-accel-buffering": "no",
  });
}
