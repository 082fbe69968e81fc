/** The response envelope: one shape for every answer of both faces. Spec: 3 §2.1; records §17.3. */
import { isoTime } from "../../core/time.ts";
import { codeOf, type Details, type Face, type Failure, type Status } from "./statuses.ts";

/** What was called, without its input, or how the input was completed; and when, ISO 8601. */
export interface Evidence {
  /** Whether the service itself answered, or only this machine was asked. */
  readonly source: "local_check" | "real_tool_call";
  readonly toolOrCommandEvidence: string;
  readonly timestamp: string;
}

/** Code and message stand in failures alone; a failure may carry data as well. */
export interface Envelope {
  /** True only when status is PASS. */
  readonly ok: boolean;
  readonly status: Status;
  readonly data?: unknown;
  readonly code?: string;
  readonly message?: string;
  readonly details?: Details;
  readonly auditId?: string;
  readonly evidence: readonly Evidence[];
}

/** `real` once the service itself has answered; `auditId` is null for a call that has no row. */
export interface Circumstances {
  readonly face: Face;
  /** The command or tool as it was called, without its input. */
  readonly called: string;
  readonly real: boolean;
  readonly atMs: number;
  readonly auditId: string | null;
  /** How the input was completed. */
  readonly notes?: readonly string[];
}

const shared = ({ called, real, atMs, auditId, notes = [] }: Circumstances): Pick<Envelope, "auditId" | "evidence"> => {
  const timestamp = isoTime(atMs);
  return {
    ...(auditId === null ? {} : { auditId }),
    evidence: [
      { source: real ? "real_tool_call" : "local_check", toolOrCommandEvidence: called, timestamp },
      ...notes.map((note) => ({ source: "local_check" as const, toolOrCommandEvidence: note, timestamp })),
    ],
  };
};

/** Not masked yet: `runCapability` does that to the whole envelope. */
export const passed = (data: unknown, at: Circumstances): Envelope => ({
  ok: true,
  status: "PASS",
  data,
  ...shared(at),
});

/** The code takes the face's prefix; what was found all the same goes along as data. */
export const failed = (failure: Failure, at: Circumstances): Envelope => ({
  ok: false,
  status: failure.status,
  ...(failure.data === undefined ? {} : { data: failure.data }),
  code: codeOf(failure.digits, at.face),
  message: failure.message,
  ...(failure.details ? { details: failure.details } : {}),
  ...shared(at),
});
