/** Defines a row kind by one schema, which types the constructor, checks what is read, and documents the kind. */
import { z } from "zod";
import { Decimal, toWire } from "../core/decimal.ts";
import { foundAt, type Issue, ruleText } from "../core/issues.ts";
import type { RowBody, RowKind, RowValue, WrittenRow } from "./row.ts";

/** A row that this build cannot read. The message names kind, row number, field and rule. */
export class RowError extends Error {
  override readonly name = "RowError";
}

/** For docs/JOURNAL.md, one sentence each: when such a row is written, and who reads it. */
export interface RowAbout {
  readonly written: string;
  readonly readBy: string;
}

/** One kind of rows. `V` is the body with decimals parsed. */
export interface RowForm<K extends RowKind, S extends z.ZodType> {
  readonly kind: K;
  readonly about: RowAbout;
  readonly body: S;
  /** The value to write. Its fields are not checked again: the compiler has checked them. */
  readonly write: (value: z.output<S>) => RowValue<K>;
  /** Throws RowError if the row is of another kind or does not fit. Unknown fields are ignored. */
  readonly read: (row: WrittenRow) => z.output<S>;
}

/** Converts decimals to their wire text, at every depth; everything else stays as it is. */
export function onWire(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(onWire);
  if (value instanceof Decimal) return toWire(value);
  // A copy whose members are replaced: an object that is built member by member costs twice as much.
  const copy: Record<string, unknown> = { ...value };
  for (const name in copy) {
    const member = copy[name];
    if (typeof member === "object" && member !== null) copy[name] = onWire(member);
  }
  return copy;
}

/** How badly a shape fits: missing or wrong fields of the body itself weigh more than nested ones. */
const distance = (issues: readonly z.core.$ZodIssue[]): number =>
  issues.reduce((sum, { path }) => sum + (path.length <= 1 ? 100 : 1), 0);

/** For a union, the error of the member that fits best. */
function complaint(issue: z.core.$ZodIssue): Issue {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return issue;
  const [best] = [...issue.errors].sort((a, b) => distance(a) - distance(b));
  const [first] = best ?? [];
  if (!first) return issue;
  const inner = complaint(first);
  return { path: [...issue.path, ...inner.path], message: inner.message };
}

/**
 * So many rows of a kind are checked as they come. Then zod compiles a check, which is faster and takes a millisecond: a
 * command that reads a few rows of many kinds would compile more than it reads.
 */
const READ_BEFORE_COMPILED = 500;
/** Zod compiles no check for what is checked once or seldom. */
export const UNCOMPILED = { jitless: true };

/** Several shapes of one kind are a union; put the shape with the most distinctive fields first. */
export function rowForm<K extends RowKind, S extends z.ZodType>(kind: K, about: RowAbout, body: S): RowForm<K, S> {
  let reads = 0;
  /** A start reads the same rows for a dozen purposes. */
  const known = new WeakMap<WrittenRow, z.output<S>>();
  return {
    kind,
    about,
    body,
    write: (value) => ({ kind, body: onWire(value) as RowBody }),
    read: (row) => {
      const before = known.get(row);
      if (before !== undefined) return before;
      if (row.kind !== kind) throw new RowError(`row ${row.seq} is of kind ${row.kind}, not ${kind}`);
      const read = body.safeParse(row.body, reads++ < READ_BEFORE_COMPILED ? UNCOMPILED : undefined);
      if (read.success) {
        known.set(row, read.data);
        return read.data;
      }
      const { path, message } = complaint(read.error.issues[0] as z.core.$ZodIssue);
      const field = path.length > 0 ? path.join(".") : "the body";
      throw new RowError(`row ${row.seq} of kind ${kind}: ${field}: ${ruleText(message)}${foundAt(row.body, path)}`);
    },
  };
}

/** The same object without one of its members. */
export const without = <T extends object, K extends keyof T>(value: T, name: K): Omit<T, K> =>
  Object.fromEntries(Object.entries(value).filter(([member]) => member !== name)) as Omit<T, K>;
