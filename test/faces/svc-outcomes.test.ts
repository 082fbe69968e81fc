/** Statuses and codes that only a troubled service brings about: each is reached over sockets. Spec: 3 §7. */
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Documents } from "../../src/faces/contract/documents.ts";
import type { Envelope } from "../../src/faces/contract/envelope.ts";
import { runCapability } from "../../src/faces/svc/run-capability.ts";
import { STATUSES } from "../../src/faces/contract/statuses.ts";
import { openSqlite } from "../../src/journal/sqlite.ts";
import type { Variables } from "../../src/client/credentials.ts";
import {
  bestPrices,
  BTC,
  capabilityOf,
  dataAt,
  type Drive,
  type Input,
  previewOf,
  type Rig,
  startRig,
  tokenOf,
  write,
} from "./svc-rig.ts";

/** What the gate does with a request instead of passing it on and answering; null passes it on. */
type Mood = "cut-after" | { readonly status: number; readonly body: string } | null;

let rig: Rig;
let server: Server;
let variables: Variables;
let command: Drive;
let mood: (method: string, path: string) => Mood = () => null;

beforeAll(async () => {
  rig = await startRig({ accounts: 1 });
  const target = rig.sim.ready.restUrl;
  server = createServer((asked, answer) => {
    const method = asked.method ?? "GET";
    const how = mood(method, asked.url ?? "");
    if (how !== null && how !== "cut-after") {
      answer.writeHead(how.status, { "content-type": "application/json" });
      return void answer.end(how.body);
    }
    const onward = request(`${target}${asked.url ?? ""}`, { method, headers: asked.headers }, (heard) => {
      if (how === "cut-after") {
        heard.resume();
        return void answer.destroy();
      }
      answer.writeHead(heard.statusCode ?? 502, heard.headers);
      heard.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  variables = {
    ...rig.variables(0),
    SVC_API_HOST: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    SVC_MARKET_WS_URL: rig.sim.ready.marketWsUrl,
  };
  command = rig.command(variables);
}, 60_000);
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rig.stop();
});

const refusing = (code: number, message: string, status = 200): Mood => ({
  status,
  body: JSON.stringify({ code, message, data: null }),
});

describe("reads", () => {
  /** What the service answers, and what is made of it. */
  const table: readonly (readonly [string, Mood, string])[] = [
    ["a missing permission", refusing(2003, "no access permission"), "PERMISSION_SCOPE_ERROR RCORE01004"],
    ["an unknown key", refusing(100018, "key unknown"), "FAIL RCLI01002"],
    ["haste", { status: 429, body: "{}" }, "FAIL RCORE23003"],
    ["an outage", { status: 503, body: "<html>" }, "FAIL RCLI22001"],
    ["another page", { status: 403, body: "<html>" }, "FAIL RCLI01002"],
    ["nothing there", refusing(401018, "Order not found"), "NOT_FOUND RCORE22004"],
    ["a business rule", refusing(401011, "symbol not supported"), "BUSINESS_ERROR RCLI22001"],
  ];

  test.each(table)("%s", async (_, answer, expected) => {
    mood = () => answer;
    const { status, code, ok, details } = await command("portfolio.statement");
    mood = () => null;
    expect(`${status} ${code}`).toBe(expected);
    expect(ok).toBe(false);
    if (status === "BUSINESS_ERROR") expect(details?.upstreamCode).toBe("401011");
    // Our own limiter takes the service at its word; the rest of the table shall not wait for it.
    await rig.env.clock.sleep(answer !== null && typeof answer === "object" && answer.status === 429 ? 65_000 : 0);
  });

  test("a self-check reports a missing permission as expected, and an outage as a failure", async () => {
    mood = (_, path) => (path.includes("/assets") ? refusing(2003, "no access permission") : null);
    const expected = await command("self-check.run");
    expect([expected.status, dataAt(expected, "status")]).toEqual(["EXPECTED_ERROR", "EXPECTED_ERROR"]);
    mood = (_, path) => (path.includes("/trading/orders") ? { status: 500, body: "" } : null);
    expect((await command("self-check.run")).status).toBe("FAIL");
    mood = () => null;
  });
});

test("answers keep the service's message, order of fields and unknown fields", async () => {
  const body = '{"note":"x","code":200000,"data":{"zeta":1,"list":[],"alpha":{"b":[],"a":"é"}},"message":"Ok, fine"}';
  mood = (_, path) => (path.includes("/history/orders") ? { status: 200, body } : null);
  const read = await command("order.history", { symbol: BTC });
  expect(JSON.stringify(read.data)).toBe(body);
  mood = (method) =>
    method === "POST"
      ? { status: 202, body: '{"trace":"t-1","code":200000,"message":"accepted","data":{"sym":"x","later":true}}' }
      : null;
  const written = await write(command, "position.set-leverage", { symbol: BTC, leverage: 2 }).finally(() => {
    mood = () => null;
  });
  expect(written.data).toMatchObject({ trace: "t-1", message: "accepted", data: { sym: "x", later: true } });
}, 60_000);

test("a position that the service refuses to close is a business error with its reason and rows", async () => {
  const rows = [
    { sym: BTC, positionSide: "LONG", orderId: "2190000000590001", success: "true", errorMsg: "" },
    { sym: "EXCHANGE_A_PERP_ETH_USDT", positionSide: "SHORT", orderId: "", success: "false", errorMsg: "halted" },
  ];
  const body = JSON.stringify({ code: 200000, message: "Success", data: rows });
  mood = (method, path) => (method === "DELETE" && path.includes("/positions") ? { status: 202, body } : null);
  const answer = await write(command, "position.close-all", { exchange: "EXCHANGE_A" });
  mood = () => null;
  expect([answer.status, answer.code]).toEqual(["BUSINESS_ERROR", "RCLI22001"]);
  expect(answer.message).toContain("EXCHANGE_A_PERP_ETH_USDT SHORT: halted");
  expect(dataAt(answer, "data")).toEqual(rows);
}, 60_000);

describe("a write without an answer", () => {
  test("is not verified, says what was found by its id, and is never sent again", async () => {
    await write(command, "position.set-leverage", { symbol: BTC, leverage: 2 });
    const { bid } = await bestPrices(command);
    const order = {
      symbol: BTC,
      side: "BUY",
      positionSide: "LONG",
      orderType: "LIMIT",
      price: String(Math.floor(bid * 0.9)),
      quantity: "0.002",
      maxNotional: "150",
      clientOrderId: "unknown-1",
    };
    const token = tokenOf(await previewOf(command, "order.place", order));
    let sent = 0;
    mood = (method) => {
      if (method !== "POST") return null;
      sent++;
      return "cut-after";
    };
    const answer = await command("order.place", { ...order, ...token });
    mood = () => null;
    expect([answer.status, answer.code, answer.ok]).toEqual(["NOT_VERIFIED", "RCORE23002", false]);
    expect(dataAt(answer, "lookedUp.order.orderState")).toBe("OPEN");
    expect(sent).toBe(1);
    const again = await command("order.place-preview", order);
    expect(again.message).toMatch(/^DUPLICATE_CLIENT_ORDER_ID/);
  });
});

describe("a store that is locked once a write has left", () => {
  /** The client layer with a store that throws where it is given to. */
  const troubled = async (id: string, input: Input, locks: Partial<Documents>): Promise<Envelope> => {
    const { client, close } = rig.open("command-line", variables);
    const broken = { ...client, documents: { ...client.documents, ...locks } };
    const at = { client: broken, called: "", signal: new AbortController().signal };
    const answer = await runCapability(capabilityOf(id), input, at);
    await close();
    return answer;
  };
  const locked = (): never => {
    throw new Error("database is locked");
  };

  test("is no refusal: the write is not verified", async () => {
    const mode = { exchange: "EXCHANGE_A", mode: "BOTH" };
    const token = tokenOf(await previewOf(command, "portfolio.set-position-mode", mode));
    const answer = await troubled("portfolio.set-position-mode", { ...mode, ...token }, { remove: locked });
    expect([answer.status, answer.code]).toEqual(["NOT_VERIFIED", "RCORE23002"]);
    expect(answer.message).toMatch(/the write was sent, then STORE_BUSY/);
    const before = await troubled(
      "trade.preview",
      { targetCapabilityId: "portfolio.set-position-mode", ...mode },
      {
        put: locked,
      },
    );
    expect([before.status, before.code]).toEqual(["BLOCKED", "RCLI26006"]);
  });

  test("does not change the exit code of what was answered", async () => {
    const own = { ...variables, SVC_STATE_DIR: `${variables["SVC_STATE_DIR"] ?? ""}-lost` };
    const { client, close } = rig.open("command-line", own);
    const at = { client, called: "", signal: new AbortController().signal };
    expect((await runCapability(capabilityOf("market.orderbook"), { symbol: BTC }, at)).status).toBe("PASS");
    const store = openSqlite(`${own.SVC_STATE_DIR}/svc.db`);
    store.script("DROP TABLE documents");
    store.close();
    await expect(close()).resolves.toBeUndefined();
  });

  test("does not keep a live verification from its cleanup and its report", async () => {
    let previews = 0;
    const { client, close } = rig.open("command-line", variables);
    const put: Documents["put"] = (kind, document) =>
      kind === "preview-input" && ++previews === 2 ? locked() : client.documents.put(kind, document);
    const words = `Place a real BUY LONG order in ${BTC} up to 120 and cancel it.`;
    const answer = await troubled(
      "trading.verify-live",
      {
        ...{ symbol: BTC, side: "BUY", positionSide: "LONG", maxNotional: "120", clientOrderId: "locked-1" },
        ...{ explicitUserConsent: true, acceptedRiskText: words },
      },
      { put },
    );
    await close();
    expect(answer).toMatchObject({
      status: "NOT_VERIFIED",
      data: { submittedRealOrder: true, cleanupStatus: "NOT_CONFIRMED", errorStage: "cancel" },
    });
    expect((await write(command, "order.cancel", { clientOrderId: "locked-1" })).status).toBe("PASS");
  });
});

test("a live verification is confirmed for an owner who holds the symbol already", async () => {
  await write(command, "position.set-leverage", { symbol: BTC, leverage: 2 });
  const shared = { symbol: BTC, side: "BUY", positionSide: "LONG", maxNotional: "300" };
  const market = { ...shared, orderType: "MARKET", quantity: "0.002", clientOrderId: "held-1" };
  expect((await write(command, "order.place", market)).status).toBe("PASS");
  const answer = await command("trading.verify-live", {
    ...{ ...shared, clientOrderId: "held-2", explicitUserConsent: true },
    acceptedRiskText: `Place a real BUY LONG order in ${BTC} up to 300 and cancel it.`,
  });
  expect(answer).toMatchObject({ status: "PASS", data: { cleanupStatus: "CONFIRMED" } });
  const close = { symbol: BTC, positionSide: "LONG", reduceOnly: true, maxNotional: "300" };
  expect((await write(command, "position.close", close)).status).toBe("PASS");
}, 30_000);

test.each([
  [
    { targetCapabilityId: "position.close-all", exchange: "EXCHANGE_A", exchangeType: "EXCHANGE_B" },
    /exchange is EXCHANGE_A and exchangeType is EXCHANGE_B/,
  ],
  [
    {
      targetCapabilityId: "algo.replace",
      algoOrderId: "2188000000000001",
      takeProfitPrice: "70000",
      tpTriggerType: "LAST_PRICE",
      stopLossPrice: "50000",
      slTriggerType: "MARK_PRICE",
    },
    /tpTriggerType is LAST_PRICE and slTriggerType is MARK_PRICE, but both name triggerType/,
  ],
])("two names of one parameter that say different things are refused, not half heard: %j", async (input, message) => {
  expect(await command("trade.preview", input)).toMatchObject({
    status: "INVALID_INPUT",
    message: expect.stringMatching(message),
  });
});

test("a live verification uses no session, and cancels its order though several sessions could", async () => {
  await write(command, "position.set-leverage", { symbol: BTC, leverage: 2 });
  const owner = { explicitUserConsent: true, acceptedRiskText: "Automated orders are allowed." };
  const sessions: string[] = [];
  for (const maxNotionalPerOrder of ["50", "300"]) {
    const caps = { symbols: [BTC], maxNotionalPerOrder, maxTotalNotional: "1000" };
    sessions.push(String(dataAt(await command("automation.start", { ...caps, ...owner }), "automationSessionId")));
  }
  const acceptedRiskText = `A real BUY of ${BTC} up to 200, then cancel it.`;
  const input = { symbol: BTC, side: "BUY", maxNotional: "200", clientOrderId: "verify-sessions" };
  const report = await command("trading.verify-live", { ...input, explicitUserConsent: true, acceptedRiskText });
  expect(report).toMatchObject({ status: "PASS", data: { cleanupStatus: "CONFIRMED" } });
  for (const automationSessionId of sessions) {
    expect(dataAt(await command("automation.stop", { automationSessionId }), "usedNotional")).toBe("0");
  }
});

test("a refused field is named with its rule and with what was found", async () => {
  const caps = { symbols: [BTC], maxNotionalPerOrder: "1 000", maxTotalNotional: 1000, expiresInSeconds: 0 };
  const refused = await command("automation.start", {
    ...caps,
    explicitUserConsent: true,
    acceptedRiskText: "a".repeat(2_001),
  });
  expect(refused.message?.split("; ")).toEqual([
    'automation.start: maxNotionalPerOrder: must be a positive plain decimal as text, found "1 000"',
    "maxTotalNotional: must be a positive plain decimal as text, found 1000",
    "expiresInSeconds: must be a whole number from 1 to 2592000, found 0",
    "acceptedRiskText: must have at most 2000 characters",
  ]);
  const secret = variables["SVC_SECRET_KEY"] ?? "";
  expect((await command("order.query", { orderId: secret })).message).not.toContain(secret.slice(0, 12));
});

describe("switches of the operator", () => {
  test("forbid writes and bound them", async () => {
    const leverage = { targetCapabilityId: "position.set-leverage", symbol: BTC, leverage: 2 };
    const readOnly = rig.command({ ...variables, SVC_READ_ONLY: "1" });
    expect((await readOnly("trade.preview", leverage)).code).toBe("RCLI21001");
    expect((await readOnly("position.query")).status).toBe("PASS");
    await command("config.set", { key: "readOnly", value: "true" });
    expect((await command("trade.preview", leverage)).code).toBe("RCLI21001");
    await command("config.unset", { key: "readOnly" });
    expect((await command("trade.preview", leverage)).status).toBe("PASS");
    expect((await command("config.get", { key: "readOnly" })).status).toBe("NOT_FOUND");
    expect((await command("trade.preview", { ...leverage, mcpSchemaVersion: "1999-01-01" })).status).toBe("BLOCKED");
  });

  test.each([
    ["SVC_READ_ONLY", "on"],
    ["SVC_READ_ONLY", "y"],
    ["SVC_TRADING_ENABLED", "off"],
    ["SVC_TRADING_ENABLED", "disabled"],
  ])("forbid writes whatever word says so: %s=%s", async (name, word) => {
    const leverage = { targetCapabilityId: "position.set-leverage", symbol: BTC, leverage: 2 };
    const switched = rig.command({ ...variables, [name]: word });
    expect(await switched("trade.preview", leverage)).toMatchObject({
      code: "RCLI21001",
      message: expect.stringContaining(`switched off (${name}`),
    });
  });

  test("are reported by name where the ceiling is no amount, and no order passes it", async () => {
    const order = { symbol: BTC, side: "BUY", positionSide: "LONG", orderType: "MARKET", quantity: "0.002" };
    const input = { targetCapabilityId: "order.place", ...order, maxNotional: "300", clientOrderId: "ceiling-1" };
    const capped = rig.command({ ...variables, SVC_MAX_NOTIONAL: "1,000" });
    expect(await capped("trade.preview", input)).toMatchObject({
      status: "BLOCKED",
      message: 'SVC_MAX_NOTIONAL: your own cap is "1,000"; write plain USDT such as 250.5',
    });
    for (const value of ["1,000", "-5", "0"])
      expect(await command("config.set", { key: "maxNotional", value })).toMatchObject({
        status: "INVALID_INPUT",
        message: `config.set: maxNotional must be a positive plain decimal as text, found "${value}"`,
      });
  });

  test("cap an order that is replaced as one that is placed, and name the cap", async () => {
    const capped = rig.command({ ...variables, SVC_MAX_NOTIONAL: "150" });
    await write(command, "position.set-leverage", { symbol: BTC, leverage: 2 });
    const price = (Math.floor((await bestPrices(command)).bid * 0.9) + 0.5).toFixed(1);
    const rest = { symbol: BTC, side: "BUY", positionSide: "LONG", orderType: "LIMIT", price, maxNotional: "900" };
    const message = expect.stringMatching(/^SVC_MAX_NOTIONAL: order value [\d.]+ is above your own cap 150$/);
    const refused = { status: "BLOCKED", code: "RCLI24001", message };
    const order = { ...rest, quantity: "0.002", clientOrderId: "own-cap-1" };
    expect(await previewOf(capped, "order.place", { ...order, quantity: "0.01" })).toMatchObject(refused);
    expect((await write(capped, "order.place", order)).status).toBe("PASS");
    const larger = { clientOrderId: "own-cap-1", quantity: "0.01" };
    expect(await previewOf(capped, "order.replace", larger)).toMatchObject(refused);
    expect((await write(capped, "order.cancel", { clientOrderId: "own-cap-1" })).status).toBe("PASS");
  });

  test("reach a tool server that runs already", async () => {
    const tool = await rig.tool(variables);
    const leverage = { targetCapabilityId: "position.set-leverage", symbol: BTC, leverage: 2 };
    expect((await tool("trade.preview", leverage)).status).toBe("PASS");
    await command("config.set", { key: "readOnly", value: "true" });
    expect((await tool("trade.preview", leverage)).code).toBe("RMCP21001");
    await command("config.unset", { key: "readOnly" });
    expect((await tool("trade.preview", leverage)).status).toBe("PASS");
  });

  test("are not kept under a name that nobody reads", async () => {
    for (const key of ["readonly", "read-only", "READ_ONLY"]) {
      const refused = await command("config.set", { key, value: "true" });
      expect(refused).toMatchObject({
        status: "INVALID_INPUT",
        message: expect.stringMatching(/did you mean readOnly/),
      });
    }
    expect(await command("config.set", { key: "note", value: "mine" })).toMatchObject({ status: "PASS" });
    await command("config.unset", { key: "note" });
  });

  test("audit rows give it all, without a secret", async () => {
    const rows = dataAt(await command("audit.list", { limit: 1_000 }), "rows") as { auditId: string; status: string }[];
    const seen = new Set(rows.map(({ status }) => status));
    for (const status of STATUSES.filter((word) => word !== "INVALID_INPUT")) expect(seen, status).toContain(status);
    const shown = await command("audit.show", { auditId: rows[0]?.auditId });
    expect(dataAt(shown, "who")).toMatch(/^.{4}\*\*\*.{4}$/);
    const text = JSON.stringify(rows);
    for (const name of ["SVC_ACCESS_KEY", "SVC_SECRET_KEY"]) expect(text).not.toContain(variables[name]);
  });
});

test("an order that the service refused goes again under its id by the same tool server", async () => {
  const drive = await rig.tool(variables);
  const { bid } = await bestPrices(drive);
  const order = {
    ...{ symbol: BTC, side: "BUY", positionSide: "LONG", orderType: "LIMIT", price: String(Math.floor(bid * 0.9)) },
    ...{ quantity: "0.002", maxNotional: "150", clientOrderId: "refused-1" },
  };
  mood = (method) => (method === "POST" ? refusing(401023, "insufficient margin") : null);
  const refused = await write(drive, "order.place", order);
  mood = () => null;
  expect([refused.ok, (await write(drive, "order.place", order)).ok]).toEqual([false, true]);
}, 60_000);
