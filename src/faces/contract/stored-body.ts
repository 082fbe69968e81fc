/**
 * The bodies of stored documents, checked when they are read: another build may have written them, or a person edited the
 * file. What decides about money must fit; what only spares a call to the service is read again where it does not.
 */
import type { z } from "zod";
import { issuesText } from "../../core/issues.ts";
import type { Documents, StoredDocument } from "./documents.ts";

/** A stored document that this build cannot use. */
export class UnfitDocument extends Error {}

/** The body as the schema has it. Throws an `UnfitDocument` that names kind, id, field, rule and the step to take. */
export function storedBody<T>(schema: z.ZodType<T>, kind: string, { id, body }: StoredDocument, step: string): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  throw new UnfitDocument(
    `the ${kind} ${id} in the state folder cannot be used: ${issuesText(read.error.issues, body)}; ${step}`,
  );
}

/** A cached body younger than `ageMaxMs`; undefined where there is none that fits. */
export function cachedBody<T>(
  documents: Documents,
  { kind, id, nowMs, ageMaxMs }: { kind: string; id: string; nowMs: number; ageMaxMs: number },
  schema: z.ZodType<T>,
): { readonly body: T; readonly atMs: number } | undefined {
  const found = documents.get(kind, id);
  if (!found || Math.abs(nowMs - found.atMs) >= ageMaxMs) return undefined;
  const read = schema.safeParse(found.body);
  return read.success ? { body: read.data, atMs: found.atMs } : undefined;
}
