/**
 * The client order id of an order that a person types: created at the preview and reused at the submit. Programs and
 * models supply their own, because they look an order up by it after a crash.
 */
import type { Capability } from "../contract/capability.ts";
import type { Client } from "../contract/client.ts";
import { previewedParams } from "../capabilities/writes/preview.ts";
import { isWriteTarget, WRITE_TARGETS } from "../capabilities/writes/targets.ts";

type Input = Readonly<Record<string, unknown>>;

/** The fields that validate the input: those of the target, if a preview names one. */
function shapeOf({ id, input: { shape } }: Capability, input: Input): Readonly<Record<string, unknown>> {
  if (id !== "trade.preview") return shape;
  const target = String(input["targetCapabilityId"]);
  return isWriteTarget(target) ? WRITE_TARGETS[target].shape : {};
}

function needsId(capability: Capability, input: Input): boolean {
  const field = shapeOf(capability, input)["clientOrderId"] as
    | { safeParse(value: unknown): { success: boolean } }
    | undefined;
  const given = input["clientOrderId"];
  const absent = given === undefined || given === null || given === "";
  return absent && field !== undefined && !field.safeParse(undefined).success;
}

function idOfPreview({ documents }: Client, previewId: unknown): string | null {
  const id = typeof previewId === "string" ? previewedParams(documents, previewId)?.["clientOrderId"] : undefined;
  return typeof id === "string" ? id : null;
}

/** The id that completes the input; null if it needs none. */
export const missingOrderId = (capability: Capability, input: Input, client: Client): string | null =>
  needsId(capability, input) ? (idOfPreview(client, input["previewId"]) ?? client.env.ids.next("svc")) : null;
