/** What the pages point to exists: links between pages, and files and folders of the tree that they name. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.join(import.meta.dirname, "../..");
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(path.join(ROOT, "docs"), { recursive: true })
    .map((file) => `docs/${String(file)}`)
    .filter((file) => file.endsWith(".md")),
];
const rooms = readdirSync(path.join(ROOT, "src"));
/** As a page may name it: from the root, or from `src/`. */
const exists = (name: string): boolean => [name, `src/${name}`].some((file) => existsSync(path.join(ROOT, file)));

const textOf = (page: string): string => readFileSync(path.join(ROOT, page), "utf8");

test.each(pages)("%s links to files that exist", (page) => {
  const links = [...textOf(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = ""]) => link);
  const missing = links.filter(
    (link) => !/^[a-z]+:/.test(link) && !existsSync(path.join(ROOT, path.dirname(page), link)),
  );
  expect(missing).toEqual([]);
});

test.each(pages)("%s names sources that exist", (page) => {
  const named = [...textOf(page).matchAll(/`([\w./-]+)`/g)].map(([, name = ""]) => name);
  const ours = named.filter((name) => {
    const [first = "", second] = name.split("/");
    return second !== undefined && ["src", "test", "scripts", ...rooms].includes(first);
  });
  expect(ours.filter((name) => /\.ts$|\/$/.test(name) && !exists(name))).toEqual([]);
});
