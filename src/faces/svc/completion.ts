/** Completion of `svc`, from the records: domains, actions, options and the values of enums. */
import { CAPABILITIES } from "../capabilities/all.ts";
import type { Capability } from "../contract/capability.ts";
import { type CompletedCommand, scriptFor, SHELLS } from "./completion-script.ts";
import { kebab } from "./help.ts";
import { MCP_HOSTS } from "./mcp-hosts.ts";
import { typeOfField } from "./options.ts";

const ALWAYS = [
  { name: "--input", values: [] },
  { name: "--json", values: null },
  { name: "--help", values: null },
];

function valuesOf(capability: Capability, name: string): readonly string[] {
  const { type, entries } = typeOfField(capability, name);
  return type === "boolean" ? ["true", "false"] : Object.keys(entries ?? {});
}

const commandOf = (capability: Capability): CompletedCommand => ({
  command: capability.command.join(" "),
  words: [],
  options: [
    ...Object.keys(capability.input.shape).map((name) => ({
      name: `--${kebab(name)}`,
      values: valuesOf(capability, name),
    })),
    ...ALWAYS,
  ],
});

/** Commands that are not capabilities. */
const OTHERS: readonly CompletedCommand[] = [
  {
    command: "mcp serve",
    words: [],
    options: [
      { name: "--tool-names", values: ["slash", "underscore"] },
      { name: "--record", values: [] },
    ],
  },
  { command: "mcp config", words: [], options: [{ name: "--host", values: MCP_HOSTS }] },
  { command: "completion", words: SHELLS, options: [] },
];

function commands(): readonly CompletedCommand[] {
  const whole = [...CAPABILITIES.map(commandOf), ...OTHERS];
  const actions = new Map<string, string[]>();
  for (const { command } of whole) {
    const [domain = "", action] = command.split(" ");
    actions.set(domain, [...(actions.get(domain) ?? []), ...(action === undefined ? [] : [action])]);
  }
  const domains = [...actions].filter(([, words]) => words.length > 0);
  return [
    { command: "", words: [...actions.keys()], options: [{ name: "--help", values: null }] },
    ...whole,
    ...domains.map(([command, words]) => ({ command, words, options: [] })),
  ];
}

/** The script for a shell; null if the shell is unknown. */
export const completionScript = (shell: string): string | null => scriptFor(shell, "svc", commands());
