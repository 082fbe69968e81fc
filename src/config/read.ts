/** From the text of a configuration file to settings, or to problems that name the place and the rule. */
import { type Document, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { type Config, ConfigSchema } from "../config.ts";
import { foundAt } from "../core/issues.ts";
import { nearestWord } from "../core/nearest.ts";
import { err, ok, type Result } from "../core/result.ts";

/** `path` is dotted, `(file)` for the whole; line and column count from 1, null where there is no place. */
export interface ConfigProblem {
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** The names that the schema knows at a path, for the hint beside an unknown one. */
function knownKeys(path: readonly PropertyKey[]): string[] {
  let schema: unknown = z.toJSONSchema(ConfigSchema, { io: "input", unrepresentable: "any" });
  for (const step of path) {
    const properties = (schema as { properties?: Record<string, unknown> }).properties;
    schema = properties?.[String(step)] ?? {};
  }
  return Object.keys((schema as { properties?: Record<string, unknown> }).properties ?? {});
}

type Located = Pick<ConfigProblem, "line" | "column">;

function describe(
  issue: z.core.$ZodIssue,
  values: unknown,
  locate: (path: readonly PropertyKey[]) => Located,
): ConfigProblem[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const hint = nearestWord(key, knownKeys(issue.path));
      return {
        path: [...issue.path, key].join("."),
        ...locate([...issue.path, key]),
        message: `unknown setting${hint ? `; did you mean ${hint}?` : ""}`,
      };
    });
  }
  const message = `${issue.message}${foundAt(values, issue.path)}`;
  return [{ path: issue.path.join(".") || "(file)", ...locate(issue.path), message }];
}

/** The plain values of a document; an alias that leads nowhere, or too many of them, shows only here. */
function valuesOf(document: Document): Result<unknown, string> {
  try {
    return ok(document.toJS({ maxAliasCount: 20 }) ?? {});
  } catch (cause) {
    return err(cause instanceof Error ? cause.message : String(cause));
  }
}

/** Reads a configuration text. Every problem names the setting, line and column, the rule it breaks, and what was found. */
export function readConfig(text: string): Result<Config, readonly ConfigProblem[]> {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, uniqueKeys: true });
  const at = (offset: number | undefined): Located => {
    if (offset === undefined) return { line: null, column: null };
    const { line, col } = counter.linePos(offset);
    return { line, column: col };
  };
  const broken = document.errors[0];
  if (broken)
    return err([{ path: "(file)", ...at(broken.pos[0]), message: broken.message.split("\n")[0] ?? "not YAML" }]);
  const locate = (path: readonly PropertyKey[]): Located => {
    for (let depth = path.length; depth > 0; depth--) {
      const node: unknown = document.getIn(path.slice(0, depth), true);
      const range = (node as { range?: [number, number, number] } | undefined)?.range;
      if (range) return at(range[0]);
    }
    return { line: 1, column: 1 };
  };
  const values = valuesOf(document);
  if (!values.ok) return err([{ path: "(file)", line: 1, column: 1, message: values.error }]);
  const parsed = ConfigSchema.safeParse(values.value);
  if (!parsed.success) return err(parsed.error.issues.flatMap((issue) => describe(issue, values.value, locate)));
  return ok(deepFreeze(parsed.data));
}

/** `config/agent.yaml:12:3 risk.warnUsdt: ...`, one line a problem. */
export const describeConfigProblem = (file: string, problem: ConfigProblem): string =>
  `${file}${problem.line === null ? "" : `:${problem.line}:${problem.column}`} ${problem.path}: ${problem.message}`;

function deepFreeze<T>(value: T): T {
  if (value && typeof value === "object") {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}
