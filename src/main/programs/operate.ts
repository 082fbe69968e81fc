/** `ballast halt` and `ballast resume`: a word left in the data folder, which the running agent takes within a second. */
import { EXIT } from "../exit-codes.ts";
import { writeCommand } from "../run-file.ts";
import { askAgent, dataDirOf } from "./status.ts";
import type { StatusOptions } from "../../faces/cli/ballast-cli.ts";

const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 300;

/** Waits ten seconds for the agent to say that it has obeyed; else exit code 1. */
export async function operateProgram(command: "halt" | "resume", options: StatusOptions): Promise<number> {
  const dataDir = dataDirOf(options);
  const before = await askAgent<{ floorState: string }>(dataDir, "/status");
  if (!before) {
    process.stderr.write(
      `ballast: no agent is running on ${dataDir}. \`ballast status\` shows what the journal knows.\n`,
    );
    return EXIT.failed;
  }
  writeCommand(dataDir, command);
  const wanted = command === "halt" ? "HALT" : "NORMAL";
  for (let waited = 0; waited < WAIT_MS; waited += LOOK_EVERY_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    const now = await askAgent<{ floorState: string; floorReason: string }>(dataDir, "/status");
    if (now?.body.floorReason !== `the operator said ${command}`) continue;
    const text = options.json
      ? JSON.stringify({ ok: true, floorState: now.body.floorState })
      : `The agent is ${now.body.floorState}${now.body.floorState === wanted ? "" : `, not ${wanted}: its equity does not allow it`}.`;
    process.stdout.write(`${text}\n`);
    return EXIT.ok;
  }
  process.stderr.write("ballast: the agent did not take the command within 10 s; see its log\n");
  return EXIT.failed;
}
