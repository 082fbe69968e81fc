/** Beats, gauges, files, hosts and clocks. Legal for the verifier. */
import { expect, test } from "vitest";
import * as move from "./moves.ts";
import { honestRun } from "./base.ts";
import { type Body, CONFIG, ETH, fact, history, pass, row, SOL } from "./story.ts";
import { judgeOne } from "../../src/verify/verify.ts";
import { ALL_INVARIANTS } from "../../src/verify/all-invariants.ts";
import { sol, begun, report, held, silent, legal, type Legal } from "./legal-histories.ts";

const records: readonly Legal[] = [
  legal("a tail mark behind the last light rows", (story) => {
    story.finish = (built) => ({ ...built, tail: { state: "read", seq: 3, hash: built.rows[2]?.hash ?? "" } });
  }),
  legal("a journal alone", (story) => {
    held(story);
    story.finish = (built) => ({
      ...built,
      wire: null,
      venue: null,
      charges: null,
      sinks: null,
      secrets: null,
      tail: null,
    });
  }),
  legal("rows of writes that never arrived", (story) => {
    for (const leverage of [1, 2]) {
      move.write(story, "position.set-leverage", { symbol: ETH, leverage });
      move.answer(story, "unknown");
    }
  }),
  legal("a clock that is set back by a minute", (story) => {
    move.live(story, 20_000);
    const { startedMs } = story;
    story.nowMs -= 60_000;
    story.startedMs = startedMs - 60_000;
    move.live(story, 30_000);
  }),
  legal("a freeze that the prober saw as well", (story) => {
    move.live(story, 30_000);
    const fromMs = story.nowMs;
    pass(story, 120_000);
    move.beat(story);
    fact(story, "uptime", { rest: { gaps: [{ fromMs, toMs: story.nowMs }] } });
  }),
  legal("a short run with a death, by calls that stop after the last heartbeat and come before the first", (story) => {
    move.live(story, 30_000);
    const fromMs = story.nowMs;
    pass(story, 60_000);
    move.runStarts(story, "b2");
    move.beat(story);
    const nextMs = story.nowMs;
    move.live(story, 30_000);
    fact(story, "uptime", { rest: { gaps: [{ fromMs: fromMs + 6_000, toMs: nextMs - 2_000 }] } });
  }),
  legal("a twin run that traded less", (story) => {
    held(story);
    story.finish = (built) => ({ ...built, twin: history(begun()).rows });
  }),
  legal("an equal run", (story) => {
    story.finish = (built) => ({ ...built, same: history(begun()).rows });
  }),
  legal("gauges at their caps", (story) => {
    pass(story, 10_000);
    row(story, "beat", { gauges: { previews: { high: 2_000, cap: 2_000 } } });
  }),
  legal("messages of a tool server", (story) => {
    const messages: readonly Body[] = [
      { id: 1, result: {} },
      { method: "notifications/x" },
      { id: "a", method: "y", params: [] },
      { id: null, error: { code: -32_700, message: "parse" } },
    ];
    story.sinks.push({
      name: "svc.mcp-stdout",
      content: messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""),
    });
  }),
  legal("HTTP that refuses outsiders and escapes headlines", (story) => {
    const exchanges: readonly Body[] = [
      {
        method: "GET",
        host: "localhost:1",
        loopback: true,
        status: 200,
        body: "&lt;b&gt;x&lt;/b&gt;",
        untrusted: ["<b>x</b>"],
      },
      { method: "POST", host: "127.0.0.1", loopback: true, status: 405, body: "" },
      { method: "GET", host: "evil.example", loopback: true, status: 403, body: '{"error":"foreign Host or Origin"}' },
      {
        method: "GET",
        host: "agent.lan",
        allowedHosts: ["agent.lan"],
        loopback: false,
        token: true,
        status: 200,
        body: "ok",
      },
      {
        method: "GET",
        host: "localhost",
        loopback: true,
        status: 200,
        contentType: "application/json",
        body: '{"t":"<b>"}',
        untrusted: ["<b>"],
      },
    ];
    story.sinks.push({ name: "page.http.jsonl", content: exchanges.map((one) => `${JSON.stringify(one)}\n`).join("") });
  }),
  legal("files inside their roots", (story) => {
    const sha256 = "c".repeat(64);
    Object.assign(story.entries[0]?.body ?? {}, {
      allowed: [sha256],
      files: [{ path: "x.md", real: "/app/prompts/deep/x.md", root: "/app/prompts", sha256 }],
    });
  }),
  legal("beats that report only what has changed, up to the caps, and start again with another run", (story) => {
    report(story, {
      gauges: { news: { high: 10, cap: 10 }, orders: { high: 0, cap: 5 } },
      said: {},
      met: [],
      visits: [],
    });
    report(story, { gauges: { orders: { high: 5, cap: 5 } } });
    pass(story, 5_000);
    move.runStarts(story, "b2");
    report(story, { gauges: { news: { high: 1, cap: 10 } } });
  }),
  legal("a heap that fills its caches and then swings between collections", (story) => {
    for (let at = 0; at < 150; at++) {
      pass(story, 60_000);
      const filling = Math.min(at, 8) * 30e6;
      const heapUsed = 90e6 + filling + ((at * 37) % 11) * 9e6;
      row(story, "beat", { stage: "ready", vitals: { heapUsed, heapLimit: 500e6, files: 40 + ((at * 5) % 9) } });
    }
  }),
  legal("an hour of steep growth that an hour cannot foretell a week from", (story) => {
    for (let at = 0; at < 55; at++) {
      pass(story, 60_000);
      row(story, "beat", { stage: "ready", vitals: { heapUsed: 90e6 + at * 1e6, heapLimit: 500e6, files: 40 } });
    }
  }),
  legal("what the log claimed is borne out, a fill by a row that comes after the order's own push", (story) => {
    pass(story, 9_000);
    const placed = move.place(story, sol);
    report(story, { said: { "order.filled": 1 } }, 900);
    move.fill(story, placed, { held: "1" });
    move.protect(story, sol);
    report(story, { said: { "order.filled": 1, "position.opened": 1, "position.protected": 1 } }, 9_000);
    move.live(story, 50_000);
  }),
  legal("outsiders turned away at the door, a caller with the token, a wrong method refused", (story) => {
    const local = { method: "GET", host: "127.0.0.1:1", origin: "", loopback: true, token: false, status: 200 };
    const json = { contentType: "application/json", count: 1, refusalChars: 0 };
    const refused = { status: 403, contentType: "text/plain;charset=UTF-8", count: 7, refusalChars: 9 };
    report(story, {
      visits: [
        { ...local, ...json },
        { ...local, ...json, method: "POST", status: 404 },
        { ...local, ...json, host: "agent.lan:80", loopback: false, token: true },
        { ...local, ...refused, host: "evil.example" },
        { ...local, ...refused, host: "many", loopback: false },
        { ...local, ...refused, status: 401, loopback: false },
      ],
    });
  }),
  legal("a configuration saved again with other caps, and the session that follows it", (story) => {
    const given = (cap: string) => ({ ...CONFIG, session: { maxNotionalPerOrder: cap, maxTotalNotional: "20000" } });
    row(story, "config", { by: "file", config: given("400") });
    row(story, "config", { by: "operator", config: given("300") });
    move.session(story, "ras_2", { maxNotionalPerOrder: "300.00" });
    move.session(story, "ras_3");
  }),
  legal("only hosts that the environment names are met", (story) => {
    Object.assign(story.entries[0]?.body ?? {}, { hosts: ["api.example:443", "ai.example:443"] });
    report(story, { met: ["ai.example:443"], wrote: ["journal.db", "notes by the owner.txt"] });
  }),
  legal("files inside their roots, without a list of hashes", (story) => {
    const file = { path: "x.md", real: "/app/prompts/x.md", root: "/app/prompts", sha256: "d".repeat(64) };
    Object.assign(story.entries[0]?.body ?? {}, { files: [file] });
  }),
  legal(
    "a log line of a kind that is called as a member of every object is",
    (story) => void story.sinks.push({ name: "agent.jsonl", content: `${JSON.stringify({ evt: "constructor" })}\n` }),
  ),
  legal("a position that begins again sooner after its close was reported than clocks may be apart", (story) => {
    story.skewMs = 2_000;
    const [positionKey, symbol] = [`${SOL}|LONG`, SOL];
    row(story, "position", { leg: positionKey, symbol, side: "LONG", qty: "0", kind: "closed" });
    const said = { time: new Date(story.nowMs + 40).toISOString(), evt: "position.closed", leg: positionKey };
    story.sinks.push({ name: "agent.jsonl", content: `${JSON.stringify(said)}\n` });
    pass(story, 1_500);
    held(story);
    move.live(story, 20_000);
  }),
  legal("a masked key in a log", (story) => void story.sinks.push({ name: "agent.log", content: "key sk-5***9a6b\n" })),
];

test.each(records)("$what", ({ play }) => silent(play()));

test("an honest run", () => silent(honestRun().story));

test("what is not given is not judged, and never held", () => {
  const { story } = honestRun();
  story.finish = (built) => ({ ...built, wire: null, venue: null, charges: null, sinks: null, secrets: null });
  const bare = history(story);
  for (const invariant of ALL_INVARIANTS.filter(({ needs }) => needs.length > 0))
    expect(judgeOne(invariant, bare).verdict.kind, invariant.id).toBe("not judged");
});

test("there are 37, each with a rule", () => {
  expect(ALL_INVARIANTS.map(({ id }) => id)).toEqual(Array.from({ length: 37 }, (_none, at) => `I${at + 1}`));
  for (const { rule, title } of ALL_INVARIANTS) expect(rule.length + title.length).toBeGreaterThan(30);
});
