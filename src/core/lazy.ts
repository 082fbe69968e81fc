/** Members that are computed when somebody first reads them. */

/** What a member is computed from, and those that have been. */
interface Kept<S> {
  readonly source: S;
  /** Null until somebody reads the first one: of most targets nobody does. */
  made: Map<string, unknown> | null;
}

/**
 * Returns a function that defines the members named in `makers` on a target. The source must never change: a member may
 * be computed much later, or not at all. Spreading the target or writing it as JSON reads them all. Targets share the
 * accessors, because V8 makes an object with accessors of its own a slow dictionary.
 */
export function lazyMembers<S, V extends object>(makers: {
  readonly [K in keyof V]: (source: S) => V[K];
}): <T extends object>(target: T, source: S) => T & Readonly<V> {
  const kept = Symbol("kept");
  const members: PropertyDescriptorMap = {};
  for (const [name, make] of Object.entries<(source: S) => unknown>(makers)) {
    const get = function (this: { readonly [kept]: Kept<S> }): unknown {
      const own = this[kept];
      const made = (own.made ??= new Map());
      if (!made.has(name)) made.set(name, make(own.source));
      return made.get(name);
    };
    members[name] = { enumerable: true, get };
  }
  return <T extends object>(target: T, source: S) => {
    const own: Kept<S> = { source, made: null };
    Object.defineProperty(target, kept, { value: own });
    return Object.defineProperties(target, members) as T & Readonly<V>;
  };
}
