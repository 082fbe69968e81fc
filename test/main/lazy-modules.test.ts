/** How the modules of a script load each other: at the first use of a name, and once. */
import { createRequire } from "node:module";
import { transform } from "esbuild";
import { expect, test } from "vitest";
import { MAY_HAVE_EMOJI } from "../../scripts/bundle.mjs";
import { HELPERS, loadedWhenUsed } from "../../scripts/lazy-modules.mjs";

/** Runs a module as a script does. `others` are what it imports; each load is written down. */
async function run(source: string, others: Readonly<Record<string, object>>) {
  const { code } = await transform(source, { loader: "ts", format: "cjs", platform: "node", target: "node20" });
  const loads: string[] = [];
  const module = { exports: {} as Record<string, unknown> };
  const load = (name: string): object => {
    loads.push(name);
    return others[name] ?? {};
  };
  const start = new Function("require", "module", `${HELPERS}\n${loadedWhenUsed(code)}`) as (
    require: typeof load,
    of: typeof module,
  ) => void;
  start(load, module);
  return { loads, exports: module.exports as Record<string, (given: unknown) => unknown> };
}

test("an imported module loads when a name of it is first used, and only then", async () => {
  const { loads, exports } = await run(
    'import { twice } from "./sums.ts"; export const four = (n: number) => twice(twice(n));',
    { "./sums.ts": { twice: (n: number) => n * 2 } },
  );
  expect(loads).toEqual([]);
  expect(exports["four"]?.(1)).toBe(4);
  expect(exports["four"]?.(2)).toBe(8);
  expect(loads).toEqual(["./sums.ts"]);
});

test("a name that the module itself needs at once loads at once", async () => {
  const { loads, exports } = await run('import { base } from "./base.ts"; export const next = base + 1;', {
    "./base.ts": { base: 1 },
  });
  expect(loads).toEqual(["./base.ts"]);
  expect(exports["next"]).toBe(2);
});

test("a class is constructed, and a member of a member too", async () => {
  class Book {
    readonly title: string;
    constructor(title: string) {
      this.title = title;
    }
  }
  const { exports } = await run(
    'import { Book, shelf } from "./books.ts"; export const one = (t: string) => [new Book(t), new shelf.Book(t)];',
    { "./books.ts": { Book, shelf: { Book } } },
  );
  expect(exports["one"]?.("a")).toEqual([new Book("a"), new Book("a")]);
});

test("a default import is the module where the module has no default of its own", async () => {
  const { exports } = await run(
    'import sum from "old"; import half from "new"; export const of = (n: number) => [sum(n), half(n)];',
    { old: Object.assign((n: number) => n + 1, {}), new: { __esModule: true, default: (n: number) => n / 2 } },
  );
  expect(exports["of"]?.(4)).toEqual([5, 2]);
});

test("names exported again come from their module", async () => {
  const { loads, exports } = await run('export { size } from "./size.ts"; export * from "./rest.ts";', {
    "./size.ts": { size: 3 },
    "./rest.ts": { rest: 4 },
  });
  expect(loads).not.toContain("./size.ts");
  expect([exports["size"], exports["rest"]]).toEqual([3, 4]);
});

test("a table looks for emoji in every text that has one", () => {
  const ofTables = createRequire(createRequire(import.meta.url).resolve("cli-table3"));
  const emoji = createRequire(ofTables.resolve("string-width"))("emoji-regex") as () => RegExp;
  const pattern = emoji();
  const characters = Array.from({ length: 0x11_00_00 }, (_, code) => String.fromCodePoint(code));
  // Keycaps are the only emoji that begin with a character which is none itself.
  const texts = [...characters, ...[..."#*0123456789"].flatMap((key) => [`${key}\ufe0f`, `${key}\ufe0f\u20e3`])];
  const found = texts.filter((text) => text.search(pattern) >= 0);
  expect(found.length).toBeGreaterThan(1_000);
  expect(found.filter((text) => !MAY_HAVE_EMOJI.test(text))).toEqual([]);
});
