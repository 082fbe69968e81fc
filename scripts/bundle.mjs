// What a bundle of the program is made like, wherever one is made: for `dist/`, and for the kill sweep's own copy.
export const BUNDLE = {
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20",
  // Piscina starts its threads from a file of its own folder.
  external: ["better-sqlite3", "typescript", "piscina"],
  legalComments: "none",
  // Packages that were made for another module system ask for it by this name.
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
  },
  logLevel: "error",
};
