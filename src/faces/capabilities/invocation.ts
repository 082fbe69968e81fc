/** Checks that a command line calls `svc` directly, so that the approver sees what will run. Records §17.10, §17.12. */

export interface Compliance {
  readonly compliant: boolean;
  readonly reason: string;
  readonly digits?: "13001" | "13002";
}

/** A remaining quote was never closed, or has another meaning: $'...'. */
const COMPLEX = /[|;&<>`'"]|\$\(|\n/;
const BRIDGE = /^\s*(?:env\s+)?(?:node|deno|bun|python3?|perl|ruby|bash|sh|zsh|npx|tsx|eval|xargs|sudo)\b/;

/** Matches from the left: a quote inside the other kind of quotes is literal. */
const LITERAL = /\\[^\n]|(?<!\$)'[^']*'|"(?:[^"\\]|\\[^])*"/g;
const SUBSTITUTED = /`|\$\(/;

/** Blanks out literal text, which may contain anything. Inside double quotes a shell still runs substitutions. */
const withoutLiterals = (line: string): string =>
  line.replace(LITERAL, (part) => (part.startsWith('"') && SUBSTITUTED.test(part.replace(/\\[^]/g, "")) ? part : "_"));

/** Uses patterns, not a shell's grammar; text that a shell takes literally passes. A missing line counts as compliant. */
export function complianceOf(commandLine: string | undefined): Compliance {
  if (commandLine === undefined || commandLine.trim() === "") return { compliant: true, reason: "called directly" };
  const line = withoutLiterals(commandLine);
  if (BRIDGE.test(line)) {
    return { compliant: false, reason: "another program starts svc; call svc directly", digits: "13002" };
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
