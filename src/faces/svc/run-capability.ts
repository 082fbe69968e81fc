/**
 * One call from either face: makes symbols canonical, validates, runs the handler, wraps the answer in the envelope,
 * masks and audits it. Exceptions inside become failures. Spec: 3 §2.1, §7.
 */
import { err, ok, type Result } from "../../core/result.ts";
import type { Call, Capability } from "../contract/capability.ts";
import type { Client } from "../contract/client.ts";
import { type Auditing, type AuditRow, beginAudit } from "../contract/audit.ts";
import { type Circumstances, type Envelope, failed, passed } from "../contract/envelope.ts";
import { cleanValue } from "../contract/mask.ts";
import { blocked, type Failure, failure, invalidInput } from "../contract/statuses.ts";
import { canonicalInput, hintedSymbol } from "./symbols.ts";
import { caught, thrownFailure } from "../contract/thrown.ts";
import { validInput } from "../contract/validate.ts";

/** `signal` aborts reads of the market, and a submit that has not been sent yet. */
export interface Invocation {
  readonly client: Client;
  /** The command as called, for the evidence: `svc order query`. */
  readonly called: string;
  readonly signal: AbortSignal;
  readonly progress?: Call["progress"];
  /** Receives the finished audit row. */
  readonly onAudit?: (row: AuditRow) => void;
  /** Receives how an input was completed; the evidence contains the same. */
  readonly onNote?: (note: string) => void;
}

type Input = Readonly<Record<string, unknown>>;

/** No input of a capability has more than a few levels; code that walks thousands runs out of stack. */
const LEVELS_MAX = 32;
/** Stands for an input with more levels, also in the audit log. */
const TOO_DEEP = `(an input of more than ${LEVELS_MAX} levels)`;

const deeperThan = (value: unknown, levels: number): boolean =>
  value !== null &&
  typeof value === "object" &&
  (levels === 0 || Object.values(value).some((member) => deeperThan(member, levels - 1)));

/** A missing preview or token is the first error of a submit, unless the input has unknown fields. */
function bareSubmit(capability: Capability, given: unknown): Failure | null {
  if (!capability.previewRequired || given === null || typeof given !== "object") return null;
  const input = given as Input;
  const lacks = (field: string): boolean => [undefined, null, ""].includes(input[field] as string | null | undefined);
  if (!lacks("previewId") && !lacks("continueConsentId")) return null;
  if (Object.keys(input).some((field) => !Object.hasOwn(capability.input.shape, field))) return null;
  return lacks("previewId")
    ? blocked("20002", "PREVIEW_REQUIRED: every write is previewed first; previewId is missing")
    : blocked("20002", "CONSENT_MISSING: continueConsentId, the preview's confirmation.submitToken, is missing");
}

function prepared(
  capability: Capability,
  given: unknown,
  client: Client,
  note: (note: string) => void,
): Result<Input, Failure> {
  if (given === TOO_DEEP)
    return err(
      invalidInput(`${capability.id}: the input has more than ${LEVELS_MAX} levels of objects or lists; write it flat`),
    );
  const bare = bareSubmit(capability, given);
  if (bare) return err(bare);
  if (given === null || typeof given !== "object" || Array.isArray(given))
    return validInput(capability, given, client.face);
  const canonical = canonicalInput(given as Input, client.exchanges);
  if (!canonical.ok) return canonical;
  canonical.value.completed.forEach(note);
  return validInput(capability, canonical.value.input, client.face);
}

async function handled(
  capability: Capability,
  call: Call,
  given: unknown,
  note: (note: string) => void,
): Promise<Result<unknown, Failure>> {
  const input = prepared(capability, given, call.client, note);
  const answer = input.ok ? await caught(call, () => capability.run(call, input.value)) : input;
  return answer.ok ? answer : err(hintedSymbol(answer.error, given, call.client.exchanges));
}

/** A call that cannot be recorded beforehand is not made. */
function audited(client: Client, capability: Capability, given: unknown): Result<Auditing, Failure> {
  try {
    return ok(beginAudit(client, capability, given));
  } catch (error) {
    const { status, digits, message } = thrownFailure(error);
    return err(status === "BLOCKED" ? blocked(digits, message) : failure("FAIL", "26008", `no audit row: ${message}`));
  }
}

/** Writes the row of the ended call. A write already has its STARTED row, so a full disk loses only the result. */
function conclude(audit: Auditing, envelope: Envelope, onAudit: Invocation["onAudit"]): void {
  try {
    const row = audit.end(envelope);
    onAudit?.(row);
  } catch {
    // The answer matters more than its row.
  }
}

/** Runs the capability and returns the masked envelope. Never throws because of the handler. */
export async function runCapability(capability: Capability, input: unknown, at: Invocation): Promise<Envelope> {
  const given = deeperThan(input, LEVELS_MAX) ? TOO_DEEP : input;
  const { client, called, signal } = at;
  const seen = { real: false, left: false };
  const progress = at.progress ?? (() => undefined);
  const circumstances = (auditId: string | null): Circumstances => {
    const atMs = client.env.clock.nowMs();
    return { face: client.face, called, real: seen.real, atMs, auditId, notes };
  };
  const notes: string[] = [];
  const audit = audited(client, capability, given);
  if (!audit.ok) return failed(audit.error, circumstances(null));
  const { auditId } = audit.value;
  const answer = await handled(capability, { client, signal, seen, progress }, given, (note) => {
    notes.push(note);
    at.onNote?.(note);
  });
  const envelope = answer.ok
    ? passed(answer.value, circumstances(auditId))
    : failed(answer.error, circumstances(auditId));
  const clean = cleanValue(envelope, client.redact) as Envelope;
  conclude(audit.value, clean, at.onAudit);
  return clean;
}
