/** Strategies whose answers no real clock breaks off: it would make runs differ, and setting it up costs more than most answers. */
import type { Strategies } from "../agent/contract/events.ts";

/** Copies with an infinite `msMax`, shadows and fallback too. */
export function untimed({ chosen, fallback, shadows }: Strategies): Strategies {
  const freed = (armed: Strategies["chosen"]): Strategies["chosen"] => ({ ...armed, msMax: Infinity });
  const beside = shadows?.map(({ name, armed }) => ({ name, armed: freed(armed) }));
  return { chosen: freed(chosen), fallback: freed(fallback), ...(beside ? { shadows: beside } : {}) };
}
