/** Generates help from the records: purpose, fields with rules, and a working example. */
import { CAPABILITIES } from "../capabilities/all.ts";
import type { Capability } from "../contract/capability.ts";
import { isRequired, typeOfField } from "./options.ts";

/** The name of a field as an option. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function fieldLine(capability: Capability, name: string): string {
  const field = capability.input.shape[name] as { description?: string };
  const { type, entries } = typeOfField(capability, name);
  const form = entries
    ? Object.keys(entries).join("|")
    : type === "array"
      ? "a,b"
      : type === "boolean"
        ? "true|false"
        : type;
  const left = `  --${kebab(name)} <${form}>`;
  const needed = isRequired(capability, name) ? " (required)" : "";
  return `${left.length > 38 ? `${left}\n${" ".repeat(40)}` : left.padEnd(40)}${field.description ?? ""}${needed}`;
}

/** Help of one command. */
export function capabilityHelp(capability: Capability): string {
  const command = `svc ${capability.command.join(" ")}`;
  const names = Object.keys(capability.input.shape);
  const { needsOneOf = [], needsUnless = [] } = capability;
  const groups = [
    ...needsOneOf.map((group) => `  One of these is needed: ${group.map(kebab).join(", ")}`),
    ...needsUnless.map(
      ({ oneOf, unless }) => `  Needed unless ${kebab(unless.field)} is ${unless.is}: ${oneOf.map(kebab).join(" or ")}`,
    ),
  ];
  const facts = [
    `Risk: ${capability.riskLevel}.`,
    capability.previewRequired ? "Needs a preview first." : "",
    capability.containsRealOrder ? "Places a real order." : "",
    capability.tool === null ? "" : `Tool: ${capability.tool}.`,
  ];
  return [
    `${capability.summary}`,
    "",
    `Usage: ${command} [--input <json|@file|->] [options] [--json]`,
    facts.filter(Boolean).join(" "),
    "",
    ...(names.length > 0
      ? ["Options:", ...names.map((name) => fieldLine(capability, name)), ...groups]
      : ["No options."]),
    "",
    "Example:",
    `  ${command}${names.length > 0 ? ` --input '${JSON.stringify(capability.example)}'` : ""} --json`,
    "",
  ].join("\n");
}

const commandRow = ({ command, summary }: Capability): string => `  ${command.join(" ").padEnd(32)}${summary}`;

/** Help of a domain: its commands, and the one that the domain's name alone runs. */
export function domainHelp({ command: [domain = "", action = ""] }: Capability): string {
  const name = `svc ${domain}`;
  return [
    `Usage: ${name} <action> [--input <json|@file|->] [--name value ...] [--json]`,
    `Without an action: ${name} ${action}.`,
    "",
    "Commands:",
    ...CAPABILITIES.filter(({ command }) => command[0] === domain).map(commandRow),
    "",
    "Example:",
    `  ${name} ${action} --help`,
    "",
  ].join("\n");
}

/** Help of the whole command. */
export function generalHelp(version: string): string {
  const rows = CAPABILITIES.map(commandRow);
  return [
    `svc ${version}: the trading service from the command line and for tools.`,
    "",
    "Usage: svc <domain> <action> [--input <json|@file|->] [--name value ...] [--json]",
    "",
    "Commands:",
    ...rows,
    `  ${"mcp serve".padEnd(32)}The same capabilities as tools over standard input and output.`,
    `  ${"mcp config --host NAME".padEnd(32)}Configuration with which a model's host starts them.`,
    `  ${"completion bash|zsh|fish".padEnd(32)}Completion for your shell.`,
    "",
    "Every write is previewed first; the submit repeats the parameters with previewId and continueConsentId.",
    "Credentials: SVC_ACCESS_KEY, SVC_SECRET_KEY, SVC_API_HOST, or each with _FILE naming a file.",
    "Exit code: 0 if the answer's ok is true, else 1.",
    "",
    "Example:",
    "  svc order place-preview --symbol BTC --side buy --position-side long --order-type limit \\",
    "    --price 60000 --quantity 0.001 --max-notional 100",
    "",
  ].join("\n");
}
