/** Open pages of the operator's deck as a browser would hold them: each listens to events and polls the rest. */
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";

export interface OpenPages {
  /** Makes the pages' requests of that second; resolves once they are answered. */
  second(at: number): Promise<void>;
  /** Bytes that all of them have received. */
  bytes(): number;
  close(): void;
}

/** The page's own polling intervals, in seconds. */
const POLLED = { "/deck/why-not": 20, "/deck/history": 30 };
const BARS_EVERY_S = 10;

export async function openPages(url: string, count: number, symbol: string): Promise<OpenPages> {
  let bytes = 0;
  const hear = (answer: IncomingMessage): IncomingMessage =>
    answer.on("data", (chunk: Buffer) => (bytes += chunk.length)).on("error", () => undefined);
  const streams = await Promise.all(
    Array.from({ length: count }, async () => {
      const [answer] = (await once(get(`${url}/deck/events`), "response")) as [IncomingMessage];
      if (answer.statusCode !== 200) throw new Error(`a page was refused with ${answer.statusCode}`);
      return hear(answer);
    }),
  );
  const ask = async (path: string): Promise<void> => {
    const answer = await fetch(url + path);
    bytes += (await answer.arrayBuffer()).byteLength;
  };
  const polled = [...Object.entries(POLLED), [`/deck/bars/${symbol}/1m`, BARS_EVERY_S] as const];
  return {
    second: async (at) => {
      const due = streams.flatMap((_, page) =>
        polled.filter(([, every]) => (at + page) % every === 0).map(([path]) => path),
      );
      await Promise.all(due.map(ask));
    },
    bytes: () => bytes,
    close: () => {
      for (const stream of streams) stream.destroy();
    },
  };
}
