/** Preview, then submit: what is compared, what is counted, and what happens when many come at once. Spec: 3 §2.3, §3. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stateFile } from "../../src/client/plug.ts";
import type { Variables } from "../../src/client/credentials.ts";
import type { Capability } from "../../src/faces/contract/capability.ts";
import type { Envelope } from "../../src/faces/contract/envelope.ts";
import { typeOfField } from "../../src/faces/svc/options.ts";
import { openDocumentStore } from "../../src/journal/document-store.ts";
import {
  bestPrices,
  BTC,
  capabilityOf,
  dataAt,
  type Drive,
  ETH,
  type Input,
  previewOf,
  type Rig,
  startRig,
  tokenOf,
  write,
} from "./svc-rig.ts";

let rig: Rig;
let drive: Drive;
let limit: { readonly price: string; readonly quantity: string };

beforeAll(async () => {
  rig = await startRig({ scale: 30, accounts: 4 });
  drive = await rig.tool(rig.variables(0));
  await write(drive, "position.set-leverage", { symbol: BTC, leverage: 2 });
  const { bid } = await bestPrices(drive);
  limit = { price: String(Math.floor(bid * 0.9)), quantity: "0.002" };
}, 60_000);
afterAll(() => rig.stop());

const consent = { explicitUserConsent: true, acceptedRiskText: "Automated orders are allowed." };

const order = (clientOrderId: string): Record<string, unknown> => ({
  symbol: BTC,
  side: "BUY",
  positionSide: "LONG",
  orderType: "LIMIT",
  timeInForce: "GTC",
  reduceOnly: false,
  maxNotional: "150",
  clientOrderId,
  ...limit,
});

/** Another valid value for a field, whatever its kind: the mutation must be caught by the comparison, not by the schema. */
function otherThan(capability: Capability, field: string, value: unknown): fc.Arbitrary<unknown> {
  const { type, entries } = typeOfField(capability, field);
  if (type === "boolean") return fc.constant(value !== true);
  if (type === "enum") return fc.constantFrom(...Object.keys(entries ?? {}).filter((entry) => entry !== value));
  if (type === "number") return fc.integer({ min: 1, max: 125 }).filter((number) => number !== value);
  if (field === "symbol") return fc.constant(ETH);
  if (/orderId$/i.test(field) && field !== "clientOrderId") return fc.constant("2999999999999999");
  if (/price|quantity|notional/i.test(field)) {
    return fc
      .integer({ min: 1, max: 900_000 })
      .map(String)
      .filter((text) => Number(text) !== Number(value));
  }
  return fc.stringMatching(/^[a-z]{3,12}$/).filter((text) => text !== value);
}

describe("a submit with any field changed is blocked", () => {
  /** Each write with all that can stand in it. */
  const writes: readonly (readonly [string, () => Input | Promise<Input>])[] = [
    ["order.place", () => order("mutate-1")],
    ["position.set-leverage", () => ({ symbol: BTC, leverage: 3 })],
    ["portfolio.set-position-mode", () => ({ exchange: "EXCHANGE_A", mode: "BOTH" })],
    ["order.cancel-all", () => ({ symbol: BTC, exchange: "EXCHANGE_A" })],
    ["position.close-all", () => ({ exchange: "EXCHANGE_A", positionSide: "LONG", closeAllPositions: true })],
    [
      "order.replace",
      async () => {
        const placed = await write(drive, "order.place", order("mutate-live"));
        return { orderId: dataAt(placed, "data.orderId"), price: String(Number(limit.price) - 5), quantity: "0.003" };
      },
    ],
    ["order.cancel", () => ({ clientOrderId: "mutate-live" })],
    [
      "position.close",
      async () => {
        const market = { ...order("mutate-held"), orderType: "MARKET", price: undefined, timeInForce: undefined };
        await write(drive, "order.place", market);
        return { symbol: BTC, positionSide: "LONG", reduceOnly: true, maxNotional: "300" };
      },
    ],
    ["algo.cancel", () => ({ algoOrderId: "2188000000000001" })],
    ["algo.replace", () => ({ algoOrderId: "2188000000000001", triggerPrice: "50000", triggerType: "MARK_PRICE" })],
    [
      "algo.place",
      () => ({
        symbol: BTC,
        side: "SELL",
        positionSide: "LONG",
        quantity: "0.002",
        conditionType: "OCO",
        takeProfitPrice: "70000",
        stopLossPrice: "50000",
        triggerType: "LAST_PRICE",
        maxNotional: "300",
        clientOrderId: "mutate-2",
        algoType: "TPSL",
      }),
    ],
  ];

  test.each(writes)("%s", async (id, make) => {
    const capability = capabilityOf(id);
    const business = await make();
    const preview = await previewOf(drive, id, business);
    expect(preview.status, preview.message).toBe("PASS");
    const token = tokenOf(preview);
    const state = async (): Promise<unknown> => [
      dataAt(await drive("order.open-orders"), "data.list"),
      (dataAt(await drive("position.query"), "data") as { positionQty: string }[]).map((row) => row.positionQty),
    ];
    const before = await state();
    const optional = Object.keys(business).filter(
      (field) => capability.input.shape[field]?.safeParse(undefined).success,
    );
    const cases = [
      ...Object.entries(business).map(([field, value]) => ({ field, value: otherThan(capability, field, value) })),
      ...optional.map((field) => ({ field, value: fc.constant(undefined) })),
    ].filter(({ field, value }) => !(field === "algoOrderId" && fc.sample(value, 1)[0] === undefined));
    for (const { field, value } of cases) {
      await fc.assert(
        fc.asyncProperty(value, async (changed) => {
          const { ...mutated }: Record<string, unknown> = { ...business, ...token, [field]: changed };
          if (changed === undefined) delete mutated[field];
          const answer = await drive(id, mutated);
          // Where a field is needed once another is gone, the schema speaks first; nothing may ever pass.
          const missing = changed === undefined && answer.code === "RCLI30001";
          expect(missing || answer.code === "RCLI20002", `${field}: ${answer.code} ${answer.message}`).toBe(true);
          expect(answer.message).not.toMatch(/(^|: )\w+ differ /);
          expect(answer.status).toBe(missing ? "INVALID_INPUT" : "BLOCKED");
        }),
        { numRuns: 4, seed: 3 },
      );
    }
    expect(await state()).toEqual(before);
  });

  test("tokens, runtimes, repetition and age", async () => {
    const variables = rig.variables(1);
    const command = rig.command(variables);
    const tool = await rig.tool(variables);
    await write(command, "position.set-leverage", { symbol: BTC, leverage: 2 });
    const business = order("age-1");
    const preview = await previewOf(command, "order.place", business);
    const token = tokenOf(preview);
    const says = async (answer: Promise<Envelope>): Promise<string> => {
      const { status, code, message } = await answer;
      return `${status} ${code?.slice(-5)} ${message?.split(":")[0]}`;
    };
    expect(await says(command("order.place", { ...business, previewId: token.previewId }))).toBe(
      "BLOCKED 20002 CONSENT_MISSING",
    );
    expect(await says(command("order.place", { ...business, ...token, continueConsentId: "confirm_x" }))).toBe(
      "BLOCKED 20002 CONSENT_MISMATCH",
    );
    expect(await says(command("order.place", { ...business, ...token, previewId: "rpv_x" }))).toBe(
      "BLOCKED 20002 PREVIEW_NOT_FOUND",
    );
    expect(await says(tool("order.place", { ...business, ...token }))).toBe("BLOCKED 20002 OTHER_RUNTIME");
    expect(await says(command("order.cancel", { orderId: "2188000000000001", ...token }))).toBe(
      "BLOCKED 20002 PREVIEW_MISMATCH",
    );
    const placed = await command("order.place", { ...business, ...token });
    expect(placed.status, JSON.stringify(placed)).toBe("PASS");
    expect(await says(command("order.place", { ...business, ...token }))).toBe("BLOCKED 20002 PREVIEW_USED");
    const late = order("age-2");
    const old = tokenOf(await previewOf(command, "order.place", late));
    const later = rig.command(variables, 301_000);
    expect(await says(later("order.place", { ...late, ...old }))).toBe("BLOCKED 20002 PREVIEW_EXPIRED");
  });
});

test("a preview and a consent are for the account that they were given for, in one state folder", async () => {
  const practice = rig.variables(1);
  const real = { ...rig.variables(2), SVC_STATE_DIR: practice.SVC_STATE_DIR };
  const [there, here, keyless] = [practice, real, { SVC_STATE_DIR: practice.SVC_STATE_DIR }].map((own) =>
    rig.command(own),
  ) as [Drive, Drive, Drive];
  const business = order("crossed-1");
  const preview = await previewOf(there, "order.place", business);
  const crossed = await here("order.place", { ...business, ...tokenOf(preview) });
  expect([crossed.status, crossed.message?.split(":")[0]]).toEqual(["BLOCKED", "PREVIEW_NOT_FOUND"]);

  const caps = { symbols: [BTC], maxNotionalPerOrder: "150", maxTotalNotional: "1000" };
  const started = await there("automation.start", { ...caps, ...consent });
  const automationSessionId = String(dataAt(started, "automationSessionId"));
  const bindingOf = (envelope: Envelope): unknown => dataAt(envelope, "automationSession.automationSessionId");
  expect(bindingOf(await previewOf(there, "order.place", business))).toBe(automationSessionId);
  const unbound = await previewOf(here, "order.place", business);
  expect([unbound.status, bindingOf(unbound)]).toEqual(["PASS", undefined]);
  const named = await previewOf(here, "order.place", { ...business, automationSessionId });
  expect([named.status, named.code]).toEqual(["NOT_FOUND", "RCLI26002"]);
  expect((await keyless("automation.stop", { automationSessionId })).status).toBe("PASS");
  expect(bindingOf(await previewOf(there, "order.place", business))).toBeUndefined();
});

describe("consent for one preview", () => {
  const words = (text: string, more: Input = {}): Promise<Envelope> =>
    drive("order.place-preview", { ...order("consent-1"), automationMode: true, automationConsentText: text, ...more });

  test("names symbol, ceiling and intent, or is refused", async () => {
    const good = await words(`I allow this automated order in ${BTC} up to 150 USDT.`);
    expect(dataAt(good, "automation")).toEqual({
      enabled: true,
      confirmationMode: "automation-preview",
      scope: "single-preview",
      maxNotional: "150",
    });
    const bad = [
      "I allow this automated order up to 150 USDT.",
      `I allow this automated order in ${BTC} up to 1500 USDT.`,
      `I allow this order in ${BTC} up to 150 USDT.`,
      `I allow this automated order in ${BTC}X up to 150 USDT.`,
    ];
    for (const text of bad) expect((await words(text)).code, text).toBe("RCLI20002");
    const scope = { automationScope: "all" };
    expect((await words(`Automated ${BTC} 150`, scope)).code).toBe("RCLI20002");
  });
});

describe("a session's caps hold", () => {
  test("under fifty submits at once, through both faces", async () => {
    const variables = rig.variables(2);
    const faces = [rig.command(variables), await rig.tool(variables)];
    const [command = drive] = faces;
    await write(command, "position.set-leverage", { symbol: BTC, leverage: 2 });
    const terms = { symbols: [BTC], maxNotionalPerOrder: "150", maxTotalNotional: "1000" };
    const started = await command("automation.start", { ...terms, ...consent });
    const automationSessionId = String(dataAt(started, "automationSessionId"));
    const wanted = Array.from({ length: 50 }, (_, index) => ({
      face: faces[index % 2] ?? command,
      business: order(`many-${index}`),
    }));
    const previews = await Promise.all(
      wanted.map(({ face, business }) => face("order.place-preview", { ...business, automationSessionId })),
    );
    expect(previews.flatMap(({ ok, status, message }) => (ok ? [] : [`${status} ${message}`]))).toEqual([]);
    const answers = await Promise.all(
      wanted.map(({ face, business }, index) =>
        face("order.place", { ...business, ...tokenOf(previews[index] as Envelope) }),
      ),
    );
    const status = await command("automation.status", { automationSessionId });
    const open = dataAt(await command("order.open-orders"), "data.list") as readonly unknown[];
    const used = Number(dataAt(status, "usedNotional"));
    expect(used).toBeLessThanOrEqual(1_000);
    expect(used, answers.map(({ status, message }) => `${status} ${message}`).join("\n")).toBe(150 * open.length);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(open.length);
    expect(answers.some(({ code }) => code?.endsWith("26005"))).toBe(true);
  });

  test("a stopped session cancels nothing and admits nothing", async () => {
    const variables = rig.variables(3);
    const command = rig.command(variables);
    await write(command, "position.set-leverage", { symbol: BTC, leverage: 2 });
    const started = await command("automation.start", {
      symbols: [BTC],
      maxNotionalPerOrder: "150",
      maxTotalNotional: "1000",
      ...consent,
    });
    const automationSessionId = String(dataAt(started, "automationSessionId"));
    const bound = order("stop-1");
    const own = await previewOf(command, "order.place", bound);
    expect(dataAt(own, "automationSession.automationSessionId")).toBe(automationSessionId);
    await command("automation.stop", { automationSessionId });
    const answer = await command("order.place", { ...bound, ...tokenOf(own) });
    expect([answer.status, answer.code]).toEqual(["BLOCKED", "RCLI26002"]);
    expect(dataAt(await command("automation.status", { automationSessionId }), "usedNotional")).toBe("0");
  });
});

describe("a state folder that a person edited", () => {
  /** Runs over the documents of a kind while no command is open. */
  const edit = (own: Variables, kind: string, change: (body: Record<string, unknown>) => unknown): void => {
    const store = openDocumentStore(stateFile({ variables: own, cwd: "." }));
    const found = store.list(kind, 9);
    expect(found).not.toEqual([]);
    for (const document of found)
      store.put(kind, { ...document, body: change(document.body as Record<string, unknown>) });
    store.close();
  };

  test("opens nothing on a consent or a preview that does not fit, and names the field", async () => {
    const own = rig.variables(2);
    const command = rig.command(own);
    const caps = { symbols: [BTC], maxNotionalPerOrder: "150", maxTotalNotional: "1000" };
    await command("automation.start", { ...caps, ...consent });
    const bound = { ...order("edited-1"), maxNotional: "150" };
    const token = tokenOf(await previewOf(command, "order.place", bound));
    edit(own, "preview", (body) => ({ ...body, countedNotional: 1.5 }));
    const refused = await command("order.place", { ...bound, ...token });
    expect([refused.ok, refused.status]).toEqual([false, "FAIL"]);
    expect(refused.message).toMatch(/^the preview rpv_\S+ in the state folder cannot be used: countedNotional: /);

    edit(own, "session", (body) => ({ ...body, maxTotalNotional: "a lot" }));
    const unreadable = await command("order.place-preview", { ...bound, clientOrderId: "edited-2" });
    expect(unreadable.ok).toBe(false);
    expect(unreadable.message).toMatch(/automation session \S+ .*maxTotalNotional: must be a plain decimal.*"a lot"/);
    const open = JSON.stringify(dataAt(await command("order.open-orders"), "data.list"));
    expect(open).not.toMatch(/edited-/);
  });

  test("reads a cache again that does not fit", async () => {
    const own = rig.variables(3);
    const command = rig.command(own);
    const first = await previewOf(command, "order.place", order("cache-1"));
    expect(first.ok, first.message).toBe(true);
    for (const kind of ["rules", "mode", "limiter"]) edit(own, kind, () => ({ [BTC]: "edited" }));
    const again = await previewOf(command, "order.place", order("cache-2"));
    expect(again.ok, again.message).toBe(true);
    edit(own, "rules", (body) => {
      expect(body).toMatchObject({ [BTC]: { symbol: BTC } });
      return body;
    });
  });
});
