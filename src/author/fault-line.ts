/** Where in the author's own file an error arose: the first frame of the stack that is in it. */

/** `my-idea.ts:12:7`, or null where no frame is in a file of that name. */
export function faultLine(error: unknown, name: string): string | null {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const found = new RegExp(`(?:^|[\\s(/])(${name}\\.(?:ts|js|mjs):\\d+(?::\\d+)?)`, "m").exec(stack);
  return found?.[1] ?? null;
}
