/**
 * The audit log: one row per call, with who, where, what and how it ended. A write has its row before it is sent, so
 * that a killed process shows as STARTED. Parameters are masked before they are stored. Spec: 3 §2.1.
 */
import { z } from "zod";
import { sha256 } from "../../core/hash.ts";
import { isSecretName, maskText } from "../../core/secret.ts";
import { isoTime } from "../../core/time.ts";
import type { Capability } from "./capability.ts";
import type { Client } from "./client.ts";
import type { StoredDocument } from "./documents.ts";
import type { Envelope } from "./envelope.ts";
import { cleanValue } from "./mask.ts";
import { storedBody } from "./stored-body.ts";

/** `at` is ISO 8601, `params` are masked; evidence is empty until the call has ended. */
export interface AuditRow {
  readonly auditId: string;
  readonly at: string;
  /** Masked access key; null without credentials. */
  readonly who: string | null;
  readonly runtime: string;
  readonly capabilityId: string;
  readonly riskLevel: string;
  readonly params: unknown;
  /** STARTED until the call has ended. */
  readonly status: string;
  readonly code: string | null;
  readonly message: string | null;
  readonly previewId: string | null;
  readonly evidence: Envelope["evidence"];
}

/** What is read of a stored row; the rest is passed on as it is. */
export const storedAuditRow = z.looseObject({ auditId: z.string(), capabilityId: z.string(), status: z.string() });
type StoredAuditRow = z.output<typeof storedAuditRow>;

/** Throws an `UnfitDocument`. */
export const readAuditRow = (found: StoredDocument): StoredAuditRow =>
  storedBody(storedAuditRow, "audit row", found, "move svc.db away to begin a new log");

const ROWS_KEPT_MS = 90 * 86_400_000;
/** One call in this many deletes old rows. */
const DELETE_ONE_IN = 50;

/** A name in the form of a UUID. */
function auditIdOf(client: Client): string {
  const hex = sha256(`${client.env.ids.next("audit")}`);
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join("-");
}

/** `end` replaces the STARTED row; it throws if the store does. */
export interface Auditing {
  readonly auditId: string;
  /** The stored row of the ended call. */
  end(envelope: Envelope): AuditRow;
}

const previewIdIn = (value: unknown): string | null => {
  const id = value !== null && typeof value === "object" ? (value as Record<string, unknown>)["previewId"] : undefined;
  return typeof id === "string" ? id : null;
};

/**
 * The submit token authorises one write: the log names the preview and stores no token, not even a refused one. What a
 * setting under a secret's name was to be is a secret, though this machine may know it from nowhere else.
 */
function withoutSecrets(input: unknown): unknown {
  const { continueConsentId: token, key, value } = (input ?? {}) as Record<string, unknown>;
  if (typeof token === "string") return { ...(input as object), continueConsentId: maskText(token) };
  const isSecret = typeof key === "string" && isSecretName(key) && value !== undefined;
  return isSecret ? { ...(input as object), value: maskText(String(value)) } : input;
}

/** A TRADE_WRITE has its row on disk when this returns, any other call when it ends. Throws if the store does. */
export function beginAudit(client: Client, capability: Capability, input: unknown): Auditing {
  const auditId = auditIdOf(client);
  const atMs = client.env.clock.nowMs();
  const row: AuditRow = {
    auditId,
    at: isoTime(atMs),
    who: client.credentials.maskedAccessKey,
    runtime: client.face,
    capabilityId: capability.id,
    riskLevel: capability.riskLevel,
    params: cleanValue(withoutSecrets(input), client.redact),
    status: "STARTED",
    code: null,
    message: null,
    previewId: previewIdIn(input),
    evidence: [],
  };
  const put = (body: AuditRow): void => client.documents.put("audit", { id: auditId, body, atMs });
  if (capability.operationType === "TRADE_WRITE") put(row);
  if (client.env.entropy.chance("audit sweep", 1 / DELETE_ONE_IN))
    client.documents.forget("audit", atMs - ROWS_KEPT_MS);
  return {
    auditId,
    end: ({ status, code = null, message = null, data, evidence }) => {
      const ended = { ...row, status, code, message, previewId: row.previewId ?? previewIdIn(data), evidence };
      put(ended);
      return ended;
    },
  };
}

/** Newest first. */
export const auditRows = (client: Client, limit: number): readonly StoredAuditRow[] =>
  client.documents.list("audit", limit).map((found) => readAuditRow(found));
