/**
 * Submit of any write: finds the preview of this runtime with these parameters (otherwise BLOCKED), submits through the
 * desk, and reads back. A write without an answer is NOT_VERIFIED, with the result of a look-up. Spec: 3 §3.1, §4 end, §7.
 */
import { err, ok, type Result } from "../../../core/result.ts";
import type { Outcome } from "../../../core/outcome.ts";
import type { Preview } from "../../../desk/preview.ts";
import { findUsable } from "../../../desk/preview-use.ts";
import { refuse } from "../../../desk/refusal.ts";
import { blocked, type Failure, refusalFailure, writeFailure } from "../../contract/statuses.ts";
import type { Answer, Call } from "../../contract/capability.ts";
import { envelopeOf } from "../read.ts";
import { type Business, businessOf, differingFields } from "./business.ts";
import { previewedParams, type WriteInput } from "./preview.ts";
import type { DoneAt, WriteTarget } from "./target.ts";

/** Checked before anything is planned or read; the desk checks it again. */
async function previewOf({ client }: Call, target: WriteTarget, input: WriteInput): Promise<Result<Preview, Failure>> {
  const previewId = String(input.previewId ?? "");
  const found = findUsable(await client.previews.get(previewId), {
    previewId,
    token: String(input.continueConsentId ?? ""),
    runtime: client.face,
    action: target.id,
    nowMs: client.env.clock.nowMs(),
  });
  return found.ok ? found : err(refusalFailure(found.error));
}

/** Compares the submitted parameters with the previewed ones, field by field. */
function differences(call: Call, preview: Preview, business: Business): Failure | null {
  const previewed = previewedParams(call.client.documents, preview.previewId) ?? preview.businessParams;
  const fields = differingFields(previewed, business.params);
  if (fields.length === 0) return null;
  return refusalFailure(
    refuse(
      "preview-mismatch",
      `${fields.join(", ")} ${fields.length === 1 ? "differs" : "differ"} from the preview; preview again`,
    ),
  );
}

async function settled(at: DoneAt, target: WriteTarget, outcome: Outcome<unknown>): Answer {
  if (outcome.kind === "unknown") {
    const found = await target.lookUp(at);
    return err({ ...writeFailure(outcome), data: { confirmed: false, lookedUp: found } });
  }
  if (outcome.kind !== "done") return err(writeFailure(outcome));
  const { data, failure } = await target.readBack(at);
  return failure ? err({ ...failure, data }) : ok(data);
}

/** Carries out a preview, once. */
export async function submitWrite(call: Call, target: WriteTarget, input: WriteInput): Answer {
  const { client } = call;
  const forbidden = client.writesForbidden();
  if (forbidden) return err(blocked("21001", forbidden));
  const preview = await previewOf(call, target, input);
  if (!preview.ok) return preview;
  const business = businessOf(input);
  const differing = differences(call, preview.value, business);
  if (differing) return err(differing);
  const service = client.service();
  if (!service.ok) return service;
  const planned = await target.plan({ call, service: service.value, input: business, previewing: false });
  if (!planned.ok) return planned;
  const { action } = planned.value;
  const session = input["automationSessionId"];
  const result = await client.desk.submit({
    previewId: preview.value.previewId,
    continueConsentId: String(input["continueConsentId"]),
    action,
    ...(typeof session === "string" ? { automationSessionId: session } : {}),
    recheck: () => (call.signal.aborted ? "the call was cancelled before anything was sent" : null),
    beforeWire: () => void (call.seen.left = true),
  });
  if (result.kind === "blocked") return err(refusalFailure(result.refusal));
  const { outcome } = result;
  if (outcome.kind === "done" || outcome.kind === "rejected") call.seen.real = true;
  const reply = outcome.kind === "done" ? outcome.value : undefined;
  const answer = envelopeOf(outcome.kind === "done" ? (outcome.answer ?? outcome.value ?? {}) : {});
  return settled({ call, service: service.value, action, reply, answer }, target, outcome);
}
