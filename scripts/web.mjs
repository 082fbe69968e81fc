// Bundles the pages: each is one script and one style sheet that contain everything, so that nothing is loaded from
// outside.
import path from "node:path";
import { build } from "esbuild";

export const buildWeb = (outdir) =>
  build({
    absWorkingDir: path.join(import.meta.dirname, ".."),
    entryPoints: { deck: "src/web/deck/main.tsx", report: "src/web/report/main.tsx" },
    outdir,
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
