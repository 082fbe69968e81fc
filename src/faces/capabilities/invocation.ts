/** Whether a command line calls `svc` plainly, so that an approval sees what will run. Records §17.10, §17.12. */

export interface Compliance {
  readonly compliant: boolean;
  readonly reason: string;
  readonly digits?: "13001" | "13002";
}

/** A quote that is left over was never closed, or means something else: $'...'. */
const COMPLEX = /[|;&<>`'"]|\$\(|\n/;
const BRIDGE = /^\s*(?:env\s+)?(?:node|deno|bun|python3?|perl|ruby|bash|sh|zsh|npx|tsx|eval|xargs|sudo)\b/;

/** One pass from the left: a quote inside the other kind of quotes is no quote. */
const LITERAL = /\\[^\n]|(?<!\$)'[^']*'|"(?:[^"\\]|\\[^])*"/g;
const SUBSTITUTED = /`|\$\(/;

/** Literal text may hold anything: an input is JSON. In double quotes a shell still runs what is to be substituted. */
const acted = (line: string): string =>
  line.replace(LITERAL, (part) => (part.startsWith('"') && SUBSTITUTED.test(part.replace(/\\[^]/g, "")) ? part : "_"));

/** By pattern, not by a shell's grammar; what a shell takes literally passes. No line at all counts as compliant. */
export function complianceOf(commandLine: string | undefined): Compliance {
  if (commandLine === undefined || commandLine.trim() === "") return { compliant: true, reason: "called directly" };
  const line = acted(commandLine);
  if (BRIDGE.test(line)) {
    return { compliant: false, reason: "a script stands between you and svc; call svc itself", digits: "13002" };
  }
  if (COMPLEX.test(line)) {
    return {
      compliant: false,
      reason: "shell operators hide what runs; call svc alone, one command a line",
      digits: "13001",
    };
  }
  if (!/^\s*svc(\s|$)/.test(line))
    return { compliant: false, reason: "the command must begin with svc", digits: "13002" };
  return { compliant: true, reason: "a plain svc command" };
}
