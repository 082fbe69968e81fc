/** The fields of what `--json` prints, as scripts read them: the same whether the agent runs or has stopped. */
import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { ballast, quickConfig, run, takenDown, folder } from "../support/process.ts";

const HANG_MS = 900_000;
const WAIT_MS = 480_000;
const { started, folders } = takenDown();

/** Exact decimals travel as text. */
const money = z.string().regex(/^-?\d+(\.\d+)?$/);
const instant = z.iso.datetime();
const side = z.enum(["LONG", "SHORT"]);
const optional = <T extends z.ZodType>(type: T): z.ZodNullable<T> => type.nullable();

/** What `status` answers in both states. */
const STATUS = {
  equityUsdt: money,
  floorState: z.enum(["NORMAL", "WARN", "HOLD", "FLATTEN", "HALT"]),
  uptime: z.looseObject({ ratio: z.number(), window: z.looseObject({ ratio: z.number() }) }),
  score: optional(z.looseObject({ phase: z.number(), roi: optional(z.number()) })),
};
const HELD = { symbol: z.string(), side, strategy: z.string(), stopPrice: optional(money), openedAtMs: z.number() };
const running = z.looseObject({
  running: z.literal(true),
  ...STATUS,
  floorDistanceUsdt: money,
  health: z.looseObject({ state: z.string(), reason: z.string() }),
  model: z.looseObject({ spentTodayUsd: money, limitUsd: money }),
  session: z.looseObject({ usedNotional: money, maxTotalNotional: money }),
  positions: z.array(z.looseObject({ ...HELD, qty: money, avgPrice: money, unrealizedUsdt: money })),
  orders: z.array(z.looseObject({ clientOrderId: z.string(), symbol: z.string(), ours: z.boolean() })),
});
const stopped = z.looseObject({
  running: z.literal(false),
  ...STATUS,
  failed: optional(z.object({ at: z.string(), why: z.string() })),
  journal: z.string(),
  rows: z.int().positive(),
  spentTodayUsd: money,
  positions: z.array(z.looseObject(HELD)),
});

const closedTrade = z.strictObject({
  ...{ closedAt: instant, symbol: z.string(), side, qty: money, entryPrice: money, exitPrice: optional(money) },
  ...{ heldMs: z.number(), netUsdt: optional(money), feesUsdt: money, fundingUsdt: money },
  ...{ exit: z.string(), exitReason: z.string(), strategy: optional(z.string()) },
  model: optional(z.string()),
});
const reportLine = z.strictObject({
  ...{ name: z.string(), trades: z.int(), won: z.int(), lost: z.int(), unknown: z.int() },
  ...{ netUsdt: money, feesUsdt: money, fundingUsdt: money, bestUsdt: optional(money), worstUsdt: optional(money) },
  ...{ meanHeldMs: optional(z.number()), equityUsdt: optional(money), drawdown: optional(z.number()) },
});
const estimate = z.strictObject({ bps: z.number(), error: optional(z.number()), count: z.int() });
const ends = <T extends z.ZodType>(type: T) => z.strictObject({ filled: type, crossed: type, missed: type });
/** What post-only entries saved; null where none was followed. */
const entries = z.strictObject({
  ...{ counts: ends(z.int()), valueUsdt: ends(money), unfinished: z.int() },
  saved: z.strictObject({ filled: optional(estimate), crossed: optional(estimate) }),
  horizons: z.array(
    z.strictObject({
      afterMs: z.number(),
      ...{ sinceFilled: optional(estimate), sinceMissed: optional(estimate), net: optional(estimate) },
    }),
  ),
});
const table = <T extends z.ZodType>(name: string, row: T) =>
  z.strictObject({ table: z.literal(name), rows: z.array(row).min(1) });

/** What reads the data folder answers in the same form beside a running agent and after it. */
const FROM_THE_FOLDER: readonly (readonly [command: string, answer: z.ZodType])[] = [
  [
    "trades",
    z.strictObject({
      trades: z.array(closedTrade).min(1),
      total: z.strictObject({
        ...{ trades: z.int(), unknown: z.int(), netUsdt: money, feesUsdt: money, fundingUsdt: money },
      }),
    }),
  ],
  [
    "report",
    z.strictObject({
      ...{ by: z.literal("day"), from: z.null(), to: z.null(), lines: z.array(reportLine).min(1), total: reportLine },
      equity: z.strictObject({
        ...{ from: instant, to: instant, firstUsdt: money, lastUsdt: money, changeUsdt: money },
        ...{ returnFraction: z.number(), drawdown: z.number() },
        organiser: z.strictObject({ sharpe: optional(z.number()), drawdown: z.number() }),
      }),
      entries: optional(entries),
    }),
  ],
  ["export trades", table("trades", closedTrade)],
  ["export equity", table("equity", z.strictObject({ at: instant, equityUsdt: money, positions: z.int() }))],
  [
    "export decisions",
    table(
      "decisions",
      z.strictObject({
        ...{ decisionId: z.string(), at: instant, trigger: z.string(), asked: z.string(), equityUsdt: optional(money) },
        ...{ decidedBy: optional(z.string()), answer: optional(z.string()), targets: optional(z.int()) },
        model: optional(z.string()),
        ...{ tookMs: optional(z.number()), note: optional(z.string()), failure: optional(z.string()) },
      }),
    ),
  ],
  [
    "export candles",
    table(
      "candles",
      z.strictObject({
        ...{ venue: z.string(), symbol: z.string(), openAt: instant },
        ...{ open: money, high: money, low: money, close: money, volume: money },
      }),
    ),
  ],
];

const refusal = (exitCode: number) =>
  z.object({ ok: z.literal(false), exitCode: z.literal(exitCode), error: z.string() });
/** What a flattening would close. */
const wouldClose = refusal(2).extend({
  positions: z.array(z.looseObject({ symbol: z.string(), side, qty: money, unrealizedUsdt: money })).min(1),
  orders: z.array(z.looseObject({ clientOrderId: z.string(), symbol: z.string() })),
});

test(
  "status, open, flatten, trades, report and export keep their fields, running and stopped",
  { timeout: HANG_MS },
  async () => {
    const made = folder();
    folders.push(made);
    const data = `${made.dir}/data`;
    const answers = async (command: string, form: z.ZodType, code = 0): Promise<void> => {
      const ran = await run([...command.split(" "), "--json", "--data-dir", data]);
      const read = form.safeParse(JSON.parse(ran.out));
      expect([command, read.error?.issues, ran.code], ran.out.slice(0, 2_000)).toEqual([command, undefined, code]);
    };

    const agent = ballast(["run", "--config", made.file("agent.yaml", quickConfig({ speed: 2 })), "--data-dir", data]);
    started.push(agent);
    await agent.until(({ evt }) => evt === "position.protected", WAIT_MS, "a position under its stop");
    await answers("status", running);
    await answers("status --health", z.strictObject({ ok: z.boolean(), state: z.string(), reason: z.string() }));
    await answers("open", z.strictObject({ url: z.url(), tunnel: z.string() }));
    await answers("flatten", wouldClose, 2);
    // What a crash would leave behind at this instant.
    mkdirSync(`${made.dir}/left`);
    expect((await run(["backup", `${made.dir}/left/journal.db`, "--data-dir", data])).code).toBe(0);
    const left = stopped.parse(JSON.parse((await run(["status", "--json", "--data-dir", `${made.dir}/left`])).out));
    expect(left.positions).not.toEqual([]);

    const closed = z.strictObject({ ok: z.literal(true), floorState: z.literal("HALT"), closed: z.int().positive() });
    await answers("flatten --yes", closed);
    await agent.until(({ evt }) => evt === "trade.closed", WAIT_MS, "the closed trade");
    // The recorder writes a minute once it is over.
    const exportsCandles = async () => (await run(["export", "candles", "--json", "--data-dir", data])).code;
    await expect.poll(exportsCandles, { timeout: WAIT_MS, interval: 1_000 }).toBe(0);
    for (const [command, form] of FROM_THE_FOLDER) await answers(command, form);

    agent.child.kill("SIGTERM");
    expect((await agent.ended).code).toBe(0);
    await answers("status", stopped);
    await answers(
      "status --health",
      z.strictObject({ ok: z.literal(false), state: z.literal("dead"), reason: z.string() }),
      1,
    );
    await answers("open", refusal(1), 1);
    await answers("flatten --yes", refusal(1), 1);
    for (const [command, form] of FROM_THE_FOLDER) await answers(command, form);
  },
);
