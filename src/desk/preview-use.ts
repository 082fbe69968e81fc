/**
 * Whether a preview can be submitted: once, while it is fresh, in the runtime that made it, for its own action, with its
 * own token. The desk asks before every submit; a face asks before it reads anything from the venue. Spec: 3 §3.1.
 */
import { err, ok, type Result } from "../core/result.ts";
import type { DeskAction } from "./action.ts";
import type { Preview } from "./preview.ts";
import { refuse, type Refusal } from "./refusal.ts";

/** What a submit says of the preview that it wants to carry out. */
export interface PreviewUse {
  readonly previewId: string;
  /** The preview's submit token; empty where none was given. */
  readonly token: string;
  readonly runtime: string;
  readonly action: DeskAction["kind"];
  readonly nowMs: number;
}

/** The preview of that id, or the first rule that forbids its use. `preview` is undefined where there is none. */
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

/** Previews live for five minutes. */
export const expired = (preview: Preview, nowMs: number): Refusal | null =>
  nowMs < preview.expiresAtMs
    ? null
    : refuse("preview-expired", `preview ${preview.previewId} has expired; preview again`);
