// Zod for commands that people wait for: in a short command most of the time goes into making schemas, not into checking
// with them. What is left out or shared here changes no answer. A place that a later version writes otherwise stays as it is.
import { readFileSync } from "node:fs";

/** Zod copies forty methods to the prototype of each of its classes. Here classes with the same methods inherit one copy. */
const MEMBERS = `const layersOver = new WeakMap();
export function members(proto, table) {
  const below = Object.getPrototypeOf(proto);
  if (!layersOver.has(below)) layersOver.set(below, new Map());
  const layers = layersOver.get(below);
  if (!layers.has(table)) {
    const described = Object.entries(Object.getOwnPropertyDescriptors(table));
    const unlisted = described.map(([name, member]) => [name, { ...member, enumerable: false }]);
    layers.set(table, Object.create(below, Object.fromEntries(unlisted)));
  }
  Object.setPrototypeOf(proto, layers.get(table));
}
function `;

export const CHANGES = {
  // For each schema it would list what its class inherits.
  "core/core": (text) => text.replace("for (const k in proto) {", "for (const k of Object.keys(proto)) {"),
  "core/util": (text) => text.replace("export function members(", `${MEMBERS}copiedMembers(`),
  // Loaded as a whole, it would bring its fifty languages.
  "locales/index": () => 'export { default as en } from "./en.js";',
};

export function leanZod(bundle) {
  for (const [module, change] of Object.entries(CHANGES)) {
    const filter = new RegExp(`[\\\\/]zod[\\\\/]v4[\\\\/]${module.replace("/", "[\\\\/]")}\\.js$`);
    bundle.onLoad({ filter }, ({ path: file }) => ({ contents: change(readFileSync(file, "utf8")) }));
  }
}

/** A method of strings that checks a format. */
const FORMAT = /^ {4}(\w+)\(params\) \{\n {8}return this\.check\(core\._\w+\(Zod\w+, params\)\);\n {4}\},\n/gm;

/** Each format of a string has two classes, which zod would make at every start: those of formats that no script names are left out. */
export const formatsOf = (scripts) => ({
  name: "formats-of-scripts",
  setup: (bundle) =>
    bundle.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/ }, ({ path: file }) => ({
      contents: readFileSync(file, "utf8").replace(FORMAT, (method, name) =>
        scripts.some((script) => script.includes(`.${name}(`)) ? method : "",
      ),
    })),
});
