/** Loads the SQLite driver from where it is installed. A script of the build replaces this file, see scripts/driver-script.mjs. */
import { createRequire } from "node:module";

export const driverModule: (name: string) => unknown = createRequire(import.meta.url);
