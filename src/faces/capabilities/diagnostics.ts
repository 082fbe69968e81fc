/** Discovery and diagnostics: schema, self-check, doctor, auth, invocation and update checks. Spec: 3 §4.1. */
import { z } from "zod";
import { err, ok } from "../../core/result.ts";
import { blocked, failure } from "../contract/statuses.ts";
import {
  type Answer,
  type Call,
  capability,
  type Capability,
  SCHEMA_VERSION,
  SKILLS_SCHEMA_VERSION,
  SKILLS_VERSION,
} from "../contract/capability.ts";
import * as fields from "./fields.ts";
import { complianceOf } from "./invocation.ts";
import { commandListing, toolListing } from "./listing.ts";
import { readRest } from "./read.ts";
import { reportFailure, selfCheck } from "./self-check.ts";
import { updateCheck } from "./updates.ts";

const report = z.looseObject({ status: z.string() });
const lineFields = {
  commandLine: fields.text("The command line to check.").optional(),
  preflightError: fields.text("What went wrong before the command ran.").optional(),
};

/** The first missing credential, in the document's order; null if none is missing. */
function credentialGap({ client }: Call) {
  const { SVC_ACCESS_KEY, SVC_SECRET_KEY, SVC_API_HOST, problems } = client.credentials;
  if (problems[0] !== undefined) return failure("NOT_VERIFIED", "01001", problems.join("; "));
  if (!SVC_ACCESS_KEY || !SVC_SECRET_KEY) {
    const names = [SVC_ACCESS_KEY ? "" : "SVC_ACCESS_KEY", SVC_SECRET_KEY ? "" : "SVC_SECRET_KEY"].filter(Boolean);
    return failure("NOT_VERIFIED", "01001", `credentials are missing: ${names.join(", ")}`);
  }
  return SVC_API_HOST ? null : failure("NOT_VERIFIED", "01003", "the API host is missing: SVC_API_HOST");
}

async function authCheck(call: Call): Answer {
  const gap = credentialGap(call);
  if (gap) return err(gap);
  const { maskedAccessKey } = call.client.credentials;
  const answer = await readRest(call, "positions", {});
  return answer.ok ? ok({ status: "PASS", maskedAccessKey }) : err({ ...answer.error, data: { maskedAccessKey } });
}

function compatibility(version: string) {
  const own = (name: string, expected: string) => ({
    name,
    status: "PASS",
    expected,
    actual: expected,
    message: "ok",
  });
  // Skills are installed in the model's host, which this program cannot inspect.
  const notVisible = (name: string, expected: string) => ({
    name,
    status: "NOT_VERIFIED",
    expected,
    actual: null,
    message: "not visible from here; svc update check --installed-skills-version compares your version",
  });
  return {
    cliVersion: version,
    mcpSchemaVersion: SCHEMA_VERSION,
    expectedSkillsVersion: SKILLS_VERSION,
    expectedSkillsSchemaVersion: SKILLS_SCHEMA_VERSION,
    status: "NOT_VERIFIED",
    checks: [
      own("cli-version", version),
      own("mcp-schema-version", SCHEMA_VERSION),
      notVisible("skills-version", SKILLS_VERSION),
      notVisible("skills-schema-version", SKILLS_SCHEMA_VERSION),
    ],
  };
}

async function doctor(
  call: Call,
  input: { commandLine?: string | undefined; preflightError?: string | undefined },
): Answer {
  const { client } = call;
  const { digits, ...invocation } = complianceOf(input.commandLine);
  const gap = credentialGap(call);
  const { SVC_ACCESS_KEY, SVC_SECRET_KEY, SVC_API_HOST } = client.credentials;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const nodeFits = major > 20 || (major === 20 && minor >= 19);
  const data = {
    schemaVersion: SCHEMA_VERSION,
    invocation: { ...invocation, ...(digits === undefined ? {} : { code: digits }) },
    compatibility: compatibility(client.version),
    credentialSource: { SVC_ACCESS_KEY, SVC_SECRET_KEY, SVC_API_HOST },
    checks: [
      { name: "node", status: nodeFits ? "PASS" : "FAIL", message: process.versions.node },
      { name: "canonical-schema", status: "PASS", message: SCHEMA_VERSION },
      { name: "version-compatibility", status: "PASS", message: client.version },
      { name: "credential-source", status: gap ? "NOT_VERIFIED" : "PASS", message: gap?.message ?? "complete" },
      { name: "invocation", status: invocation.compliant ? "PASS" : "BLOCKED", message: invocation.reason },
    ],
    ...(input.preflightError === undefined ? {} : { preflightError: input.preflightError }),
  };
  if (!nodeFits) return err(failure("FAIL", "00001", "Node 20.19 or newer is needed", { data }));
  if (digits) return err(blocked(digits, invocation.reason, { data }));
  return gap ? err({ ...gap, data }) : ok({ status: "PASS", ...data });
}

/** A function, because the list contains the capability that lists it. */
type Registry = () => readonly Capability[];

const discoverSchema = (all: Registry): Capability =>
  capability({
    id: "schema.discover",
    command: ["schema"],
    tool: "svc/tools",
    summary: "List all capabilities with their input schemas.",
    operationType: "READ",
    riskLevel: "read",
    inputName: "SchemaQuery",
    input: z.strictObject({
      consumer: fields.text("Name of the caller.").optional(),
      consumerVersion: fields.text("Its version.").optional(),
      includeExamples: fields.flag("Include an example input for each.").optional(),
    }),
    outputName: "SchemaResult",
    output: z.looseObject({ schemaVersion: z.string() }),
    run: async ({ client }, { includeExamples }) =>
      ok(client.face === "command-line" ? commandListing(all(), includeExamples) : toolListing(all())),
  });

const runSelfCheck = (all: Registry): Capability =>
  capability({
    id: "self-check.run",
    command: ["self-check"],
    summary: "Probe the service with these credentials, read-only.",
    operationType: "READ",
    riskLevel: "read",
    inputName: "SelfCheckInput",
    input: z.strictObject({ readOnly: fields.flag("Always so; accepted for clarity.").optional() }),
    outputName: "SelfCheckReport",
    output: report,
    run: async (call) => {
      const gap = credentialGap(call);
      if (gap)
        return err({ ...gap, data: { status: "NOT_VERIFIED", checks: [], notVerifiedItems: ["credential-auth"] } });
      const found = await selfCheck(call, all().length);
      return found.status === "PASS" ? ok(found) : err(reportFailure(found));
    },
  });

const runDoctor = capability({
  id: "doctor.run",
  command: ["doctor"],
  tool: null,
  summary: "Diagnosis of this machine: versions, presence of credentials, invocation.",
  operationType: "DIAGNOSTIC",
  riskLevel: "read",
  inputName: "DoctorInput",
  input: z.strictObject(lineFields),
  outputName: "DoctorReport",
  output: report,
  run: doctor,
});

const checkAuth = capability({
  id: "auth.check",
  command: ["auth", "check"],
  tool: null,
  summary: "Whether the credentials exist and are accepted, without printing them.",
  operationType: "DIAGNOSTIC",
  riskLevel: "read",
  inputName: "AuthInput",
  input: z.strictObject({
    source: fields.text("A note on where the credentials come from.").optional(),
    credentialSource: fields.text("The same.").optional(),
  }),
  outputName: "AuthResult",
  output: report,
  run: authCheck,
});

const checkInvocation = capability({
  id: "invocation.check",
  command: ["invocation", "check"],
  tool: null,
  summary: "Whether a command line is a plain svc call.",
  operationType: "DIAGNOSTIC",
  riskLevel: "read",
  inputName: "InvocationCheckInput",
  input: z.strictObject(lineFields),
  outputName: "InvocationCompliance",
  output: z.looseObject({ compliant: z.boolean(), reason: z.string() }),
  example: { commandLine: "svc market get-ticker --symbol BTCUSDT --json" },
  run: async (_call, { commandLine }) => {
    const { digits, ...found } = complianceOf(commandLine);
    return digits ? err(blocked(digits, found.reason, { data: { ...found, code: digits } })) : ok(found);
  },
});

const checkUpdates = capability({
  id: "update.check",
  command: ["update", "check"],
  summary: "Versions of client, schema and skills, and whether newer ones exist.",
  operationType: "DIAGNOSTIC",
  riskLevel: "read",
  inputName: "UpdateCheckInput",
  input: z.strictObject({
    force: fields.flag("Ask the source again.").optional(),
    manifestUrl: fields.text("Address of the release manifest, https.").optional(),
    maxCacheAgeSeconds: fields.whole(0, 31_536_000, "Greatest accepted age of a cached answer.").optional(),
    installedSkillsVersion: fields.text("Your installed skills version.").optional(),
  }),
  outputName: "UpdateCheckResult",
  output: report,
  run: updateCheck,
});

/** Those that need no other capability. */
export const checks: readonly Capability[] = [runDoctor, checkAuth, checkInvocation, checkUpdates];

/** The capabilities that show what works here. `all` returns the capabilities of the whole face. */
export const diagnostics = (all: Registry): readonly Capability[] => [
  discoverSchema(all),
  runSelfCheck(all),
  ...checks,
];
