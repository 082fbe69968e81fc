/** Where `ballast logs` reads: a stream, a file, or the log file of a data folder, which may be followed as it grows. */
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import type { Clock } from "../core/clock.ts";

/** One line, or the news that everything written so far has been read. */
export type LogRead = { readonly kind: "line"; readonly text: string } | { readonly kind: "caught-up" };

type Chunk = Buffer | "caught-up";

const CHUNK_BYTES = 65_536;
/** No line of ours is this long. Of a longer one only the beginning is shown. */
const LINE_MAX = 1_048_576;
const CUT_SHOWN = 200;
const LOOK_EVERY_MS = 250;

/** Lines of a stream of bytes. An unfinished last line is a line once the stream ends. */
export async function* linesOf(chunks: AsyncIterable<Chunk>): AsyncGenerator<LogRead> {
  const decoder = new StringDecoder("utf8");
  let open = "";
  let dropped = 0;
  const taken = (): LogRead => {
    const text =
      dropped === 0 ? open : `${open.slice(0, CUT_SHOWN)}... (a line of ${open.length + dropped} characters)`;
    open = "";
    dropped = 0;
    return { kind: "line", text: text.replace(/\r$/, "") };
  };
  const add = (part: string): void => {
    const room = LINE_MAX - open.length;
    open += part.slice(0, Math.max(0, room));
    dropped += Math.max(0, part.length - room);
  };
  for await (const chunk of chunks) {
    if (chunk === "caught-up") {
      yield { kind: "caught-up" };
      continue;
    }
    const [first = "", ...others] = decoder.write(chunk).split("\n");
    add(first);
    for (const part of others) {
      yield taken();
      add(part);
    }
  }
  add(decoder.end());
  if (open !== "") yield taken();
}

/** The bytes of several files, one after the other. */
export async function* bytesOf(files: readonly string[]): AsyncGenerator<Chunk> {
  for (const file of files) {
    const fd = openSync(file, "r");
    try {
      for (let part = readMore(fd); part !== null; part = readMore(fd)) yield part;
    } finally {
      closeSync(fd);
    }
  }
  yield "caught-up";
}

/** A file from its beginning and as it grows, even when another file takes its name. Ends with the signal. */
export async function* followed(file: string, { clock, signal }: { clock: Clock; signal: AbortSignal }) {
  let fd: number | null = null;
  let reportedEnd = false;
  try {
    while (!signal.aborted) {
      if (fd === null && existsSync(file)) fd = openSync(file, "r");
      const part = fd === null ? null : readMore(fd);
      if (part !== null) {
        yield part;
        continue;
      }
      if (fd !== null && isGone(file, fd)) {
        closeSync(fd);
        fd = null;
        continue;
      }
      if (!reportedEnd) {
        reportedEnd = true;
        yield "caught-up" as const;
      }
      await clock.sleep(LOOK_EVERY_MS, signal);
    }
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

function readMore(fd: number): Buffer | null {
  const part = Buffer.alloc(CHUNK_BYTES);
  const bytes = readSync(fd, part);
  return bytes === 0 ? null : part.subarray(0, bytes);
}

/** True once another file has the name and this one was read to its end. */
function isGone(file: string, fd: number): boolean {
  try {
    return statSync(file).ino !== fstatSync(fd).ino;
  } catch {
    return false;
  }
}
