/** Reading fields of values from outside. What is missing or of another kind reads as null; nothing here throws. */
import { type Num, num } from "./decimal.ts";

export type Rec = Readonly<Record<string, unknown>>;

export const isRec = (value: unknown): value is Rec =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const rec = (from: Rec, name: string): Rec | null => {
  const value = from[name];
  return isRec(value) ? value : null;
};

/** Text that is not empty. */
export const text = (from: Rec, name: string): string | null => {
  const value = from[name];
  return typeof value === "string" && value !== "" ? value : null;
};

export const figure = (from: Rec, name: string): number | null => {
  const value = from[name];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
};

export const decimal = (from: Rec, name: string): Num | null => num(from[name]);

export const flag = (from: Rec, name: string): boolean => {
  const value = from[name];
  return value === true || (typeof value === "string" && value.toUpperCase() === "TRUE");
};

export const list = (from: Rec, name: string): readonly unknown[] => {
  const value = from[name];
  return Array.isArray(value) ? value : [];
};

export const texts = (from: Rec, name: string): readonly string[] =>
  list(from, name).filter((value) => typeof value === "string");

export const recs = (from: Rec, name: string): readonly Rec[] => list(from, name).filter(isRec);

/** Time in a field that may be a number or the text of one, epoch ms. */
export const timeIn = (from: Rec, name: string): number | null => {
  const value = from[name];
  const ms = typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof ms === "number" && Number.isFinite(ms) ? ms : null;
};
