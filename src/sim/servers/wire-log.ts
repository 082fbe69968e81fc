/**
 * The outside record of every write that reached the service, refused ones too: what an independent verifier compares
 * with the agent's journal (the set W of the invariants). Bounded in memory, and written line by line to a file when
 * one is named. Keys are masked; signatures are not kept.
 */
import { BoundedList } from "../../core/bounded.ts";
import { type LineFile, openLineFile } from "../wire/line-file.ts";
import { hashOf } from "../../core/hash.ts";
import { maskText } from "../../core/secret.ts";

/** One write with its end. A write that is still being carried out stands in no log yet. */
export interface WireEntry {
  readonly seq: number;
  /** Arrival, by the service's clock. */
  readonly atMs: number;
  readonly via: "rest" | "user-stream";
  /** `POST /api/v1/trading/order` or the stream's action name. */
  readonly call: string;
  readonly accountId: string | null;
  readonly accessKey: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** SHA-256 over call and parameters: the same frame delivered twice has the same hash. */
  readonly hash: string;
  /** Envelope code of the answer, HTTP status when there was none, or what a fault made of it. */
  readonly result: string;
}

/** A write that has arrived and is not answered; closed once, by the server that carries it out. */
export interface OpenEntry {
  /** Ends the entry with what was answered. Later calls are ignored. */
  close(accountId: string | null, result: string): void;
}

/** Longest parameters, as JSON, that are kept whole: the log must stay small when an outsider sends large bodies. */
const PARAMS_MAX = 4_096;

function keptOf(params: WireEntry["params"]): WireEntry["params"] {
  const text = JSON.stringify(params);
  return text.length <= PARAMS_MAX ? params : { leftOut: `${text.length} characters`, begin: text.slice(0, 200) };
}

/** An entry whose hash is made when somebody asks for it: most are never looked at. */
type KeptEntry = Omit<WireEntry, "hash"> & { readonly hash: () => string };

const reported = ({ hash, result, ...entry }: KeptEntry): WireEntry => ({ ...entry, hash: hash(), result });

/** The file has its lines in order of closing, `entries` in order of arrival. */
export class WireLog {
  readonly #entries: BoundedList<KeptEntry>;
  readonly #file: LineFile | null;
  readonly #nowMs: () => number;
  #seq = 0;

  constructor(options: { readonly nowMs: () => number; readonly cap: number; readonly file: string | null }) {
    this.#nowMs = options.nowMs;
    this.#entries = new BoundedList(options.cap);
    this.#file = options.file === null ? null : openLineFile(options.file);
  }

  /** Notes a write at its arrival; it stands in the log, in order of arrival, once it is closed. */
  open(via: WireEntry["via"], call: string, accessKey: string, params: Readonly<Record<string, unknown>>): OpenEntry {
    const kept = keptOf(params);
    const seq = ++this.#seq;
    const atMs = this.#nowMs();
    const masked = maskText(accessKey);
    // What is too large to keep is hashed at once, so that it need not be kept.
    const made = kept === params ? null : hashOf({ call, params });
    let closed = false;
    return {
      close: (accountId, result) => {
        if (closed) return;
        closed = true;
        const hash = (): string => made ?? hashOf({ call, params: kept });
        const entry = { seq, atMs, via, call, accessKey: masked, params: kept, accountId, hash, result };
        this.#entries.push(entry);
        this.#file?.write(reported(entry));
      },
    };
  }

  /** The latest entries by arrival, oldest first. */
  entries(limit: number): readonly WireEntry[] {
    return [...this.#entries.items()]
      .sort((a, b) => a.seq - b.seq)
      .slice(-limit)
      .map(reported);
  }

  stop(): Promise<void> {
    this.#file?.close();
    return Promise.resolve();
  }
}
