/**
 * Validates an input against its capability's schema: all problems in one message, each with field, rule and, for a
 * misspelt name, the nearest known one. Spec: 3 §4.1, §7.2; records §17.4.
 */
import type { z } from "zod";
import { issuesText } from "../../core/issues.ts";
import { nearestWord } from "../../core/nearest.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { ORDER_ID_PATTERN } from "../../domain/order.ts";
import type { Capability } from "./capability.ts";
import { type Face, type Failure, failure, invalidInput } from "./statuses.ts";

type Input = Readonly<Record<string, unknown>>;

/** Fields that people are likely to try and that the capability refuses for a reason. Records §17.4. */
const SPECIAL: Readonly<Record<string, string>> = {
  "position.close side": "side is not accepted: a close takes the opposite side of the position",
  "position.close quantity": "quantity is not accepted: a close closes the whole position",
};

function unknownField(capability: Capability, field: string): string {
  const special = SPECIAL[`${capability.id} ${field}`];
  if (special) return special;
  const near = nearestWord(field, Object.keys(capability.input.shape));
  return `unknown field ${field}${near ? `, did you mean ${near}?` : ""}`;
}

const LONGEST = 40;
/** A secret is recognised only whole: a long text is not shown in part. */
const isLong = (value: unknown): boolean => String(value).length > LONGEST;

function problemsOf(capability: Capability, issue: z.core.$ZodIssue, input: Input): string[] {
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownField(capability, key));
  const [field = "input"] = issue.path;
  const value = input[String(field)];
  if (value === undefined) return [`${String(field)} is required`];
  return [issuesText([issue], isLong(value) ? undefined : input)];
}

/** Null and empty text count as absent. */
const present = (input: Input): Input =>
  Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== null && value !== undefined && value !== ""),
  );

function missingChoice(capability: Capability, input: Input): string[] {
  const { needsOneOf = [], needsUnless = [] } = capability;
  const needed = needsUnless.filter(({ unless }) => input[unless.field] !== unless.is).map(({ oneOf }) => oneOf);
  return [...needsOneOf, ...needed]
    .filter((fields) => fields.every((field) => input[field] === undefined))
    .map((fields) => (fields.length === 1 ? `${fields[0]} is required` : `one of ${fields.join(", ")} is required`));
}

/** The service's ids have 16 digits and a code of their own. Spec: 3 §4.4 rule 2. */
function badOrderId(input: Input): Failure | null {
  for (const field of ["orderId", "algoOrderId", "attachedOrderId"]) {
    const value = input[field];
    if (typeof value !== "string" || ORDER_ID_PATTERN.test(value)) continue;
    const found = isLong(value) ? `${value.length} characters` : JSON.stringify(value);
    return failure("INVALID_INPUT", "00002", `${field} must be 16 digits, found ${found}`);
  }
  return null;
}

const whereToRead = ({ command, tool }: Capability, face: Face): string =>
  face === "tool-server"
    ? `the inputSchema of ${tool ?? command.join("/")} in tools/list`
    : `svc ${command.join(" ")} --help`;

/** The handler's input, or every error in it; the hint suits the calling face. */
export function validInput(
  capability: Capability,
  given: unknown,
  face: Face = "command-line",
): Result<Input, Failure> {
  if (given === null || typeof given !== "object" || Array.isArray(given)) {
    return err(invalidInput("the input must be a JSON object"));
  }
  const input = present(given as Input);
  const parsed = capability.input.safeParse(input);
  const problems = [
    ...(parsed.success ? [] : parsed.error.issues.flatMap((issue) => problemsOf(capability, issue, input))),
    ...missingChoice(capability, input),
  ];
  if (problems.length > 0 || !parsed.success) {
    return err(invalidInput(`${capability.id}: ${problems.join("; ")}`, whereToRead(capability, face)));
  }
  const badId = badOrderId(parsed.data);
  return badId ? err(badId) : ok(parsed.data);
}
