/** An operator's command to a running agent, left in its data folder by a program or a person and taken by the agent. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { OPERATOR_COMMANDS, type OperatorCommand } from "../agent/contract/events.ts";
import { leaveSmall } from "../ops/small-file.ts";

/** Where a command waits for the agent. */
export const commandPath = (dataDir: string): string => path.join(dataDir, "operator.json");

/**
 * Files that are commands by their name alone, the more urgent first: `touch FLATTEN` needs no program and no token. None of
 * them opens anything, so that one which waits for the next start does no harm.
 */
const SWITCHES: readonly (readonly [file: string, command: OperatorCommand])[] = [
  ["FLATTEN", "flatten"],
  ["HALT", "halt"],
];

/** An operator's command for the running agent, which looks every second. A newer command replaces an older one. */
export const writeCommand = (dataDir: string, command: OperatorCommand): void =>
  leaveSmall(commandPath(dataDir), { command });

/** False once the agent has taken it. */
export const commandWaits = (dataDir: string): boolean => existsSync(commandPath(dataDir));

/** A command must not be obeyed hours later, in another run. One that has replaced it stays. */
export function withdrawCommand(dataDir: string, command: OperatorCommand): void {
  if (waiting(dataDir) === command) rmSync(commandPath(dataDir), { force: true });
}

/** The command in the file, as it was left. */
function waiting(dataDir: string): unknown {
  try {
    return (JSON.parse(readFileSync(commandPath(dataDir), "utf8")) as { command?: unknown }).command;
  } catch {
    return null;
  }
}

/** Takes one waiting command, if any; each is taken once, and a switch before a program's command. */
export function takeCommand(dataDir: string): OperatorCommand | null {
  for (const [name, command] of SWITCHES) if (taken(path.join(dataDir, name))) return command;
  try {
    const { command } = JSON.parse(readFileSync(commandPath(dataDir), "utf8")) as { command?: unknown };
    rmSync(commandPath(dataDir), { force: true });
    return OPERATOR_COMMANDS.find((known) => known === command) ?? null;
  } catch {
    return null;
  }
}

/** Whether the file was there and is gone now: one that stays would be obeyed every second. */
function taken(file: string): boolean {
  try {
    if (!existsSync(file)) return false;
    rmSync(file);
    return true;
  } catch {
    return false;
  }
}
