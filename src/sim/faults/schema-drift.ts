/** Replies whose schema has changed, as after a careless release of the venue. Faults R10. */
import { z } from "zod";
import type { RawReply } from "../wire/http-call.ts";
import { parseJson } from "../wire/http-io.ts";
import { fault } from "./fault.ts";
import type { RestPlan } from "./hooks.ts";
import { restMatch, strikes, reachOf } from "./match.ts";

const KINDS = ["extra-field", "missing-field", "number-for-text", "exponent", "huge-number", "duplicate-key"] as const;
type Kind = (typeof KINDS)[number];

/** Innermost records only. `missing-field` removes nothing unless `field` names it; `extra-field` needs none. */
export const schemaDrift = fault({
  name: "schema-drift",
  group: "rest",
  description: "Records in replies gain, lose or change fields, or spell numbers differently.",
  params: {
    kind: z.enum(KINDS).default("number-for-text"),
    field: z
      .string()
      .default("")
      .describe(
        "field to change; when empty every number that is text, of duplicate-key the first, of missing-field none",
      ),
    ...restMatch,
  },
  start: (_world, params, entropy) => {
    const plan: RestPlan = {
      respell: (reply) => drifted(reply, params.kind, params.field),
      // Every reader ignores unknown fields.
      spoils: params.kind !== "extra-field" && !(params.kind === "missing-field" && params.field === ""),
    };
    return {
      hooks: {
        rest: (call) => (strikes(params, call, entropy) ? plan : null),
        restReach: (kind) => reachOf(params, plan, kind),
      },
    };
  },
});

function drifted(reply: RawReply, kind: Kind, field: string): RawReply {
  const value = parseJson(reply.body);
  if (value === undefined) return reply;
  const body = JSON.stringify(walk(value, (record) => changed(record, kind, field)));
  return { ...reply, body: finished(body, kind) };
}

type Fields = Record<string, unknown>;

/** Changes the innermost records, which are the venue's own. */
function walk(value: unknown, change: (record: Fields) => Fields): unknown {
  if (Array.isArray(value)) return value.map((item) => walk(item, change));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]: [string, unknown]) => [name, walk(inner, change)] as const);
  const isLeaf = entries.every(([, inner]) => typeof inner !== "object" || inner === null);
  const record: Fields = Object.fromEntries(entries);
  return isLeaf ? change(record) : record;
}

const isNumberText = (value: unknown): value is string => typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value);

function changed(record: Fields, kind: Kind, field: string): Fields {
  if (kind === "extra-field") return { ...record, newlyAdded: { reason: "release", at: 1 } };
  if (kind === "duplicate-key") return { ...record, duplicateOf: field || Object.keys(record)[0] };
  const fits = (name: string, value: unknown): boolean =>
    field === "" ? kind !== "missing-field" && isNumberText(value) : name === field;
  const entries = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    if (!fits(name, value)) return [[name, value]];
    if (kind === "missing-field") return [];
    return [[name, respelt(value, kind)]];
  });
  return Object.fromEntries(entries);
}

function respelt(value: unknown, kind: Kind): unknown {
  if (!isNumberText(value)) return value;
  if (kind === "number-for-text") return Number(value);
  return kind === "exponent" ? Number(value).toExponential() : "1e400";
}

/** An object cannot have a key twice, so it is written into the text. */
function finished(body: string, kind: Kind): string {
  if (kind !== "duplicate-key") return body;
  return body.replace(/"duplicateOf":"([^"]*)"/g, (_whole, name: string) => `"${name}":"0"`);
}
