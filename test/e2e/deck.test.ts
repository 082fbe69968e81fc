/** The page as its owner meets it: a real agent, a real browser, and callers without access. */
import { mkdirSync } from "node:fs";
import { connect, createServer } from "node:net";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DeckLogLine, DeckNow, DeckRow } from "../../src/deck/shapes.ts";
import { NO_BROWSER, openBrowser, overflows, violations, watch } from "../support/browser.ts";
import {
  confirm,
  flatten,
  halt,
  resume,
  seeAccount,
  seePosition,
  seeRecovery,
  seeSilence,
  switchTo,
} from "../support/deck-walk.ts";
import {
  ballast,
  bringDown,
  type Folder,
  folder,
  quickConfig,
  run,
  type Running,
  serviceEnv,
  simProcess,
} from "../support/process.ts";

/** Brought down once for the file: most cases share one agent, because its start takes longer than what they ask of it. */
const started: Running[] = [];
const folders: Folder[] = [];
afterAll(async () => {
  await bringDown(started);
  for (const made of folders) made.remove();
});
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

/** Commands of a person, as the journal has them. */
async function commandsIn({ dir }: Place): Promise<readonly unknown[]> {
  const { out } = await run(["journal", "export", "--data-dir", dir]);
  const rows = out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { kind: string; body: { command?: unknown } });
  expect(rows.length).toBeGreaterThan(0);
  return rows.flatMap(({ kind, body }) =>
    (kind === "operator" || kind === "switch") && body.command !== undefined ? [body.command] : [],
  );
}

const listening = (agent: Running) => agent.until((line) => line.evt === "status.listening", 40_000, "a page");

const command = (url: string, body: object, headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` }) =>
  fetch(`${url}/deck/commands`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** A request as it is written, for what a proper client would not send. */
function raw(url: string, text: string): Promise<string> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.setEncoding("utf8").on("data", (chunk: string) => (answer += chunk));
    socket.on("error", () => undefined).once("close", () => resolve(answer));
  });
}

const TRAVERSALS = [
  "/../../../../etc/passwd",
  "/deck.js/../../package.json",
  "/%2e%2e/%2e%2e/package.json",
  "//etc/passwd",
  "/deck/decisions/..%2f..%2fjournal.db",
  "/deck/decisions/%00",
  "/deck/bars/..%2f..%2fjournal.db/1m",
  "/deck/bars/%E0%A4%A/1m",
];

/** What a page hears first that stood at `seen`. */
async function eventsFrom(url: string, seen: string): Promise<{ id: string; messages: Record<string, unknown> }> {
  const answer = await fetch(`${url}/deck/events`, { headers: seen === "" ? {} : { "last-event-id": seen } });
  let [text, id] = ["", ""];
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.endsWith("\n\n")) break;
  }
  const messages: Record<string, unknown> = {};
  for (const [, name = "", at = "", json = ""] of text.matchAll(/event: (\w+)\nid: (\S+)\ndata: (.*)\n\n/g)) {
    messages[name] ??= JSON.parse(json);
    id ||= at;
  }
  return { id, messages };
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);

const PATHS = ["/", "/deck.js", "/deck.css", "/deck/events", "/deck/history", "/deck/why-not", "/deck/bars/X/1m"];

describe("callers without access", () => {
  let here: Place;
  let agent: Running;
  beforeAll(async () => {
    here = await place();
    agent = start(here);
    await listening(agent);
  }, 60_000);
  const statusNow = async (): Promise<DeckNow> => (await (await fetch(`${here.url}/status`)).json()) as DeckNow;

  test("whoever lacks the token commands nothing, whatever else is sent with it", { timeout: 120_000 }, async () => {
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
    for (const path of [...PATHS, "/deck/decisions/d-1", "/metrics"])
      for (const door of ["Host: evil.example", "Host: 127.0.0.1\r\nOrigin: null", "Host: 127.0.0.1.evil.example"])
        expect([
          statusOf(await raw(url, `GET ${path} HTTP/1.1\r\n${door}\r\nConnection: close\r\n\r\n`)),
          path,
        ]).toEqual([403, path]);
    for (const path of TRAVERSALS) {
      const answer = await raw(url, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
      expect([[400, 403, 404].includes(statusOf(answer)), /root:|"dependencies"|SQLite/.test(answer), path]).toEqual([
        true,
        false,
        path,
      ]);
    }
    // Nothing of all that was a command.
    expect((await statusNow()).floorState).toBe("NORMAL");
  });

  test("slow and huge requests are cut off, and the page is served meanwhile", { timeout: 120_000 }, async () => {
    const { url } = here;
    const post = (more: string): string =>
      `POST /deck/commands HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\n${more}`;
    const halt = `{"command":"halt","confirm":true`;
    // Each is given up by the agent: a body that never ends coming, headers that never end, more than anybody needs.
    const slow = [post(`Content-Length: 200\r\n\r\n${halt}`), "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "];
    const given = slow.map((text) => raw(url, text));
    const page = await fetch(`${url}/`);
    expect([page.status, (await page.text()).includes('<main id="deck">')]).toEqual([200, true]);
    expect((await Promise.all(given)).map(statusOf)).toEqual([408, 408]);
    const header = `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Huge: ${"x".repeat(100_000)}\r\n\r\n`;
    expect(statusOf(await raw(url, header))).toBe(431);
    expect(statusOf(await raw(url, post("Content-Length: 9000000000\r\n\r\n")))).toBe(413);
    const chunk = `fff\r\n${"x".repeat(4_095)}\r\n`;
    expect(statusOf(await raw(url, post(`Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(300)}`)))).toBe(413);
    expect((await fetch(`${url}/${"x".repeat(12_000)}`)).status).toBe(404);
    expect((await statusNow()).floorState).toBe("NORMAL");
  });

  test("the page goes out packed, in less than 150 kB and with nothing to fetch elsewhere", async () => {
    let bytes = 0;
    for (const path of ["/", "/deck.js", "/deck.css"]) {
      const text = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n`;
      const answer = await raw(here.url, text);
      if (path !== "/") expect(answer).toMatch(/\r\ncontent-encoding: gzip\r\n/i);
      bytes += Number(/\r\ncontent-length: (\d+)/i.exec(answer)?.[1] ?? NaN);
    }
    expect(bytes).toBeLessThan(150_000);
    const [page, style] = await Promise.all(
      ["/", "/deck.css"].map(async (path) => (await fetch(here.url + path)).text()),
    );
    expect(`${page}${style}`.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|@import/);
    const plain = await fetch(`${here.url}/deck.js`, { headers: { "accept-encoding": "identity" } });
    expect([plain.headers.get("content-encoding"), plain.headers.get("vary")]).toEqual([null, "accept-encoding"]);
  }, 60_000);

  test("without a token the page reads, and says that it cannot command", { timeout: 120_000 }, async () => {
    const other = await place();
    const without = start(other, {});
    await listening(without);
    expect((await command(other.url, { command: "halt", confirm: true })).status).toBe(403);
    const { messages } = await eventsFrom(other.url, "");
    expect(messages["now"]).toMatchObject({ commands: false });
    await bringDown([without]);
  });

  test("a page that comes back gets what it has missed, and nothing twice", { timeout: 120_000 }, async () => {
    await agent.until((line) => line.evt === "agent.ready", 100_000, "agent.ready");
    const first = await eventsFrom(here.url, "");
    const rows = first.messages["rows"] as readonly DeckRow[];
    const [runId = "", row = "", line = ""] = first.id.split(".");
    expect(Number(row)).toBe(rows.at(-1)?.seq);
    const again = await eventsFrom(here.url, first.id);
    expect(
      (again.messages["rows"] as readonly DeckRow[] | undefined)?.every(({ seq }) => seq > Number(row)) ?? true,
    ).toBe(true);
    const missed = await eventsFrom(here.url, `${runId}.${Number(rows.at(-2)?.seq)}.${line}`);
    expect((missed.messages["rows"] as readonly DeckRow[])[0]).toEqual(rows.at(-1));
    // Line numbers begin again in each run of the agent, row numbers do not.
    const other = await eventsFrom(here.url, `b-other.${row}.${line}`);
    expect((other.messages["log"] as readonly DeckLogLine[])[0]?.evt).toBe("agent.starting");
    expect(other.messages["now"]).toBeDefined();
  });

  test("of five hundred pages at once sixteen are served, and the agent goes on", { timeout: 240_000 }, async () => {
    const pages = Array.from({ length: 500 }, () => {
      const socket = connect(Number(new URL(here.url).port), "127.0.0.1");
      const page = { socket, answer: "" };
      socket.setEncoding("utf8").on("data", (text: string) => (page.answer ||= text));
      socket.on("error", () => undefined).write("GET /deck/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
      return page;
    });
    const wait = { timeout: 100_000 };
    const waiting = (): number => pages.filter(({ socket, answer }) => answer === "" && !socket.closed).length;
    await expect.poll(waiting, wait).toBe(0);
    // Beyond those that are served, some hear that it is full, and most are not let in at all.
    const count = (status: number): number => pages.filter(({ answer }) => statusOf(answer) === status).length;
    expect([count(200), count(200) + count(503) + count(0)]).toEqual([16, 500]);
    await agent.until((line) => line.evt === "agent.ready", 100_000, "agent.ready");
    expect((await fetch(`${here.url}/health`)).status).toBe(200);
    for (const { socket } of pages) socket.destroy();
    // Whoever leaves makes room.
    const again = async (): Promise<number> => {
      const answer = await fetch(`${here.url}/deck/events`);
      await answer.body?.cancel();
      return answer.status;
    };
    await expect.poll(again, wait).toBe(200);
  });

  test("the journal of all that shows no command", { timeout: 120_000 }, async () => {
    agent.child.kill("SIGTERM");
    expect((await agent.ended).code).toBe(0);
    const verified = await run(["verify", "--data-dir", here.dir]);
    expect(verified.out).toMatch(/I33[^\n]*held/);
    expect(await commandsIn(here)).toEqual([]);
  });
});

describe.skipIf(NO_BROWSER)(`in a browser${WHY}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  let here: Place;
  let agent: Running;
  beforeAll(async () => {
    here = await place();
    agent = start(here);
    await listening(agent);
  }, 60_000);

  test("from the start to a decision's story, the first trade and its chart", { timeout: 600_000 }, async () => {
    const { page, errors, foreign } = await watch(browser, `${here.url}/`, [here.url], { width: 1280 });
    await seePosition(page);
    await page.getByText("story").first().click();
    await page.locator("dialog").getByText("triggered by").first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Close" }).click();
    const open = page.getByRole("region", { name: "Open positions" });
    await open.getByRole("button", { name: "why" }).first().click();
    await page.locator("dialog details[open]").getByText("Why: ").first().waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.locator(".price-chart canvas").first().waitFor();
    await page.getByRole("button", { name: "Check the set-up" }).click();
    await page.getByText(`Node: ${process.version}`).waitFor();
    // The score in full, in the words of `ballast status`.
    const { score } = (await (await fetch(`${here.url}/status`)).json()) as DeckNow;
    const competition = page.getByRole("region", { name: "Competition so far" });
    await competition.getByText(`${score?.daysLeft?.toFixed(1)} days left`).waitFor();
    for (const text of ["not before two completed days", "scores 100 of 100", "above 800 USDT"])
      expect(await competition.getByText(text).count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    const pictures = process.env["BALLAST_PICTURES"];
    if (pictures) await takePictures(browser, here.url, pictures);
    expect([errors, foreign]).toEqual([[], []]);
    await page.close();
  });

  test(
    "on a phone and in the dark it fits, without a violation and without a mouse",
    { timeout: 240_000 },
    async () => {
      const { page, errors } = await watch(browser, `${here.url}/`, [here.url], { width: 390, scheme: "dark" });
      await seeAccount(page);
      expect(await overflows(page)).toBe(false);
      expect(await violations(page)).toEqual([]);
      // Without a mouse: a command's question opens, is left, and the keyboard is where it was.
      const flatten = page.getByRole("button", { name: "Flatten" });
      await flatten.focus();
      await page.keyboard.press("Enter");
      await page.getByLabel("Token (BALLAST_STATUS_TOKEN)").waitFor();
      expect(await overflows(page)).toBe(false);
      await page.keyboard.press("Escape");
      await page.getByLabel("Token (BALLAST_STATUS_TOKEN)").waitFor({ state: "detached" });
      expect(await page.evaluate<string>("document.activeElement?.textContent ?? ''")).toBe("Flatten");
      expect(errors).toEqual([]);
      await page.close();
    },
  );

  test(
    "halt, resume, switch, flatten; the agent dies, the page says so and recovers",
    { timeout: 600_000 },
    async () => {
      const { page, errors, foreign } = await watch(browser, `${here.url}/`, [here.url], { width: 1280 });
      await page.getByRole("button", { name: "Halt" }).click();
      expect(await violations(page)).toEqual([]);
      await page.getByRole("button", { name: "Close" }).click();
      await confirm(page, "Halt", "Yes, halt", "wrong-token");
      await page.getByRole("alert").getByText("the token is missing or wrong").waitFor();
      await page.getByRole("button", { name: "Close" }).click();
      await halt(page, TOKEN);
      await resume(page, TOKEN);
      await switchTo(page, "hold", TOKEN);
      await flatten(page, TOKEN);
      expect(errors.filter((text) => !/403|Failed to load resource/.test(text))).toEqual([]);
      expect(foreign).toEqual([]);

      agent.child.kill("SIGKILL");
      await seeSilence(page);
      await listening(start(here));
      await seeRecovery(page);
      // Each command is a row of the journal.
      expect(await commandsIn(here)).toEqual(["halt", "resume", "use", "flatten"]);
      await page.close();
    },
  );

  test("what news, a script in its title and all, says is shown as text", { timeout: 300_000 }, async () => {
    const { running: sim, ready } = await simProcess(["--seed", "3"]);
    started.push(sim);
    const made = folder();
    folders.push(made);
    const config = made.file("agent.yaml", `${quickConfig({ kind: "service" })}status: { port: 0 }\n`);
    const args = ["run", "--config", config, "--data-dir", `${made.dir}/data`, "--log-format", "json"];
    const agent = ballast(args, serviceEnv(ready));
    started.push(agent);
    const url = String((await listening(agent))["url"]);
    await agent.until((line) => line.evt === "agent.ready", 60_000, "agent.ready");
    const { page, errors, foreign } = await watch(browser, `${url}/`, [url], { width: 1280 });
    // Written so that they are tags again once the news room has read them as text.
    const titles = [
      `<script>window.robbed = "script"</script> Bitcoin`,
      `<img src="https://evil.example/x.png" onerror="window.robbed = 'image'"> Ether`,
      `"><svg onload="window.robbed = 'svg'"></svg> Solana`,
    ].map((title) => title.replaceAll("<", "&lt;").replaceAll(">", "&gt;"));
    for (const title of titles) {
      const body = JSON.stringify({ title, content: title });
      const headers = { "content-type": "application/json" };
      const put = await fetch(`${ready.controlUrl}/news`, { method: "POST", headers, body });
      expect(put.status).toBe(200);
    }
    const news = page.getByRole("region", { name: "News, newest first" });
    await news.getByText(`<script>window.robbed = "script"</script> Bitcoin`).waitFor({ timeout: 60_000 });
    await news.getByText(`onload="window.robbed = 'svg'"`).waitFor({ timeout: 60_000 });
    expect(await page.evaluate<unknown>("window.robbed ?? null")).toBeNull();
    expect(await page.locator(".feed :is(script, img, svg, iframe, a)").count()).toBe(0);
    expect([foreign, errors]).toEqual([[], []]);
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
    await page.screenshot({ path: path.join(dir, `deck-${name}-whole.png`), fullPage: true });
    await page.close();
  }
}
