/** Who decides: file, operator and schedule, the newest word first; nothing half-understood changes anything. */
import { describe, expect, test, vi } from "vitest";
import type { AgentEvent } from "../../src/agent/contract/events.ts";
import type { Config } from "../../src/config/config.ts";
import { readConfig } from "../../src/config/read.ts";
import { silentLog } from "../../src/core/log.ts";
import { err, ok } from "../../src/core/result.ts";
import type { JournalReader } from "../../src/journal/reader.ts";
import { restoreDeciding } from "../../src/restore/restore-deciding.ts";
import { cronProblem, lastDue, startSchedules } from "../../src/control/schedules.ts";
import { loadStrategies } from "../../src/control/strategies.ts";
import { createSwitching, missedSwitch, naming, strategyInForce } from "../../src/control/switching.ts";
import { wholeRows } from "../support/rows.ts";

const configOf = (strategy: object, more: object = {}): Config => {
  const read = readConfig(JSON.stringify({ strategy: { use: "hold", ...strategy }, ...more }));
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
};

function desk(config: Config, given: { flag?: string; modelReady?: boolean; disk?: { full: boolean } } = {}) {
  const events: Extract<AgentEvent, { kind: "settings" }>[] = [];
  const words: object[] = [];
  const switching = createSwitching({
    log: silentLog,
    config,
    fileUse: config.strategy.use,
    strategyFlag: given.flag,
    exchange: "EXCHANGE_A",
    consent: { change: () => Promise.resolve() },
    modelCheck: () => (given.modelReady === false ? err("no price") : ok(undefined)),
    nowMs: () => 1_000,
    append: ({ kind, body }) => {
      if (given.disk?.full) throw new Error("the disk is full");
      if (kind === "switch") words.push(body);
    },
    dispatch: (event) => void (event.kind === "settings" && events.push(event)),
  });
  return { switching, events, words };
}
const word = (use: string, handover: "adopt" | "close" | null = "adopt") => ({
  use,
  handover,
  by: "operator" as const,
  request: "q-1",
});

describe("a word about who decides", () => {
  test("from the operator switches at once, with the handover that it states", async () => {
    const { switching, events, words } = desk(configOf({}));
    expect(await switching.use(word("momentum", "close"))).toEqual(ok(undefined));
    expect(events[0]).toMatchObject({
      strategies: { chosen: { strategy: { name: "momentum" } } },
      change: { handover: "close", by: "operator", request: "q-1" },
    });
    expect(words).toMatchObject([
      { command: "use", from: "hold", use: "momentum", handover: "close", by: "operator", over: "hold" },
    ]);
    expect(words[0]).toHaveProperty("windDownMs", expect.any(Number));
  });

  test("without a handover, in word and file, is refused and changes nothing", async () => {
    const { switching, events, words } = desk(configOf({}));
    const refused = await switching.use(word("momentum", null));
    expect(refused).toMatchObject({ ok: false, error: expect.stringMatching(/hold to momentum needs a handover/) });
    expect(await switching.accept(configOf({ use: "momentum" }))).toMatchObject({ ok: false });
    expect([events, words]).toEqual([[], []]);
    expect(switching.current().strategy.use).toBe("hold");
    expect(await switching.accept(configOf({ use: "momentum", handover: "adopt" }))).toEqual(ok(undefined));
  });

  test("is not spoken over by a file that is saved for another reason", async () => {
    const { switching, events } = desk(configOf({ handover: "adopt" }));
    await switching.use(word("momentum", "close"));
    await switching.accept(configOf({ handover: "adopt" }, { cadence: { every: "7m" } }));
    expect(events.map(({ change }) => change)).toEqual([
      { handover: "close", by: "operator", request: "q-1" },
      { handover: null, by: "file", request: null },
    ]);
  });

  test("that names no strategy, or one whose model cannot be asked, is refused with the reason", async () => {
    const { switching, events } = desk(configOf({}), { modelReady: false });
    expect(await switching.use(word("momentun"))).toMatchObject({
      error: expect.stringMatching(/did you mean momentum/),
    });
    expect(await switching.use(word("llm-trader"))).toMatchObject({ error: "no price" });
    expect(events).toEqual([]);
  });

  test("stands while the file goes on naming what it named, and falls when the file names another", async () => {
    const file = configOf({ handover: "adopt" });
    const { switching, events } = desk(file);
    await switching.use(word("momentum"));
    await switching.accept(configOf({ handover: "adopt" }, { cadence: { every: "7m" } }));
    expect(switching.current()).toMatchObject({ strategy: { use: "momentum" }, cadence: { every: 420_000 } });
    await switching.accept(configOf({ use: "funding-carry", handover: "wind-down" }));
    expect(events.at(-1)).toMatchObject({
      strategies: { chosen: { strategy: { name: "funding-carry" } } },
      change: { handover: "wind-down", by: "file" },
    });
  });

  test("of a file does not move what the command line said; what needs a restart is refused whole", async () => {
    const flagged = desk(configOf({ handover: "adopt" }), { flag: "hold" });
    await flagged.switching.accept(configOf({ use: "momentum", handover: "adopt" }));
    expect(flagged.switching.current().strategy.use).toBe("hold");
    const { switching, events } = desk(configOf({}));
    const refused = await switching.accept(configOf({ use: "momentum", handover: "adopt" }, { phase: 2 }));
    expect(refused).toEqual(err("phase can only change with a restart"));
    expect(events).toEqual([]);
  });

  test("of a file that the disk refused counts when the file is saved again", async () => {
    const disk = { full: true };
    const { switching, events, words } = desk(configOf({}), { disk });
    const file = configOf({ use: "momentum", handover: "adopt" });
    await expect(switching.accept(file)).rejects.toThrow("the disk is full");
    expect(switching.current().strategy.use).toBe("hold");
    disk.full = false;
    expect(await switching.accept(file)).toEqual(ok(undefined));
    expect(events.at(-1)).toMatchObject({ strategies: { chosen: { strategy: { name: "momentum" } } } });
    expect(words).toMatchObject([{ use: "momentum", by: "file", over: "momentum" }]);
  });

  test.each([
    ["journal", { journal: { keep: "20d" } }],
    ["journal", { journal: { holdAtDiskUsed: 0.5 } }],
    ["recorder", { recorder: { enabled: false } }],
  ])("of a file is refused where %s is read at the start alone: %j", async (part, more) => {
    const { switching } = desk(configOf({}));
    expect(await switching.accept(configOf({}, more))).toEqual(err(`${part} can only change with a restart`));
    expect(switching.current()).toEqual(configOf({}));
  });
});

test("the beginning of Phase II that the disk refuses ends nothing, and is tried again after a minute", async () => {
  const disk = { full: true };
  const phaseTwo = "2026-12-08T00:00:00Z";
  const momentMs = Date.parse(phaseTwo);
  const { switching, events } = desk(configOf({}, { competition: { phaseTwo } }), { disk });
  await expect(switching.beginPhase(momentMs)).resolves.toBeUndefined();
  disk.full = false;
  await switching.beginPhase(momentMs + 59_999);
  expect([switching.current().phase, events]).toEqual([1, []]);
  await switching.beginPhase(momentMs + 60_000);
  expect([switching.current().phase, events.length]).toEqual([2, 1]);
});

describe("at a start", () => {
  const NOON = Date.UTC(2026, 0, 15, 12);
  const journal = (...bodies: [atMs: number, body: object][]): JournalReader =>
    ({
      rows: () => wholeRows(bodies.map(([atMs, body]) => ({ kind: "switch", atMs, body }))),
    }) as unknown as JournalReader;
  const used = (use: string, over = "hold") => ({ command: "use", use, by: "operator", over });

  test("the newest word counts, unless the file has named another since", () => {
    const config = configOf({});
    expect(strategyInForce(journal(), config, NOON)).toEqual({ use: "hold", by: "file", missed: null });
    const closing = configOf({ handover: "close" });
    expect(strategyInForce(journal(), closing, NOON)).toEqual({ use: "hold", by: "file", missed: "close" });
    expect(strategyInForce(journal([1, used("momentum")]), config, NOON)).toMatchObject({
      use: "momentum",
      by: "operator",
    });
    expect(strategyInForce(journal([1, used("momentum", "ensemble")]), config, NOON)).toMatchObject({ use: "hold" });
  });

  test("the schedule's last time counts where it is newer than any word", () => {
    const schedule = [
      { cron: "0 8 * * *", use: "momentum", handover: "adopt" },
      { cron: "0 20 * * *", use: "funding-carry", handover: "close" },
    ];
    const config = configOf({ schedule });
    expect(strategyInForce(journal(), config, NOON)).toEqual({ use: "momentum", by: "schedule", missed: "adopt" });
    expect(strategyInForce(journal(), config, NOON - 5 * 3_600_000)).toMatchObject({ use: "funding-carry" });
    const later: [number, object] = [NOON - 60_000, used("hold")];
    expect(strategyInForce(journal(later), config, NOON)).toMatchObject({ use: "hold", by: "operator" });
  });

  test("a scheduled switch that fell due while no agent ran keeps its handover", () => {
    const config = configOf({ schedule: [{ cron: "0 8 * * *", use: "momentum", handover: "close" }] });
    const kept = (...rows: { kind: string; atMs: number; body: object }[]) =>
      ({
        rows: ({ kinds = [] }: { kinds?: readonly string[] }) =>
          wholeRows(rows).filter(({ kind }) => kinds.includes(kind)),
      }) as unknown as JournalReader;
    const before = (use: string) => ({ kind: "config", atMs: 1, body: { config: naming(config, use) } });
    const missedOf = (reader: JournalReader) => missedSwitch(reader, config, strategyInForce(reader, config, NOON));
    const missed = missedOf(kept(before("hold")));
    expect(missed).toMatchObject({ from: "hold", use: "momentum", handover: "close", by: "schedule", over: "hold" });
    const written = kept(before("hold"), { kind: "switch", atMs: NOON, body: missed ?? {} });
    expect(restoreDeciding(written, NOON).handover).toMatchObject({ closeBeforeMs: NOON, voidBeforeMs: NOON });
    const edited = configOf({ handover: "wind-down" });
    const reader = kept(before("momentum"));
    expect(missedSwitch(reader, edited, strategyInForce(reader, edited, NOON))).toMatchObject({
      ...{ from: "momentum", use: "hold", handover: "wind-down", by: "file", over: "hold" },
    });
    // Once it is written it is a word like any other; and nothing is handed over to who decided before.
    expect([missedOf(written), missedOf(kept(before("momentum"))), missedOf(kept())]).toEqual([null, null, null]);
  });
});

describe("schedules", () => {
  test("say what is wrong with a time", () => {
    expect(cronProblem("0 8 * * 1-5")).toBeNull();
    expect(cronProblem("61 8 * * *")).toMatch(/minute/);
  });

  test("a time of the owner that the machine's clock jumped over is made up for, once", async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 15, 7, 59, 30) });
    const ran: string[] = [];
    const job = (name: string, cron: string, late: boolean) => ({
      name,
      cron,
      late,
      run: () => Promise.resolve(void ran.push(name)),
    });
    const end = startSchedules(
      [
        job("daily switch", "0 8 * * *", true),
        job("frequent switch", "*/5 * * * *", true),
        job("summary", "0 8 * * *", false),
      ],
      silentLog,
    );
    // Timers go by the monotonic clock, so the step makes them late.
    vi.setSystemTime(Date.UTC(2026, 0, 15, 8, 11));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ran).toEqual(["daily switch", "frequent switch"]);
    await vi.advanceTimersByTimeAsync(4 * 60_000);
    expect(ran.slice(2)).toEqual(["frequent switch"]);
    end();
    vi.useRealTimers();
  });

  test("find the last time that was due, in UTC, within a week and a day", () => {
    const at = Date.UTC(2026, 0, 15, 12, 30, 40);
    expect(lastDue([{ cron: "30 12 * * *" }], at)?.atMs).toBe(Date.UTC(2026, 0, 15, 12, 30));
    expect(lastDue([{ cron: "0 9 * * 5" }, { cron: "0 9 * * 4" }], at)).toMatchObject({ entry: { cron: "0 9 * * 4" } });
    expect(lastDue([{ cron: "0 0 1 6 *" }], at)).toBeNull();
  });

  test.each([
    [{ schedule: [{ cron: "0 25 * * *", use: "hold", handover: "adopt" }] }, /hour/],
    [{ schedule: [{ cron: "0 8 * * *", use: "momentun", handover: "adopt" }] }, /did you mean momentum/],
    [{ shadows: ["momentum", { use: "momentum", as: "momentum" }] }, /names momentum twice/],
    [{ shadows: [{ use: "momentum", as: "quick", settings: { horizont: "fast" } }] }, /did you mean horizon/],
    [{ settings: { momentun: {} } }, /strategy\.settings: .*did you mean momentum/],
    [{ settings: { "mean-reversion": { entryDeviation: 3 } } }, /did you mean entryDeviations/],
  ])("and shadows and settings that cannot work are refused when the file is read: %j", async (strategy, reason) => {
    expect(await loadStrategies(configOf(strategy))).toMatchObject({ ok: false, error: expect.stringMatching(reason) });
  });

  test("an entry without a handover is no entry", () => {
    expect(() => configOf({ schedule: [{ cron: "0 8 * * *", use: "hold" }] })).toThrow(/handover/);
  });

  test("shadows take the settings for trading, or settings of their own under a name of their own", async () => {
    const loaded = await loadStrategies(
      naming(
        configOf({
          settings: { momentum: { horizon: "days" } },
          shadows: ["momentum", { use: "momentum", as: "quick", settings: { horizon: "fast" } }],
        }),
        "hold",
      ),
    );
    if (!loaded.ok) throw new Error(loaded.error);
    expect(loaded.value.shadows).toMatchObject([
      { name: "momentum", armed: { settings: { horizon: "days" } } },
      { name: "quick", armed: { strategy: { name: "momentum" }, settings: { horizon: "fast" } } },
    ]);
  });
});
