import type { BuildOptions } from "esbuild";

export declare const BUNDLE: BuildOptions;
export declare function bundlePrograms(root: string, outdir: string): Promise<void>;
