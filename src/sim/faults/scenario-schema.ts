/** The JSON Schema of scenario files, for editors: each fault by its name, with parameters of its own. */
import { z } from "zod";
import type { AnyFault } from "./fault.ts";
import { scenarioSchema } from "./scenario.ts";

/** A schema in the draft that editors read. */
type Schema = z.core.JSONSchema.JSONSchema;

/** Its name in `config/`. */
export const SCENARIO_SCHEMA_FILE = "scenario.schema.json";

const paramsOf = ({ name, paramsSchema }: AnyFault): Schema => {
  const params = { ...(paramsSchema as Schema) };
  delete params.$schema;
  return { if: { properties: { fault: { const: name } }, required: ["fault"] }, then: { properties: { params } } };
};

export function scenarioFileSchema(faults: readonly AnyFault[]): Schema {
  const schema = z.toJSONSchema(scenarioSchema, { io: "input", target: "draft-7" }) as Schema;
  const step = (schema.properties?.["faults"] as Schema).items as Schema;
  const named = faults.map((fault): Schema => ({ const: fault.name, description: fault.description }));
  step.properties = { ...step.properties, fault: { description: "Its name.", anyOf: named } };
  step.allOf = faults.map(paramsOf);
  return { title: "Scenario of the simulated service", ...schema };
}
