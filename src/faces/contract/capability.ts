/**
 * A capability is a record: its names, risk, input, output and handler. Command, tool, listing, help, completion and
 * the reference page are derived from it. Spec: 3 §1, §4; records §17.1.
 */
import type { z } from "zod";
import type { Result } from "../../core/result.ts";
import type { Failure } from "./statuses.ts";
import type { Client } from "./client.ts";

/** TRADE_READ reads the account; a TRADE_WRITE has its audit row on disk before anything is sent. */
export type OperationType = "READ" | "DIAGNOSTIC" | "TRADE_READ" | "TRADE_WRITE";
/** Shown in listing, help and audit, so that a host can ask its user; it gates nothing by itself. */
export type RiskLevel = "read" | "trade-read" | "trade-write" | "critical-trade-write" | "write-config";

/** One call of one capability. */
export interface Call {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** `real`: the service has answered something. `left`: a write may have been sent. */
  readonly seen: { real: boolean; left: boolean };
  /** Reports the progress of a long read. */
  readonly progress: (done: number, total: number, message: string) => void;
}

/** The value becomes the envelope's `data`; `runCapability` turns an exception into a failure. */
export type Answer = Promise<Result<unknown, Failure>>;

/** One of the fields is required, except where another field has the one value that makes them needless. */
export interface NeedUnless {
  readonly oneOf: readonly string[];
  readonly unless: { readonly field: string; readonly is: string };
}

/** Created by `capability()`. `run` receives only input that passed the schema, `needsOneOf` and `needsUnless`. */
export interface Capability {
  readonly id: string;
  /** The words after `svc`. */
  readonly command: readonly string[];
  /** Null for command-only ones. */
  readonly tool: string | null;
  readonly summary: string;
  readonly operationType: OperationType;
  readonly riskLevel: RiskLevel;
  readonly inputName: string;
  readonly input: z.ZodObject;
  /** At least one field of each group is required. */
  readonly needsOneOf?: readonly (readonly string[])[];
  readonly needsUnless?: readonly NeedUnless[];
  readonly outputName: string;
  /** Schema of `data` on success. */
  readonly output: z.ZodType;
  /** A submit that needs previewId and continueConsentId. */
  readonly previewRequired: boolean;
  /** True if it places an order, including a close at the market; a change or a cancel places none. */
  readonly containsRealOrder: boolean;
  readonly requiresExplicitHumanConfirmation: boolean;
  readonly confirmationMode?: string;
  readonly example: Readonly<Record<string, unknown>>;
  run(call: Call, input: Readonly<Record<string, unknown>>): Answer;
}

type Given<Input extends z.ZodObject> = Omit<
  Capability,
  "input" | "run" | "tool" | "previewRequired" | "containsRealOrder" | "requiresExplicitHumanConfirmation" | "example"
> &
  Partial<
    Pick<Capability, "tool" | "previewRequired" | "containsRealOrder" | "requiresExplicitHumanConfirmation" | "example">
  > & {
    readonly input: Input;
    run(call: Call, input: z.output<Input>): Answer;
  };

/** A record whose handler knows the types of its input. By default the tool has the command's name. */
export function capability<Input extends z.ZodObject>(given: Given<Input>): Capability {
  return {
    tool: `svc/${given.command.join("/")}`,
    previewRequired: false,
    containsRealOrder: false,
    requiresExplicitHumanConfirmation: false,
    example: {},
    ...given,
    run: (call, input) => given.run(call, input as z.output<Input>),
  };
}

/** The versions that the client layer claims and checks. A client re-reads the schema when these change. Spec: 3 §9. */
export const SCHEMA_VERSION = "2026-09-11";
/** A preview whose caller claims another version is refused (30001). */
export const SKILLS_VERSION = "1.0.17";
/** Claimed and compared like the skills version. */
export const SKILLS_SCHEMA_VERSION = "1.0.0";
