import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ConfigSchema, FIXED_AT_START } from "../../src/config/config.ts";
import { ceilingTexts } from "../../src/config/ceilings.ts";
import { configurationPage, logEventsPage } from "../../src/faces/docs/pages.ts";
import { statusApp } from "../../src/faces/status/server.ts";
import { folder, run } from "../support/process.ts";
import { journalPage } from "../../src/faces/docs/journal-page.ts";
import { ROW_KINDS } from "../../src/rows/row.ts";

describe("the command line", () => {
  test.each(["run", "sim", "status", "explain", "halt", "resume", "config", "prompt", "strategy"])(
    "%s has help with an example",
    async (name) => {
      const { code, out } = await run([name, "--help"]);
      expect(code).toBe(0);
      expect(out).toMatch(/Example:\n {2}\$ ballast /);
    },
  );
  test.each([
    [["rnu"], 2, /unknown command 'rnu'\n\(Did you mean run\?\)|unknown command/],
    [["sim", "--port", "70000"], 2, /write a whole number from 0 to 65535/],
    [["sim", "--phase", "3"], 2, /write 1 or 2/],
    [["sim", "--profile", "soft"], 2, /documented, observed, harsh/],
    [["sim", "--help"], 0, /docs\/SIMULATED-SERVICE\.md;\s+default: usual\)/],
    [["sim", "--exchanges", "EXCHANGE_A,EXCHANGE_A"], 2, /write different upper-case identifiers/],
    [["sim", "--exchanges", ""], 2, /write different upper-case identifiers/],
    [["verify", "--skew", "2"], 2, /argument '2' is invalid\. write a span such as 500ms/],
    [["budget", "--day", "2026-02-30"], 2, /argument '2026-02-30' is invalid/],
    [["run", "--colour"], 2, /unknown option '--colour'\nRun `ballast run --help` for its options/],
    [["config", "chekc"], 2, /Did you mean check\?\)\nRun `ballast config --help` for its commands/],
    [["config", "check", "a.yaml", "--config", "b.yaml"], 2, /two files are named, a\.yaml and b\.yaml\. Name one/],
    [["config", "check", "--config", "nowhere.yaml"], 3, /nowhere\.yaml .*cannot be read/],
    [
      ["run", "--data-dir", ""],
      2,
      /option '--data-dir <dir>' is empty \(an unset variable\?\)\. Write a value, or leave/,
    ],
    [["status", "--data-dir", " "], 2, /option '--data-dir <dir>' is empty/],
    [["journal", "archive", "--data-dir", ""], 2, /option '--data-dir <dir>' is empty/],
    [["backtest", "--symbols", ""], 2, /option '--symbols <bases>' is empty/],
    [["verify", "--log", "a", ""], 2, /option '--log <file\.\.\.>' is empty/],
    [["run", "--practice-clock", "nope"], 2, /--practice-clock must be the controlUrl .*, found nope/],
    [["run", "--data-dir", "/proc/x"], 4, /--data-dir: folder \/proc\/x cannot be created \(ENOENT\); name one/],
    [["record", "--out", "/proc/x"], 2, /--out: folder \/proc\/x cannot be created \(ENOENT\); name one/],
    [["run", "--config", "nowhere.yaml"], 3, /nowhere\.yaml cannot be read \(ENOENT\)\. Give another with --config/],
    [
      ["sim", "--port", "0", "--control-port", "0", "--data", "/no/such/folder"],
      3,
      /data folder \/no\/such\/folder does not exist/,
    ],
    [["sim", "--from", "2025-06-12T00:00:00Z"], 2, /--from 2025-06-12T00:00:00Z .* add its folder with --data/],
    [["sim", "--port", "9", "--control-port", "9"], 2, /--port and --control-port are both 9; give each its own/],
    [["sim", "--record", "/proc/x"], 2, /--record: folder \/proc\/x cannot be created \(ENOENT\); name one/],
    [["status", "--data-dir", "/no/such/folder"], 1, /no agent is running and there is no journal/],
    [["explain", "last", "--data-dir", "/no/such/folder"], 1, /there is no journal/],
  ])("%j answers %i and says what to do", async (args, code, said) => {
    const answer = await run(args);
    expect(answer.out).toMatch(said);
    expect(answer.code).toBe(code);
  });
  test("a sim names the option whose port, file or account cannot be used", async () => {
    const made = folder();
    const ports = ["--port", "0", "--control-port"];
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const taken = await run(["sim", ...ports, String(port)]);
    other.close();
    expect(taken).toMatchObject({
      code: 2,
      out: expect.stringMatching(`--control-port ${port} .*EADDRINUSE.*another`),
    });
    const accounts = made.file(
      "accounts.yaml",
      "accounts: [{ id: abc, keys: [{ accessKey: short, secretKey: s }] }]\n",
    );
    const asked = await run(["sim", ...ports, "0", "--accounts", accounts]);
    expect(asked).toMatchObject({ code: 3, out: expect.stringContaining('accounts.0.id: 16 digits, found "abc"; ') });
    expect(asked.out).not.toContain("short");
    const ready = await run(["sim", ...ports, "0", "--ready-file", `${made.dir}/no/ready`]);
    expect(ready).toMatchObject({ code: 2, out: expect.stringMatching(/--ready-file .*no\/ready cannot be written/) });
    made.remove();
  });
  test("config check says what is wrong by line, and what is missing for trading", async () => {
    const made = folder();
    const bad = made.file("bad.yaml", "phase: 3\nstrategy: { use: momentum }\n");
    expect(await run(["config", "check", bad])).toMatchObject({
      code: 3,
      out: expect.stringMatching(/bad\.yaml:1:8 phase: must be 1 or 2, found 3/),
    });
    const settings =
      "strategy:\n  use: hold\n  shadows: [momentum]\n  settings:\n    momentum:\n      minHoldMinutes: -10\n";
    expect(await run(["config", "check", made.file("settings.yaml", settings)])).toMatchObject({
      code: 3,
      out: expect.stringMatching(
        /settings\.yaml:6:23 strategy\.settings\.momentum\.minHoldMinutes: settings of strategy momentum: minHoldMinutes is -10: must be at least 0$/m,
      ),
    });
    const shipped = await run(["config", "check", "config/phase1.yaml"]);
    expect(shipped).toMatchObject({ code: 3, out: expect.stringMatching(/model-1: a placeholder for the organiser/) });
    const named = made.file("own.yaml", readFileSync("config/phase1.yaml", "utf8").replace("model-1", "our-model"));
    const good = await run(["config", "check", named, "--json"]);
    expect(JSON.parse(good.out)).toMatchObject({
      ok: true,
      findings: [{ severity: "warning", path: "session.consentFor" }],
    });
    made.remove();
  });
});

describe("pages read off the code", () => {
  test("docs/JOURNAL.md is up to date, and says something of every field", () => {
    const page = journalPage();
    expect(readFileSync("docs/JOURNAL.md", "utf8")).toBe(page);
    for (const kind of ROW_KINDS) expect(page).toContain(`### \`${kind}\`\n\nWritten `);
    expect(page.split("\n").filter((line) => /\|\s*\|$/.test(line))).toEqual([]);
  });

  test("docs/LOG-EVENTS.md and docs/CONFIGURATION.md are up to date (npm run docs)", () => {
    const plain = (text: string): string => text.replace(/[ |-]+/g, " ");
    expect(plain(readFileSync("docs/LOG-EVENTS.md", "utf8"))).toBe(plain(logEventsPage()));
    expect(plain(readFileSync("docs/CONFIGURATION.md", "utf8"))).toBe(
      plain(configurationPage(z.toJSONSchema(ConfigSchema, { io: "input" }), FIXED_AT_START, ceilingTexts())),
    );
  });
});

describe("the status endpoint", () => {
  const app = statusApp({ healthy: () => ({ ok: false, reason: "stalled" }), status: () => ({ equity: "1" }) });
  const get = (path: string, headers: Record<string, string> = {}) =>
    app.request(`http://127.0.0.1${path}`, { headers: { host: "127.0.0.1:1", ...headers } });
  test("answers its own machine only, and says when it is not well", async () => {
    expect((await get("/health")).status).toBe(503);
    expect(await (await get("/status")).json()).toEqual({ equity: "1" });
    expect((await get("/status", { host: "evil.example" })).status).toBe(403);
    expect((await get("/status", { origin: "https://evil.example" })).status).toBe(403);
    expect((await get("/nothing")).status).toBe(404);
    expect(
      (await app.request("http://127.0.0.1/status", { method: "POST", headers: { host: "localhost" } })).status,
    ).toBe(404);
  });
});
