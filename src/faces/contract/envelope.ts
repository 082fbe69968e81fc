/** The response envelope: one shape for every answer of both faces. Spec: 3 §2.1; records §17.3. */
import { isoTime } from "../../core/time.ts";
import { codeOf, type Details, type Face, type Failure, type Status } from "./statuses.ts";

/** The command without its input, or how the input was completed; and when, ISO 8601. */
export interface Evidence {
  /** Whether the service answered, or only this machine. */
  readonly source: "local_check" | "real_tool_call";
  readonly toolOrCommandEvidence: string;
  readonly timestamp: string;
}

/** Only failures have code and message; a failure may have data as well. */
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

/** `real` if the service has answered; `auditId` is null for a call without a row. */
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

/** Unmasked: `runCapability` masks the whole envelope. */
export const passed = (data: unknown, at: Circumstances): Envelope => ({
  ok: true,
  status: "PASS",
  data,
  ...shared(at),
});

/** Adds the face's prefix to the code; partial findings go into data. */
export const failed = (failure: Failure, at: Circumstances): Envelope => ({
  ok: false,
  status: failure.status,
  ...(failure.data === undefined ? {} : { data: failure.data }),
  code: codeOf(failure.digits, at.face),
  message: failure.message,
  ...(failure.details ? { details: failure.details } : {}),
  ...shared(at),
});
