/** `ballast init`: asks for the facts of a new set-up, and writes its files. */
import { existsSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { describeConfigProblem, inspectConfig } from "../config/read.ts";
import type { InitOptions } from "../faces/cli/init-command.ts";
import { complain } from "../ops/complaint.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { CONFIG_FILE, filesFor, writeFiles } from "../setup/files.ts";
import { interview, type Dialogue } from "../setup/interview.ts";
import { nextSteps } from "../setup/next-steps.ts";
import { questionsAbout } from "../setup/questions.ts";
import { describeStrategy, listStrategies } from "../strategy/registry.ts";
import { promptNamed } from "../strategy/trader-settings.ts";

/** Reads one line of standard input for each question; questions go to standard error, apart from the output. */
function terminal(): { readonly dialogue: Dialogue; end(): void } {
  const lines = createInterface({ input: process.stdin });
  const next = lines[Symbol.asyncIterator]();
  return {
    dialogue: {
      say: (text) => void process.stderr.write(text),
      listen: async (prompt) => {
        process.stderr.write(prompt);
        const line = await next.next();
        return line.done ? null : line.value;
      },
    },
    end: () => lines.close(),
  };
}

/** How to start this program from anywhere: by name if it is in PATH. */
function commandHere(): string {
  const found = (process.env["PATH"] ?? "").split(path.delimiter).some((dir) => existsSync(path.join(dir, "ballast")));
  return found ? "ballast" : `node ${process.argv[1] ?? "ballast"}`;
}

const spelled = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** A sentence with its end: that of a question has one already. */
const ended = (text: string): string => (/[.?]$/.test(text) ? text : `${text}.`);

/** Exit code 2 if an answer is wrong or missing, 1 if a file already exists; then nothing was written. */
export async function initProgram(dir: string, { input, json, ...given }: InitOptions): Promise<number> {
  const described = await Promise.all(listStrategies().map((name) => describeStrategy(name)));
  const strategies = described.flatMap((found) => (found.ok ? [found.value] : []));
  const asking = input ? terminal() : null;
  const answered = await interview(questionsAbout(strategies), given, asking?.dialogue ?? null);
  asking?.end();
  if (!answered.ok) {
    const { name, message } = answered.error;
    const remedy = input ? "; --no-input uses the suggestions" : "";
    return complain(
      `${ended(`${spelled(name)}: ${message.replace(/\.$/, "")}${remedy}`)} Nothing was written.`,
      EXIT.usage,
    );
  }
  const answers = answered.value;
  const chosen = strategies.find(({ name }) => name === answers.strategy);
  const defaults = chosen?.settings.safeParse({});
  const asksQuestion = !!chosen && !!defaults?.success && promptNamed(chosen.settings, defaults.data) !== null;
  const files = filesFor(answers, dir, asksQuestion);
  // Each answer was checked alone; check the whole file as a start would.
  const text = files.find(([name]) => name === CONFIG_FILE)?.[1] ?? "";
  const [broken] = inspectConfig(text).findings.filter(({ severity }) => severity === "error");
  if (broken) return complain(`${describeConfigProblem(CONFIG_FILE, broken)}. Nothing was written.`, EXIT.usage);
  const written = writeFiles(dir, files);
  if (!written.ok) return complain(written.error, EXIT.failed);
  if (json) process.stdout.write(`${JSON.stringify({ dir: path.resolve(dir), files: written.value })}\n`);
  else
    process.stdout.write(
      `${written.value.map((name) => `wrote ${path.join(dir, name)}`).join("\n")}\n\n${nextSteps(answers, dir, commandHere())}`,
    );
  return EXIT.ok;
}
