/** Packages by licence; `unknown` are those whose licence nobody has looked at. */
export function licencesOf(text: string): {
  readonly count: number;
  readonly byLicence: ReadonlyMap<string, readonly string[]>;
  readonly unknown: readonly (readonly [licence: string, packages: readonly string[]])[];
};
