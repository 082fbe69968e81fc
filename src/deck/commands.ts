/** What the page may command, taken the same way as the command line's words: by a file in the data folder. */
import { z } from "zod";
import { HANDOVERS } from "../agent/contract/handover.ts";
import { OPERATOR_COMMANDS } from "../agent/contract/events.ts";
import { withdrawRequest, takeAnswer, writeRequest } from "../control/requests.ts";
import { writeCommand } from "../control/command-file.ts";
import type { Clock } from "../core/clock.ts";
import type { Ids } from "../core/ids.ts";
import { issuesText } from "../core/issues.ts";
import { err, ok, type Result } from "../core/result.ts";

/** `confirm` is true once the person has read what will happen. */
const CommandSchema = z.discriminatedUnion("command", [
  z.strictObject({ command: z.enum(OPERATOR_COMMANDS), confirm: z.literal(true) }),
  z.strictObject({
    command: z.literal("use"),
    strategy: z.string().min(1).max(100),
    handover: z.enum(HANDOVERS),
    confirm: z.literal(true),
  }),
]);

const ANSWER_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 150;

export interface CommandParts {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The answer is a sentence for the person who commanded; so is the error. A halt is taken within a second. */
export async function carryOut(body: unknown, { dataDir, clock, ids }: CommandParts): Promise<Result<string, string>> {
  const read = CommandSchema.safeParse(body);
  if (!read.success) return err(issuesText(read.error.issues, body));
  const command = read.data;
  if (command.command !== "use") {
    writeCommand(dataDir, command.command);
    return ok(`The command ${command.command.replace("-", " ")} was sent to the agent.`);
  }
  const id = ids.next("q");
  writeRequest(dataDir, id, { kind: "use", strategy: command.strategy, handover: command.handover });
  const untilMs = clock.monotonicMs() + ANSWER_WITHIN_MS * clock.scale;
  while (clock.monotonicMs() < untilMs) {
    await clock.sleep(LOOK_EVERY_MS * clock.scale);
    const answer = takeAnswer(dataDir, id) as { readonly ok: boolean; readonly error?: string } | null;
    if (answer === null) continue;
    return answer.ok ? ok(`${command.strategy} decides now.`) : err(answer.error ?? "the agent refused");
  }
  withdrawRequest(dataDir, id);
  return err("the agent did not answer in time; see its log");
}
