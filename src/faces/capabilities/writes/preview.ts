/**
 * Preview of any write: checks claims, makes the target's plan, and shows the desk's record in the document's form. It
 * sends nothing that changes the account. Spec: 3 §2.2, §2.3, §3.1; records §17.5.
 */
import { err, ok } from "../../../core/result.ts";
import { isoTime } from "../../../core/time.ts";
import type { BusinessParams } from "../../../desk/action.ts";
import type { PreviewOptions } from "../../../desk/desk.ts";
import type { Preview } from "../../../desk/preview.ts";
import { params } from "../../../rows/wire-out.ts";
import type { Documents } from "../../contract/documents.ts";
import { storedBody } from "../../contract/stored-body.ts";
import { blocked, type Failure, invalidInput, refusalFailure } from "../../contract/statuses.ts";
import {
  type Answer,
  type Call,
  SCHEMA_VERSION,
  SKILLS_SCHEMA_VERSION,
  SKILLS_VERSION,
} from "../../contract/capability.ts";
import { type Business, businessOf, contradiction } from "./business.ts";
import type { Planned, WriteTarget } from "./target.ts";

/** The caller's validated fields; an undefined field counts as absent. */
export type WriteInput = Readonly<Record<string, unknown>>;

const PREVIEW_INPUT = "preview-input";
const storedParams = params();

function keepParams(documents: Documents, { previewId, createdAtMs }: Preview, body: BusinessParams): void {
  documents.put(PREVIEW_INPUT, { id: previewId, body, atMs: createdAtMs });
  documents.forget(PREVIEW_INPUT, createdAtMs - 86_400_000);
}

/** The caller's parameters as they were previewed; undefined a day later. Throws an `UnfitDocument`. */
export function previewedParams(documents: Documents, previewId: string): BusinessParams | undefined {
  const found = documents.get(PREVIEW_INPUT, previewId);
  return found && storedBody(storedParams, PREVIEW_INPUT, found, "preview again");
}

const CLAIMS: Readonly<Record<string, string>> = {
  mcpSchemaVersion: SCHEMA_VERSION,
  skillsVersion: SKILLS_VERSION,
  skillsSchemaVersion: SKILLS_SCHEMA_VERSION,
};

function claimProblem(input: WriteInput): Failure | null {
  for (const [name, expected] of Object.entries(CLAIMS)) {
    const claimed = input[name];
    if (claimed === undefined || claimed === expected) continue;
    return blocked("30001", `INCOMPATIBLE: ${name} ${JSON.stringify(claimed)} is not ours, which is ${expected}`);
  }
  return null;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function optionsOf(input: WriteInput): PreviewOptions {
  const session = textOf(input["automationSessionId"]);
  const consentText = textOf(input["automationConsentText"]);
  const scope = textOf(input["automationScope"]);
  const single = input["automationMode"] === true;
  return {
    // A preview with its own consent must not be bound to a session silently.
    ...(session === undefined ? { bindOnlyFitting: !single } : { automationSessionId: session }),
    ...(single
      ? {
          consent: {
            automationMode: true,
            ...(consentText === undefined ? {} : { automationConsentText: consentText }),
            ...(scope === undefined ? {} : { automationScope: scope }),
          },
        }
      : {}),
  };
}

/** The record in the document's form: times as text, the service's records unchanged. */
export function previewView(
  preview: Preview,
  { warnings, ...notes }: Planned["notes"],
): Readonly<Record<string, unknown>> {
  const { automationSession: bound, automation } = preview;
  const session = bound && { ...bound, expiresAt: isoTime(bound.expiresAtMs), expiresAtMs: undefined };
  return {
    previewId: preview.previewId,
    capabilityId: preview.capabilityId,
    paramsHash: preview.paramsHash,
    businessParams: preview.businessParams,
    requestSummary: preview.requestSummary,
    riskNotes: [...preview.riskNotes, ...(warnings ?? [])],
    expiresAt: isoTime(preview.expiresAtMs),
    submitted: preview.submitted,
    status: preview.status,
    confirmation: preview.confirmation,
    ...(session ? { automationSession: session } : {}),
    ...(automation ? { automation } : {}),
    ...notes,
  };
}

function settingsProblem(call: Call, business: Business): Failure | null {
  const forbidden = call.client.writesForbidden();
  if (forbidden) return blocked("21001", forbidden);
  return business.params["orderId"] !== undefined && business.params["clientOrderId"] !== undefined
    ? blocked("00001", "ONE_ID: name the order by orderId or by clientOrderId, not by both")
    : null;
}

/** Previews the write, or returns BLOCKED with the precise reason. `options` replaces the consent in the input. */
export async function previewWrite(
  call: Call,
  target: WriteTarget,
  input: WriteInput,
  options: PreviewOptions = optionsOf(input),
): Answer {
  const contradicted = contradiction(input);
  if (contradicted !== null) return err(invalidInput(`${target.id}: ${contradicted}`));
  const business = businessOf(input);
  const problem = claimProblem(input) ?? settingsProblem(call, business);
  if (problem) return err(problem);
  const service = call.client.service();
  if (!service.ok) return service;
  const planned = await target.plan({ call, service: service.value, input: business, previewing: true });
  if (!planned.ok) return planned;
  const made = await call.client.desk.preview(planned.value.action, options);
  if (!made.ok) return err(refusalFailure(made.error));
  keepParams(call.client.documents, made.value, business.params);
  return ok(previewView(made.value, planned.value.notes));
}
