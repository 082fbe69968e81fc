/** Members that are computed when somebody first reads them. */

/**
 * Defines a member of `target` by `make`, which must depend only on values that never change: it may run much later, or
 * not at all. Spreading the target or writing it as JSON reads it.
 */
export function defineLazy<T extends object, K extends string, V>(
  target: T,
  name: K,
  make: () => V,
): T & { readonly [key in K]: V } {
  let made: { readonly value: V } | null = null;
  const get = (): V => (made ??= { value: make() }).value;
  return Object.defineProperty(target, name, { enumerable: true, get }) as T & { readonly [key in K]: V };
}
