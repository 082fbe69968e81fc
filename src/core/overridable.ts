/** Settings that several independent callers may override for a while. */

/**
 * Overrides may overlap and end in any order. For each setting the newest active override counts, otherwise the permanent
 * value.
 */
export interface Overridable<Settings extends object> {
  /** The current settings. A change creates a new object and leaves this one unchanged. */
  now(): Settings;
  /** Sets permanently. An active override hides the change until it ends. */
  set(change: Partial<Settings>): void;
  /** Lasts until the returned function is called; calling that again does nothing. */
  override(change: Partial<Settings>): () => void;
}

/** `changed` is called after each change with the new settings, but not for `first`. */
export function overridable<Settings extends object>(
  first: Settings,
  changed: (now: Settings) => void = () => undefined,
): Overridable<Settings> {
  const overrides = new Set<Partial<Settings>>();
  let settled = { ...first };
  let current = settled;
  const renew = (): void => {
    current = overrides.size === 0 ? settled : Object.assign({}, settled, ...overrides);
    changed(current);
  };
  return {
    now: () => current,
    set: (change) => {
      settled = { ...settled, ...change };
      renew();
    },
    override: (change) => {
      const own = { ...change };
      overrides.add(own);
      renew();
      return () => {
        if (overrides.delete(own)) renew();
      };
    },
  };
}
