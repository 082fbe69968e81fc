/** Reads that are one REST call: the input's names to the service's, the whole REST envelope back. Records §17.8. */
import { err, ok } from "../../core/result.ts";
import { readFailure } from "../contract/statuses.ts";
import type { Answer, Call } from "../contract/capability.ts";
import type { ReadName } from "../contract/client.ts";

/** Input fields by their own names, or query parameters by the service's. */
export type Params = Readonly<Record<string, unknown>>;

/** Input field to REST parameter where they differ. Records §17.8, request mapping. */
const WIRE_NAME: Readonly<Record<string, string>> = { symbol: "sym" };

/** The input under the service's names, numbers and flags as text, since all travel in a query. */
export function wireParams(input: Params, names: Readonly<Record<string, string>> = {}): Record<string, string> {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [names[name] ?? WIRE_NAME[name] ?? name, String(value)]));
}

/** `data` in the service's own form of success, so that writes and reads look alike. */
export const envelopeOf = (data: unknown): { code: number; message: string; data: unknown } => ({
  code: 200_000,
  message: "success",
  data,
});

/** Asks the service once. */
export async function readRest(call: Call, name: ReadName, params: Params): Answer {
  const service = call.client.service();
  if (!service.ok) return service;
  const outcome = await service.value.read(name, params);
  if (outcome.kind === "done" || outcome.kind === "rejected") call.seen.real = true;
  return outcome.kind === "done" ? ok(envelopeOf(outcome.value)) : err(readFailure(outcome));
}
