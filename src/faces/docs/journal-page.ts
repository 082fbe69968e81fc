/** Generates docs/JOURNAL.md from the rows: when each kind is written, who reads it, and its fields. */
import { z } from "zod";
import { ALL_ROWS } from "../../rows/all-rows.ts";
import type { RowAbout } from "../../rows/form.ts";

/** The used parts of a schema's JSON form; `is` is our own, the type in words. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly is?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const NAMES: Readonly<Record<string, string>> = { string: "text", boolean: "true or false", array: "list" };
const refName = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);
const isNull = ({ type }: Schema): boolean => type === "null";
/** A schema without null, and whether null was allowed. */
function bare(schema: Schema): { readonly schema: Schema; readonly orNull: boolean } {
  const [only, ...others] = (schema.anyOf ?? []).filter((member) => !isNull(member));
  if (!schema.anyOf?.some(isNull) || !only || others.length > 0) return { schema, orNull: false };
  return { schema: { ...only, ...(schema.description ? { description: schema.description } : {}) }, orNull: true };
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return `\`${refName(schema.$ref)}\`, below`;
  if (schema.is) return schema.is;
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum) return schema.enum.map((word) => `\`${String(word)}\``).join(", ");
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(" or ");
  if (schema.type === "array" && schema.items) return schema.items.type === "string" ? "list of texts" : "list";
  return NAMES[schema.type ?? ""] ?? schema.type ?? "any";
}

const cell = (text: string): string => text.replaceAll("|", "\\|");

/** One line per field; members of an object follow as `object.member`. */
function lines(schema: Schema, path: string): readonly string[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const here = `${path}${name}`;
    const { schema: inner, orNull } = bare(member);
    const type = `${typeOf(inner)}${orNull ? " or null" : ""}${required.has(name) ? "" : ", optional"}`;
    const line = `| \`${here}\` | ${cell(type)} | ${cell(inner.description ?? member.description ?? "")} |`;
    const within = inner.properties ? lines(inner, `${here}.`) : inner.items ? lines(inner.items, `${here}[].`) : [];
    return [line, ...within];
  });
}

const table = (schema: Schema): string =>
  `| field | type | meaning |\n|---|---|---|\n${lines(schema, "").join("\n")}\n`;

/** All shapes of one kind, including nested ones. */
const shapesOf = (schema: Schema): readonly Schema[] => (schema.anyOf ?? schema.oneOf)?.flatMap(shapesOf) ?? [schema];

/** Fields that distinguish shapes. */
const WORDS: ReadonlySet<string> = new Set(["event", "command"]);

/** A shape is named by its constant fields, otherwise by a field that no other shape of the kind has. */
function shapeName(schema: Schema, all: readonly Schema[]): string {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).sort(
    ([a], [b]) => Number(required.has(b)) - Number(required.has(a)),
  );
  const fixed = fields.filter(
    ([name, member]) => required.has(name) && (member.const !== undefined || (WORDS.has(name) && member.enum)),
  );
  const words = fixed.map(([name, member]) =>
    member.const === true ? `\`${name}\`` : `\`${name}\` ${(member.enum ?? [member.const]).map(String).join(", ")}`,
  );
  if (words.length > 0) return words.join(", ");
  const others = all.filter((other) => other !== schema);
  const own = fields.find(([name]) => others.every((other) => !(name in (other.properties ?? {}))));
  return `\`${own?.[0] ?? ""}\``;
}

const lowered = (sentence: string): string =>
  /^(?:A|As|At|Before|Every|For|In|Seconds|The|When)\b/.test(sentence)
    ? sentence.charAt(0).toLowerCase() + sentence.slice(1)
    : sentence;

interface Part {
  readonly text: string;
  readonly shared: Readonly<Record<string, Schema>>;
}

function partOf(kind: string, { about, body }: { readonly about: RowAbout; readonly body: z.ZodType }): Part {
  const schema = z.toJSONSchema(body, { io: "input", unrepresentable: "any" }) as Schema;
  const shapes = shapesOf(schema);
  const tables =
    shapes.length === 1
      ? table(schema)
      : shapes.map((shape) => `With ${shapeName(shape, shapes)}:\n\n${table(shape)}`).join("\n");
  const text = `### \`${kind}\`\n\nWritten ${lowered(about.written)} Read by ${lowered(about.readBy)}\n\n${tables}`;
  return { text, shared: schema.$defs ?? {} };
}

/** What `scripts/docs.ts` writes to docs/JOURNAL.md. */
export function journalPage(): string {
  const parts = Object.entries(ALL_ROWS).map(([kind, form]) => partOf(kind, form()));
  const shared = new Map(parts.flatMap((part) => Object.entries(part.shared)));
  const below = [...shared]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => `### \`${name}\`\n\n${schema.description ?? ""}\n\n${table(schema)}`);
  return `# The journal

Generated from \`src/rows\` by \`npm run docs\`; do not edit. What the simulated service records beside the journal, and how
\`ballast verify\` reads both, is in [VERIFY.md](VERIFY.md).

## The file

\`journal.db\` (SQLite, WAL, full sync) holds one append-only table \`rows\`:

| column | meaning |
|---|---|
| \`seq\` | 1, 2, 3 ... without a gap |
| \`boot\` | the run of the process that wrote the row |
| \`at_ms\` | wall time, epoch ms UTC, may have fractions |
| \`mono_ms\` | ms since some instant of that run; never goes back |
| \`kind\` | one of the kinds below |
| \`decision_id\` | the decision that the row belongs to, or null |
| \`body\` | JSON object, keys sorted, no spaces |
| \`prev_hash\` | hash of the previous row; 64 zeros for the first |
| \`hash\` | SHA-256 hex of the canonical JSON list \`[seq, boot, at_ms, mono_ms, kind, decision_id, body, prev_hash]\` |

\`journal.tail\` beside it, \`{"journalId", "seq", "hash"}\`, is synced by itself and records the last durable row.
Archived rows (\`ballast journal archive\`) come first and belong to the same chain.

## Kinds of rows

A decimal is text such as \`"0.5"\`, so that it stays exact; prices and quantities are in the venue's units, money in USDT or
USD as named. An optional field may be absent: because there is nothing to state, or because an older build wrote the row. A
field that this build does not know is ignored; an invalid field is an error that names kind, number, field and rule.
\`ballast explain\` prints every row of a decision as one sentence.

${parts.map(({ text }) => text).join("\n")}
## Shapes used in several kinds

${below.join("\n")}`;
}
