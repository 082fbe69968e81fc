/**
 * Turns a model's text into a value that passes the reply schema, or a reason why not. Text around the single object
 * is tolerated; two objects, a cut object or a broken rule are not. Faults L9, L11; lessons #5; invariant I22.
 */
import type { z } from "zod";
import { err, ok, type Result } from "../../core/result.ts";
import { scanObject } from "./json-scan.ts";

/** Requirements for the JSON object that answers this question. */
export interface ReplyRules {
  readonly schema: z.ZodType;
  /** The word that a member `echo` must repeat, which proves that the answer belongs to this question. */
  readonly echo: string;
  /** The fence word around hostile text; a reply that contains it repeats untrusted text. */
  readonly canary: string;
}

/** A longer answer is refused without parsing. */
export const REPLY_MAX_CHARS = 64 * 1024;

/** A thinking block before the answer, in the tags that models use. */
const THINKING = /^\s*<(think|thinking|reasoning|reflection)>[\s\S]*?(?:<\/\1>|$)/i;

/** The value, or one sentence on the error that a model can act on. Never throws. */
export function readReply(text: string, rules: ReplyRules): Result<unknown, string> {
  if (text.length > REPLY_MAX_CHARS) return err(`the answer is longer than ${REPLY_MAX_CHARS} characters`);
  if (rules.canary !== "" && text.includes(rules.canary)) return err("the answer repeats the fence word");
  const found = oneObject(text.replace(THINKING, ""));
  if (!found.ok) return found;
  const parsed = validate(rules.schema, found.value);
  if (!parsed.ok) return parsed;
  // The echo is present only if the schema asks for it.
  const echo = isFields(parsed.value) ? parsed.value["echo"] : undefined;
  if (typeof echo === "string" && echo !== rules.echo)
    return err("`echo` does not repeat the echo word of this question");
  return parsed;
}

const isFields = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** A brace that may start an object: empty, or a key with its colon. Other braces in prose are skipped cheaply. */
const BEGINNING = /\{\s*(?:\}|"(?:[^"\\]|\\.)*"\s*:)/g;

function nextBeginning(text: string, from: number): number {
  BEGINNING.lastIndex = from;
  return BEGINNING.exec(text)?.index ?? -1;
}

/** The only JSON object in a text. */
export function oneObject(text: string): Result<Readonly<Record<string, unknown>>, string> {
  let only: Readonly<Record<string, unknown>> | null = null;
  for (let at = nextBeginning(text, 0); at >= 0;) {
    const scanned = scanObject(text, at);
    if (scanned.ok) {
      if (only) return err("there are two JSON objects; exactly one is expected");
      only = scanned.value.value;
      at = nextBeginning(text, scanned.value.end);
    } else if (scanned.error.kind === "no-object") {
      at = nextBeginning(text, at + 1);
    } else {
      return err(
        scanned.error.kind === "cut" ? `the object is cut off: ${scanned.error.message}` : scanned.error.message,
      );
    }
  }
  return only ? ok(only) : err("the answer contains no JSON object");
}

const PROBLEMS_MAX = 5;

function validate(schema: z.ZodType, value: unknown): Result<unknown, string> {
  try {
    const parsed = schema.safeParse(value);
    if (parsed.success) return ok(parsed.data);
    const problems = parsed.error.issues.slice(0, PROBLEMS_MAX).map((issue) => {
      const path = issue.path.map(String).join(".");
      return path ? `${path}: ${issue.message}` : issue.message;
    });
    return err(problems.join("; "));
  } catch (error) {
    return err(`the schema could not check the answer: ${error instanceof Error ? error.message : "it threw"}`);
  }
}
