/** Generates shell completion from the records: domains, actions and option names. */
import { CAPABILITIES } from "../capabilities/all.ts";
import { kebab } from "./help.ts";

interface Tree {
  readonly domains: readonly string[];
  /** Domain to actions. */
  readonly actions: ReadonlyMap<string, readonly string[]>;
  /** Whole command to its options. */
  readonly options: ReadonlyMap<string, readonly string[]>;
}

function treeOf(): Tree {
  const actions = new Map<string, string[]>([
    ["mcp", ["serve", "config"]],
    ["completion", ["bash", "zsh", "fish"]],
  ]);
  const options = new Map<string, string[]>();
  for (const { command, input } of CAPABILITIES) {
    const [domain = "", action] = command;
    const known = actions.get(domain) ?? [];
    actions.set(domain, action === undefined ? known : [...known, action]);
    options.set(command.join(" "), [
      ...Object.keys(input.shape).map((name) => `--${kebab(name)}`),
      "--input",
      "--json",
      "--help",
    ]);
  }
  return { domains: [...actions.keys()], actions, options };
}

/** The body of a shell `case` over commands; each line sets the words to offer. */
function cases(tree: Tree, set: (words: readonly string[]) => string): string {
  const actions = [...tree.actions].filter(([, words]) => words.length > 0);
  return [
    ...[...tree.options].map(([command, words]) => `    "${command} "*) ${set(words)} ;;`),
    ...actions.map(([domain, words]) => `    "${domain} "*) ${set(words)} ;;`),
    `    *) ${set(tree.domains)} ;;`,
  ].join("\n");
}

const bash = (tree: Tree): string => `# svc completion for bash: source <(svc completion bash)
_svc() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" line="\${COMP_WORDS[*]:1:COMP_CWORD-1} " words=""
  case "$line" in
${cases(tree, (words) => `words="${words.join(" ")}"`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _svc svc
`;

const zsh = (tree: Tree): string => `#compdef svc
# svc completion for zsh: svc completion zsh > "\${fpath[1]}/_svc"
_svc() {
  local line="\${words[2,CURRENT-1]} " ; local -a offer
  case "$line" in
${cases(tree, (words) => `offer=(${words.join(" ")})`)}
  esac
  compadd -- $offer
}
compdef _svc svc
`;

function fish(tree: Tree): string {
  const lines = ["# svc completion for fish: svc completion fish | source", "complete -c svc -f"];
  lines.push(`complete -c svc -n __fish_use_subcommand -a "${tree.domains.join(" ")}"`);
  for (const [domain, words] of tree.actions) {
    if (words.length === 0) continue;
    lines.push(`complete -c svc -n "__fish_seen_subcommand_from ${domain}" -a "${words.join(" ")}"`);
  }
  for (const [command, words] of tree.options) {
    const [domain = "", action = domain] = command.split(" ");
    const seen = `__fish_seen_subcommand_from ${domain}; and __fish_seen_subcommand_from ${action}`;
    for (const word of words) lines.push(`complete -c svc -n "${seen}" -l ${word.slice(2)}`);
  }
  return `${lines.join("\n")}\n`;
}

/** The script for a shell; null if the shell is unknown. */
export function completionScript(shell: string): string | null {
  const write = { bash, zsh, fish }[shell];
  return write ? write(treeOf()) : null;
}
