/** The answer to a page that asks for events: a stream that ends with the page or the connection, or a refusal when full. */
import type { Context as Door } from "hono";
import type { Bound } from "../faces/status/server.ts";
import type { EventStreams } from "./event-stream.ts";

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
