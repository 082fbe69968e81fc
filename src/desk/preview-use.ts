/**
 * Whether a preview can be submitted: once, before it expires, in its own runtime, for its own action, with its own
 * token. The desk checks before every submit; a face checks before it reads from the venue. Spec: 3 §3.1.
 */
import { err, ok, type Result } from "../core/result.ts";
import type { DeskAction } from "./action.ts";
import type { Preview } from "./preview.ts";
import { refuse, type Refusal } from "./refusal.ts";

/** The claims of a submit about its preview. */
export interface PreviewUse {
  readonly previewId: string;
  /** The preview's submit token; empty if none was given. */
  readonly token: string;
  readonly runtime: string;
  readonly action: DeskAction["kind"];
  readonly nowMs: number;
}

/** The preview, or the first rule that forbids its use. `preview` is undefined if the id is unknown. */
export function findUsable(preview: Preview | undefined, use: PreviewUse): Result<Preview, Refusal> {
  const { token, runtime, action, nowMs } = use;
  if (token === "") return err(refuse("token-missing", "continueConsentId, the preview's submit token, is missing"));
  if (!preview) {
    return err(refuse("preview-missing", `there is no preview "${use.previewId}"; every write is previewed first`));
  }
  if (preview.runtime !== runtime) {
    const text = `the preview was made by the ${preview.runtime}; preview and submit need one runtime`;
    return err(refuse("other-runtime", text));
  }
  if (preview.action !== action) return err(refuse("preview-mismatch", `the preview is for ${preview.action}`));
  if (preview.submitted) {
    return err(refuse("preview-used", `preview ${preview.previewId} was already submitted; preview again`));
  }
  const late = expired(preview, nowMs);
  if (late) return err(late);
  if (token === preview.confirmation.submitToken) return ok(preview);
  return err(refuse("token-wrong", "continueConsentId is not the preview's submit token"));
}

/** A refusal if the preview is older than five minutes, else null. */
export const expired = (preview: Preview, nowMs: number): Refusal | null =>
  nowMs < preview.expiresAtMs
    ? null
    : refuse("preview-expired", `preview ${preview.previewId} has expired; preview again`);
