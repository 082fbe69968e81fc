import type { BuildResult } from "esbuild";

/** Builds every page into the folder. */
export function buildWeb(outdir: string): Promise<BuildResult>;
