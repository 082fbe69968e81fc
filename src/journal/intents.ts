/**
 * Intents: the durable promise to act, written before anything goes on the wire, and ended only by evidence. What has
 * no end row after a crash is asked for at the venue by its client order id. An intent's order is sent at most once.
 */
import { err, ok, type Result } from "../core/result.ts";
import type { Journal } from "./journal.ts";
import type { JournalReader } from "./reader.ts";

/** The body of an intent row. `order` holds the wire fields as text; what else the caller adds stays with it. */
export interface IntentBody {
  readonly intentId: string;
  readonly clientOrderId: string;
  readonly decisionId: string | null;
  readonly symbol: string;
  /** True when it adds exposure: such an intent is never sent again under any name before it has ended. */
  readonly opening: boolean;
  readonly order: Readonly<Record<string, unknown>>;
  readonly stopPrice: string | null;
  readonly targetPrice: string | null;
}

/** Why an intent is over. Nothing else ends one. Spec: invariant "evidence for every end". */
export type IntentEnd =
  | { readonly how: "refused"; readonly code: string; readonly message: string }
  | { readonly how: "terminal"; readonly orderId: string; readonly state: string; readonly executedQty: string }
  /** It provably never left this machine. */
  | { readonly how: "not-sent"; readonly reason: string }
  | ({ readonly how: "absent" } & AbsenceProof);

/** What must have been seen before an order may be called absent: the venue's reads lag, and one list proves nothing. */
export interface AbsenceProof {
  /** Queries by client order id that found nothing. At least 3. */
  readonly misses: number;
  /** From the first of them to the last. At least 30 s. */
  readonly spreadMs: number;
  readonly openOrdersEmpty: boolean;
  readonly executionsEmpty: boolean;
  readonly positionUnchanged: boolean;
}

const ABSENCE_MISSES_MIN = 3;
const ABSENCE_SPREAD_MS_MIN = 30_000;

/** What is still missing from a proof of absence, in words; null when it is complete. */
export function absenceGap(proof: AbsenceProof): string | null {
  if (proof.misses < ABSENCE_MISSES_MIN) return `misses ${proof.misses}, needed ${ABSENCE_MISSES_MIN}`;
  if (proof.spreadMs < ABSENCE_SPREAD_MS_MIN) return `spread ${proof.spreadMs} ms, needed ${ABSENCE_SPREAD_MS_MIN}`;
  if (!proof.openOrdersEmpty) return "open orders were not seen empty";
  if (!proof.executionsEmpty) return "executions were not seen empty";
  return proof.positionUnchanged ? null : "the position was not seen unchanged";
}

/** An intent that has not ended, with the number and the wall time (epoch ms) of the row that opened it. */
export interface OpenIntent extends IntentBody {
  readonly seq: number;
  readonly atMs: number;
}

/** Every intent without an end, oldest first. */
export function openIntents(reader: JournalReader): readonly OpenIntent[] {
  const open = new Map<string, OpenIntent>();
  for (const { seq, atMs, body } of reader.rows({ kinds: ["intent"] })) {
    const row = body as { event: "open" | "end" | "amend" | "amend-end" } & IntentBody;
    if (row.event === "open") open.set(row.intentId, { ...row, seq, atMs });
    else if (row.event === "end") open.delete(row.intentId);
  }
  return [...open.values()];
}

/** Where intents begin and end. An `err` means that no row was written; a failed write throws JournalError. */
export interface IntentLog {
  /** Durable when it returns. A repeated intent id or client order id is refused with a reason. */
  open(intent: IntentBody): Result<OpenIntent, string>;
  /** Refused when the intent is not open, or when an absence is claimed without the whole proof. */
  end(intentId: string, end: IntentEnd): Result<void, string>;
  pending(): readonly OpenIntent[];
  byClientOrderId(clientOrderId: string): OpenIntent | undefined;
}

/** The intents of a journal, read once and kept beside it in memory. Only open ones are kept. */
export function intentLog(journal: Journal): IntentLog {
  const open = new Map(openIntents(journal).map((intent) => [intent.intentId, intent]));
  const byClientOrderId = (id: string): OpenIntent | undefined =>
    [...open.values()].find((intent) => intent.clientOrderId === id);
  return {
    open: (intent) => {
      if (open.has(intent.intentId)) return err(`intent ${intent.intentId} is already open`);
      if (byClientOrderId(intent.clientOrderId)) return err(`client order id ${intent.clientOrderId} is in use`);
      const { seq, atMs } = journal.append("intent", { event: "open", ...intent }, intent.decisionId ?? undefined);
      const opened = { ...intent, seq, atMs };
      open.set(intent.intentId, opened);
      return ok(opened);
    },
    end: (intentId, end) => {
      const intent = open.get(intentId);
      if (!intent) return err(`intent ${intentId} is not open`);
      const gap = end.how === "absent" ? absenceGap(end) : null;
      if (gap) return err(`intent ${intentId} cannot be called absent: ${gap}`);
      journal.append("intent", { event: "end", intentId, ...end }, intent.decisionId ?? undefined);
      open.delete(intentId);
      return ok(undefined);
    },
    pending: () => [...open.values()],
    byClientOrderId,
  };
}
