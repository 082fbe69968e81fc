/** The readable form of a log: what a person sees at 80 columns and in a file, and which lines a reader asked for. */
import { describe, expect, test } from "vitest";
import { LOG_EVENTS } from "../../src/core/log-events.ts";
import { lineFormat, type LogRecord } from "../../src/ops/log-lines.ts";
import { eventNames, fits, readRecord } from "../../src/ops/log-records.ts";
import { oneLine } from "../../src/core/safe-text.ts";
import { wrapText } from "../../src/core/wrap-text.ts";

const record = (given: Partial<LogRecord>): LogRecord => ({
  level: "info",
  time: "2026-11-23T12:00:01.500Z",
  evt: "order.filled",
  msg: "text",
  ...given,
});
const plain = (width: number | null) => lineFormat({ colour: false, width: () => width });

describe("a readable line", () => {
  test("has the date on the first line of each day, and says that its time is UTC", () => {
    const format = plain(null);
    expect(format(record({}))).toBe("2026-11-23 12:00:01Z order.filled         text");
    expect(format(record({ decision: "d-1" }))).toBe("12:00:01Z order.filled         text [d-1]");
    const others = { pid: 7, name: "x", hostname: "y", caller: "z", type: "Error", stack: "a\nb", deep: { figure: 1 } };
    expect(format(record(others))).toBe("12:00:01Z order.filled         text");
    expect(format(record({ time: "2026-11-24T00:00:00.000Z" }))).toMatch(/^2026-11-24 00:00:00Z /);
  });

  test("says without colour what is a warning or an error", () => {
    const format = plain(null);
    expect(format(record({ level: "warn" }))).toMatch(/WARN text$/);
    expect(format(record({ level: "error" }))).toMatch(/ERROR text$/);
    expect(lineFormat({ colour: true, width: () => null })(record({ level: "error" }))).toContain("\u001b[31m");
  });

  test("lets no headline draw on the terminal or forge a line", () => {
    expect(oneLine("a\n12:00:00 order.filled\u001b[2J\u202eb")).toBe("a 12:00:00 order.filled [2J b");
    const line = plain(null)(record({ msg: "x\r\ny\u001b[2J", evt: "news.seen\n", decision: "d\n1" }));

    expect(line).not.toMatch(/[\u0000-\u001f]/);
  });

  test("fits 80 columns, keeps figures with their units, and breaks no word in two", () => {
    const msg = `the position of EXCHANGE_A_PERP_LINK_USDT is worth ${"260.00 USDT and ".repeat(12)}that is all`;
    const lines = plain(80)(record({ msg, decision: "d-0mwtcucl3000spc-1" })).split("\n");
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) {
      expect(line.length).toBeLessThanOrEqual(80);
      expect(line).not.toMatch(/260\.00$/);
    }
    expect(lines.slice(1).every((line) => line.startsWith(" ".repeat(10)))).toBe(true);
    expect(lines.map((line) => line.trim()).join(" ")).toContain(msg);
  });

  test("keeps a word whole that is longer than a line", () => {
    const long = "x".repeat(100);
    expect(
      wrapText(`a ${long} b`, { width: 40, first: 20, indent: 10 })
        .split("\n")
        .map((line) => line.trim()),
    ).toEqual(["a", long, "b"]);
  });
});

describe("lines read back", () => {
  const line = JSON.stringify(record({ decision: "d-1" }));
  test.each([
    [line, ""],
    [`2026-11-23T12:00:01.5Z ${line}`, ""],
    [`ballast-1  | ${line}`, "ballast-1  |"],
  ])("a record is found in %s", (text, before) => {
    expect(readRecord(text)).toEqual({ record: record({ decision: "d-1" }), before });
  });

  test.each([
    "",
    "plain text",
    "{}",
    "[1]",
    "null",
    line.slice(0, -5),
    '{"level":30,"time":1,"msg":"x"}',
    `${line} more`,
  ])("no record is found in %s", (text) => {
    expect(readRecord(text)).toBeNull();
  });

  test.each([
    [{}, true],
    [{ sinceMs: Date.parse("2026-11-23T12:00:01.500Z") }, true],
    [{ sinceMs: Date.parse("2026-11-23T12:00:01.501Z") }, false],
    [{ level: "warn" }, false],
    [{ level: "debug" }, true],
    [{ evts: ["order"] }, true],
    [{ evts: ["ord", "position"] }, false],
    [{ evts: ["order.filled"] }, true],
    [{ decision: "d-1" }, true],
    [{ decision: "d-11" }, false],
  ] as const)("what is asked for by %j: %s", (filter, expected) => {
    expect(fits(record({ decision: "d-1" }), filter)).toBe(expected);
  });

  test("every event and every family can be named, and a misspelt one is put right", () => {
    for (const name of Object.keys(LOG_EVENTS)) expect(eventNames(name)).toEqual({ ok: true, value: [name] });
    expect(eventNames("order.*, position")).toEqual({ ok: true, value: ["order", "position"] });
    expect(eventNames("order.fileld")).toMatchObject({ ok: false, error: expect.stringContaining("order.filled?") });
    expect(eventNames("nope")).toEqual({
      ok: false,
      error: "there is no event nope; docs/LOG-EVENTS.md lists them.",
    });
    expect(eventNames(" , ")).toMatchObject({ ok: false });
  });
});
