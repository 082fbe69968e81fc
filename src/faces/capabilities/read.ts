/** Reads by one REST call: maps input names to the service's and returns the whole REST envelope. Records §17.8. */
import type { Done, Outcome } from "../../core/outcome.ts";
import { err, ok } from "../../core/result.ts";
import { readFailure } from "../contract/statuses.ts";
import type { Answer, Call } from "../contract/capability.ts";
import type { ReadName } from "../contract/client.ts";

/** Input fields by their own names, or query parameters by the service's. */
export type Params = Readonly<Record<string, unknown>>;

/** Input fields whose REST parameter has another name. Records §17.8, request mapping. */
const WIRE_NAME: Readonly<Record<string, string>> = { symbol: "sym" };

/** The input under the service's names; numbers and flags become text for the query string. */
export function wireParams(input: Params, names: Readonly<Record<string, string>> = {}): Record<string, string> {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [names[name] ?? WIRE_NAME[name] ?? name, String(value)]));
}

type Row = Readonly<Record<string, unknown>>;
const isRow = (value: unknown): value is Row => value !== null && typeof value === "object" && !Array.isArray(value);

/** The service's envelope, unchanged: with message, field order and unknown fields. */
export function envelopeOf(answer: unknown): Row {
  // Some endpoints answer the bare payload.
  return isRow(answer) && "code" in answer ? answer : { code: 200_000, message: "success", data: answer };
}

/** The service's own record, unchanged: the payload of its answer. */
export const recordOf = ({ value, answer }: Done<unknown>): unknown =>
  answer === undefined ? value : envelopeOf(answer)["data"];

/** Rows of a list of the service, which is an array or a page. */
export function rowsIn(record: unknown): readonly Row[] {
  const list = isRow(record) ? record["list"] : record;
  return Array.isArray(list) ? list.filter(isRow) : [];
}

/** Records of the service by name. A record that could not be read is null, with the reason under `notRead`. */
export function recordsOf(reads: Readonly<Record<string, Outcome<unknown> | null>>): Row {
  const entries = Object.entries(reads);
  const failed = entries.flatMap(([name, read]) => (read && read.kind !== "done" ? [[name, read.message]] : []));
  return {
    ...Object.fromEntries(entries.map(([name, read]) => [name, read?.kind === "done" ? recordOf(read) : null])),
    ...(failed.length > 0 ? { notRead: Object.fromEntries(failed) as Row } : {}),
  };
}

/** One request to the service. */
export async function readRest(call: Call, name: ReadName, params: Params): Answer {
  const service = call.client.service();
  if (!service.ok) return service;
  const outcome = await service.value.read(name, params);
  if (outcome.kind === "done" || outcome.kind === "rejected") call.seen.real = true;
  return outcome.kind === "done" ? ok(envelopeOf(outcome.answer ?? outcome.value)) : err(readFailure(outcome));
}
