/**
 * Strategies without real-time limits on their answers: a limit would make runs differ, and setting it up costs more
 * than most answers.
 */
import type { Strategies } from "../agent/contract/events.ts";
import { sha256 } from "../core/hash.ts";
import { ok } from "../core/result.ts";
import { encodePage } from "../journal/page-codec.ts";
import type { PageStore } from "../journal/page-store.ts";

/** Copies with an infinite `msMax`, including shadows and the fallback. */
export function untimed({ chosen, fallback, shadows }: Strategies): Strategies {
  const freed = (armed: Strategies["chosen"]): Strategies["chosen"] => ({ ...armed, msMax: Infinity });
  const beside = shadows?.map(({ name, armed }) => ({ name, armed: freed(armed) }));
  return { chosen: freed(chosen), fallback: freed(fallback), ...(beside ? { shadows: beside } : {}) };
}

/** `written` resolves at once; no such page can be read back. */
export const hashedPages: PageStore = {
  put: (page, value) => {
    const text = encodePage(value);
    return { row: { page, sha256: sha256(text), chars: text.length }, written: Promise.resolve(ok(undefined)) };
  },
};
