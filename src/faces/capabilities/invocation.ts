/** Whether a command line calls `svc` plainly, so that an approval sees what will run. Records §17.10, §17.12. */

export interface Compliance {
  readonly compliant: boolean;
  readonly reason: string;
  readonly digits?: "13001" | "13002";
}

const COMPLEX = /[|;&<>`]|\$\(|\n/;
const BRIDGE = /^\s*(?:env\s+)?(?:node|deno|bun|python3?|perl|ruby|bash|sh|zsh|npx|tsx|eval|xargs|sudo)\b/;

/** Quoted parts may hold anything: an input is JSON. */
const unquoted = (line: string): string => line.replace(/'[^']*'/g, "''").replace(/"(?:[^"\\]|\\.)*"/g, '""');

/** By pattern, not by a shell's grammar; what stands in quotes passes. No line at all counts as compliant. */
export function complianceOf(commandLine: string | undefined): Compliance {
  if (commandLine === undefined || commandLine.trim() === "") return { compliant: true, reason: "called directly" };
  const line = unquoted(commandLine);
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
