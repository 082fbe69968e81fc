/** Frames that are taken from what arrives: nothing is lost, and a connection hears the same as with the library alone. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { connect } from "../../src/net/connection.ts";
import { WholeFrames } from "../../src/net/whole-frames.ts";
import { tcpServer, until } from "./servers.ts";

const MAX_BYTES = 1_000;
const WHOLE_BINARY = 0x82;

function encoded(first: number, content: Buffer, mask = 0): Buffer {
  const { length } = content;
  if (length < 126) return Buffer.concat([Buffer.from([first, mask | length]), content]);
  const head = Buffer.alloc(length < 65_536 ? 4 : 10);
  head[0] = first;
  head[1] = mask | (length < 65_536 ? 126 : 127);
  head.writeUIntBE(length, head.length === 4 ? 2 : 4, head.length === 4 ? 2 : 6);
  return Buffer.concat([head, content]);
}

const content = (max: number) => fc.nat(max).map((length) => Buffer.alloc(length, "a{}é"));
const binary = content(900).map((bytes) => encoded(WHOLE_BINARY, bytes));
const text = content(200).map((bytes) => encoded(0x81, Buffer.from(bytes.toString("latin1"))));
const inParts = fc
  .tuple(content(200), content(200))
  .map(([a, b]) => Buffer.concat([encoded(0x02, a), encoded(0x89, Buffer.from("?")), encoded(0x80, b)]));
const control = fc.constantFrom(encoded(0x89, Buffer.from("hi")), encoded(0x8a, Buffer.alloc(0)));
const usual = fc.oneof({ arbitrary: binary, weight: 3 }, text, inParts, control);
const unusual = fc.constantFrom(
  ...[0xc2, 0x83, 0x80, 0x09, 0x92, 0x8f].map((first) => encoded(first, Buffer.from("x"))),
  encoded(WHOLE_BINARY, Buffer.from("\0\0\0\0x"), 0x80),
  Buffer.concat([encoded(0x02, Buffer.from("begun")), encoded(WHOLE_BINARY, Buffer.from("not a part"))]),
  encoded(WHOLE_BINARY, Buffer.alloc(2_000_000)),
  encoded(0x88, Buffer.from("\x03\xe8over", "latin1")),
);

/** The bytes cut at these places. */
function pieces(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, n) => bytes.subarray(from, at[n])).filter(({ length }) => length > 0);
}
const cuts = fc.array(fc.nat(), { maxLength: 12 });

test("every byte goes one way, in order, however it is cut", () =>
  fc.assert(
    fc.property(fc.array(usual, { maxLength: 12 }), cuts, (frames, at) => {
      const seen: Buffer[] = [];
      const splitter = new WholeFrames(MAX_BYTES, {
        frame: (chunk, from, to) => void seen.push(encoded(WHOLE_BINARY, chunk.subarray(from, to))),
        others: (bytes) => void seen.push(bytes),
      });
      const wire = Buffer.concat(frames);
      for (const piece of pieces(wire, at)) splitter.take(piece);
      expect(Buffer.concat(seen).equals(wire)).toBe(true);
    }),
  ));

test("of whole chunks each binary frame is taken, and none after something unusual", () =>
  fc.assert(
    fc.property(fc.array(usual), unusual, fc.array(binary), (frames, odd, later) => {
      let taken = 0;
      const splitter = new WholeFrames(MAX_BYTES, { frame: () => void taken++, others: () => undefined });
      for (const frame of [...frames, odd, ...later]) splitter.take(frame);
      const isLong = odd.length > MAX_BYTES;
      const binaries = [...frames, ...(isLong ? later : [])].filter(([first]) => first === WHOLE_BINARY);
      expect(taken).toBe(binaries.length);
    }),
  ));

/** What a connection hears of these pieces, one after the other. */
async function heardOf(sent: readonly Buffer[], takesFrames: boolean): Promise<readonly string[]> {
  const server = await tcpServer((socket) => {
    socket.setNoDelay(true);
    socket.once("data", (request: Buffer) => {
      const key = /sec-websocket-key: (.*)\r\n/i.exec(request.toString("latin1"))?.[1] ?? "";
      const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      const next = ([piece, ...rest]: readonly Buffer[]): void => {
        if (piece === undefined) socket.end();
        else socket.write(piece, () => setTimeout(() => next(rest), 1));
      };
      next(sent);
    });
  });
  const heard: string[] = [];
  const note = (bytes: Buffer | string): void => void heard.push(String(bytes));
  let over = false;
  connect(server.url.replace("http", "ws"), {
    open: () => undefined,
    message: note,
    ...(takesFrames ? { frame: (chunk, from, to) => note(chunk.subarray(from, to)) } : {}),
    closed: (reason) => {
      heard.push(`closed: ${reason}`);
      over = true;
    },
  });
  await until(() => over, "the end", 10_000);
  await server.close();
  return heard;
}

test("a connection hears the same with and without it", { timeout: 120_000 }, () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(usual, { maxLength: 6 }),
      unusual,
      fc.array(usual, { maxLength: 2 }),
      cuts,
      async (...given) => {
        const [frames, odd, later, at] = given;
        const sent = pieces(Buffer.concat([...frames, odd, ...later]), at);
        expect(await heardOf(sent, true)).toEqual(await heardOf(sent, false));
      },
    ),
    { numRuns: 40 },
  ),
);
