/** `ballast halt` and `ballast resume`: a word left in the data folder, which the running agent takes within a second. */
import { EXIT } from "../ops/exit-codes.ts";
import { commandWaits, withdrawCommand, writeCommand } from "../control/command-file.ts";
import { askAgent, dataDirOf } from "../control/running-agent.ts";
import type { OperateOptions } from "../faces/cli/ballast-cli.ts";

const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 300;

interface Floor {
  readonly floorState: string;
  readonly floorReason: string;
}

/** Waits ten seconds for the agent to have obeyed; else exit code 1. `all` withdraws the opening orders of others as well. */
export async function operateProgram(command: "halt" | "resume", options: OperateOptions): Promise<number> {
  const dataDir = dataDirOf(options);
  if (!(await askAgent(dataDir, "/status"))) {
    process.stderr.write(
      `ballast: no agent is running on ${dataDir}. \`ballast status\` shows what the journal knows.\n`,
    );
    return EXIT.failed;
  }
  writeCommand(dataDir, command === "halt" && options.all ? "halt-all" : command);
  const wanted = command === "halt" ? "HALT" : "NORMAL";
  let now: Floor | null = null;
  for (let waited = 0; waited < WAIT_MS; waited += LOOK_EVERY_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    if (commandWaits(dataDir)) continue;
    const answer = await askAgent<Floor>(dataDir, "/status");
    now = answer?.ok ? answer.body : null;
    // The ladder moves on a quarter of a second after a resume: only that it rests at HALT no longer is sure to be seen.
    if (!now || (command === "halt") !== (now.floorState === "HALT")) continue;
    const text = options.json
      ? JSON.stringify({ ok: true, floorState: now.floorState })
      : `The agent is ${now.floorState}${now.floorState === wanted ? "" : `, not ${wanted}: its equity does not allow it`}.`;
    process.stdout.write(`${text}\n`);
    return EXIT.ok;
  }
  process.stderr.write(`ballast: ${unobeyed(command, dataDir, now)}; see its log\n`);
  return EXIT.failed;
}

/** A halt that is late is better than none; what must not be obeyed unseen is a resume. */
function unobeyed(command: "halt" | "resume", dataDir: string, now: Floor | null): string {
  const within = `within ${WAIT_MS / 1_000} s`;
  if (!commandWaits(dataDir))
    return `the agent took the command, and ${now ? `is ${now.floorState} still (${now.floorReason})` : "does not answer"}`;
  if (command === "halt") return `the agent did not take the command ${within}; it stays, for when it looks`;
  withdrawCommand(dataDir);
  return `the agent did not take the command ${within}, and it is withdrawn`;
}
