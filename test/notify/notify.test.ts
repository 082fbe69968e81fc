/** Notifications over real sockets: a stand-in that speaks the HTTP interface of Telegram and of webhooks. */
import { expect, test } from "vitest";
import { planNotifications } from "../../src/control/notifications.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { Log } from "../../src/core/log.ts";
import { answersOf } from "../../src/daemon/notify-owner.ts";
import type { Notification } from "../../src/notify/events.ts";
import { createOutbox, isQuiet } from "../../src/notify/outbox.ts";
import { notificationsSection, type TargetSettings } from "../../src/notify/settings.ts";
import { listen, telegram } from "../../src/notify/telegram.ts";
import { TEMPLATES, webhook } from "../../src/notify/webhook.ts";
import { takeCommand } from "../../src/control/command-file.ts";
import { folder } from "../support/process.ts";
import type { StatusReport } from "../../src/daemon/status-report.ts";
import { chatMessage, ME, standIn } from "./stand-in.ts";

const settings = (given: object = {}) => notificationsSection.parse({ batch: "1s", ...given });
const hook: TargetSettings = { name: "hook", kind: "json", level: "notice", chats: [], commands: true };
const event = (text: string, level: Notification["level"] = "alarm"): Notification => ({
  event: "cause",
  level,
  atMs: 0,
  text,
});
const MARKUP = '<b>*bold*</b> [x](https://evil.example) <@everyone> <script>alert("1")</script> & `code`';

const lines: string[] = [];
const log: Log = { event: (_level, evt, msg) => void lines.push(`${evt} ${msg}`) };

test("a webhook that asks for a pause is tried again after it, and takes the message once", async () => {
  const { url, seen } = await standIn((_one, at) => (at === 0 ? { status: 429, headers: { "retry-after": "1" } } : {}));
  const outbox = createOutbox({
    target: hook,
    settings: settings(),
    clock: systemClock(),
    log,
    send: webhook("json", url),
  });
  const begunMs = performance.now();
  outbox.add(event("one"));
  await expect.poll(() => outbox.counts().sent, { timeout: 8_000 }).toBe(1);
  expect(performance.now() - begunMs).toBeGreaterThan(950);
  expect(seen).toHaveLength(2);
  expect(JSON.parse(seen[1]?.body ?? "")).toEqual({ source: "ballast", events: [event("one")] });
});

test("a webhook that hangs is given up with its bound, adding never waits, and no line names its address", async () => {
  const { url, seen } = await standIn(() => null);
  const secret = `${url}/services/secret-path`;
  const send = webhook("slack", secret, 60);
  const outbox = createOutbox({ target: hook, settings: settings(), clock: systemClock(), log, send, firstWaitMs: 5 });
  lines.length = 0;
  const begunMs = performance.now();
  for (let at = 0; at < 1_000; at++) outbox.add(event(`event ${at}`, "notice"));
  expect(performance.now() - begunMs).toBeLessThan(200);
  await expect.poll(() => outbox.counts().failed, { timeout: 8_000 }).toBeGreaterThan(0);
  expect(outbox.counts().dropped).toBe(800);
  expect(seen.length).toBeGreaterThanOrEqual(4);
  expect(lines.join()).toContain("notify.failed hook did not take");
  expect(lines.join()).not.toContain("secret-path");
  expect(seen[0]?.body).toContain("800 older messages were dropped");
  await outbox.stop();
});

test("what does not fit into one message of a target follows in the next, and nothing is cut off", async () => {
  const { url, seen } = await standIn(() => ({}));
  const target: TargetSettings = { ...hook, kind: "discord" };
  const send = webhook("discord", url);
  const outbox = createOutbox({ target, settings: settings(), clock: systemClock(), log, send });
  const sentence = "stop of EXCHANGE_A_PERP_BTC_USDT moved from 64123.5 to 64200.0 (trailing); ".repeat(2);
  for (let at = 0; at < 19; at++) outbox.add(event(`${sentence}no ${at}`, "notice"));
  outbox.add(event(`${sentence}no 19`));
  await outbox.stop();
  const plain = (body: string): string => (JSON.parse(body) as { content: string }).content.replaceAll("\\", "");
  const received = seen.flatMap(({ body }) => plain(body).split("\n"));
  expect(received.map((line) => / no (\d+)$/.exec(line)?.[1])).toEqual(
    Array.from({ length: 20 }, (_, at) => String(at)),
  );
});

test("in quiet hours only alarms are sent", async () => {
  const { url, seen } = await standIn(() => ({}));
  const quietHours = { from: "00:00", to: "23:59" };
  const clock = { ...systemClock(), nowMs: () => Date.UTC(2026, 0, 1, 12) };
  const outbox = createOutbox({
    target: hook,
    settings: settings({ quietHours }),
    clock,
    log,
    send: webhook("json", url),
  });
  outbox.add(event("later", "notice"));
  outbox.add(event("now"));
  await expect.poll(() => outbox.counts().sent).toBe(1);
  expect(seen[0]?.body).toContain("now");
  expect(seen[0]?.body).not.toContain("later");
  await outbox.stop();
  expect(seen[1]?.body).toContain("later");
  const over = { from: "22:00", to: "06:00" };
  expect([21, 22, 23, 5, 6].map((hour) => isQuiet(over, Date.UTC(2026, 0, 1, hour)))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
});

test("text with markup is only text in every template", () => {
  const events = [event(MARKUP)];
  const slack = JSON.parse(TEMPLATES.slack(events).body) as { text: string; blocks: { text: { type: string } }[] };
  expect(slack.text).not.toMatch(/[<>]/);
  expect(slack.blocks[0]?.text.type).toBe("plain_text");
  const discord = JSON.parse(TEMPLATES.discord(events).body) as { content: string; allowed_mentions: object };
  expect(discord.content).toContain("\\<\\@everyone\\>");
  expect(discord.content).not.toContain("https://");
  expect(discord.allowed_mentions).toEqual({ parse: [] });
  expect(TEMPLATES.ntfy(events)).toMatchObject({
    headers: { priority: "5" },
    body: expect.stringContaining(MARKUP) as string,
  });
});

const TOKEN = "123456:a-secret-of-the-bot";

test("Telegram: unlisted chats are ignored and counted, others command, 429 is obeyed, text stays text", async () => {
  const made = folder();
  let updates = [chatMessage(1, 666, "/halt"), chatMessage(2, 42, "/flatten"), chatMessage(3, 42, "/nothing")];
  let refused = false;
  const { url, seen } = await standIn(({ path, body }) => {
    const method = path.split("/").at(-1);
    if (method === "getMe") return { body: { ok: true, result: ME } };
    if (method === "getUpdates") {
      const { timeout } = JSON.parse(body || "{}") as { timeout?: number };
      const result = timeout === undefined ? [] : updates;
      if (result.length === 0) return timeout === undefined ? { body: { ok: true, result } } : null;
      updates = [];
      return { body: { ok: true, result } };
    }
    if (method === "sendMessage" && !refused) {
      refused = true;
      const parameters = { retry_after: 1 };
      return { status: 429, body: { ok: false, error_code: 429, description: "Too Many Requests", parameters } };
    }
    return { body: { ok: true, result: {} } };
  });
  const access = { token: TOKEN, apiRoot: url, chats: [42] };
  const target: TargetSettings = { ...hook, name: "phone", kind: "telegram", chats: [42] };
  const outbox = createOutbox({ target, settings: settings(), clock: systemClock(), log, send: telegram(access) });
  outbox.add(event(MARKUP));
  await expect.poll(() => outbox.counts().sent, { timeout: 8_000 }).toBe(1);
  const sent = JSON.parse(seen.at(-1)?.body ?? "") as Record<string, unknown>;
  expect(sent).toMatchObject({
    chat_id: 42,
    text: `ALARM Trouble: ${MARKUP}`,
    link_preview_options: { is_disabled: true },
  });
  expect(sent).not.toHaveProperty("parse_mode");

  const status = (): StatusReport =>
    ({
      positions: [{ symbol: "BTC", side: "LONG", qty: "1", avgPrice: "5", unrealizedUsdt: "0", stopPrice: "4" }],
    }) as unknown as StatusReport;
  const answers = answersOf({ dataDir: made.dir, nowMs: () => 0 }, status);
  const listener = listen(access, answers, { clock: systemClock(), log });
  const replies = (): string[] =>
    seen
      .filter(({ path }) => path.endsWith("sendMessage"))
      .map(({ body }) => (JSON.parse(body) as { text: string }).text);
  await expect.poll(() => replies().length, { timeout: 8_000 }).toBe(4);
  expect(listener.unlisted()).toBe(1);
  expect(takeCommand(made.dir)).toBeNull();
  const asked = replies()[2] ?? "";
  expect(asked).toContain("LONG 1 BTC at 5");
  expect(replies()[3]).toContain("I know /status, /positions, /halt, /resume, /flatten");
  const code = /\/flatten (\d{4})/.exec(asked)?.[1] ?? "";
  expect(answers["flatten"]?.("0")).toContain("send within a minute");
  expect(takeCommand(made.dir)).toBeNull();
  expect(answers["flatten"]?.(code)).toContain("send within a minute");
  const again = /\/flatten (\d{4})/.exec(answers["flatten"]?.("") ?? "")?.[1] ?? "";
  expect(answers["flatten"]?.(again)).toContain("Flatten was requested");
  expect(takeCommand(made.dir)).toBe("flatten");
  answers["halt"]?.("");
  expect(takeCommand(made.dir)).toBe("halt");
  expect(lines.join()).not.toContain("a-secret-of-the-bot");
  listener.stop();
  made.remove();
}, 30_000);

test("Telegram: a chat that refuses a message keeps it from no other chat", async () => {
  const blocked = { ok: false, error_code: 403, description: "Forbidden: bot was blocked by the user" };
  const { url, seen } = await standIn(({ body }, at) => {
    const { chat_id: chat } = JSON.parse(body) as { chat_id: number };
    if (chat === 41) return { status: 403, body: blocked };
    return at === 1 ? { status: 502, body: { ...blocked, error_code: 502 } } : { body: { ok: true, result: {} } };
  });
  const target: TargetSettings = { ...hook, name: "phone", kind: "telegram", chats: [41, 42, 43] };
  const send = telegram({ token: TOKEN, apiRoot: url, chats: target.chats });
  const outbox = createOutbox({ target, settings: settings(), clock: systemClock(), log, send, firstWaitMs: 5 });
  lines.length = 0;
  outbox.add(event("one"));
  await expect.poll(() => lines).toHaveLength(1);
  const asked = seen.map(({ body }) => (JSON.parse(body) as { chat_id: number }).chat_id);
  expect(asked).toEqual([41, 42, 42, 43]);
  expect(lines[0]).toMatch(/chat 41: Telegram answered 403: Forbidden: bot was blocked by the user$/);
});

test("settings refuse what is unknown; a target without its secret is named, and the others are used", () => {
  expect(notificationsSection.safeParse({ target: [] }).success).toBe(false);
  expect(notificationsSection.safeParse({ targets: [{ name: "a", kind: "telegram" }] }).success).toBe(false);
  const parsed = settings({
    targets: [
      { name: "a", kind: "slack" },
      { name: "my-hook", kind: "json" },
    ],
  });
  const planned = planNotifications(parsed, { BALLAST_NOTIFY_URL_MY_HOOK: "https://hooks.example/secret" });
  expect(planned.targets.map((one) => one.settings.name)).toEqual(["my-hook"]);
  expect(planned.problems).toEqual(["target a: set BALLAST_NOTIFY_URL_A to an http or https address"]);
  expect(JSON.stringify(planned)).not.toContain("hooks.example/secret");
});
