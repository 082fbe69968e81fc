/** For impossible states. A failed invariant is a bug: it throws and ends the process, and the next start recovers. */
export class InvariantError extends Error {
  override name = "InvariantError";
}

/** Throws InvariantError unless the condition holds; the message says what should have held. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** The end of a switch over a closed union. */
export function unreachable(value: never): never {
  throw new InvariantError(`unreachable case: ${JSON.stringify(value)}`);
}
