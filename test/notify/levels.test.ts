/** When and to whom an event goes: batches, levels of events and of targets. On virtual time. */
import { expect, test } from "vitest";
import { silentLog } from "../../src/core/log.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import type { Notification } from "../../src/notify/events.ts";
import { createNotifier } from "../../src/notify/notifier.ts";
import { type EventName, EVENTS, type NotificationLevel, notificationsSection } from "../../src/notify/settings.ts";

const target = (name: string, level: NotificationLevel = "notice") => ({ name, kind: "json", level });

/** A notifier whose targets record the messages that they receive. */
function stage(given: { targets: readonly object[] } & Record<string, unknown>) {
  const settings = notificationsSection.parse(given);
  const clock = virtualClock(Date.UTC(2026, 0, 5));
  const messages: Record<string, string[][]> = {};
  const targets = settings.targets.map((one) => {
    const received = (messages[one.name] ??= []);
    const send = (events: readonly Notification[]): Promise<void> => {
      received.push(events.map(({ level, text }) => `${level} ${text}`));
      return Promise.resolve();
    };
    return { settings: one, send };
  });
  const rest = { rows: () => [], afterSeq: 0, standing: () => [], clock, log: silentLog };
  const notifier = createNotifier({ settings, targets, ...rest });
  const notify = (event: EventName, text: string, level: NotificationLevel = "notice"): void =>
    notifier.notify({ event, level, atMs: clock.nowMs(), text });
  return { clock, messages, notify };
}

test("what happens within the batch is one message, and what comes later is another", async () => {
  const { clock, messages, notify } = stage({ targets: [target("hook")], batch: "5s" });
  notify("position-opened", "one");
  await clock.advance(3_000);
  notify("position-closed", "two");
  await clock.advance(1_999);
  expect(messages["hook"]).toEqual([]);
  await clock.advance(1);
  expect(messages["hook"]).toEqual([["notice one", "notice two"]]);
  notify("run", "three", "warning");
  await clock.advance(5_000);
  expect(messages["hook"]?.[1]).toEqual(["warning three"]);
});

test("an alarm does not wait, and takes along what waits", async () => {
  const { clock, messages, notify } = stage({ targets: [target("hook")], batch: "1m" });
  notify("position-opened", "one");
  notify("floor", "two", "alarm");
  await clock.advance(0);
  expect(messages["hook"]).toEqual([["notice one", "alarm two"]]);
});

test("a message holds twenty events at most, in their order", async () => {
  const { clock, messages, notify } = stage({ targets: [target("hook")], batch: "5s" });
  const texts = Array.from({ length: 45 }, (_, at) => `${at}`);
  for (const text of texts) notify("run", text);
  await clock.advance(5_000);
  expect(messages["hook"]?.map((each) => each.length)).toEqual([20, 20, 5]);
  expect(messages["hook"]?.flat()).toEqual(texts.map((text) => `notice ${text}`));
});

test("each target receives what is at least at its level", async () => {
  const targets = [target("all"), target("some", "warning"), target("few", "alarm")];
  const { clock, messages, notify } = stage({ targets });
  notify("position-opened", "opened");
  notify("run", "stopped", "warning");
  notify("floor", "halted", "alarm");
  await clock.advance(60_000);
  expect(Object.values(messages).map((each) => each.flat())).toEqual([
    ["notice opened", "warning stopped", "alarm halted"],
    ["warning stopped", "alarm halted"],
    ["alarm halted"],
  ]);
});

test("the settings give every event another level, or turn it off", async () => {
  for (const event of EVENTS) {
    const { clock, messages, notify } = stage({ targets: [target("hook", "warning")], levels: { [event]: "alarm" } });
    notify(event, "raised");
    notify(event === "run" ? "day" : "run", "as usual");
    await clock.advance(60_000);
    expect(messages["hook"], event).toEqual([["alarm raised"]]);
    const silent = stage({ targets: [target("hook")], levels: { [event]: "off" } });
    silent.notify(event, "silenced", "alarm");
    await silent.clock.advance(60_000);
    expect(silent.messages["hook"], event).toEqual([]);
  }
});
