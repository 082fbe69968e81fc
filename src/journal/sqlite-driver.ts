/**
 * The SQLite driver that fits this Node. better-sqlite3 13 brings its compiled code along and asks for Node-API 10, which
 * Node has from 22.14 on; older ones crash on it without an error. For Node 20, `drivers/node-20` depends on version 12.
 * That one in turn aborts Node 24.19 and newer, so each Node gets its own: npm installs only what fits.
 */
import type Driver from "better-sqlite3";
import { driverModule } from "./driver-module.ts";

export type { Driver };

/** The Node-API that the compiled code of better-sqlite3 13 was built for. */
const NODE_API = 10;

const name = Number(process.versions.napi) >= NODE_API ? "better-sqlite3" : "sqlite-for-node-20";

function driver(): typeof Driver {
  try {
    return driverModule(name) as typeof Driver;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    throw new Error(
      `The SQLite driver for Node ${process.version} is not installed. Run \`npm ci\` with this Node; in a folder of your own, with Node 20, \`npm install better-sqlite3@12\`.`,
      { cause: error },
    );
  }
}

/** better-sqlite3's own class. */
export const SqliteDriver: typeof Driver = driver();
