/**
 * How a server reads raw parameters: it turns spellings into the documents' own, drops unknown parameters, then applies
 * the endpoint's schema. The error names the field, the value found and the rule it breaks.
 */
import { z } from "zod";
import { err, ok, type Result } from "../core/result.ts";
import type { Endpoint } from "./endpoint.ts";
import { SYMBOL_RULE } from "./request-fields.ts";

/** The one parameter that a refusal names; others may be wrong too. */
export interface RequestFault {
  readonly field: string;
  /** The value as JSON, shortened; "nothing" when the field is absent. */
  readonly found: string;
  readonly rule: string;
  /** 400009 for a malformed symbol, 400001 for the rest. Records §2. */
  readonly code: 400001 | 400009;
}

const ANYTHING = z.unknown();

type Asked = Pick<Endpoint, "request"> & Pick<Partial<Endpoint>, "normalize">;

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === "";

/**
 * Absent, null and empty values count as not given: clients leave them out of the request and the signature (records
 * §1.2).
 */
function knownOnly(params: Readonly<Record<string, unknown>>, request: z.ZodType): Record<string, unknown> {
  const known = request instanceof z.ZodObject ? Object.keys(request.shape) : Object.keys(params);
  const result: Record<string, unknown> = {};
  for (const field of known) {
    if (Object.hasOwn(params, field) && !isAbsent(params[field])) result[field] = params[field];
  }
  return result;
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function faultOf(params: Readonly<Record<string, unknown>>, issue: z.core.$ZodIssue): RequestFault {
  const field = issue.path.length > 0 ? String(issue.path[0]) : "parameters";
  const found = field === "parameters" ? params : params[field];
  const malformedSymbol = typeof found === "string" && issue.message.endsWith(SYMBOL_RULE);
  return { field, found: shown(found), rule: `must be ${issue.message}`, code: malformedSymbol ? 400009 : 400001 };
}

/** A malformed symbol is named before everything else (order of checks, records §5.1 rule 7 [guess]). */
export function parseRequest<E extends Asked>(
  endpoint: E,
  rawParams: Readonly<Record<string, unknown>>,
): Result<z.output<E["request"]>, RequestFault> {
  const given = knownOnly(rawParams, ANYTHING);
  const params = knownOnly(endpoint.normalize ? endpoint.normalize(given) : given, endpoint.request);
  const parsed = endpoint.request.safeParse(params);
  if (parsed.success) return ok(parsed.data as z.output<E["request"]>);
  const faults = parsed.error.issues.map((issue) => faultOf(params, issue));
  const fault = faults.find((candidate) => candidate.code === 400009) ?? faults[0];
  return err(fault ?? { field: "parameters", found: shown(params), rule: "must be valid", code: 400001 });
}

/** One sentence for the `message` of a refusal. */
export const describeFault = (fault: RequestFault): string => `${fault.field} ${fault.rule}, found ${fault.found}`;
