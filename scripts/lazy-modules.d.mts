/** Replaces each import of a CommonJS module, as esbuild writes it, by one that loads the module when it is first used. */
export declare function loadedWhenUsed(code: string): string;
/** What each converted file refers to, once for all files. */
export declare const HELPERS: string;
