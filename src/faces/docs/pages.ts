/** Reference pages generated from the code: log events, configuration. Returns Markdown. */
import { LOG_EVENTS } from "../../core/log-events.ts";

/** What `scripts/docs.ts` writes to docs/LOG-EVENTS.md. */
export function logEventsPage(): string {
  const rows = Object.entries(LOG_EVENTS).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
  return `# Log events

Each event is one line. In a pipe each line is a JSON object with \`level\`, \`time\` (UTC), \`evt\`, \`msg\` and its own fields;
lines that belong to a decision carry its id as \`decision\`, so that \`grep d-1\` follows it from trigger to fill. On a terminal
the same events are readable lines, with UTC times, the date on the first line of each day, and \`WARN\` and \`ERROR\` as words.
\`--log-format text\` writes that form into a pipe as well. Event names are stable.

In every format, an agent also writes its lines as JSON to \`ballast.log\` in its data folder (up to 16 MB, with one
predecessor \`ballast.log.1\`). \`ballast logs\` shows them from there, from a file or from a pipe:

\`\`\`sh
ballast logs -f                                    # follow the running agent
ballast logs --since 1h --level warn               # what went wrong in the last hour
ballast logs --evt order,position --decision d-1   # events of two families that belong to one decision
docker logs ballast | ballast logs                 # the output of a container; other text passes through
\`\`\`

A repeated refusal (a denying \`review.verdict\`, \`model.failed\`, \`venue.retry\` and the like) is logged once. Repeats that differ
only in figures and ids are counted: a line with the newest figures, \`repeats\` and \`since\` follows after one minute, then after
two, four and so on up to an hour. \`--log-level debug\` writes every line. The journal always has every row.

| evt | meaning |
|---|---|
${rows.join("\n")}
`;
}

interface JsonSchema {
  readonly description?: string;
  readonly type?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
}

function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => String(value)).join(", ");
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.type === "array" && schema.items) return `list of ${typeOf(schema.items)}`;
  return schema.type ?? "any";
}

function rowsOf(schema: JsonSchema, path: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const here = path ? `${path}.${name}` : name;
    if (member.properties) return rowsOf(member, here);
    const fallback = member.default === undefined ? "" : `\`${JSON.stringify(member.default)}\``;
    return [
      `| \`${here}\` | ${typeOf(member).replaceAll("|", "\\|")} | ${fallback.replaceAll("|", "\\|")} | ${member.description ?? ""} |`,
    ];
  });
}

/** A bound that no file can exceed; `must` states it with its unit. */
interface Bound {
  readonly path: string;
  readonly must: string;
  readonly why: string;
}

/** The configuration page from the schema's JSON form. */
export function configurationPage(schema: unknown, fixed: readonly string[], bounds: readonly Bound[]): string {
  return `# Configuration

All settings are in one YAML file with a strict schema: an unknown setting is refused with its line and the nearest known name.
When you save the file, a running agent takes the new settings over at the next safe point. It refuses a bad file and keeps its
settings. It also refuses a change of settings that are read only at the start: ${fixed.map((part) => `\`${part}\``).join(", ")}.
Money is written as a quoted decimal. \`ballast config check FILE\` checks a file. Secrets are never in this file: they come from
the environment (README).

Editors complete and check a file with \`config/ballast.schema.json\`, which includes the settings of every shipped strategy. The
first line of a file names the schema for VS Code's YAML extension and for \`yaml-language-server\` in other editors.

\`\`\`yaml
# yaml-language-server: $schema=ballast.schema.json
\`\`\`

Scenario files and scoring files have their own schemas, \`config/scenario.schema.json\` and \`config/scoring.schema.json\`. Every
file in \`config/\` names its schema. \`ballast config schema > config/ballast.schema.json\` writes the schema including the settings
of your own strategies in \`own/\`.

| setting | type | default | meaning |
|---|---|---|---|
${rowsOf(schema as JsonSchema, "").join("\n")}

## Bounds

No file can exceed these bounds, so that a mistyped figure cannot ruin the account. The recommended values are the defaults, not
the bounds.

| setting | must be | because |
|---|---|---|
${bounds.map(({ path, must, why }) => `| \`${path}\` | ${must} | ${why} |`).join("\n")}
`;
}
