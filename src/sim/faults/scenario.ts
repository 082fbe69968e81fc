/**
 * Scenarios: a sequence of faults and events with their times, loaded from a YAML file and played once. Times count
 * from the start of the service.
 */
import { readFileSync } from "node:fs";
import { type Document, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { issuesText } from "../../core/issues.ts";
import type { Log } from "../../core/log.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { span } from "../../core/setting-fields.ts";
import type { FaultBoard } from "./board.ts";
import type { AnyFault } from "./fault.ts";

const step = z.strictObject({
  at: span("Start of the step, counted from the start of the service: 30s, 5m."),
  fault: z.string().min(1).describe("Its name."),
  params: z.record(z.string(), z.unknown()).default({}).describe("Its parameters, each with a default."),
  for: span("How long it lasts; by default until the service ends.").optional(),
});

const scale = (what: string) => z.number().gt(0).max(100).default(1).describe(what);
/** Figures multiply the profile's: see `reference-prices.ts`. */
const market = z.strictObject({
  volatility: z.number().min(0.001).max(100).default(1).describe("Factor of the profile's volatility."),
  spread: scale("Factor of the profile's spread."),
  depth: scale("Factor of the profile's depth."),
  funding: z.number().min(0).max(100).default(1).describe("Factor of the profile's funding rates."),
  newsMoves: z.boolean().default(true).describe("Whether generated news may move prices."),
});

/** Strict: an unknown member is an error. Spans are text such as 500ms or 5m, and milliseconds once read. */
export const scenarioSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,60}$/, "lower-case letters, digits and dashes")
    .describe("The name of the file, without its ending."),
  description: z.string().min(10).describe("What happens, for a person."),
  seed: z.number().int().nonnegative().optional().describe("Replaces the service's own seed."),
  market: market.optional().describe("The generated market under the faults; a recorded market refuses it."),
  best: z
    .string()
    .min(20)
    .max(2_000)
    .optional()
    .describe("The best known behaviour in this market, in words; its test compares it with others."),
  faults: z.array(step).max(500).default([]).describe("What happens when."),
});
/** A parsed scenario: all defaults filled in, `at` and `for` in milliseconds of the service's clock. */
export type Scenario = z.output<typeof scenarioSchema>;

/** Reads a scenario. The error names the file, and line and field of every problem. */
export function readScenarioFile(path: string): Result<Scenario, string> {
  const counter = new LineCounter();
  let document: Document;
  let value: unknown;
  try {
    document = parseDocument(readFileSync(path, "utf8"), { lineCounter: counter });
    if (document.errors[0]) throw document.errors[0];
    value = document.toJS();
  } catch (error) {
    return err(`scenario ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = scenarioSchema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const problems = parsed.error.issues.map(
    (issue) => `line ${lineOf(document, counter, issue.path)}: ${issuesText([issue], value)}`,
  );
  return err(`scenario ${path}: ${problems.join("; ")}; correct the file, or name one of config/scenarios/`);
}

/** The line of the value at the path, or of its parent if it is missing. */
function lineOf(document: Document, counter: LineCounter, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth > 0; depth--) {
    const node = document.getIn(path.slice(0, depth), true) as { range?: [number, number, number] } | undefined;
    if (node?.range) return counter.linePos(node.range[0]).line;
  }
  return 1;
}

/** Checks the parameters of every step before the first is played, so that an error shows at the start. */
export function checkScenario(scenario: Scenario, board: FaultBoard): Result<Scenario, string> {
  const problems = scenario.faults.flatMap((step, index) => {
    const problem = board.check(step.fault, step.params);
    return problem === null ? [] : [`faults[${index}]: ${problem}`];
  });
  return problems.length === 0 ? ok(scenario) : err(`scenario ${scenario.name}: ${problems.join("; ")}`);
}

/** Sets the scenario's timers. The returned function cancels those that have not fired. */
export function playScenario(scenario: Scenario, given: { board: FaultBoard; clock: Clock; log: Log }): () => void {
  const { board, clock, log } = given;
  const stops = scenario.faults.map((step) =>
    clock.after(step.at, () => {
      const begun = board.start(step.fault, step.params, step.for ?? null);
      if (!begun.ok) log.event("warn", "sim.fault", `scenario ${scenario.name}: ${begun.error}`, { fault: step.fault });
    }),
  );
  return () => {
    for (const stop of stops) stop();
  };
}

/** A schema in the draft that editors read. */
type Schema = z.core.JSONSchema.JSONSchema;

/** The name of the schema's file in `config/`. */
export const SCENARIO_SCHEMA_FILE = "scenario.schema.json";

const paramsOf = ({ name, paramsSchema }: AnyFault): Schema => {
  const params = { ...(paramsSchema as Schema) };
  delete params.$schema;
  return { if: { properties: { fault: { const: name } }, required: ["fault"] }, then: { properties: { params } } };
};

/** The JSON schema of scenario files, for editors: each fault by name, with its own parameters. */
export function scenarioFileSchema(faults: readonly AnyFault[]): Schema {
  const schema = z.toJSONSchema(scenarioSchema, { io: "input", target: "draft-7" }) as Schema;
  const step = (schema.properties?.["faults"] as Schema).items as Schema;
  const named = faults.map((fault): Schema => ({ const: fault.name, description: fault.description }));
  step.properties = { ...step.properties, fault: { description: "Its name.", anyOf: named } };
  step.allOf = faults.map(paramsOf);
  return { title: "Scenario of the simulated service", ...schema };
}
