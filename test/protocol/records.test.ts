import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { listOf } from "../../src/protocol/page.ts";
import { accountRecord, readExchangeAccount } from "../../src/protocol/records/account-record.ts";
import { algoRecord, readAlgoOrder } from "../../src/protocol/records/algo-record.ts";
import { executionRecord, readExecution } from "../../src/protocol/records/execution-record.ts";
import { orderPush, orderRecord, readOrder, readOrderUpdate } from "../../src/protocol/records/order-record.ts";
import {
  positionPush,
  positionRecord,
  readPosition,
  readPositions,
  readPositionUpdate,
} from "../../src/protocol/records/position-record.ts";
import { positions } from "../../src/protocol/trading/positions.ts";

const SYM = "EXCHANGE_A_PERP_BTC_USDT";
const order = {
  orderId: "2190000000590001",
  clientOrderId: "agent-001",
  orderState: "PARTIALLY_FILLED",
  sym: SYM,
  side: "BUY",
  exchangeOrderType: "LIMIT",
  orderType: "DMA",
  positionSide: "LONG",
  orderQty: "0.01",
  limitPrice: "60000",
  timeInForce: "GTC",
  executedQty: "0.004",
  executedAvgPrice: "60000",
  fee: "0.0192",
  reduceOnly: false,
  leverage: 2,
  algoOrderId: null,
  createAt: "1784500000000",
  updateAt: "1784500001250",
  newField: { of: "tomorrow" },
};

describe("order record (records §5.5)", () => {
  test("reads the documented example", () => {
    expect(readOrder(orderRecord.parse(order))).toMatchObject({
      orderId: "2190000000590001",
      state: "PARTIALLY_FILLED",
      orderType: "LIMIT",
      qty: dec("0.01"),
      limitPrice: dec("60000"),
      executedQty: dec("0.004"),
      fee: dec("0.0192"),
      cancelPending: false,
      createdAtMs: 1784500000000,
    });
  });

  test.each([
    ["CANCELED", "CANCELLED"],
    ["CANCEL_COMPLETE", "CANCELLED"],
    ["REJECT", "REJECTED"],
    ["FAIL", "REJECTED"],
    ["ACCEPTED", "NEW"],
    ["SOMETHING_NEW", "OPEN"],
  ])("state %s reads as %s", (word, state) => {
    expect(readOrder(orderRecord.parse({ ...order, orderState: word })).state).toBe(state);
  });

  test("a MARKET order: no price, IOC, absent money as empty text or null", () => {
    const wire = {
      ...order,
      exchangeOrderType: "MARKET",
      limitPrice: "",
      timeInForce: null,
      fee: null,
      executedAvgPrice: "",
    };
    expect(readOrder(orderRecord.parse(wire))).toMatchObject({
      orderType: "MARKET",
      limitPrice: null,
      timeInForce: "IOC",
      fee: dec(0),
      avgPrice: dec(0),
    });
  });

  test("one-way mode: NONE, empty and missing position sides are NONE", () => {
    for (const positionSide of ["NONE", "", null, undefined]) {
      expect(readOrder(orderRecord.parse({ ...order, positionSide })).positionSide).toBe("NONE");
    }
  });

  test("without a client order id its order id is one, as the venue would have given it", () => {
    for (const clientOrderId of ["", null, undefined])
      expect(readOrder(orderRecord.parse({ ...order, clientOrderId })).clientOrderId).toBe(order.orderId);
  });

  test("a pending cancel shows in the action", () => {
    expect(readOrder(orderRecord.parse({ ...order, action: "CANCEL_PENDING" })).cancelPending).toBe(true);
  });

  test.each([
    ["orderId", ""],
    ["orderId", undefined],
    ["orderId", "2.190000000000007e+15"],
    ["orderId", "1e400"],
    ["orderId", "0"],
    ["orderState", undefined],
    ["orderQty", "1e3"],
    ["executedQty", "NaN"],
    ["executedQty", undefined],
    ["executedQty", ""],
    ["executedQty", null],
    ["createAt", "yesterday"],
  ])("refuses %s = %j", (field, value) => {
    expect(orderRecord.safeParse({ ...order, [field]: value }).success).toBe(false);
  });
});

describe("an order whose executedQty is empty or null (records §0.2)", () => {
  test.each([
    ["NEW", ""],
    ["OPEN", null],
    ["REJECTED", ""],
    ["REJECT", null],
  ])("has filled nothing in state %s", (orderState, executedQty) => {
    const record = { ...order, orderState, executedQty };
    expect(readOrder(orderRecord.parse(record)).executedQty).toEqual(dec("0"));
    expect(readOrderUpdate(orderPush.parse(record)).executedQty).toEqual(dec("0"));
  });

  test.each(["PARTIALLY_FILLED", "FILLED", "CANCELLED", "CANCEL_PENDING", "SOMETHING_NEW"])(
    "is refused in state %s, in which it may have been filled",
    (orderState) => {
      const record = { ...order, orderState, executedQty: "" };
      expect(orderRecord.safeParse(record).success).toBe(false);
      expect(orderPush.safeParse(record).error?.issues[0]).toMatchObject({ path: ["executedQty"] });
    },
  );
});

describe("Orders push (1 §2.4, records §11.4)", () => {
  test("the five promised fields are enough", () => {
    const push = { orderId: "1", clientOrderId: "a", orderState: "FILLED", executedQty: "2", executedAvgPrice: "3" };
    expect(readOrderUpdate(orderPush.parse(push))).toEqual({
      orderId: "1",
      clientOrderId: "a",
      state: "FILLED",
      executedQty: dec("2"),
      avgPrice: dec("3"),
      symbol: null,
      side: null,
      positionSide: null,
      qty: null,
      limitPrice: null,
      fee: null,
      reason: "",
      cancelPending: false,
      updatedAtMs: null,
    });
  });

  test("the full set, with leverage as text", () => {
    const update = readOrderUpdate(orderPush.parse({ ...order, leverage: "2", action: "CANCEL_PENDING" }));
    expect(update).toMatchObject({
      symbol: SYM,
      side: "BUY",
      positionSide: "LONG",
      qty: dec("0.01"),
      cancelPending: true,
      updatedAtMs: 1784500001250,
    });
  });

  test("without executedQty it is refused: a fill must not read as none", () => {
    expect(orderPush.safeParse({ orderId: "1", orderState: "OPEN" }).success).toBe(false);
  });
});

describe("positions (records §7.1)", () => {
  const position = {
    sym: SYM,
    positionSide: "LONG",
    positionQty: "0.01",
    avgPrice: "60000",
    markPrice: "60500",
    unrealizedPNL: "5",
    leverage: "2",
    liqPrice: "0",
    tpslOrder: [],
    createAt: "1",
    updateAt: "2",
  };

  test("hedge mode", () => {
    expect(readPosition(positionRecord.parse(position))).toMatchObject({
      side: "LONG",
      qty: dec("0.01"),
      leverage: 2,
      liquidationPrice: null,
    });
  });

  test("one-way mode: NONE with a signed quantity", () => {
    const wire = positionRecord.parse({ ...position, positionSide: "NONE", positionQty: "-0.02", liqPrice: "71000.5" });
    expect(readPosition(wire)).toMatchObject({ side: "SHORT", qty: dec("0.02"), liquidationPrice: dec("71000.5") });
  });

  test("flat rows are left out", () => {
    const rows = [position, { ...position, positionQty: "0" }].map((row) => positionRecord.parse(row));
    expect(readPositions(rows)).toHaveLength(1);
  });

  test("an empty quantity is that of a flat row only beside no figure of a position", () => {
    const none = { ...position, positionQty: "", avgPrice: "", unrealizedPNL: "0", markPrice: "60500" };
    expect(readPositions(listOf(positions.reply.parse([position, none])))).toHaveLength(1);
    for (const figure of [{ avgPrice: "60000" }, { positionValue: "600" }, { unrealizedPNL: "-5" }])
      expect(positions.reply.safeParse([position, { ...none, ...figure }]).success).toBe(false);
    expect(positions.reply.safeParse([position, { ...none, positionQty: undefined }]).success).toBe(false);
  });

  test.each([null, "", [{}], [{ algoOrderId: 2190000000597001, orderState: "" }]])(
    "is read whatever stands under tpslOrder: %j",
    (tpslOrder) => {
      const rows = positions.reply.parse([position, { ...position, tpslOrder }]);
      expect(readPositions(listOf(rows))).toHaveLength(2);
    },
  );

  test("the push keeps the sign and may lack leverage", () => {
    const push = positionPush.parse({
      sym: SYM,
      positionSide: "NONE",
      positionQty: "-1.5",
      avgPrice: "2",
      leverage: "",
    });
    expect(readPositionUpdate(push)).toEqual({
      symbol: SYM,
      positionSide: "NONE",
      qty: dec("-1.5"),
      avgPrice: dec("2"),
      leverage: null,
    });
  });
});

describe("account, executions, algo", () => {
  test("LIQUIDATION is an alias of LIQUIDATING, and NET is read rather than assumed", () => {
    const wire = accountRecord.parse({
      exchangeType: "EXCHANGE_A",
      equity: "1005",
      perpAvailableMargin: "7",
      accountStatus: "LIQUIDATION",
      positionMode: "NET",
    });
    expect(readExchangeAccount(wire)).toMatchObject({
      equity: dec("1005"),
      availableMargin: dec("7"),
      status: "LIQUIDATING",
      positionMode: "NET",
    });
  });

  test.each([undefined, null, "", "HEDGE", "ONE_WAY"])(
    "a position mode of %s is not taken for one of the two",
    (word) => {
      const wire = accountRecord.parse({ exchangeType: "EXCHANGE_A", equity: "1005", positionMode: word });
      expect(readExchangeAccount(wire).positionMode).toBeNull();
    },
  );

  test("an account without equity is refused", () => {
    expect(accountRecord.safeParse({ exchangeType: "EXCHANGE_A", equity: "" }).success).toBe(false);
  });

  test("an execution of the push, where tradingFee and the realised result are missing", () => {
    const wire = executionRecord.parse({
      transactionId: "55002",
      orderId: "1",
      sym: SYM,
      side: "SELL",
      quantity: "0.01",
      price: "60000",
      fee: "-0.048",
      rpnl: "",
      execType: "MAKER",
      createAt: 9,
    });
    expect(readExecution(wire)).toMatchObject({
      side: "SELL",
      fee: dec("-0.048"),
      realizedPnl: null,
      liquidity: "MAKER",
      atMs: 9,
    });
  });

  test("an entire-position close has neither side nor quantity", () => {
    const wire = algoRecord.parse({
      algoOrderId: "1",
      sym: SYM,
      side: "",
      orderQty: "",
      positionSide: "LONG",
      orderState: "CANCELED",
      conditionType: "ENTIRE_CLOSE_POSITION",
      slTriggerPrice: "58500",
      tpTriggerPrice: "",
    });
    expect(readAlgoOrder(wire)).toMatchObject({
      side: null,
      qty: dec(0),
      state: "CANCELLED",
      stopLossPrice: dec("58500"),
      takeProfitPrice: null,
    });
  });
});

describe("a field that nobody reads", () => {
  const account = { exchangeType: "EXCHANGE_A", equity: "1005", positionMode: "BOTH" };
  const held = { sym: SYM, positionSide: "LONG", positionQty: "0.02", avgPrice: "60000" };

  test.each<[string, (odd: unknown) => unknown]>([
    ["an order", (leverage) => orderRecord.parse({ ...order, leverage, rebate: leverage })],
    ["a push of one", (leverage) => orderPush.parse({ ...order, leverage, lastExecutedAmount: leverage })],
    ["a position", (riskLevel) => positionRecord.parse({ ...held, riskLevel, positionMM: riskLevel })],
    ["an account", (uniMMR) => accountRecord.parse({ ...account, uniMMR, riskRatio: uniMMR })],
  ])("hides nothing of %s, whatever it holds", (_name, read) => {
    for (const odd of ["2.0", "0E-8", "n/a", {}, [], false, 1e30]) expect(() => read(odd)).not.toThrow();
  });
});
