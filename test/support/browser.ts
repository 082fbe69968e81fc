/** A real Chromium for tests of pages; where none is installed those tests skip, saying so. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, chromium, type Page } from "playwright-core";

const CANDIDATES = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Path of an installed Chromium; null where there is none. */
export const CHROMIUM = CANDIDATES.find((file) => file && existsSync(file)) ?? null;

/** For `test.skipIf`, with a title that says why. */
export const NO_BROWSER = CHROMIUM === null;

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM ?? "", args: ["--no-sandbox"] });

/** What a page did that it should not: errors, and requests to anywhere but itself. */
export interface Watched {
  readonly page: Page;
  readonly errors: readonly string[];
  readonly foreign: readonly string[];
}

export interface Look {
  readonly width: number;
  readonly height?: number;
  readonly scheme?: "light" | "dark";
}

const HANGS_MS = 120_000;

/** Opens the address; `own` are the beginnings of addresses that belong to the page. */
export async function watch(browser: Browser, url: string, own: readonly string[], look: Look): Promise<Watched> {
  const page = await browser.newPage({
    viewport: { width: look.width, height: look.height ?? 900 },
    colorScheme: look.scheme ?? "light",
  });
  // A guard against hanging, not a judge of speed: this machine may be busy with other tests.
  page.setDefaultTimeout(HANGS_MS);
  const errors: string[] = [];
  const foreign: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  page.on("console", (said) => said.type() === "error" && errors.push(said.text()));
  page.on("request", (request) => {
    if (![...own, "data:"].some((start) => request.url().startsWith(start))) foreign.push(request.url());
  });
  await page.goto(url);
  return { page, errors, foreign };
}

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Violations of WCAG 2.1 A and AA, as `rule: element`. */
export async function violations(page: Page): Promise<readonly string[]> {
  // As a function's text and not as an element: the page's own policy allows no foreign script.
  await page.evaluate(readFileSync(AXE, "utf8"));
  const found = await page.evaluate<AxeResult>(`axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] })`);
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** Whether anything sticks out to the right. */
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>("document.documentElement.scrollWidth > window.innerWidth");
