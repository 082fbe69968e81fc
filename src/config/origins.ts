/** The origin of each setting: a place in the file, the values of its objective, or the default. */
import { asWritten } from "./config.ts";
import { isOfObjective, type Objective } from "./objectives.ts";
import type { Inspected, FilePosition } from "./read.ts";

/** A setting as a file writes it. `place` is null for a default, and for what comes from `objective`. */
export interface SettingOrigin {
  readonly path: string;
  readonly value: unknown;
  readonly place: FilePosition | null;
  readonly objective: Objective | null;
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
/** Values shown as one: an empty map, a list of plain values. */
const isWhole = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every((each) => typeof each !== "object" || each === null)
    : !isPlain(value) || Object.keys(value).length === 0;

/** Every setting in the order of the schema. Empty if the file could not be read as a configuration. */
export function settingOrigins({
  parsed,
  placeOf,
  objective,
}: Pick<Inspected, "parsed" | "placeOf" | "objective">): readonly SettingOrigin[] {
  const from = (path: readonly PropertyKey[]): Pick<SettingOrigin, "place" | "objective"> => {
    const place = placeOf(path);
    return { place, objective: place === null && objective && isOfObjective(objective, path) ? objective : null };
  };
  const under = (value: unknown, path: readonly PropertyKey[]): readonly SettingOrigin[] => {
    if (value === undefined) return [];
    if (isWhole(value)) return [{ path: path.join("."), value, ...from(path) }];
    const members = Array.isArray(value)
      ? value.map((each, at) => [at, each] as const)
      : Object.entries(value as Readonly<Record<string, unknown>>);
    return members.flatMap(([step, member]) => under(member, [...path, step]));
  };
  return parsed === null ? [] : under(asWritten(parsed), []);
}
