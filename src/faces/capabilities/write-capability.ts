/** How a write target becomes a capability, and how its preview does. Spec: 3 §4.3; records §17.5. */
import { z } from "zod";
import type { ActionKind } from "../../desk/action.ts";
import { type Capability, capability, type RiskLevel } from "../contract/capability.ts";
import * as fields from "./fields.ts";
import { type WriteInput, previewWrite } from "./writes/preview.ts";
import { submitWrite } from "./writes/submit.ts";
import type { WriteTarget } from "./writes/target.ts";

const submitExample = { previewId: "rpv_…", continueConsentId: "confirm_rpv_…" };

/** Fields of a preview besides the business fields. Records §17.5. */
export const previewExtras = {
  ...fields.consentFields,
  explicitUserConsent: fields.flag("A note; only the submit token counts.").optional(),
  acceptedRiskText: fields.text("A note.").optional(),
};

/** The token in it lets the write be submitted once. */
export const previewOutput = z.looseObject({
  previewId: z.string(),
  businessParams: z.looseObject({}),
  riskNotes: z.array(z.string()),
  expiresAt: z.string(),
  confirmation: z.looseObject({ submitToken: z.string(), requiredFields: z.array(z.string()) }),
});

const needsOf = ({ needsOneOf, needsUnless }: WriteTarget): Pick<WriteTarget, "needsOneOf" | "needsUnless"> => ({
  ...(needsOneOf ? { needsOneOf } : {}),
  ...(needsUnless ? { needsUnless } : {}),
});

/** A close is a MARKET order that the service creates. */
const PLACES_ORDER: ReadonlySet<string> = new Set<ActionKind>([
  "order.place",
  "algo.place",
  "position.close",
  "position.close-all",
]);

interface Submit {
  readonly target: WriteTarget;
  readonly summary: string;
  readonly inputName: string;
  readonly outputName: string;
  readonly risk?: RiskLevel;
  readonly output?: z.ZodType;
  readonly example: WriteInput;
}

/** The write itself, which takes the token of its preview. */
export const submit = ({ target, summary, inputName, outputName, risk, output, example }: Submit): Capability =>
  capability({
    id: target.id,
    command: target.id.split("."),
    summary,
    operationType: "TRADE_WRITE",
    riskLevel: risk ?? "trade-write",
    inputName,
    input: z.strictObject({
      ...target.shape,
      ...fields.submitFields,
      automationSessionId: fields.text("Not needed; if given, it must be the preview's session.").optional(),
    }),
    ...needsOf(target),
    outputName,
    output: output ?? fields.restEnvelope,
    previewRequired: true,
    containsRealOrder: PLACES_ORDER.has(target.id),
    requiresExplicitHumanConfirmation: true,
    example: { ...example, ...submitExample },
    run: (call, input) => submitWrite(call, target, input),
  });

interface PreviewOf {
  readonly target: WriteTarget;
  readonly summary: string;
  readonly inputName: string;
  readonly outputName: string;
  readonly example: WriteInput;
}

/** Checks the write and answers with the token. */
export const previewOf = ({ target, summary, inputName, outputName, example }: PreviewOf): Capability =>
  capability({
    id: `${target.id}-preview`,
    command: `${target.id}-preview`.split("."),
    summary,
    operationType: "TRADE_WRITE",
    riskLevel: "trade-write",
    inputName,
    input: z.strictObject({ ...target.shape, ...previewExtras }),
    ...needsOf(target),
    outputName,
    output: previewOutput,
    example,
    run: (call, input) => previewWrite(call, target, input),
  });
