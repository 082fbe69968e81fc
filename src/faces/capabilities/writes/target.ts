/**
 * A write as previews and submits see it: its business fields, how they become an action of the desk, and how the result
 * is read back. Knows neither tokens nor sessions. Spec: 3 §4; records §17.5.
 */
import type { z } from "zod";
import type { Outcome } from "../../../core/outcome.ts";
import type { Result } from "../../../core/result.ts";
import type { ActionKind, DeskAction } from "../../../desk/action.ts";
import type { Failure } from "../../contract/statuses.ts";
import type { Call, NeedUnless } from "../../contract/capability.ts";
import type { Service } from "../../contract/client.ts";
import type { Business } from "./business.ts";

/** What `plan` is given, at the preview and once more at the submit. */
export interface PlanAt {
  readonly call: Call;
  readonly service: Service;
  readonly input: Business;
  /** True for a preview, which looks at more than the submit needs to. */
  readonly previewing: boolean;
}

/** The desk previews and later sends the action; what a submit noted is not shown. */
export interface Planned {
  readonly action: DeskAction;
  /** What was looked at, for the preview record. */
  readonly notes: { readonly warnings?: readonly string[]; readonly [name: string]: unknown };
}

/** After the action has left: what read-back and look-up are given. */
export interface DoneAt {
  readonly call: Call;
  readonly service: Service;
  readonly action: DeskAction;
  /** What the service answered, as the desk reads it; undefined when its answer is not known. */
  readonly reply: unknown;
  /** The service's own envelope, as it came. */
  readonly answer: Readonly<Record<string, unknown>>;
}

/** An accepted write, as far as the service could be asked about it. */
export interface ReadBack {
  /** The `data` of the submit. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Set where the read-back shows that the write failed after all. */
  readonly failure?: Failure;
}

/** `shape` has the business fields alone; its two capabilities add consent, preview and token fields. */
export interface WriteTarget {
  readonly id: ActionKind;
  readonly shape: z.ZodRawShape;
  readonly needsOneOf?: readonly (readonly string[])[];
  readonly needsUnless?: readonly NeedUnless[];
  plan(at: PlanAt): Promise<Result<Planned, Failure>>;
  /** After an accepted write. A submit response is not final state. */
  readBack(at: DoneAt): Promise<ReadBack>;
  /** After a write without an answer: what is known of its fate. */
  lookUp(at: DoneAt): Promise<unknown>;
}

/** A read that is asked several times, with its last answer: of a polled state the service's own record is shown. */
export function remembering<A extends readonly unknown[], T>(
  ask: (...args: A) => Promise<Outcome<T>>,
): { readonly ask: (...args: A) => Promise<Outcome<T>>; last(): Outcome<T> | null } {
  let last: Outcome<T> | null = null;
  return { ask: async (...args) => (last = await ask(...args)), last: () => last };
}
