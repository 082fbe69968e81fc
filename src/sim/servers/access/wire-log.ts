/**
 * A record of every write that reached the service, including refused ones: an independent verifier compares it with
 * the agent's journal (the set W of the invariants). Bounded in memory, and written line by line to a file if one is
 * named. Keys are masked; signatures are not stored.
 */
import { BoundedList } from "../../../core/bounded.ts";
import type { LineFile } from "../../wire/line-file.ts";
import { hashOf } from "../../../core/hash.ts";
import { maskText } from "../../../core/secret.ts";

/** One write with its result. A write in progress is in no log yet. */
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
  /** SHA-256 of call and parameters: a frame delivered twice has the same hash. */
  readonly hash: string;
  /** Envelope code of the reply, HTTP status without one, or the effect of a fault. */
  readonly result: string;
}

/** A write without a reply so far; closed once, by the server that carries it out. */
export interface OpenEntry {
  /** Completes the entry with its reply. Later calls are ignored. */
  close(accountId: string | null, result: string): void;
}

/** Longest parameters, as JSON, that are stored whole: the log must stay small if an outsider sends large bodies. */
const PARAMS_MAX = 4_096;

function keptOf(params: WireEntry["params"]): WireEntry["params"] {
  const text = JSON.stringify(params);
  return text.length <= PARAMS_MAX ? params : { leftOut: `${text.length} characters`, begin: text.slice(0, 200) };
}

/** An entry whose hash is computed on demand, because most are never read. */
type KeptEntry = Omit<WireEntry, "hash"> & { readonly hash: () => string };

const reported = ({ hash, result, ...entry }: KeptEntry): WireEntry => ({ ...entry, hash: hash(), result });

/** The file has its lines in order of completion, `entries` in order of arrival. */
export class WireLog {
  readonly #entries: BoundedList<KeptEntry>;
  readonly #file: LineFile | null;
  readonly #nowMs: () => number;
  #seq = 0;

  constructor(options: { readonly nowMs: () => number; readonly cap: number; readonly file: LineFile | null }) {
    this.#nowMs = options.nowMs;
    this.#entries = new BoundedList(options.cap);
    this.#file = options.file;
  }

  /** Records a write on arrival; it appears in the log, in order of arrival, once it is closed. */
  open(via: WireEntry["via"], call: string, accessKey: string, params: Readonly<Record<string, unknown>>): OpenEntry {
    const kept = keptOf(params);
    const seq = ++this.#seq;
    const atMs = this.#nowMs();
    const masked = maskText(accessKey);
    // Parameters that are too large are hashed at once, so that they need not be stored.
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
