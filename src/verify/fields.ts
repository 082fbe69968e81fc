/**
 * Reads fields of outside values. A missing field or one of another type reads as null, false or an empty list;
 * nothing here throws.
 */
import { type Num, num } from "./decimal.ts";

/** An object with unknown fields: a row's body, a line of an export, a frame's parameters. */
export type Rec = Readonly<Record<string, unknown>>;

/** True for an object that is neither null nor an array. */
export const isRec = (value: unknown): value is Rec =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Null if the field is missing or not an object. */
export const rec = (from: Rec, name: string): Rec | null => {
  const value = from[name];
  return isRec(value) ? value : null;
};

/** Text that is not empty. */
export const text = (from: Rec, name: string): string | null => {
  const value = from[name];
  return typeof value === "string" && value !== "" ? value : null;
};

/** The same; empty if there is none. */
export const word = (from: Rec, name: string): string => text(from, name) ?? "";

/** A finite JSON number; digits as text read as null. */
export const figure = (from: Rec, name: string): number | null => {
  const value = from[name];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
};

/** From plain decimal text or a JSON number; null for anything else. */
export const decimal = (from: Rec, name: string): Num | null => num(from[name]);

/** True for true or the word TRUE in any case; missing is false. */
export const flag = (from: Rec, name: string): boolean => {
  const value = from[name];
  return value === true || (typeof value === "string" && value.toUpperCase() === "TRUE");
};

/** Empty if the field is not an array. */
export const list = (from: Rec, name: string): readonly unknown[] => {
  const value = from[name];
  return Array.isArray(value) ? value : [];
};

/** The texts of an array; other items are omitted. */
export const texts = (from: Rec, name: string): readonly string[] =>
  list(from, name).filter((value) => typeof value === "string");

/** The objects of an array; other items are omitted. */
export const recs = (from: Rec, name: string): readonly Rec[] => list(from, name).filter(isRec);

/** A time in a field that is a number or a number as text, epoch ms. */
export const timeIn = (from: Rec, name: string): number | null => {
  const value = from[name];
  const ms = typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof ms === "number" && Number.isFinite(ms) ? ms : null;
};

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A span as configurations write it; 0 for anything else. */
export function spanMs(span: unknown): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(typeof span === "string" ? span : "") ?? [];
  return Number(count ?? 0) * (UNIT_MS[unit ?? ""] ?? 0);
}
