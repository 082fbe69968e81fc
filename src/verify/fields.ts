/**
 * Reading fields of values from outside. What is missing or of another kind reads as null, as false or as an empty list;
 * nothing here throws.
 */
import { type Num, num } from "./decimal.ts";

/** An object of which nothing is known yet: a row's body, a line of an export, a frame's parameters. */
export type Rec = Readonly<Record<string, unknown>>;

/** An object, and neither null nor an array. */
export const isRec = (value: unknown): value is Rec =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Null where the field is missing or holds anything but an object. */
export const rec = (from: Rec, name: string): Rec | null => {
  const value = from[name];
  return isRec(value) ? value : null;
};

/** Text that is not empty. */
export const text = (from: Rec, name: string): string | null => {
  const value = from[name];
  return typeof value === "string" && value !== "" ? value : null;
};

/** A finite JSON number; text of digits reads as null here. */
export const figure = (from: Rec, name: string): number | null => {
  const value = from[name];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
};

/** From plain decimal text or a JSON number; null for anything else. */
export const decimal = (from: Rec, name: string): Num | null => num(from[name]);

/** True, or the word TRUE in any case; what is missing is false. */
export const flag = (from: Rec, name: string): boolean => {
  const value = from[name];
  return value === true || (typeof value === "string" && value.toUpperCase() === "TRUE");
};

/** Empty where the field is no array. */
export const list = (from: Rec, name: string): readonly unknown[] => {
  const value = from[name];
  return Array.isArray(value) ? value : [];
};

/** The texts of an array; other items are left out. */
export const texts = (from: Rec, name: string): readonly string[] =>
  list(from, name).filter((value) => typeof value === "string");

/** The objects of an array; other items are left out. */
export const recs = (from: Rec, name: string): readonly Rec[] => list(from, name).filter(isRec);

/** Time in a field that may be a number or the text of one, epoch ms. */
export const timeIn = (from: Rec, name: string): number | null => {
  const value = from[name];
  const ms = typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof ms === "number" && Number.isFinite(ms) ? ms : null;
};
