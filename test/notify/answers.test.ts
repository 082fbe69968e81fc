/** What a listed chat hears when it asks, through the HTTP interface of Telegram. */
import { expect, test } from "vitest";
import { takeCommand } from "../../src/control/command-file.ts";
import { systemClock } from "../../src/core/clock.ts";
import { silentLog } from "../../src/core/log.ts";
import { answersOf } from "../../src/daemon/notify-owner.ts";
import type { StatusReport } from "../../src/daemon/status-report.ts";
import { listen } from "../../src/notify/telegram.ts";
import { folder } from "../support/process.ts";
import { calmStatus } from "../support/calm-status.ts";
import { chatMessage, ME, standIn } from "./stand-in.ts";

const CHAT = 42;
const BTC = "EXCHANGE_A_PERP_BTC_USDT";
const HELD = { symbol: BTC, side: "LONG", qty: "0.01", avgPrice: "60000", unrealizedUsdt: "-3.456", stopPrice: null };
const CAUSE = { part: "news", severity: "degraded", sentence: "the news stream is down", next: "wait", sinceMs: 0 };

const report = (changed: object = {}): StatusReport =>
  ({
    ...calmStatus,
    equityUsdt: "1012.3",
    floorDistanceUsdt: "212.3",
    health: { state: "degraded", ok: true, reason: "", alarms: 0, causes: [CAUSE] },
    positions: [HELD],
    ...changed,
  }) as unknown as StatusReport;

/** Sends each text as a message from the listed chat; resolves with the replies, and with the command left for the agent. */
async function ask(texts: readonly string[], status: StatusReport = report()) {
  const made = folder();
  const updates = texts.map((text, at) => chatMessage(at + 1, CHAT, text));
  const { url, seen } = await standIn(({ path, body }) => {
    const method = path.split("/").at(-1);
    if (method === "getMe") return { body: { ok: true, result: ME } };
    if (method !== "getUpdates") return { body: { ok: true, result: {} } };
    const { timeout } = JSON.parse(body || "{}") as { timeout?: number };
    if (timeout === undefined) return { body: { ok: true, result: [] } };
    const result = updates.splice(0);
    return result.length === 0 ? null : { body: { ok: true, result } };
  });
  const why = (id: string): string => `the story of ${id}`;
  const answers = answersOf({ dataDir: made.dir, nowMs: () => 0, why }, () => status);
  const listener = listen({ token: "1:t", apiRoot: url, chats: [CHAT] }, answers, {
    clock: systemClock(),
    log: silentLog,
  });
  const replies = (): string[] =>
    seen
      .filter(({ path }) => path.endsWith("sendMessage"))
      .map(({ body }) => (JSON.parse(body) as { text: string }).text);
  try {
    await expect.poll(() => replies().length, { timeout: 8_000 }).toBe(texts.length);
    return { replies: replies(), command: takeCommand(made.dir) };
  } finally {
    listener.stop();
    made.remove();
  }
}

test("/status states health, mode, strategy, equity above the floor, positions, uptime and each cause", async () => {
  const { replies, command } = await ask(["/status"]);
  expect(replies[0]?.split("\n")).toEqual([
    "degraded, mode NORMAL, strategy llm-trader",
    "equity 1012.30 USDT, 212.30 USDT above the floor",
    "1 position, uptime 100.00 %",
    expect.stringContaining("the news stream is down"),
  ]);
  expect(command).toBeNull();
});

test("/status before the account was read does not invent figures", async () => {
  const { replies } = await ask(["/status"], report({ equityUsdt: null, floorDistanceUsdt: null, positions: [] }));
  expect(replies[0]).toContain("\nequity not known\n0 positions");
});

test("/positions names each with its entry, result and stop, also under the name of the bot", async () => {
  const line = `LONG 0.01 ${BTC} at 60000, unrealised -3.46 USDT, stop none`;
  expect((await ask(["/positions", "/positions@b_bot"])).replies).toEqual([line, line]);
  expect((await ask(["/positions"], report({ positions: [] }))).replies).toEqual(["Nothing is held."]);
});

test("/resume leaves the command for the agent, as `ballast resume` does", async () => {
  expect(await ask(["/resume"])).toEqual({ replies: ["Resume was requested."], command: "resume" });
});

test("/why explains an order, and takes nothing but an id", async () => {
  const { replies, command } = await ask(["/why b-01abc", "/why", "/why ../../etc/passwd", "/why a b"]);
  const next = "Say which order: /why ID";
  expect(replies).toEqual(["the story of b-01abc", next, next, next]);
  expect(command).toBeNull();
});
