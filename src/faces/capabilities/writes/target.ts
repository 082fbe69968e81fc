/**
 * A write target: its business fields, how they become an action of the desk, and how the result is read back. It knows
 * neither tokens nor sessions. Spec: 3 §4; records §17.5.
 */
import type { z } from "zod";
import type { Outcome } from "../../../core/outcome.ts";
import type { Result } from "../../../core/result.ts";
import type { ActionKind, DeskAction } from "../../../desk/action.ts";
import type { Failure } from "../../contract/statuses.ts";
import type { Call, NeedUnless } from "../../contract/capability.ts";
import type { Service } from "../../contract/client.ts";
import type { Business } from "./business.ts";

/** The input of `plan`, at the preview and again at the submit. */
export interface PlanAt {
  readonly call: Call;
  readonly service: Service;
  readonly input: Business;
  /** True for a preview, which reads more than the submit needs. */
  readonly previewing: boolean;
}

/** The desk previews and later sends the action; notes of a submit are not shown. */
export interface Planned {
  readonly action: DeskAction;
  /** Facts that were read, for the preview record. */
  readonly notes: { readonly warnings?: readonly string[]; readonly [name: string]: unknown };
}

/** The input of read-back and look-up, after the action was sent. */
export interface DoneAt {
  readonly call: Call;
  readonly service: Service;
  readonly action: DeskAction;
  /** The service's answer as the desk parses it; undefined if there was none. */
  readonly reply: unknown;
  /** The service's own envelope, unchanged. */
  readonly answer: Readonly<Record<string, unknown>>;
}

/** The read-back of an accepted write. */
export interface ReadBack {
  /** The `data` of the submit. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Set if the read-back shows that the write failed after all. */
  readonly failure?: Failure;
}

/** `shape` has only the business fields; the two capabilities add consent, preview and token fields. */
export interface WriteTarget {
  readonly id: ActionKind;
  readonly shape: z.ZodRawShape;
  readonly needsOneOf?: readonly (readonly string[])[];
  readonly needsUnless?: readonly NeedUnless[];
  plan(at: PlanAt): Promise<Result<Planned, Failure>>;
  /** After an accepted write. A submit response is not final state. */
  readBack(at: DoneAt): Promise<ReadBack>;
  /** Looks up a write without an answer. */
  lookUp(at: DoneAt): Promise<unknown>;
}

/** Wraps a repeated read and keeps its last answer, so that the service's own record of a polled state can be shown. */
export function remembering<A extends readonly unknown[], T>(
  ask: (...args: A) => Promise<Outcome<T>>,
): { readonly ask: (...args: A) => Promise<Outcome<T>>; last(): Outcome<T> | null } {
  let last: Outcome<T> | null = null;
  return { ask: async (...args) => (last = await ask(...args)), last: () => last };
}
