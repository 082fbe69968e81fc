/** Runs foreign code for so long and no longer: a loop without end is broken off, as a throw. */
import { Script } from "node:vm";

/** Far beyond what any judgement of a snapshot takes, and short beside what the venue-side stops cover. */
export const DECIDE_MS_MAX = 5_000;

/** Thrown by `withinTime` when the time is over. The bench takes it harder than any other throw. */
export class HungError extends Error {}

const CALL = "__ballastTimeBox";
const script = new Script(`globalThis.${CALL}()`);

/** What `run` returns. Throws what it throws, or `HungError`. Synchronous; must not be nested. Infinity waits for ever. */
export function withinTime<T>(run: () => T, msMax: number = DECIDE_MS_MAX): T {
  if (msMax === Infinity) return run();
  const box: { value?: T } = {};
  const home = globalThis as Record<string, unknown>;
  home[CALL] = () => {
    box.value = run();
  };
  try {
    script.runInThisContext({ timeout: msMax });
    return box.value as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException | null)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      throw new HungError(`it did not come back within ${msMax} ms`);
    throw error;
  } finally {
    home[CALL] = undefined;
  }
}
