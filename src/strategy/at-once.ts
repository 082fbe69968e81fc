/**
 * The code of an owner's file answers at once, because its time limit ends when the call returns: what it starts for later
 * would run without one. Prevents mistakes; it is no sandbox.
 */

/** Globals whose work is done after the call. */
const LATER = ["fetch", "WebSocket", "EventSource", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"];

const RULE = "this code answers at once, without the network and timers";

/** Declared by the file itself, so that its name is not the global's. */
const declares = (name: string): RegExp =>
  new RegExp(`(?:\\b(?:function\\*?|class|const|let|var)\\s+|^\\s*import\\b[^;"']*\\b)${name}\\b`, "m");

/** Functions in place of those globals that the file names; hoisted, so that they may stand at its end. */
export const withoutLater = (code: string): string =>
  LATER.filter((name) => new RegExp(`\\b${name}\\b`).test(code) && !declares(name).test(code))
    .map((name) => `function ${name}() { throw new Error("${name} is not available: ${RULE}"); }`)
    .join(" ");

const KINDS: Readonly<Record<string, string>> = {
  "[object AsyncFunction]": "an async function",
  "[object GeneratorFunction]": "a generator",
  "[object AsyncGeneratorFunction]": "an async generator",
};

/** The first of these members that is a function which does not answer at once, and why it is refused; null if there is none. */
export function answersLater(found: object, members: readonly string[]): string | null {
  for (const name of members) {
    const kind = KINDS[Object.prototype.toString.call((found as Readonly<Record<string, unknown>>)[name])];
    if (kind !== undefined)
      return `${name} is ${kind}, but it must answer at once; write it without async, await and yield`;
  }
  return null;
}
