/** `ballast completion`: the completion script, derived from the commands. */
import { Argument, type Command } from "commander";
import { type CompletedCommand, scriptFor, SHELLS } from "../svc/completion-script.ts";

export interface CompletionPrograms {
  /** Prints the script that `write` builds with the names of all strategies. */
  completion(write: (strategies: readonly string[]) => string): Promise<number>;
}

/** Options and commands whose value is the name of a strategy. */
const NAMES_A_STRATEGY: ReadonlySet<string> = new Set(["--strategy", "--strategies", "strategy use", "strategy check"]);

/** The program and every command below it. */
export function commandsOf(program: Command, strategies: readonly string[]): readonly CompletedCommand[] {
  const named = (place: string): readonly string[] => (NAMES_A_STRATEGY.has(place) ? strategies : []);
  const under = (command: Command, path: readonly string[]): readonly CompletedCommand[] => [
    {
      command: path.join(" "),
      words: [
        ...command.commands.map((each) => each.name()),
        ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
        ...named(path.join(" ")),
      ],
      options: [
        ...command.options.flatMap(({ long, argChoices, required, optional }) =>
          long ? [{ name: long, values: required || optional ? [...(argChoices ?? named(long))] : null }] : [],
        ),
        { name: "--help", values: null },
      ],
    },
    ...command.commands.flatMap((each) => under(each, [...path, each.name()])),
  ];
  return under(program, []);
}

export function addCompletion(
  program: Command,
  programs: CompletionPrograms,
  answer: (work: Promise<number>) => Promise<void>,
): void {
  program
    .command("completion")
    .description("Print the script that lets your shell complete commands, options and names of strategies.")
    .addArgument(new Argument("<shell>", "your shell").choices(SHELLS))
    .addHelpText(
      "after",
      "\nIn ~/.bashrc or ~/.config/fish/config.fish, such a line lets every shell complete.\n\nExamples:\n  $ source <(ballast completion bash)\n  $ ballast completion fish | source",
    )
    .action((shell: string) =>
      answer(programs.completion((strategies) => scriptFor(shell, "ballast", commandsOf(program, strategies)) ?? "")),
    );
}
