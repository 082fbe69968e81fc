/**
 * The gateway's actual charges, call by call: the set L of the invariants. Bounded in memory; also written to a file if
 * one is named.
 */
import { BoundedList } from "../../core/bounded.ts";
import type { LineFile } from "../wire/line-file.ts";

/** One completion that was charged, even if its answer was lost. `costUsd` is exact decimal text. */
export interface Charge {
  readonly seq: number;
  /** Arrival and charge of the request, epoch ms of the service. */
  readonly startedMs: number;
  readonly atMs: number;
  readonly model: string;
  /** Whose key paid; null if the key belongs to no trading account. */
  readonly accountId: string | null;
  /** The client's own id of the request (`x-client-request-id`); empty when it sent none. */
  readonly requestId: string;
  readonly costUsd: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Keeps the latest 50,000. `stop` resolves when the file, if any, is written. */
export class ChargeLog {
  readonly #charges = new BoundedList<Charge>(50_000);
  readonly #file: LineFile | null;
  #seq = 0;

  constructor(file: LineFile | null) {
    this.#file = file;
  }

  add(charge: Omit<Charge, "seq">): void {
    const entry = { seq: ++this.#seq, ...charge };
    this.#charges.push(entry);
    this.#file?.write(entry);
  }

  entries(): readonly Charge[] {
    return this.#charges.items();
  }

  stop(): Promise<void> {
    this.#file?.close();
    return Promise.resolve();
  }
}
