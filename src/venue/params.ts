/** Small steps between our arguments and wire parameters. */

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The members that are there; the wire knows no undefined. */
export function given<T extends Readonly<Record<string, unknown>>>(params: T): Given<T> {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** Epoch milliseconds as the wire writes them. */
export const msText = (atMs: number | undefined): string | undefined =>
  atMs === undefined ? undefined : String(Math.floor(atMs));
