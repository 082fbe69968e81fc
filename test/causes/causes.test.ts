/** One list of causes out of what all parts know: gravest first, roots before what follows from them. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import type { CauseFacts, ModelFacts, VenueFacts } from "../../src/causes/cause.ts";
import { createCauseWatch } from "../../src/causes/cause-watch.ts";
import { causesOf } from "../../src/causes/causes.ts";
import type { ModelState } from "../../src/llm/contract/port.ts";
import { listLog } from "../llm/support.ts";
import { calmStatus as status, calmVenue as venue } from "../support/calm-status.ts";

const NOW = status.atMs;
const ready: ModelState = {
  name: "model-1",
  state: "ready",
  untilMs: 0,
  failing: null,
  answeredAtMs: null,
  lastError: null,
};
const model: ModelFacts = {
  models: [ready],
  limitUsd: dec(10),
  usedUsd: dec(1),
  rollingUsd: dec(2),
  leftUsd: dec(8),
  dayEndMs: NOW + 3_600_000,
  mayAsk: { cadence: true, event: true },
  refused: null,
  underFloor: false,
  unknownUsd: dec(0),
};
interface Change {
  readonly status?: Partial<CauseFacts["status"]>;
  readonly venue?: Partial<VenueFacts>;
  readonly model?: Partial<ModelFacts>;
  readonly refusedConfig?: string;
}
const factsWith = (change: Change): CauseFacts => ({
  status: { ...status, ...change.status },
  venue: { ...venue, ...change.venue },
  model: { ...model, ...change.model },
  refusedConfig: change.refusedConfig ?? null,
});
const found = (change: Change, known: ReadonlyMap<string, number> = new Map()) =>
  causesOf(factsWith(change), known).map(({ part, severity, sentence }) => `${severity} ${part}: ${sentence}`);

const failing = (name: string, change: Partial<NonNullable<ModelState["lastError"]>>, inARow = 1): ModelState => ({
  name,
  state: "ready",
  untilMs: 0,
  failing: { sinceMs: NOW - 60_000, inARow },
  answeredAtMs: null,
  lastError: {
    kind: "server",
    sentence: "the gateway failed (503)",
    next: "wait",
    lasting: false,
    atMs: NOW,
    ...change,
  },
});
const wrongName = {
  kind: "model",
  sentence: 'the gateway does not know the model "model-1" (404)',
  next: "name one of: a, b under model.names",
  lasting: true,
} as const;
const refusedKey = {
  kind: "key",
  sentence: "the venue refuses the key (2002: no)",
  next: "check SVC_ACCESS_KEY",
  sinceMs: NOW - 9_000,
  lasting: true,
} as const;
const paused = { ...refusedKey, kind: "unreachable", sentence: "the venue cannot be reached", lasting: false } as const;
const away = (sinceMs: number) => ({ ...paused, sinceMs });

test.each(["risk.maxPositions must be a whole number", "status can only change with a restart"])(
  "a saved file that is not in force is an alarm, and the check says whether a restart takes it: %s",
  (refusedConfig) => {
    const [cause] = causesOf(factsWith({ refusedConfig }), new Map());
    const sentence = `the saved configuration file is not in force: ${refusedConfig}`;
    const next = "ballast config check; correct what it finds, or restart if the file is good";
    expect(cause).toMatchObject({ part: "config", severity: "alarm", sentence, next });
  },
);

test("nothing is found where nothing is wrong", () => expect(found({})).toEqual([]));

describe("a cause", () => {
  test.each<[string, Change, readonly string[]]>([
    [
      "a wrong model name is clear at once",
      { model: { models: [failing("model-1", wrongName)] } },
      ['alarm model: the gateway does not know the model "model-1" (404)'],
    ],
    [
      "a failure that may pass is an alarm at the third",
      { model: { models: [failing("m", {}, 3)] } },
      ["alarm model: the gateway failed (503)"],
    ],
    [
      "before that it is less",
      { model: { models: [failing("m", {}, 2)] } },
      ["degraded model: the gateway failed (503)"],
    ],
    [
      "another model in its place makes it less",
      { model: { models: [failing("model-1", wrongName, 9), { ...ready, name: "b" }] } },
      ['degraded model: model-1: the gateway does not know the model "model-1" (404); b is asked in its place'],
    ],
    [
      "without a strategy that asks it is a note",
      { status: { asksModel: false }, model: { models: [failing("m", {}, 5)] } },
      ["notice model: the gateway failed (503)"],
    ],
    [
      "one reading of equity alone disagrees with nothing",
      { status: { equityAgreed: false } },
      ["degraded equity: no two readings of equity agree, so nothing is opened"],
    ],
    [
      "spent money",
      { model: { leftUsd: dec(0), mayAsk: { cadence: false, event: false }, unknownUsd: dec("0.5") } },
      [
        "degraded budget: the day's model money is spent (1 of 10 USD today, 2 in 24 hours, 0.5 of it at bounds of calls without an outcome)",
      ],
    ],
    [
      "a refused key, and none of what follows from it",
      {
        venue: { trouble: refusedKey },
        status: {
          stage: "starting",
          accountAgeMs: 99_000,
          streams: { market: false, user: false, news: false },
          observing: "no session",
        },
      },
      ["alarm venue: the venue refuses the key (2002: no)"],
    ],
    [
      "a venue that is away for a moment",
      { venue: { trouble: paused } },
      ["degraded venue: the venue cannot be reached"],
    ],
    ["and for longer", { venue: { trouble: away(NOW - 60_001) } }, ["alarm venue: the venue cannot be reached"]],
    [
      "a clock that is off",
      { venue: { clock: { offsetMs: -42_000, uncertaintyMs: 300 } } },
      [
        "degraded clock: this machine's clock is 42s ahead of the venue's; requests are signed with the venue's time, but days and logs go by ours",
      ],
    ],
    [
      "a clock whose error is within what is known",
      { venue: { clock: { offsetMs: 6_000, uncertaintyMs: 2_000 } } },
      [],
    ],
    [
      "a symbol that the venue does not list",
      {
        status: { unlisted: ["A_PERP_FOO_USDT"] },
        venue: {
          refused: [
            { symbol: "A_PERP_FOO_USDT", channel: "BBO", code: "11250" },
            { symbol: "A_PERP_BAR_USDT", channel: "BBO", code: "11250" },
          ],
        },
      },
      [
        "degraded symbols: the venue does not list A_PERP_FOO_USDT",
        "degraded symbols: the venue gives no market data for A_PERP_BAR_USDT (11250)",
      ],
    ],
    [
      "the account's history, which nobody can read while the venue is away",
      { status: { holds: { history: "not compared yet" } }, venue: { trouble: paused } },
      ["degraded venue: the venue cannot be reached"],
    ],
    ["a full disk", { status: { holds: { disk: "the disk is 93 % full" } } }, ["alarm disk: the disk is 93 % full"]],
    [
      "a stream with its reason",
      {
        status: { streams: { market: true, user: false, news: true } },
        venue: { reasons: { user: "login refused with 2002" } },
      },
      ["degraded streams: there is no user stream: login refused with 2002"],
    ],
    [
      "three failed decisions",
      { status: { failing: { inARow: 3, sinceMs: NOW, reason: "its answers did not come in time" } } },
      [
        "alarm decisions: llm-trader gave no decision 3 times in a row (its answers did not come in time); momentum decides",
      ],
    ],
    ["two are no state yet", { status: { failing: { inARow: 2, sinceMs: NOW, reason: "x" } } }, []],
    [
      "failed decisions behind a model's failure are left out",
      {
        status: { failing: { inARow: 9, sinceMs: NOW, reason: "x" } },
        model: { models: [failing("m", wrongName, 9)] },
      },
      ['alarm model: the gateway does not know the model "model-1" (404)'],
    ],
    [
      "a suspended strategy",
      { status: { benched: { untilMs: null, reason: "it threw" } } },
      ["degraded strategy: llm-trader is suspended until the configuration changes (it threw); momentum decides"],
    ],
    [
      "a start says what it waits for",
      { status: { stage: "starting", accountAgeMs: null, observing: "none yet" } },
      ["degraded agent: it is starting, and waits for the first reading of the account"],
    ],
    [
      "no consent",
      { status: { observing: "no consent is given" } },
      ["degraded session: it only watches: no consent is given"],
    ],
    [
      "a halt",
      { status: { floorState: "HALT", floorReason: "the operator said halt", observing: "halted" } },
      ["alarm floor: HALT: the operator said halt"],
    ],
    [
      "an account that is not read",
      { status: { accountAgeMs: 60_001 } },
      ["alarm account: the account has not been read for 60 s"],
    ],
    [
      "a bare position that nobody protects, and why, even under a halt",
      {
        status: {
          readOnly: true,
          observing: "it has never traded here",
          floorState: "HALT",
          floorReason: "unknown orders",
          unprotected: { ...status.unprotected, nowMs: 12_000 },
        },
      },
      [
        "alarm protection: a position has had no stop for 12 s, and this agent may only watch it",
        "alarm floor: HALT: unknown orders",
        "degraded session: it only watches: it has never traded here",
      ],
    ],
    [
      "a bare position beyond its deadline",
      { status: { unprotected: { ...status.unprotected, nowMs: 12_000 } } },
      ["alarm protection: a position has had no stop for 12 s; it is being closed"],
    ],
    [
      "blocked entries where nothing graver explains them",
      {
        status: { entriesBlocked: { sinceMs: NOW, reason: "no spread" }, streams: { ...status.streams, news: false } },
      },
      ["alarm entries: every entry is blocked: no spread", "degraded streams: there is no news stream"],
    ],
    [
      "the gravest comes first",
      {
        venue: { tightened: [{ key: "GET /x", spacingMs: 2_000, sinceMs: NOW }] },
        status: { streams: { ...status.streams, news: false }, holds: { wal: "the log is long" } },
      },
      [
        "alarm disk: the log is long",
        "degraded streams: there is no news stream",
        "notice pace: GET /x goes one in 2.0 s, because the venue refused more",
      ],
    ],
  ])("%s", (_title, change, expected) => expect(found(change)).toEqual(expected));
});

test("a stream that is away for over a minute is an alarm, news are not", () => {
  const streams = { market: true, user: false, news: false };
  const known = new Map([
    ["stream user", NOW - 60_001],
    ["stream news", NOW - 60_001],
  ]);
  expect(found({ status: { streams } }, known)).toEqual([
    "alarm streams: there is no user stream",
    "degraded streams: there is no news stream",
  ]);
});

test("the watch remembers since when, and reports the log what lasts over two looks and when it ends", () => {
  const log = listLog();
  let change: Change = {};
  const watch = createCauseWatch(() => factsWith(change), log);
  const reported = (): readonly string[] => log.lines.map(({ evt, level }) => `${level} ${evt}`);
  change = { status: { holds: { disk: "full" } } };
  watch.look();
  expect(reported()).toEqual([]);
  change = { status: { holds: { disk: "fuller" }, atMs: NOW + 2_000 } };
  watch.look();
  watch.look();
  expect(reported()).toEqual(["error cause.began"]);
  expect(watch.now()).toMatchObject([{ part: "disk", sentence: "fuller", sinceMs: NOW }]);
  change = {};
  watch.look();
  expect(reported()).toEqual(["error cause.began", "info cause.ended"]);
});
