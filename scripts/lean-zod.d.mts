/** By the file of zod that it changes. */
export declare const CHANGES: Readonly<Record<string, (text: string) => string>>;
