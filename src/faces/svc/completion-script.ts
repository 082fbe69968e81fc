/** Completion scripts for shells, generated from the commands and options of a program. */

interface CompletedOption {
  readonly name: string;
  /** Null if it takes no value; empty if any value is allowed, for example a file. */
  readonly values: readonly string[] | null;
}

/** One command with its possible next words. `command` is empty for the program itself. */
export interface CompletedCommand {
  readonly command: string;
  /** Its subcommands, or the values of its argument. */
  readonly words: readonly string[];
  readonly options: readonly CompletedOption[];
}

/** Shells with a completion script. */
export const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

const candidates = ({ words, options }: CompletedCommand): readonly string[] => [
  ...words,
  ...options.map(({ name }) => name),
];

/** The longest command first: the first pattern that fits a line decides. */
const deepestFirst = (commands: readonly CompletedCommand[]): readonly CompletedCommand[] =>
  [...commands].sort((one, other) => other.command.split(" ").length - one.command.split(" ").length);

/** The body of a `case` over the words before the cursor, the same in bash and zsh. */
function cases(commands: readonly CompletedCommand[], set: (words: readonly string[]) => string): string {
  const named = deepestFirst(commands.filter(({ command }) => command !== ""));
  const root = commands.filter(({ command }) => command === "").flatMap(candidates);
  return [
    ...named.flatMap(({ command, options }) =>
      options.flatMap(({ name, values }) =>
        values === null ? [] : [`    "${command} "*"${name} ") ${set(values)} ;;`],
      ),
    ),
    ...named.map((each) => `    "${each.command} "*) ${set(candidates(each))} ;;`),
    `    *) ${set(root)} ;;`,
  ].join("\n");
}

const bash = (
  program: string,
  commands: readonly CompletedCommand[],
): string => `# ${program} completion for bash: source <(${program} completion bash)
_${program}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" line="\${COMP_WORDS[*]:1:COMP_CWORD-1} " words=""
  case "$line" in
${cases(commands, (words) => `words="${words.join(" ")}"`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
# Without other candidates, complete file names.
complete -o default -F _${program} ${program}
`;

const zsh = (program: string, commands: readonly CompletedCommand[]): string => `#compdef ${program}
# ${program} completion for zsh: ${program} completion zsh > "\${fpath[1]}/_${program}"
_${program}() {
  local line="\${words[2,CURRENT-1]} " ; local -a offer
  case "$line" in
${cases(commands, (words) => `offer=(${words.join(" ")})`)}
  esac
  if (( \${#offer} )); then compadd -- $offer; else _files; fi
}
compdef _${program} ${program}
`;

function fish(program: string, commands: readonly CompletedCommand[]): string {
  const lines = [`# ${program} completion for fish: ${program} completion fish | source`];
  for (const { command, words, options } of commands) {
    const seen = command.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`);
    const when = `-n "${command === "" ? "__fish_use_subcommand" : seen.join("; and ")}"`;
    if (words.length > 0) lines.push(`complete -c ${program} ${when} -f -a "${words.join(" ")}"`);
    for (const { name, values } of options) {
      const value = values === null ? "" : values.length > 0 ? ` -x -a "${values.join(" ")}"` : " -r";
      lines.push(`complete -c ${program} ${when} -l ${name.slice(2)}${value}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

const WRITERS = { bash, zsh, fish } satisfies Record<Shell, unknown>;

/** The script for a shell; null if the shell is unknown. */
export function scriptFor(shell: string, program: string, commands: readonly CompletedCommand[]): string | null {
  const known = SHELLS.find((each) => each === shell);
  return known === undefined ? null : WRITERS[known](program, commands);
}
