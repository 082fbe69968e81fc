/** Settings that can be replaced for a while, by several at once that know nothing of each other. */

/**
 * Overrides may overlap and end in any order: setting by setting the newest that lasts counts, and what was set for good
 * once none does.
 */
export interface Overridable<Settings extends object> {
  /** What counts now. The object stays as it is when settings change: a new one takes its place. */
  now(): Settings;
  /** For good. Where an override lasts it is not seen before its end. */
  set(change: Partial<Settings>): void;
  /** Lasts until the returned function is called; calling that again does nothing. */
  override(change: Partial<Settings>): () => void;
}

/** `changed` is reported after each change, with what counts from then on; not of `first`. */
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
