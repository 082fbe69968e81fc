/** What open pages receive: once a second for all of them, from where each stood, and nobody who stalls holds up the others. */
import { expect, test } from "vitest";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { createEventStreams } from "../../src/deck/event-stream.ts";

const decoder = new TextDecoder();
const START_MS = Date.UTC(2026, 0, 5);

function scene(json = "{}") {
  const clock = virtualClock(START_MS);
  let asked = 0;
  const streams = createEventStreams(clock, (seen) => {
    asked += 1;
    return { messages: [["now", json]], seen: String((Number(seen) || 0) + 1) };
  });
  return { clock, streams, asked: () => asked };
}

const opened = (stream: ReadableStream<Uint8Array> | null): ReadableStreamDefaultReader<Uint8Array> => {
  if (!stream) throw new Error("no place");
  return stream.getReader();
};

/** Nobody in these tests is dropped. */
const stays = (): void => expect.unreachable("dropped");

const next = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> =>
  decoder.decode((await reader.read()).value);

test("a page hears at once, and every second from where it stands", async () => {
  const { clock, streams } = scene();
  const page = opened(streams.open("7", stays));
  expect(await next(page)).toBe("event: now\nid: 8\ndata: {}\n\n");
  await clock.advance(1_000);
  expect(await next(page)).toBe("event: now\nid: 9\ndata: {}\n\n");
});

test("the update of all pages is made once, and nothing is made while no page is open", async () => {
  const { clock, streams, asked } = scene();
  const pages = Array.from({ length: 10 }, () => opened(streams.open("", stays)));
  expect(asked()).toBe(10);
  await clock.advance(1_000);
  expect(asked()).toBe(11);
  await Promise.all(pages.map((page) => page.cancel()));
  expect(streams.count()).toBe(0);
  await clock.advance(60_000);
  expect(asked()).toBe(11);
});

test("the seventeenth page is turned away, and has a place once another has gone", async () => {
  const { streams } = scene();
  const pages = Array.from({ length: 16 }, () => opened(streams.open("", stays)));
  expect(streams.open("", stays)).toBeNull();
  await pages[0]?.cancel();
  expect(streams.open("", stays)).not.toBeNull();
});

test("a page that does not read is dropped, and the others still hear", async () => {
  const { clock, streams } = scene(JSON.stringify("x".repeat(100_000)));
  let gone = 0;
  opened(
    streams.open("", () => {
      gone += 1;
    }),
  );
  const reading = opened(streams.open("", stays));
  for (let second = 0; second < 12; second++) {
    await next(reading);
    await clock.advance(1_000);
  }
  expect(streams.count()).toBe(1);
  expect(gone).toBe(1);
});

test("at the end every page hears that it is over", async () => {
  const { streams } = scene();
  const page = opened(streams.open("", stays));
  await next(page);
  streams.stop();
  expect((await page.read()).done).toBe(true);
});
