import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { feedClientMessage, feedSubscribeMessage, readFeedFrame } from "../../src/protocol/feeds/feed-stream.ts";
import { anyNewsRecord } from "../../src/protocol/feeds/news-record.ts";
import { chatRequest } from "../../src/protocol/ai/chat-completions.ts";
import { marketClientMessage, subscribeMessage } from "../../src/protocol/market/messages.ts";
import { parseRequest } from "../../src/protocol/parse-request.ts";
import { actionMessage, isUserAction, USER_ACTIONS } from "../../src/protocol/user/actions.ts";
import { readUserReply, userClientMessage, userLoginMessage } from "../../src/protocol/user/messages.ts";
import { readUserPush } from "../../src/protocol/user/pushes.ts";

const SYM = "EXCHANGE_A_PERP_BTC_USDT";

describe("user stream", () => {
  test("login and its answers", () => {
    const message = userClientMessage.parse(
      JSON.parse(userLoginMessage({ apiKey: "k", timestamp: "1784500000", sign: "s", onlyTrade: true })),
    );
    expect(message).toEqual({
      action: "login",
      args: { apiKey: "k", timestamp: "1784500000", sign: "s", onlyTrade: true },
    });
    expect(readUserReply({ event: "login", code: 0, msg: "" })).toMatchObject({
      event: "login",
      code: "0",
      ok: true,
      id: null,
    });
    expect(readUserReply({ event: "login", code: 601016, msg: "seconds only" })).toMatchObject({
      code: "601016",
      ok: false,
    });
    expect(readUserReply({ event: "error", code: "60009", msg: "login failed" })).toMatchObject({
      ok: false,
      code: "60009",
    });
  });

  test("an action there and back", () => {
    const text = actionMessage("p1", "place_order", { sym: SYM, side: "BUY", orderType: "MARKET", orderQty: "1" });
    const message = userClientMessage.parse(JSON.parse(text));
    expect(isUserAction(message.action)).toBe(true);
    expect(parseRequest(USER_ACTIONS.place_order, message.args ?? {})).toMatchObject({ ok: true });
    expect(
      readUserReply({ id: "p1", event: "place_order", code: 200000, msg: "Success", data: { orderId: "1" } }),
    ).toEqual({
      id: "p1",
      event: "place_order",
      code: "200000",
      ok: true,
      message: "Success",
      data: { orderId: "1" },
    });
    expect(
      readUserReply({ id: "c2", event: "cancel_order", code: 401018, msg: "Order not found", data: null }),
    ).toMatchObject({
      id: "c2",
      ok: false,
      code: "401018",
      data: null,
    });
    expect(isUserAction("constructor")).toBe(false);
  });

  test.each([
    [
      "Orders",
      { orderId: "1", clientOrderId: "a", orderState: "OPEN", executedQty: "0", executedAvgPrice: "0" },
      { kind: "order" },
    ],
    [
      "orders",
      { orderId: "1", clientOrderId: "a", orderState: "OPEN", executedQty: "0", executedAvgPrice: "0" },
      { kind: "order" },
    ],
    [
      "Trades",
      { transactionId: "5", orderId: "1", sym: SYM, side: "BUY", quantity: "1", price: "2", fee: "0.1" },
      { kind: "execution" },
    ],
    [
      "Positions",
      { sym: SYM, positionSide: "LONG", positionQty: "1", avgPrice: "2", leverage: "2" },
      { kind: "position" },
    ],
    [
      "Assets",
      { coin: "USDT", exchangeType: "EXCHANGE_A", balance: "999.952", available: "699.952", frozen: "0" },
      { kind: "asset", asset: { balance: dec("999.952") } },
    ],
    [
      "MarginCall",
      { exchangeType: "EXCHANGE_A", equity: "900", accountStatus: "MARGIN_CALL" },
      { kind: "margin-call", account: { status: "MARGIN_CALL" } },
    ],
    [
      "LiquidationPosition",
      {
        sym: SYM,
        positionSide: "LONG",
        reduceQty: "0.01",
        closedPnl: "-12",
        liqFee: "17.64",
        totalTradingFee: null,
        createAt: 1,
        updateAt: 2,
      },
      { kind: "liquidation", liquidation: { fee: dec("17.64"), atMs: 2 } },
    ],
    ["ALGO_ORDER", { algoOrderId: "1", sym: SYM, orderState: "NEW" }, { kind: "algo" }],
    ["Horoscope", {}, { kind: "unknown-channel", channel: "Horoscope" }],
    [
      "Trades",
      { transactionId: "5" },
      { kind: "refused", reason: expect.stringMatching(/^Trades orderId: /) as unknown },
    ],
  ])("push %s", (channel, data, reading) => {
    expect(readUserPush({ channel, data })).toMatchObject([reading]);
  });

  test("one record, and what is no push", () => {
    expect(readUserPush({ channel: "Positions", data: { sym: SYM, positionQty: "-1" } })).toMatchObject([
      { kind: "position" },
    ]);
    expect(readUserPush({ event: "login", code: 0 })).toBeNull();
    expect(readUserPush("pong")).toBeNull();
  });
});

describe("market client messages", () => {
  test("subscribe passes the server's reading", () => {
    const text = subscribeMessage("subscribe", [
      { channel: "KLINE", symbol: SYM, interval: "1m" },
      { channel: "BBO", symbol: SYM },
    ]);
    expect(marketClientMessage.parse(JSON.parse(text))).toEqual({
      event: "subscribe",
      arg: [
        { channel: "KLINE", sym: SYM, interval: "1m" },
        { channel: "BBO", sym: SYM },
      ],
    });
  });
  test.each([
    { event: "subscribe", arg: [] },
    { event: "subscribe" },
    { event: "dance", arg: [{ channel: "BBO" }] },
    {},
    { ping: "5" },
  ])("%j is no message", (message) => {
    expect(marketClientMessage.safeParse(message).success).toBe(false);
  });
});

describe("news stream", () => {
  const news = {
    id: 9,
    newsId: "n-9",
    newsType: "news",
    category: 1,
    title: null,
    content: "<p>x</p>",
    publishTime: null,
    currencies: null,
    mediaAttachments: null,
    quotedContent: null,
    createdAt: 1784500000000,
  };

  test("frames", () => {
    expect(readFeedFrame({ channel: "news.category.all", data: news })).toMatchObject({
      kind: "push",
      item: { id: 9 },
    });
    expect(readFeedFrame({ channel: "news.hot.all", data: news })).toMatchObject({ kind: "refused" });
    expect(readFeedFrame({ channel: "news.else", data: news })).toEqual({
      kind: "refused",
      reason: "unknown channel news.else",
    });
    expect(readFeedFrame({ pong: 1 })).toEqual({ kind: "pong" });
    expect(
      readFeedFrame({
        event: "subscribe",
        code: "0",
        msg: "success",
        arg: [{ channel: "news.hot.all" }],
        invalidArg: [{ channel: "x" }],
      }),
    ).toEqual({
      kind: "reply",
      ok: true,
      code: "0",
      invalid: ["x"],
    });
    expect(readFeedFrame({ event: "error", code: "500", msg: "Server Error" })).toMatchObject({
      kind: "reply",
      ok: false,
      code: "500",
    });
    expect(readFeedFrame(7)).toMatchObject({ kind: "refused" });
  });

  test("figures that nobody reads, in whatever form they come, hide no item", () => {
    const counted = {
      ...news,
      category: "7",
      viewCount: "1204",
      likeCount: 3.5,
      isBlueVerified: "true",
      originalUrl: {},
      mediaAttachments: [{ mediaType: 1 }, "https://x.example/a.png"],
      currencies: [{ currencyId: null, fullName: 7, symbol: "btc" }],
      quotedContent: { content: "said", likeCount: "12", isBlueVerified: 1 },
    };
    expect(readFeedFrame({ channel: "news.category.all", data: counted })).toMatchObject({
      kind: "push",
      item: { category: "7" },
    });
    expect(readFeedFrame({ channel: "news.hot.all", data: { ...news, newsType: "hot", ingestTime: "now" } }).kind).toBe(
      "push",
    );
  });

  test("what a client sends, a server reads", () => {
    expect(feedClientMessage.safeParse(JSON.parse(feedSubscribeMessage("subscribe", ["news.hot.all"]))).success).toBe(
      true,
    );
  });

  test("the three kinds are distinguished", () => {
    expect(anyNewsRecord.parse(news).newsType).toBe("news");
    expect(anyNewsRecord.safeParse({ ...news, newsType: "gossip" }).success).toBe(false);
  });
});

describe("model gateway", () => {
  test("requests", () => {
    expect(
      chatRequest.safeParse({
        model: "m",
        messages: [{ role: "user", content: "hi" }],
        response_format: { type: "json_schema", json_schema: { name: "decision", strict: true, schema: {} } },
      }).success,
    ).toBe(true);
    expect(chatRequest.safeParse({ model: "m", messages: [] }).success).toBe(false);
  });
});
