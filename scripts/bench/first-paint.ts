/** The page in a browser: bytes transferred, and how soon something is visible. */
import { openBrowser } from "../../test/support/browser.ts";

export interface FirstLook {
  /** Page, script and style as sent. */
  readonly bytes: number;
  readonly firstPaintMs: number;
  /** Until the agent's figures are shown. */
  readonly figuresMs: number;
}

interface Timed {
  readonly bytes: number;
  readonly paint: number;
}

const FILES = `(() => {
  const files = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .filter(({ name }) => !name.includes("/deck/") && name.startsWith("http"));
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return { bytes: files.reduce((sum, { transferSize }) => sum + transferSize, 0), paint: paint?.startTime ?? NaN };
})()`;

/** Each visit is that of a browser without a cache. */
export async function firstLooks(url: string, count: number): Promise<readonly FirstLook[]> {
  const browser = await openBrowser();
  try {
    const looks: FirstLook[] = [];
    for (let at = 0; at < count; at++) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      const page = await context.newPage();
      await page.goto(`${url}/`);
      await page.locator(".tile").first().waitFor();
      const figuresMs = await page.evaluate<number>("performance.now()");
      const { bytes, paint } = await page.evaluate<Timed>(FILES);
      looks.push({ bytes, firstPaintMs: paint, figuresMs });
      await context.close();
    }
    return looks;
  } finally {
    await browser.close();
  }
}
