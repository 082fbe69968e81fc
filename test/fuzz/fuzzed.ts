/** What a fuzz run found. */
export interface Fuzzed {
  /** Inputs that were mutated and handed over. */
  readonly tried: number;
  /** Of these, what still passed as valid. */
  readonly accepted: number;
  readonly problems: readonly string[];
}

export const messageOf = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message).split("\n").slice(0, 4).join(" | ") : String(cause);
