export declare function onSave(
  folders: readonly string[],
  everyMs: number,
  saved: (changed: readonly [string, ...string[]]) => void,
): void;
