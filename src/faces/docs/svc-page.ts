/** The reference page of the client layer: an introduction, then every capability from its record. Returns Markdown. */
import { CAPABILITIES } from "../capabilities/all.ts";
import type { Capability } from "../contract/capability.ts";
import { isRequired, typeOfField } from "../svc/options.ts";
import { INTRODUCTION } from "./svc-introduction.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|");

function typeText(capability: Capability, name: string): string {
  const { type, entries } = typeOfField(capability, name);
  return entries
    ? Object.keys(entries).join(", ")
    : type === "array"
      ? "list of text"
      : type === "string"
        ? "text"
        : type;
}

function fieldRow(capability: Capability, name: string): string {
  const { description = "" } = capability.input.shape[name] as { description?: string };
  const needed = isRequired(capability, name) ? "yes" : "";
  return `| \`${name}\` | ${cell(typeText(capability, name))} | ${needed} | ${cell(description)} |`;
}

const overviewRow = ({ id, command, tool, riskLevel, previewRequired, containsRealOrder }: Capability): string =>
  `| \`${id}\` | \`svc ${command.join(" ")}\` | ${tool === null ? "" : `\`${tool}\``} | ${riskLevel} | ${previewRequired ? "yes" : ""} | ${containsRealOrder ? "yes" : ""} |`;

function section(capability: Capability): string {
  const { id, summary, command, example, inputName, outputName, needsOneOf = [], needsUnless = [] } = capability;
  const names = Object.keys(capability.input.shape);
  const fields =
    names.length === 0
      ? "No fields."
      : `| field | type | required | meaning |\n|---|---|---|---|\n${names.map((name) => fieldRow(capability, name)).join("\n")}`;
  const quoted = (group: readonly string[], between: string): string =>
    group.map((name) => `\`${name}\``).join(between);
  const groups = [
    ...needsOneOf.map((group) => `One of ${quoted(group, ", ")} is needed.`),
    ...needsUnless.map(
      ({ oneOf, unless }) => `${quoted(oneOf, " or ")} is needed unless \`${unless.field}\` is ${unless.is}.`,
    ),
  ];
  const call = names.length === 0 ? "" : ` --input '${JSON.stringify(example)}'`;
  return [
    `### ${id}`,
    "",
    `${summary} Input \`${inputName}\`, output \`${outputName}\`.`,
    "",
    fields,
    ...(groups.length > 0 ? ["", groups.join(" ")] : []),
    "",
    `\`\`\`sh\nsvc ${command.join(" ")}${call} --json\n\`\`\``,
    "",
  ].join("\n");
}

/** The whole of docs/SVC.md. */
export const svcPage = (): string =>
  [
    INTRODUCTION,
    "## All capabilities",
    "",
    "| capability | command | tool | risk | previewed | real order |",
    "|---|---|---|---|---|---|",
    ...CAPABILITIES.map(overviewRow),
    "",
    "## Each capability",
    "",
    ...CAPABILITIES.map(section),
  ].join("\n");
