/** Conversions between our arguments and wire parameters. */

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Drops undefined members, which the wire does not have. */
export function given<T extends Readonly<Record<string, unknown>>>(params: T): Given<T> {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** Epoch milliseconds as the wire writes them. */
export const msText = (atMs: number | undefined): string | undefined =>
  atMs === undefined ? undefined : String(Math.floor(atMs));
