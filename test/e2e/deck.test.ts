/** The page as its owner meets it: a real agent, a real browser, and strangers at the door. */
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DeckNow } from "../../src/deck/shapes.ts";
import { NO_BROWSER, openBrowser, overflows, violations, watch } from "../support/browser.ts";
import { ballast, type Folder, folder, quickConfig, run, type Running, takenDown } from "../support/process.ts";

const { started, folders } = takenDown();
const TOKEN = "a-token-of-the-owner";
const WHY = NO_BROWSER ? " (skipped: no Chromium is installed)" : "";

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

interface Place {
  readonly dir: string;
  readonly config: string;
  readonly url: string;
}

async function place(): Promise<Place> {
  const made: Folder = folder();
  folders.push(made);
  const port = await freePort();
  return {
    dir: `${made.dir}/data`,
    config: made.file("agent.yaml", `${quickConfig()}status: { port: ${port} }\n`),
    url: `http://127.0.0.1:${port}`,
  };
}

function start({ dir, config }: Place, env: Record<string, string> = { BALLAST_STATUS_TOKEN: TOKEN }): Running {
  const running = ballast(["run", "--config", config, "--data-dir", dir, "--log-format", "json"], env);
  started.push(running);
  return running;
}

const listening = (agent: Running) => agent.until((line) => line.evt === "status.listening", 40_000, "a page");

const command = (url: string, body: object, headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` }) =>
  fetch(`${url}/deck/commands`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

describe("strangers at the door", () => {
  test("whoever lacks the token commands nothing, whatever else is sent with it", { timeout: 120_000 }, async () => {
    const here = await place();
    const agent = start(here);
    await listening(agent);
    const { url } = here;
    const halt = { command: "halt", confirm: true };
    expect((await command(url, halt, {})).status).toBe(403);
    expect((await command(url, halt, { authorization: "Bearer wrong-token" })).status).toBe(403);
    expect((await command(url, halt, { origin: "https://evil.example" })).status).toBe(403);
    expect((await fetch(`${url}/`, { headers: { origin: "https://evil.example" } })).status).toBe(403);
    const refused = await command(url, { command: "halt" });
    expect([refused.status, await refused.json()]).toEqual([400, { error: expect.stringMatching(/^confirm: /) }]);
    const unknown = await command(url, { command: "use", strategy: "no-such", handover: "adopt", confirm: true });
    expect([unknown.status, JSON.stringify(await unknown.json())]).toEqual([400, expect.stringContaining("no-such")]);
    expect((await command(url, { ...halt, more: "x".repeat(5_000) })).status).toBe(413);
    for (const path of [
      "/deck/decisions/..%2F..%2Fjournal.db",
      "/deck/bars/X/9m",
      "/deck.js/../../package.json",
      "/deck/nothing",
    ])
      expect([400, 404]).toContain((await fetch(`${url}${path}`)).status);
    const page = await fetch(`${url}/`);
    expect(page.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'/,
    );
    // Nothing of all that was a command.
    const status = (await (await fetch(`${url}/status`)).json()) as DeckNow;
    expect(status.floorState).toBe("NORMAL");
    agent.child.kill("SIGTERM");
    expect((await agent.ended).code).toBe(0);
    const verified = await run(["verify", "--data-dir", here.dir]);
    expect(verified.out).toMatch(/I33[^\n]*held/);
  });

  test("without a token the page reads, and says that it cannot command", { timeout: 120_000 }, async () => {
    const here = await place();
    await listening(start(here, {}));
    expect((await command(here.url, { command: "halt", confirm: true })).status).toBe(403);
    const events = await fetch(`${here.url}/deck/events`);
    const first = new TextDecoder().decode((await events.body?.getReader().read())?.value);
    expect(JSON.parse(/data: (.*)/.exec(first)?.[1] ?? "")).toMatchObject({ commands: false });
  });

  test("of a hundred pages at once sixteen are told, and the others get an answer", { timeout: 120_000 }, async () => {
    const here = await place();
    const agent = start(here);
    await listening(agent);
    const abort = new AbortController();
    const answers = await Promise.allSettled(
      Array.from({ length: 100 }, () => fetch(`${here.url}/deck/events`, { signal: abort.signal })),
    );
    const told = answers.filter((answer) => answer.status === "fulfilled" && answer.value.status === 200);
    expect(told.length).toBe(16);
    await agent.until((line) => line.evt === "agent.ready", 60_000, "agent.ready");
    expect((await run(["status", "--health", "--data-dir", here.dir])).code).toBe(0);
    abort.abort();
  });
});

describe.skipIf(NO_BROWSER)(`in a browser${WHY}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  const confirm = async (page: Page, button: string, yes: string): Promise<void> => {
    await page.getByRole("button", { name: button, exact: true }).click();
    await page.getByLabel("Token (BALLAST_STATUS_TOKEN)").fill(TOKEN);
    await page.getByRole("button", { name: yes }).click();
  };

  test(
    "start, first trade, halt, resume, switch, flatten; the agent dies, and the page says so and recovers",
    { timeout: 300_000 },
    async () => {
      const here = await place();
      const agent = start(here);
      await listening(agent);
      const { page, errors, foreign } = await watch(browser, `${here.url}/`, [here.url], { width: 1280 });
      const open = page.getByRole("region", { name: "Open positions" });
      await open.locator("tbody tr").first().waitFor({ timeout: 60_000 });
      await page.getByText("story").first().click();
      await page.locator("dialog").getByText("triggered by").first().waitFor();
      await page.getByRole("button", { name: "Close" }).click();
      expect(await violations(page)).toEqual([]);
      expect(await overflows(page)).toBe(false);
      const pictures = process.env["BALLAST_PICTURES"];
      if (pictures) await takePictures(browser, here.url, pictures);

      await page.getByRole("button", { name: "Halt" }).click();
      await page.getByLabel("Token (BALLAST_STATUS_TOKEN)").fill("wrong-token");
      await page.getByRole("button", { name: "Yes, halt" }).click();
      await page.getByRole("alert").getByText("the token is missing or wrong").waitFor();
      await page.getByRole("button", { name: "Close" }).click();

      await confirm(page, "Halt", "Yes, halt");
      await page.getByText("HALT: the operator said halt").first().waitFor();
      await confirm(page, "Resume", "Yes, resume");
      await page.getByText("NORMAL", { exact: true }).waitFor({ timeout: 30_000 });
      await page.getByRole("button", { name: "Switch strategy" }).click();
      await page.locator("dialog select").first().selectOption("hold");
      await page.getByRole("button", { name: "Yes, switch" }).click();
      await page.locator(".tile").filter({ hasText: "Strategy" }).getByText("hold").waitFor({ timeout: 60_000 });
      await confirm(page, "Flatten", "Yes, flatten");
      await page.getByText("Nothing is held.").waitFor({ timeout: 60_000 });
      await page.getByText("HALT: flattened by the operator").first().waitFor({ timeout: 60_000 });
      expect(errors.filter((text) => !/403|Failed to load resource/.test(text))).toEqual([]);
      expect(foreign).toEqual([]);

      agent.child.kill("SIGKILL");
      await page.getByText("The agent has not answered for some seconds").waitFor({ timeout: 20_000 });
      const again = start(here);
      await listening(again);
      await page
        .getByText("The agent has not answered for some seconds")
        .waitFor({ state: "detached", timeout: 60_000 });
      await page
        .getByText("HALT: flattened by the operator")
        .first()
        .waitFor({ state: "attached", timeout: 60_000 })
        .catch(() => undefined);
      expect(await page.locator(".tile").filter({ hasText: "Equity" }).first().innerText()).toContain("HALT");
    },
  );

  test("on a phone and in the dark it fits, without a violation", { timeout: 120_000 }, async () => {
    const here = await place();
    await listening(start(here));
    const { page, errors } = await watch(browser, `${here.url}/`, [here.url], { width: 390, scheme: "dark" });
    await page.getByText("above the floor of").waitFor({ timeout: 60_000 });
    expect(await overflows(page)).toBe(false);
    expect(await violations(page)).toEqual([]);
    expect(errors).toEqual([]);
  });
});

/** What the README and the docs show, and what a person looks at. */
async function takePictures(browser: Browser, url: string, dir: string): Promise<void> {
  mkdirSync(dir, { recursive: true });
  for (const [name, look] of [
    ["wide-light", { width: 1280, height: 900 }],
    ["wide-dark", { width: 1280, height: 900, scheme: "dark" as const }],
    ["phone-light", { width: 390, height: 844 }],
    ["phone-dark", { width: 390, height: 844, scheme: "dark" as const }],
  ] as const) {
    const { page } = await watch(browser, `${url}/`, [url], look);
    await page.locator(".price-chart canvas").first().waitFor();
    await page.waitForTimeout(1_500);
    await page.screenshot({ path: path.join(dir, `deck-${name}.png`) });
    await page.close();
  }
}
