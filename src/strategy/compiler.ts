/** The TypeScript compiler of a checkout. A production install has none. */
import { createRequire } from "node:module";
import type Compiler from "typescript";

/** Null if none is installed. Required, because `import` reads its nine megabytes twice more for the names it exports. */
export function installedCompiler(): typeof Compiler | null {
  try {
    return createRequire(import.meta.url)("typescript") as typeof Compiler;
  } catch {
    return null;
  }
}
