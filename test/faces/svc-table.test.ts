/** Every capability through the command and through the tools: the documented outcome, and equal envelopes. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Envelope } from "../../src/faces/contract/envelope.ts";
import { type Rig, startRig } from "./svc-rig.ts";
import { Story } from "./svc-story.ts";

/** Status and five digits by label; PASS where nothing is said. */
const EXPECTED: Readonly<Record<string, string>> = {
  "market.ticker bad": "INVALID_INPUT 12001",
  "market.orderbook bad": "INVALID_INPUT 30001",
  // The service has no candles of the past.
  "market.klines": "NOT_VERIFIED 23001",
  "market.klines bad": "INVALID_INPUT 30001",
  "market.funding-rate bad": "INVALID_INPUT 30001",
  "market.mark-price bad": "INVALID_INPUT 30001",
  "market.symbol-info bad": "INVALID_INPUT 30001",
  "market.open-interest bad": "INVALID_INPUT 00001",
  "portfolio.overview bad": "INVALID_INPUT 30001",
  "portfolio.assets bad": "INVALID_INPUT 30001",
  "portfolio.statement bad": "INVALID_INPUT 30001",
  "portfolio.user-fee-rate bad": "INVALID_INPUT 30001",
  "portfolio.position-bracket bad": "INVALID_INPUT 30001",
  "order.open-orders bad": "INVALID_INPUT 30001",
  "order.history bad": "INVALID_INPUT 30001",
  "transaction.executions bad": "INVALID_INPUT 30001",
  "algo.open-orders bad": "INVALID_INPUT 30001",
  "algo.history bad": "INVALID_INPUT 30001",
  "position.query bad": "INVALID_INPUT 12001",
  "position.history bad": "INVALID_INPUT 30001",
  "position.get-leverage bad": "INVALID_INPUT 30001",
  'order.query {"orderId":"1111111111111111"}': "NOT_FOUND 22004",
  'order.query {"orderId":"123"}': "INVALID_INPUT 00002",
  "order.query {}": "INVALID_INPUT 30001",
  'algo.query {"algoOrderId":"1111111111111111"}': "NOT_FOUND 22004",
  'market.symbol-info {"symbol":"EXCHANGE_A_PERP_NOSUCH_USDT"}': "BUSINESS_ERROR 22001",
  'automation.status {"automationSessionId":"ras_none"}': "NOT_FOUND 26002",
  update: "NOT_VERIFIED 10002",
  "bare place": "BLOCKED 20002",
  "duplicate id": "BLOCKED 24004",
  "portfolio.set-position-mode": "BUSINESS_ERROR 22001",
  "cancel again": "BLOCKED 22005",
  "nothing to close": "BLOCKED 24003",
  "market too large": "BLOCKED 24001",
  "no consent": "BLOCKED 26000",
  "bad cap": "INVALID_INPUT 30001",
  "over the total": "BLOCKED 26005",
  "outside the symbols": "BLOCKED 26004",
  stopped: "BLOCKED 26002",
  "verify without words": "BLOCKED 20002",
};

const verdictOf = ({ status, code }: Envelope): string => (code === undefined ? status : `${status} ${code.slice(-5)}`);

/** Types in place of values, since the two faces trade in two accounts; rows of lists by their first. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? [shapeOf(value[0])] : [];
  if (value === null || typeof value !== "object") return typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, member]) => [name, shapeOf(member)]),
  );
}

/** An algo read-back comes from the query, or from the open list where the query's scarce turns are spent: timing, not face. */
const untimed = (data: unknown, label: string): unknown =>
  label.startsWith("algo.") && data !== null && typeof data === "object" && "readback" in data
    ? { ...data, readback: "answered" }
    : data;

/** What must be equal between the faces. The listing differs by design; codes differ in the prefix of the face. */
const comparable = ({ ok, status, code, message, details, data }: Envelope, label: string): unknown => ({
  ok,
  status,
  digits: code?.slice(-5),
  message: message?.replace(/ras_\w+|[\d.]+|(command|tool)-\d/g, "#"),
  details: details && shapeOf(details),
  data: label === "schema" ? null : shapeOf(untimed(data, label)),
});

// A guard against a hang, never a judge of speed.
vi.setConfig({ testTimeout: 240_000 });

let rig: Rig;
let command: Story;
let tool: Story;

beforeAll(async () => {
  rig = await startRig();
  command = new Story(rig.command(rig.variables(0)), "command");
  tool = new Story(await rig.tool(rig.variables(1)), "tool");
}, 60_000);
afterAll(() => rig.stop());

async function reported(report: (story: Story) => Promise<void>): Promise<void> {
  const from = { command: command.reported.length, tool: tool.reported.length };
  await Promise.all([report(command), report(tool)]);
  const byCommand = command.reported.slice(from.command);
  const byTool = tool.reported.slice(from.tool);
  const verdicts = (of: typeof byCommand) =>
    of.map(({ label, envelope }) => [label, verdictOf(envelope), envelope.message]);
  const expected = byCommand.map(({ label, envelope }) => [label, EXPECTED[label] ?? "PASS", envelope.message]);
  expect(verdicts(byCommand)).toEqual(expected);
  expect(byTool.map(({ label, envelope }) => [label, comparable(envelope, label)])).toEqual(
    byCommand.map(({ label, envelope }) => [label, comparable(envelope, label)]),
  );
}

describe("both faces report the same", () => {
  test("reads and diagnostics", () => reported((story) => story.reads()));
  test("orders from preview to the terminal state", () => reported((story) => story.orders()));
  test("positions and their protection", () => reported((story) => story.positions()));
  test("sessions with their caps", () => reported((story) => story.automation()));
  test("the live verification with its cleanup", () => reported((story) => story.verifyLive()));
});
