import type { BuildOptions } from "esbuild";

export declare const MAY_HAVE_EMOJI: RegExp;
export declare const BUNDLE: BuildOptions;
export declare function bundlePrograms(root: string, outdir: string): Promise<void>;
