// The code of the SQLite driver for Node 20 as one script: loading its fourteen files takes longer than opening a journal.
// Its native code stays where it is installed. Node 22 and newer use another driver, which is loaded as it is.
import { createRequire } from "node:module";
import path from "node:path";

const NAME = "sqlite-for-node-20";
export const DRIVER_SCRIPT = `lib-${NAME}`;

/** File and version of the driver that this build finds for Node 20; null if npm has installed none. */
export function driverOf(root) {
  try {
    const file = createRequire(path.join(root, "package.json")).resolve(NAME);
    const { version } = createRequire(file)("better-sqlite3/package.json");
    return { file, version };
  } catch {
    return null;
  }
}

/** The options of the script, where SCRIPT has none: it finds the native code from the installed driver on. */
export const driverOptions = ({ file }, { banner, define }) => ({
  entryPoints: [file],
  define: { ...define, "require.resolve": "resolveOfDriver" },
  banner: {
    js: `${banner.js} const { createRequire } = require("node:module"); const resolveOfDriver = createRequire(createRequire(moduleUrl).resolve("${NAME}")).resolve;`,
  },
});

/** Only the very version that was built from: native code and the rest belong together. */
const loader = (version) => `
const { createRequire } = require("node:module");
const modules = createRequire(moduleUrl);
const installed = () => createRequire(modules.resolve("${NAME}"))("better-sqlite3/package.json").version;
exports.driverModule = (name) =>
  name === "${NAME}" && installed() === "${version}" ? require("./${DRIVER_SCRIPT}.cjs") : modules(name);
`;

/** For the scripts of programs, before the plugin that makes their modules lazy. */
export const driverAsScript = (driver) => ({
  name: "driver-as-script",
  setup: (bundle) => {
    if (driver === null) return;
    bundle.onResolve({ filter: /[\\/]driver-module\.ts$/ }, () => ({ path: NAME, namespace: "driver" }));
    bundle.onResolve({ filter: /\.cjs$/, namespace: "driver" }, ({ path: wanted }) => ({
      path: wanted,
      external: true,
    }));
    bundle.onLoad({ filter: /.*/, namespace: "driver" }, () => ({ contents: loader(driver.version) }));
  },
});
