/** Mistakes against the invariants of model money, journal and process, I19 to I30. */
import { describe } from "vitest";
import { honestRun, LONG_BTC } from "./base.ts";
import * as move from "./moves.ts";
import { drop, last, plants, put, the } from "./plant.ts";
import { type Body, BTC, CONFIG, ETH, fact, history, pass, row, SOL, type Story } from "./story.ts";
import type { Row } from "../../src/verify/rows.ts";

const HOUR_MS = 3_600_000;

/** One spend of the journal alone, at an instant. */
const spend = (
  story: Story,
  id: string,
  money: { bound: string; cost?: string; atMs?: number; how?: string },
): void => {
  const { bound, cost, atMs = story.nowMs, how = "actual" } = money;
  row(story, "model-reserve", {
    attemptId: id,
    decisionId: "d",
    purpose: "decision",
    model: "m-1",
    atMs,
    boundUsd: bound,
  });
  if (cost !== undefined) row(story, "model-settle", { attemptId: id, atMs, costUsd: cost, how });
};

describe("I19", () =>
  plants("I19", [
    ["a reservation above the day's limit", (_run, story) => spend(story, "a", { bound: "10.01", cost: "0" })],
    [
      "many small ones above it",
      (_run, story) => {
        for (let at = 0; at < 21; at++) spend(story, `a${at}`, { bound: "0.5", cost: "0.49" });
      },
    ],
    [
      "open reservations above it",
      (_run, story) => {
        spend(story, "a", { bound: "5" });
        spend(story, "b", { bound: "5" });
      },
    ],
    [
      "24 hours across midnight",
      (_run, story) => {
        spend(story, "a", { bound: "6", cost: "6" });
        pass(story, 20 * HOUR_MS);
        spend(story, "b", { bound: "6", cost: "6" });
      },
    ],
    ["a settlement above its bound and the limit", (_run, story) => spend(story, "a", { bound: "1", cost: "11" })],
    [
      "more than a lower configured limit",
      (_run, story) => {
        const entry = the(story, "config");
        entry.body = { ...entry.body, config: { ...CONFIG, model: { dayLimitUsd: "1" } } };
        spend(story, "a", { bound: "1.5", cost: "0.1" });
      },
    ],
    [
      "an adopted figure that is not counted",
      (_run, story) => {
        row(story, "model-settle", { attemptId: "adopt-1", atMs: story.nowMs, costUsd: "9.9", how: "adopted" });
        spend(story, "a", { bound: "0.2", cost: "0.1" });
      },
    ],
    [
      "a settlement below the true cost",
      ({ attempt }, story) => {
        the(story, "model-settle", (body) => body["attemptId"] === attempt).body["costUsd"] = "0.001";
      },
    ],
    [
      "a repair that was not settled",
      ({ attempt }, story) => {
        story.charges.push({ ...story.charges[0], requestId: `${attempt}.repair`, costUsd: "0.003" });
      },
    ],
  ]));

describe("I20", () =>
  plants("I20", [
    [
      "a call without a reservation",
      (_run, story) => void story.charges.push({ ...story.charges[0], requestId: "ask-unknown" }),
    ],
    ["a call without an id", (_run, story) => void story.charges.push({ ...story.charges[0], requestId: "" })],
    ["a request charged twice", (_run, story) => void story.charges.push({ ...story.charges[0], costUsd: "0.0001" })],
    ["a bound below the cost", (_run, story) => void (the(story, "model-reserve").body["boundUsd"] = "0.0019")],
    ["a reservation after the call", (_run, story) => void (the(story, "model-reserve").body["atMs"] = story.nowMs)],
    ["a reservation that is never settled", (_run, story) => drop(story, the(story, "model-settle"))],
    [
      "one that a crash left open for ever",
      (_run, story) => {
        drop(story, last(story, "stop"));
        spend(story, "a", { bound: "0.1" });
        move.boot(story, "b2");
      },
    ],
    [
      "a correction of a bill that was known",
      (_run, story) => {
        const settle = the(story, "model-settle");
        put(story, "after", settle, { kind: "model-settle", body: { ...settle.body, costUsd: "0", how: "corrected" } });
      },
    ],
    [
      "a correction upwards",
      (_run, story) => {
        spend(story, "b", { bound: "0.01", cost: "0.01", how: "bound" });
        row(story, "model-settle", { attemptId: "b", atMs: story.nowMs, costUsd: "0.02", how: "corrected" });
      },
    ],
    [
      "a reservation settled twice",
      (_run, story) => {
        const settle = the(story, "model-settle");
        put(story, "after", settle, { kind: "model-settle", body: settle.body });
      },
    ],
    [
      "a reservation made twice",
      (_run, story) => {
        const reserve = the(story, "model-reserve");
        put(story, "after", reserve, { kind: "model-reserve", body: reserve.body });
      },
    ],
    [
      "a reservation released for want of evidence",
      (_run, story) => Object.assign(the(story, "model-settle").body, { how: "released", costUsd: "0" }) && undefined,
    ],
    [
      "an unknown cost settled below its bound",
      (_run, story) => void (the(story, "model-settle").body["how"] = "bound"),
    ],
    ["a settlement of nothing that was reserved", (_run, story) => drop(story, the(story, "model-reserve"))],
  ]));

/** A shared answer and the row that shows it. */
const share = (story: Story, attempt: string, change: Body = {}): void =>
  void move.question(story, "d-shared", attempt, { cached: true, ...change });

describe("I21", () =>
  plants("I21", [
    [
      "an answer of 300 s before",
      ({ attempt }, story) => {
        pass(story, 300_000);
        share(story, attempt);
      },
    ],
    ["an answer to another question", ({ attempt }, story) => share(story, attempt, { key: "k-2" })],
    ["an answer of another model", ({ attempt }, story) => share(story, attempt, { model: "m-2" })],
    ["an answer that nobody paid for", (_run, story) => share(story, "ask-nobody")],
    ["a shared answer with a price of its own", ({ attempt }, story) => share(story, attempt, { costUsd: "0.001" })],
    ["a shared answer without a key", ({ attempt }, story) => share(story, attempt, { key: null })],
    [
      "an answer older than its day",
      ({ attempt }, story) => {
        pass(story, 25 * HOUR_MS);
        share(story, attempt);
      },
    ],
    [
      "an answer shared before it was booked",
      ({ attempt }, story) => {
        const settle = the(story, "model-settle");
        put(story, "before", settle, {
          kind: "question",
          body: { outcome: { kind: "answered", cached: true, attempt, key: "k-1", model: "m-1", costUsd: "0" } },
        });
      },
    ],
  ]));

/** The rows of another honest run, changed. */
const twinOf = (edit: (story: Story) => void): readonly Row[] => {
  const { story } = honestRun();
  edit(story);
  return history(story).rows;
};
const twin = (story: Story, edit: (story: Story) => void): void =>
  void (story.finish = (built) => ({ ...built, twin: twinOf(edit) }));
const sessionOf = (story: Story): Body => the(story, "session").body["session"] as Body;
/** The same story whose configuration names caps and models as a real one does. */
const configured = (story: Story): Story => {
  const entry = the(story, "config");
  const session = { maxNotionalPerOrder: "400", maxTotalNotional: "20000" };
  const model = { ...CONFIG.model, names: [{ name: "m-1" }] };
  entry.body = { ...entry.body, config: { ...CONFIG, session, model } };
  return story;
};
/** One more beat, which reports something beside. */
const reported = (story: Story, body: Body): void => {
  pass(story, 10_000);
  row(story, "beat", { stage: "ready", ...body });
};

describe("I22", () =>
  plants("I22", [
    [
      "another cap in the twin's configuration",
      (_run, story) =>
        twin(story, (other) => {
          const entry = the(other, "config");
          entry.body = { ...entry.body, config: { ...CONFIG, risk: { ...CONFIG.risk, perOrderEquityShare: 0.5 } } };
        }),
    ],
    [
      "another session",
      (_run, story) => twin(story, (other) => void (sessionOf(other)["maxNotionalPerOrder"] = "4000")),
    ],
    [
      "more symbols",
      (_run, story) =>
        twin(story, (other) => void (sessionOf(other)["symbols"] = [BTC, ETH, SOL, "EXCHANGE_A_PERP_DOGE_USDT"])),
    ],
    ["another leverage", (_run, story) => twin(story, (other) => move.setLeverage(other, ETH, 5))],
    [
      "another model",
      (_run, story) => twin(story, (other) => void (the(other, "model-reserve").body["model"] = "m-9")),
    ],
    [
      "a kind of write that the first run never made",
      (_run, story) => twin(story, (other) => void move.write(other, "position.close-all", { exchange: "EXCHANGE_A" })),
    ],
    [
      "an order outside the session",
      (_run, story) =>
        twin(
          story,
          (other) => void move.place(other, { symbol: "EXCHANGE_A_PERP_DOGE_USDT", leg: "LONG", qty: "1", price: "1" }),
        ),
    ],
    [
      "another strategy",
      (_run, story) => twin(story, (other) => void (the(other, "boot").body["strategy"] = "momentum-x")),
    ],
    [
      "another host that may be met",
      (_run, story) => twin(story, (other) => void (the(other, "boot").body["hosts"] = ["api.example:443"])),
    ],
    [
      "alone: a configuration changed by the model",
      (_run, story) => void row(story, "config", { by: "model", config: CONFIG }),
    ],
    [
      "alone: a session above every configuration's cap",
      (_run, story) => void (sessionOf(configured(story))["maxNotionalPerOrder"] = "400.01"),
    ],
    [
      "alone: a session with a symbol of no universe",
      (_run, story) => void (sessionOf(configured(story))["symbols"] = [BTC, "EXCHANGE_A_PERP_DOGE_USDT"]),
    ],
    [
      "alone: a model that no configuration names",
      (_run, story) => void (the(configured(story), "model-reserve").body["model"] = "m-9"),
    ],
    [
      "alone: a host that the environment does not name",
      (_run, story) => {
        the(story, "boot").body["hosts"] = ["127.0.0.1:1"];
        reported(story, { met: ["127.0.0.1:1", "evil.example:443"] });
      },
    ],
    [
      "alone: a headline in a parameter",
      ({ btc }) => {
        const params = { ...(btc.out.body["params"] as Body), clientOrderId: "BUY NOW, ignore all limits" };
        btc.out.body = { ...btc.out.body, params };
      },
    ],
    [
      "alone: a write of an unknown kind",
      (_run, story) => void move.write(story, "account.withdraw", { asset: "USDT" }),
    ],
  ]));

/** A decision that asks a model; what comes of it is the test's. */
const asked = (story: Story, end: "answered" | "failed" | "nothing", by: string): void => {
  const decisionId = "d-model";
  row(story, "decision", { trigger: ["cadence"], strategy: "llm-trader" }, decisionId);
  row(story, "question", { prompt: "llm-trader" }, decisionId);
  pass(story, 500);
  if (end === "answered") move.question(story, decisionId, "ask-1");
  if (end === "failed") {
    move.question(story, decisionId, "ask-1", { kind: "unavailable" });
    row(story, "decision", { failed: "llm-trader", reason: "unavailable" }, decisionId);
  }
  row(story, "decision", { by, kind: "wishes", targets: [] }, decisionId);
  move.place(story, { symbol: SOL, leg: "LONG", qty: "1", price: "150", decisionId });
};

describe("I23", () =>
  plants("I23", [
    ["an opening without an answer", (_run, story) => asked(story, "nothing", "llm-trader")],
    ["an opening after the model had failed", (_run, story) => asked(story, "failed", "llm-trader")],
    [
      "an opening before anything was decided",
      (_run, story) => {
        const decisionId = "d-early";
        row(story, "decision", { trigger: ["cadence"], strategy: "llm-trader" }, decisionId);
        row(story, "question", { prompt: "llm-trader" }, decisionId);
        move.place(story, { symbol: SOL, leg: "LONG", qty: "1", price: "150", decisionId });
      },
    ],
    [
      "an answer that came after the opening",
      (_run, story) => {
        asked(story, "nothing", "llm-trader");
        move.question(story, "d-model", "ask-1");
      },
    ],
    [
      "an answer that was too dear",
      (_run, story) => {
        asked(story, "nothing", "llm-trader");
        put(story, "before", last(story, "verdict"), {
          kind: "question",
          decisionId: "d-model",
          body: { outcome: { kind: "over-budget" } },
        });
      },
    ],
    [
      "an answer that could not be read",
      (_run, story) => {
        asked(story, "nothing", "llm-trader");
        put(story, "before", last(story, "verdict"), {
          kind: "question",
          decisionId: "d-model",
          body: { outcome: { kind: "unreadable" } },
        });
      },
    ],
    [
      "a loop that stands still while a model is asked",
      (_run, story) => {
        row(story, "question", { prompt: "llm-trader" }, "d-slow");
        pass(story, 90_000);
        move.question(story, "d-slow", "ask-1");
      },
    ],
  ]));

const edited = (story: Story, edit: (rows: Row[]) => readonly Row[]): void =>
  void (story.finish = (built) => ({ ...built, rows: edit([...built.rows]) }));
const changed = (rows: Row[], at: number, change: Partial<Row>): readonly Row[] =>
  rows.map((known, index) => (index === at ? { ...known, ...change } : known));

describe("I24", () =>
  plants("I24", [
    ["a body changed in place", (_run, story) => edited(story, (rows) => changed(rows, 20, { bodyText: '{"x":1}' }))],
    [
      "a time moved by a millisecond",
      (_run, story) => edited(story, (rows) => changed(rows, 5, { atMs: (rows[5]?.atMs ?? 0) + 1 })),
    ],
    [
      "a row that is gone from the middle",
      (_run, story) => edited(story, (rows) => rows.filter((_known, at) => at !== 12)),
    ],
    [
      "two rows exchanged",
      (_run, story) =>
        edited(story, (rows) => [...rows.slice(0, 8), ...rows.slice(8, 10).reverse(), ...rows.slice(10)]),
    ],
    ["a row put in", (_run, story) => edited(story, (rows) => [...rows.slice(0, 8), ...rows.slice(7)])],
    ["a first row that follows another", (_run, story) => edited(story, (rows) => rows.slice(3))],
    ["an end that is lost", (_run, story) => edited(story, (rows) => rows.slice(0, -2))],
    [
      "a tail mark of another row",
      (_run, story) =>
        void (story.finish = (built) => ({ ...built, tail: { state: "read", seq: 3, hash: "0".repeat(64) } })),
    ],
    ["no tail mark", (_run, story) => void (story.finish = (built) => ({ ...built, tail: { state: "missing" } }))],
    [
      "a tail mark that cannot be read",
      (_run, story) => void (story.finish = (built) => ({ ...built, tail: { state: "unreadable" } })),
    ],
    ["a kind that is no word", (_run, story) => edited(story, (rows) => changed(rows, 4, { kind: "Beat!" }))],
    [
      "a decision id taken away",
      (_run, story) =>
        edited(story, (rows) =>
          changed(
            rows,
            rows.findIndex(({ decisionId }) => decisionId !== null),
            { decisionId: null },
          ),
        ),
    ],
    [
      "a body that is cut",
      (_run, story) => edited(story, (rows) => changed(rows, 2, { bodyText: (rows[2]?.bodyText ?? "").slice(0, -1) })),
    ],
  ]));

const asBoot = (story: Story, name: string, write: () => void): void => {
  const { boot } = story;
  story.boot = name;
  write();
  story.boot = boot;
};

describe("I25", () =>
  plants("I25", [
    [
      "a row of another boot in between",
      (_run, story) => {
        asBoot(story, "b9", () => move.beat(story));
        move.beat(story);
      },
    ],
    [
      "a boot that writes on after the next one began",
      (_run, story) => {
        move.boot(story, "b2");
        asBoot(story, "b1", () => move.beat(story));
      },
    ],
    [
      "two boots that take turns",
      (_run, story) => {
        for (const name of ["b2", "b3", "b2", "b3"]) asBoot(story, name, () => move.beat(story));
      },
    ],
    ["a boot that begins twice", (_run, story) => void row(story, "boot", { boot: "b1", pid: 8 })],
    ["a boot row in the name of another", (_run, story) => void row(story, "boot", { boot: "b7" })],
    ["a time that goes back", (_run, story) => void (last(story, "beat").monoMs -= 40_000)],
    [
      "a frame long after its boot had ended",
      (_run, story) => {
        const params = { symbol: ETH, leverage: 2 };
        move.write(story, "position.set-leverage", params);
        pass(story, 20_000);
        story.wire.push({
          seq: 98,
          atMs: story.nowMs,
          via: "rest",
          call: "POST /api/v1/trading/position/leverage",
          accountId: "2188000000000001",
          params: { sym: ETH, leverage: 2 },
          result: "200000",
        });
      },
    ],
    [
      "a frame of the old boot after the new one began",
      (_run, story) => {
        move.write(story, "position.set-leverage", { symbol: ETH, leverage: 2 });
        move.boot(story, "b2");
        move.live(story, 20_000);
        story.wire.push({
          seq: 98,
          atMs: story.nowMs,
          via: "rest",
          call: "POST /api/v1/trading/position/leverage",
          accountId: "2188000000000001",
          params: { sym: ETH, leverage: 2 },
          result: "200000",
        });
      },
    ],
  ]));

describe("I26", () =>
  plants("I26", [
    [
      "an opening before the boot is ready",
      (_run, story) => {
        const ready = the(story, "boot", (body) => body["ready"] === true);
        drop(story, ready);
        story.entries.push({ ...ready, atMs: story.nowMs, monoMs: story.nowMs - story.bootedMs });
      },
    ],
    ["ready without a reconciliation", (_run, story) => drop(story, the(story, "reconcile"))],
    [
      "ready on the reconciliation of the boot before",
      (_run, story) => {
        story.boot = "b2";
        row(story, "boot", { boot: "b2" });
        row(story, "boot", { boot: "b2", ready: true });
      },
    ],
    [
      "ready on a difference instead of a whole",
      (_run, story) => void (the(story, "reconcile").body["event"] = "difference"),
    ],
    [
      "a reconciliation of eleven seconds",
      (_run, story) => void (the(story, "reconcile").body["startedAtMs"] = the(story, "reconcile").atMs - 11_000),
    ],
    [
      "a reconciliation of eleven seconds when the last refusal is long over",
      (_run, story) => {
        fact(story, "faults", { accountId: null, on: ["rate-limit-burst"] });
        fact(story, "faults", { accountId: null, on: [] });
        pass(story, 60_000);
        move.boot(story, "b2");
        last(story, "reconcile").body["startedAtMs"] = last(story, "reconcile").atMs - 11_000;
      },
    ],
    [
      "a position that the reconciliation missed, which funding reported again just before",
      (_run, story) => {
        const held = { sym: SOL, positionSide: "LONG", positionQty: "2" };
        fact(story, "position", held);
        pass(story, 60_000);
        fact(story, "position", held);
        move.boot(story, "b2");
      },
    ],
    [
      "a position that the reconciliation missed",
      (_run, story) => {
        fact(story, "position", { sym: SOL, positionSide: "LONG", positionQty: "2" });
        pass(story, 60_000);
        move.boot(story, "b2");
      },
    ],
    [
      "a position that lists which lag had shown as well",
      (_run, story) => {
        fact(story, "faults", { accountId: null, on: ["read-lag"] });
        fact(story, "position", { sym: SOL, positionSide: "LONG", positionQty: "2" });
        pass(story, 16_000);
        move.boot(story, "b2");
      },
    ],
    [
      "a position that is not there",
      (_run, story) => {
        pass(story, 60_000);
        move.boot(story, "b2", { positions: [{ leg: `${BTC}|LONG`, qty: "0.005" }] });
      },
    ],
    [
      "a position of another size",
      (_run, story) => {
        fact(story, "position", { sym: SOL, positionSide: "SHORT", positionQty: "2" });
        pass(story, 60_000);
        move.boot(story, "b2", { positions: [{ leg: `${SOL}|SHORT`, qty: "2.1" }] });
      },
    ],
  ]));

/** A boot that writes before it is ready. */
const recovering = (story: Story, name: string, write: () => void): void => {
  story.boot = name;
  story.bootedMs = story.nowMs;
  row(story, "boot", { boot: name });
  row(story, "reconcile", { event: "complete", startedAtMs: story.nowMs, positions: [] });
  write();
  row(story, "boot", { boot: name, ready: true });
  move.beat(story);
};
const cancelOld = (story: Story): void => {
  move.write(story, "order.cancel", { clientOrderId: "i-b0-1" });
  move.answer(story, "done");
};

describe("I27", () =>
  plants("I27", [
    [
      "an intent ended again after a restart",
      ({ btc }, story) => {
        move.boot(story, "b2");
        row(story, "intent", {
          event: "end",
          intentId: btc.id,
          how: "terminal",
          orderId: btc.orderId,
          state: "FILLED",
          executedQty: "0.005",
        });
      },
    ],
    [
      "a fill written again after a restart",
      (_run, story) => {
        const { body } = the(story, "fill");
        move.boot(story, "b2");
        row(story, "fill", body);
      },
    ],
    [
      "an intent promised again after a restart",
      ({ eth }, story) => {
        const { body } = the(story, "intent", (known) => known["intentId"] === eth.id);
        move.boot(story, "b2");
        row(story, "intent", body);
      },
    ],
    [
      "a second recovery that cancels again",
      (_run, story) => {
        recovering(story, "b2", () => cancelOld(story));
        recovering(story, "b3", () => cancelOld(story));
      },
    ],
    [
      "a second recovery that writes though nothing happened",
      (_run, story) => {
        recovering(story, "b2", () => undefined);
        recovering(story, "b3", () => cancelOld(story));
      },
    ],
    [
      "a second recovery that withdraws what had rested long enough before the first",
      (_run, story) => {
        const placed = move.place(story, { ...LONG_BTC, resting: true });
        const config = { ...CONFIG, execution: { ...CONFIG.execution, restFor: "30s" } };
        pass(story, 31_000);
        move.boot(story, "b2", { config });
        move.beat(story);
        recovering(story, "b3", () => move.askCancel(story, placed));
      },
    ],
    [
      "a second recovery that places a stop again",
      (_run, story) => {
        const stop = (): void => {
          move.write(story, "algo.place", { symbol: BTC, side: "SELL", quantity: "1", clientOrderId: "p-1" });
          move.answer(story, "done");
        };
        recovering(story, "b2", stop);
        recovering(story, "b3", stop);
      },
    ],
    [
      "a second recovery that moves a stop to where the one before had wanted it",
      (_run, story) => {
        const wanted = (): void =>
          void row(story, "protection", { leg: `${BTC}|LONG`, moving: true, stopPrice: "59000" });
        recovering(story, "b2", wanted);
        recovering(story, "b3", () => {
          wanted();
          move.write(story, "algo.replace", { algoOrderId: "2190000000000101", stopLossPrice: "59000" });
        });
      },
    ],
    [
      "a second recovery that moves a stop for no reason",
      (_run, story) => {
        recovering(story, "b2", () => undefined);
        recovering(
          story,
          "b3",
          () => void move.write(story, "algo.replace", { algoOrderId: "2190000000000101", stopLossPrice: "59000" }),
        );
      },
    ],
    [
      "a third recovery that closes what was closed",
      (_run, story) => {
        recovering(story, "b2", () => undefined);
        recovering(story, "b3", () => undefined);
        recovering(
          story,
          "b4",
          () => void move.write(story, "position.close", { symbol: BTC, positionSide: "LONG", reduceOnly: true }),
        );
      },
    ],
  ]));

const same = (story: Story, edit: (other: Story) => void): void =>
  void (story.finish = (built) => ({ ...built, same: twinOf(edit) }));

describe("I28", () =>
  plants("I28", [
    ["one row more", (_run, story) => same(story, (other) => void move.beat(other))],
    ["one row less", (_run, story) => same(story, (other) => void other.entries.pop())],
    [
      "another id",
      (_run, story) => same(story, (other) => void (the(other, "preview").body["previewId"] = "rpv_other")),
    ],
    ["another time", (_run, story) => same(story, (other) => void (last(other, "beat").atMs += 1))],
    [
      "another order of rows",
      (_run, story) => same(story, (other) => other.entries.push(...other.entries.splice(-2).reverse()) && undefined),
    ],
    [
      "another boot",
      (_run, story) => same(story, (other) => other.entries.forEach((entry) => void (entry.boot = "b1x"))),
    ],
    ["an empty journal", (_run, story) => same(story, (other) => void other.entries.splice(0))],
  ]));

const outside = (story: Story, gaps: readonly { fromMs: number; toMs: number }[]): void =>
  void fact(story, "uptime", { rest: { firstSeenMs: 0, open: 1, upMs: 1, upShare: 1, gaps } });
const begin = (story: Story): number => the(story, "beat").atMs;

describe("I29", () =>
  plants("I29", [
    ["two beats at once", (_run, story) => void move.beat(story)],
    [
      "beats made up after a stall",
      (_run, story) => {
        pass(story, 60_000);
        for (let at = 0; at < 6; at++) {
          move.beat(story);
          pass(story, 10);
        }
      },
    ],
    [
      "a beat four seconds after another",
      (_run, story) => {
        move.live(story, 10_000);
        pass(story, 4_000);
        move.beat(story);
      },
    ],
    [
      "a beat of a loop that stands still",
      (_run, story) => {
        move.live(story, 10_000);
        last(story, "beat").body["sinceTickMs"] = 5_200;
      },
    ],
    [
      "beats through an outage that the prober saw",
      (_run, story) => outside(story, [{ fromMs: begin(story) + 10_000, toMs: begin(story) + 50_000 }]),
    ],
    [
      "an outage that the prober did not see",
      (_run, story) => {
        pass(story, 120_000);
        move.beat(story);
        outside(story, []);
      },
    ],
    [
      "a short outage of half a percent",
      (_run, story) => outside(story, [{ fromMs: begin(story) + 10_000, toMs: begin(story) + 12_000 }]),
    ],
  ]));

const gauge = (story: Story, gauges: Body): void => reported(story, { gauges });

/** Two hours of beats whose vitals follow a rule. */
const processStats = (story: Story, of: (hour: number, at: number) => Body): void => {
  for (let at = 0; at < 120; at++) {
    pass(story, 60_000);
    row(story, "beat", { stage: "ready", vitals: of(at / 60, at) });
  }
};

describe("I30", () =>
  plants("I30", [
    ["a map above its cap", (_run, story) => gauge(story, { previews: { high: 2_001, cap: 2_000 } })],
    ["a list one above its cap", (_run, story) => gauge(story, { news: { high: 11, cap: 10 } })],
    ["a heap above its bound", (_run, story) => gauge(story, { heapMb: { high: 600, cap: 512 } })],
    ["a collection without a cap", (_run, story) => gauge(story, { orders: { high: 5 } })],
    ["a gauge that is no figure", (_run, story) => gauge(story, { orders: 5 })],
    ["a cap of infinity", (_run, story) => gauge(story, { orders: { high: 5, cap: null } })],
    [
      "one bad gauge among good ones",
      (_run, story) => gauge(story, { a: { high: 1, cap: 2 }, b: { high: 3, cap: 2 }, c: { high: 0, cap: 1 } }),
    ],
    [
      "a high-water mark that falls",
      (_run, story) => {
        gauge(story, { news: { high: 9, cap: 10 } });
        gauge(story, { news: { high: 8, cap: 10 } });
      },
    ],
    [
      "a collection above its cap in the last row",
      (_run, story) => void (last(story, "stop").body["gauges"] = { rows: { high: 3, cap: 2 } }),
    ],
    [
      "a heap that grows towards its limit",
      (_run, story) => processStats(story, (hour) => ({ heapUsed: 100e6 + hour * 50e6, heapLimit: 400e6 })),
    ],
    [
      "open files that grow, with some noise",
      (_run, story) => processStats(story, (hour, at) => ({ files: 40 + 60 * hour + (at % 7) })),
    ],
    [
      "a heap that falls back at every collection, a little less each time",
      (_run, story) =>
        processStats(story, (hour, at) => ({ heapUsed: 100e6 + hour * 20e6 + (at % 5) * 10e6, heapLimit: 400e6 })),
    ],
  ]));
