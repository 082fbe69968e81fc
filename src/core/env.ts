/** The three things a program cannot make by itself. Always the first argument; built only in `main/` and tests. */
import type { Clock } from "./clock.ts";
import type { Entropy } from "./entropy.ts";
import type { Ids } from "./ids.ts";

/** Handed in whole, so that a test or a rehearsal decides about all three. */
export interface Env {
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly ids: Ids;
}
