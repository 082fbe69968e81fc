/** Converts the text of a configuration file to settings, or to problems with place and rule. */
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
} from "yaml";
import { z } from "zod";
import { type Config, ConfigSchema } from "./config.ts";
import { Decimal } from "../core/decimal.ts";
import { foundAt, ruleText, valueAt } from "../core/issues.ts";
import { nearestWord } from "../core/nearest.ts";
import { printable } from "../core/words.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { SettingBreach } from "./ceilings.ts";
import { type Objective, objectiveOf, withObjective } from "./objectives.ts";
import { describeBreach, ruleBreaches } from "./rules.ts";

/** `path` is dotted, `(file)` for the whole; line and column count from 1, null without a place. */
export interface ConfigProblem {
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** The message and, if known, its parts: the value found, the broken rule, the remedy. */
export interface ConfigFinding extends ConfigProblem, Partial<Pick<SettingBreach, "value" | "rule" | "remedy">> {
  readonly severity: "error" | "warning";
}

/** The known names at a path, for the hint about an unknown one. */
function knownKeys(path: readonly PropertyKey[]): string[] {
  let schema: unknown = z.toJSONSchema(ConfigSchema, { io: "input", unrepresentable: "any" });
  for (const step of path) {
    const properties = (schema as { properties?: Record<string, unknown> }).properties;
    schema = properties?.[String(step)] ?? {};
  }
  return Object.keys((schema as { properties?: Record<string, unknown> }).properties ?? {});
}

/** Characters of what the parser says, or of a name in the file. */
const MESSAGE_LONGEST = 200;

type Located = Pick<ConfigProblem, "line" | "column">;

/** Counted from 1. */
export interface FilePosition {
  readonly line: number;
  readonly column: number;
}

function describe(
  issue: z.core.$ZodIssue,
  values: unknown,
  locate: (path: readonly PropertyKey[]) => Located,
): Omit<ConfigFinding, "severity">[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const hint = nearestWord(key, knownKeys(issue.path));
      return {
        path: [...issue.path, key].join("."),
        ...locate([...issue.path, key]),
        message: `unknown setting${hint ? `; did you mean ${hint}?` : ""}`,
        value: key,
        rule: "unknown setting",
        ...(hint ? { remedy: `did you mean ${hint}?` } : {}),
      };
    });
  }
  const rule = ruleText(issue.message);
  const message = `${rule}${foundAt(values, issue.path)}`;
  const value = valueAt(values, issue.path);
  const parts = { rule, ...(value === null ? {} : { value }) };
  return [{ path: issue.path.join(".") || "(file)", ...locate(issue.path), message, ...parts }];
}

/** The place is reported on its own, and a quoted piece of a file that is no text would be of any length. */
const withoutPlace = (message: string): string =>
  printable(message.replace(/ at line \d+, column \d+:?\s*$/, ""), MESSAGE_LONGEST / 2);

const lineOf = (text: string, { line }: Located): string => text.split("\n")[(line ?? 1) - 1] ?? "";

/** The parser knows no settings: the name on the line that it stopped at says where to look. */
function notYaml(said: string, line: string): string {
  const name = /^[\s-]*([\w.-]{1,40})\s*:/.exec(line)?.[1];
  const what = withoutPlace(said.split("\n")[0] ?? "") || "no more is known";
  return `not YAML${name === undefined ? "" : ` at ${name}`}: ${what}; correct that line or the one above: indent alike, quote a text with a colon, name a setting once`;
}

/** The plain values of a document. Only this step detects a broken alias, or too many aliases. */
function valuesOf(document: Document): Result<unknown, string> {
  try {
    return ok(document.toJS({ maxAliasCount: 20 }) ?? {});
  } catch (cause) {
    return err(printable(cause instanceof Error ? cause.message : String(cause), MESSAGE_LONGEST));
  }
}

/** A section in block style begins on the line below its name, so its place is the name; an entry of a list has none. */
function keyAt(document: Document, path: readonly PropertyKey[]): Node | undefined {
  const around: unknown = document.getIn(path.slice(0, -1), true);
  const pair = isMap(around)
    ? around.items.find(({ key }) => isScalar(key) && String(key.value) === String(path.at(-1)))
    : undefined;
  const node: unknown = pair?.key ?? document.getIn(path, true);
  return isNode(node) ? node : undefined;
}

/** A parsed configuration text. `config` is null if an error forbids its use. */
export interface Inspected {
  readonly config: Config | null;
  /** The same, also if only rules across settings are broken: enough for further checks. */
  readonly parsed: Config | null;
  readonly findings: readonly ConfigFinding[];
  /** The place of a setting in the text, or of the section around it. */
  readonly locate: (path: string) => Located;
  /** The place of exactly this setting, or of the alias that contains it; null if it is absent. */
  readonly placeOf: (path: readonly PropertyKey[]) => FilePosition | null;
  /** The objective that the file names. */
  readonly objective: Objective | null;
}

const EMPTY = "the file is empty: copy config/agent.yaml to practise, or config/phase1.yaml to trade";

const problem = (found: Omit<ConfigFinding, "severity">): ConfigFinding => ({ severity: "error", ...found });

/** Reads a configuration text. Every finding names the setting, line and column, the rule it breaks, and what was found. */
export function inspectConfig(text: string): Inspected {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, uniqueKeys: true });
  const at = (offset: number | undefined): Located => {
    if (offset === undefined) return { line: null, column: null };
    const { line, col } = counter.linePos(offset);
    return { line, column: col };
  };
  const locate = (path: readonly PropertyKey[]): Located => {
    for (let depth = path.length; depth > 0; depth--) {
      const node: unknown = document.getIn(path.slice(0, depth), true);
      const place = isCollection(node) && !node.flow ? keyAt(document, path.slice(0, depth)) : node;
      if (isNode(place) && place.range) return at(place.range[0]);
    }
    return { line: 1, column: 1 };
  };
  const placeOf = (path: readonly PropertyKey[]): FilePosition | null => {
    for (let depth = 1; depth <= path.length; depth++) {
      const node: unknown = document.getIn(path.slice(0, depth), true);
      const range = (node as { range?: [number, number, number] } | undefined)?.range;
      if (range && (depth === path.length || isAlias(node))) {
        const { line, col } = counter.linePos(range[0]);
        return { line, column: col };
      }
    }
    return null;
  };
  const locatePath = (path: string): Located =>
    locate(path.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part)));
  const refused = (findings: readonly ConfigFinding[]): Inspected => ({
    config: null,
    parsed: null,
    findings,
    locate: locatePath,
    placeOf,
    objective: null,
  });
  const broken = document.errors[0];
  if (broken) {
    const place = at(broken.pos[0]);
    return refused([problem({ path: "(file)", ...place, message: notYaml(broken.message, lineOf(text, place)) })]);
  }
  const values = valuesOf(document);
  if (!values.ok) return refused([problem({ path: "(file)", line: 1, column: 1, message: values.error })]);
  if (document.contents === null) return refused([problem({ path: "(file)", line: 1, column: 1, message: EMPTY })]);
  const parsed = ConfigSchema.safeParse(withObjective(values.value));
  if (!parsed.success) {
    return refused(parsed.error.issues.flatMap((issue) => describe(issue, values.value, locate)).map(problem));
  }
  const findings = ruleBreaches(parsed.data).map((breach) => ({
    ...breach,
    ...locatePath(breach.path),
    message: describeBreach(breach),
  }));
  const fit = findings.every(({ severity }) => severity !== "error");
  const config = deepFreeze(parsed.data);
  return {
    config: fit ? config : null,
    parsed: config,
    findings,
    locate: locatePath,
    placeOf,
    objective: objectiveOf(values.value),
  };
}

/** The configuration of a text, or the errors that forbid its use. */
export function readConfig(text: string): Result<Config, readonly ConfigProblem[]> {
  const { config, findings } = inspectConfig(text);
  return config ? ok(config) : err(findings.filter(({ severity }) => severity === "error"));
}

/** `config/agent.yaml:12:3 risk.warnUsdt: ...`, one line a problem. */
export const describeConfigProblem = (file: string, problem: ConfigProblem): string =>
  `${file}${problem.line === null ? "" : `:${problem.line}:${problem.column}`} ${printable(problem.path, MESSAGE_LONGEST)}: ${problem.message}`;

/** Decimals are immutable already. */
function deepFreeze<T>(value: T): T {
  if (value && typeof value === "object" && !Decimal.isDecimal(value)) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}
