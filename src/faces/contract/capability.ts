/**
 * A capability is a record: what it is called, how dangerous it is, what goes in and out, and what it does. Command,
 * tool, listing, help, completion and the reference page are read off it. Spec: 3 §1, §4; records §17.1.
 */
import type { z } from "zod";
import type { Result } from "../../core/result.ts";
import type { Failure } from "./statuses.ts";
import type { Client } from "./client.ts";

/** TRADE_READ reads the account; TRADE_WRITE has its audit row on disk before anything leaves. */
export type OperationType = "READ" | "DIAGNOSTIC" | "TRADE_READ" | "TRADE_WRITE";
/** Reported in listing, help and audit, so that a host can ask its user; by itself it gates nothing. */
export type RiskLevel = "read" | "trade-read" | "trade-write" | "critical-trade-write" | "write-config";

/** One call of one capability. */
export interface Call {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** `real`: the service itself has answered something, so the evidence is. `left`: a write may have gone out. */
  readonly seen: { real: boolean; left: boolean };
  /** Reports whoever waits how far a long read has come. */
  readonly progress: (done: number, total: number, message: string) => void;
}

/** The value becomes the envelope's `data`; what is thrown instead becomes a failure in `runCapability`. */
export type Answer = Promise<Result<unknown, Failure>>;

/** Made by `capability()`. `run` is given only what the schema and `needsOneOf` have let pass. */
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
  /** Of each group at least one field must be there. */
  readonly needsOneOf?: readonly (readonly string[])[];
  readonly outputName: string;
  /** Of `data` on success. */
  readonly output: z.ZodType;
  /** A submit that needs previewId and continueConsentId. */
  readonly previewRequired: boolean;
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

/** A record whose handler knows the types of its input. The tool is named after the command unless said otherwise. */
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
