/** Mistakes against the invariants of security and reporting, I31 to I36. */
import { describe } from "vitest";
import * as move from "./moves.ts";
import { plants, the } from "./plant.ts";
import { type Body, BTC, frame, pass, row, SECRET, type Story } from "./story.ts";

const say = (story: Story, name: string, content: string): void => void story.sinks.push({ name, content });
const bytes = Buffer.from(SECRET, "utf8");

describe("I31", () =>
  plants("I31", [
    ["the secret in a log", (_run, story) => say(story, "agent.log", `connecting with ${SECRET}\n`)],
    ["in hex", (_run, story) => say(story, "agent.log", `key=${bytes.toString("hex")}`)],
    ["in capital hex", (_run, story) => say(story, "crash.txt", bytes.toString("hex").toUpperCase())],
    ["in base64", (_run, story) => say(story, "page.html", `<p>${bytes.toString("base64")}</p>`)],
    ["its first eight characters", (_run, story) => say(story, "agent.log", `key ${SECRET.slice(0, 8)}...`)],
    ["its last eight characters", (_run, story) => say(story, "agent.log", `key ...${SECRET.slice(-8)}`)],
    [
      "URL-coded",
      (_run, story) => {
        story.secrets.push("p@ss/word");
        say(story, "access.log", `GET /?key=${encodeURIComponent("p@ss/word")}`);
      },
    ],
    ["in the journal", (_run, story) => void (the(story, "boot").body["note"] = SECRET)],
    [
      "a submit token",
      ({ btc }, story) => say(story, "agent.log", `submitting with confirm_${String(btc.out.body["previewId"])}`),
    ],
    [
      "in the second of two sinks",
      (_run, story) => {
        say(story, "a.log", "nothing");
        say(story, "b.log", SECRET);
      },
    ],
  ]));

const mcp = (story: Story, ...lines: readonly string[]): void =>
  say(story, "svc.mcp-stdout", lines.map((line) => `${line}\n`).join(""));
const fine = JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} });

describe("I32", () =>
  plants("I32", [
    ["a log line", (_run, story) => mcp(story, fine, "server started")],
    ["a blank line", (_run, story) => mcp(story, fine, "", fine)],
    ["half a message", (_run, story) => mcp(story, fine.slice(0, -3))],
    ["two messages on one line", (_run, story) => mcp(story, fine + fine)],
    [
      "a message of another protocol",
      (_run, story) => mcp(story, JSON.stringify({ jsonrpc: "1.0", id: 1, result: {} })),
    ],
    [
      "a result and an error at once",
      (_run, story) =>
        mcp(story, JSON.stringify({ jsonrpc: "2.0", id: 1, result: {}, error: { code: 1, message: "x" } })),
    ],
    ["an answer without an id", (_run, story) => mcp(story, JSON.stringify({ jsonrpc: "2.0", result: {} }))],
    [
      "an error without a code",
      (_run, story) => mcp(story, JSON.stringify({ jsonrpc: "2.0", id: 1, error: { message: "x" } })),
    ],
    ["a list of messages", (_run, story) => mcp(story, `[${fine}]`)],
    ["an object that is no message", (_run, story) => mcp(story, JSON.stringify({ jsonrpc: "2.0", id: 1 }))],
  ]));

const exchange: Body = {
  method: "GET",
  path: "/status",
  host: "127.0.0.1:8700",
  loopback: true,
  status: 200,
  body: "<p>fine</p>",
};
const http = (story: Story, change: Body): void =>
  say(story, "status.http.jsonl", `${JSON.stringify({ ...exchange, ...change })}\n`);

/** What the last row counts of the calls at the status endpoint. */
const visit = (story: Story, change: Body): void => {
  const usual = {
    method: "GET",
    host: "127.0.0.1:8700",
    origin: "",
    loopback: true,
    token: false,
    status: 200,
    contentType: "application/json",
    count: 3,
    refusalChars: 0,
  };
  the(story, "stop").body["visits"] = [usual, { ...usual, ...change }];
};

describe("I33", () =>
  plants("I33", [
    ["a POST that succeeds", (_run, story) => http(story, { method: "POST" })],
    ["a DELETE that succeeds", (_run, story) => http(story, { method: "DELETE", status: 204, body: "" })],
    ["a foreign Host that is served", (_run, story) => http(story, { host: "evil.example" })],
    ["a foreign Origin that is served", (_run, story) => http(story, { origin: "https://evil.example" })],
    ["no token from outside", (_run, story) => http(story, { loopback: false })],
    ["a refusal that gives the data all the same", (_run, story) => http(story, { host: "evil.example", status: 403 })],
    [
      "a headline that is not escaped",
      (_run, story) =>
        http(story, { untrusted: ["<script>alert(1)</script>"], body: "<li><script>alert(1)</script></li>" }),
    ],
    [
      "a quote that ends an attribute",
      (_run, story) => http(story, { untrusted: ['" onload="x'], body: '<a title="" onload="x">' }),
    ],
    ["a Host that only begins as ours", (_run, story) => http(story, { host: "127.0.0.1.evil.example" })],
    ["a counted POST that succeeded", (_run, story) => visit(story, { method: "POST" })],
    ["a counted call of a foreign Host that was served", (_run, story) => visit(story, { host: "evil.example" })],
    [
      "a counted call of a foreign Origin that was served",
      (_run, story) => visit(story, { origin: "http://evil.example" }),
    ],
    [
      "a counted caller from outside without a token",
      (_run, story) => visit(story, { host: "agent.lan", loopback: false }),
    ],
    [
      "a foreign Host that is asked for the token",
      (_run, story) => visit(story, { host: "evil.example", status: 401 }),
    ],
    [
      "a counted refusal with data",
      (_run, story) => visit(story, { host: "evil.example", status: 403, refusalChars: 900 }),
    ],
    ["a page whose text nobody knows", (_run, story) => visit(story, { contentType: "text/html; charset=utf-8" })],
    ["outsiders too many to report apart, one of them served", (_run, story) => visit(story, { host: "many" })],
  ]));

const HASH = "a".repeat(64);
const opened = (story: Story, file: Body, allowed: readonly string[] = [HASH]): void => {
  const bootEntry = the(story, "boot");
  bootEntry.body = {
    ...bootEntry.body,
    files: [{ path: "llm-trader.md", real: "/app/prompts/llm-trader.md", root: "/app/prompts", sha256: HASH, ...file }],
    allowed,
  };
};

describe("I34", () =>
  plants("I34", [
    ["a path that climbs out", (_run, story) => opened(story, { path: "../secrets", real: "/app/secrets" })],
    ["a link that leads out", (_run, story) => opened(story, { real: "/etc/passwd" })],
    ["a root that is only a beginning of the name", (_run, story) => opened(story, { real: "/app/prompts-evil/x.md" })],
    ["the root itself", (_run, story) => opened(story, { real: "/app/prompts" })],
    ["a hash that is not in the list", (_run, story) => opened(story, { sha256: "b".repeat(64) })],
    ["an empty list", (_run, story) => opened(story, {}, [])],
    ["a NUL in the path", (_run, story) => opened(story, { path: "x\0.md" })],
    ["a relative real path", (_run, story) => opened(story, { real: "prompts/llm-trader.md" })],
    ["dots inside the real path", (_run, story) => opened(story, { real: "/app/prompts/../../etc/passwd" })],
    ["a file without a hash", (_run, story) => opened(story, { sha256: null })],
    [
      "a hash that the owner's list does not have, whatever the row's own list says",
      (_run, story) => {
        opened(story, {});
        story.finish = (built) => ({ ...built, hashes: ["d".repeat(64)] });
      },
    ],
    [
      "a hash that is none, without any list",
      (_run, story) => {
        opened(story, { sha256: "abc" });
        delete the(story, "boot").body["allowed"];
      },
    ],
  ]));

const send = (story: Story, params: Body): void => void frame(story, "POST /api/v1/trading/order", params);

describe("I35", () =>
  plants("I35", [
    [
      "a client order id that splices a parameter in",
      (_run, story) => send(story, { clientOrderId: "x&side=BUY", sym: BTC }),
    ],
    ["an equals sign in a value", (_run, story) => send(story, { sym: "A=B" })],
    ["an ampersand in a symbol", (_run, story) => send(story, { sym: "A&B" })],
    ["a list for a value", (_run, story) => send(story, { sym: [BTC] })],
    ["an object for a value", (_run, story) => send(story, { sym: { name: BTC } })],
    ["a null", (_run, story) => send(story, { sym: null })],
    ["a name with a space", (_run, story) => send(story, { "order qty": "1" })],
    ["a client order id of 41 characters", (_run, story) => send(story, { clientOrderId: "x".repeat(41) })],
    ["a client order id that is a number", (_run, story) => send(story, { clientOrderId: 17 })],
    ["an empty client order id", (_run, story) => send(story, { clientOrderId: "" })],
  ]));

const line = (story: Story, fields: Body, atMs = story.nowMs): void =>
  say(story, "more.jsonl", `${JSON.stringify({ level: "info", time: new Date(atMs).toISOString(), ...fields })}\n`);

/** Beats that count what the log has claimed, with time enough for the rows to follow. */
const saying = (story: Story, said: Body): void => {
  pass(story, 10_000);
  row(story, "beat", { stage: "ready", said });
  move.live(story, 50_000);
};

describe("I36", () =>
  plants("I36", [
    [
      "a fill of an order that the journal does not know",
      (_run, story) => line(story, { evt: "order.filled", clientOrderId: "i-b1-none" }),
    ],
    [
      "a fill reported before its row",
      ({ btc }, story) => line(story, { evt: "order.filled", clientOrderId: btc.id }, btc.out.atMs - 60_000),
    ],
    [
      "a cancel of an order that was filled",
      ({ btc }, story) => line(story, { evt: "order.cancelled", clientOrderId: btc.id }),
    ],
    [
      "a position that never was",
      (_run, story) => line(story, { evt: "position.opened", leg: "EXCHANGE_A_PERP_DOGE_USDT|LONG" }),
    ],
    [
      "a close while the position was held",
      ({ stop }, story) => {
        const standing = the(story, "protection", (body) => body["algoOrderId"] === stop.algoOrderId);
        line(story, { evt: "position.closed", leg: `${BTC}|LONG` }, standing.atMs);
      },
    ],
    [
      "a protection that only was asked for",
      ({ stop }, story) => {
        const askedFor = the(story, "protection", (body) => body["clientOrderId"] === stop.id);
        line(story, { evt: "position.protected", leg: `${BTC}|LONG` }, askedFor.atMs);
      },
    ],
    [
      "a line without a time",
      ({ btc }, story) => say(story, "x.jsonl", JSON.stringify({ evt: "order.filled", clientOrderId: btc.id })),
    ],
    [
      "an uptime before the first beat",
      (_run, story) => line(story, { evt: "reported.uptime", ratio: 1 }, the(story, "boot").atMs - 5_000),
    ],
    [
      "a fill of a rejected order",
      ({ eth }, story) => {
        for (const entry of story.entries)
          if (entry.body["orderId"] === eth.orderId && entry.body["state"] === "CANCELLED")
            entry.body["state"] = "REJECTED";
        line(story, { evt: "order.filled", clientOrderId: eth.id });
      },
    ],
    ["more opened positions counted than there were", (_run, story) => saying(story, { "position.opened": 2 })],
    ["a protection counted that never stood", (_run, story) => saying(story, { "position.protected": 2 })],
    ["a cancel counted that never was", (_run, story) => saying(story, { "order.cancelled": 9 })],
    ["fills counted by the dozen", (_run, story) => saying(story, { "order.filled": 40 })],
    ["a claim of an unknown kind", (_run, story) => saying(story, { "venue.generous": 1 })],
    ["a claim with the name of a member of every object", (_run, story) => saying(story, { constructor: 0 })],
    ["a count that is no figure", (_run, story) => saying(story, { "position.closed": "1" })],
  ]));
