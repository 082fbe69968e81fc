/** The small parts of the client layer: symbols, options, masks, invocation, versions, pages. */
import { readFileSync, realpathSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { issuesText } from "../../src/core/issues.ts";
import { redactor, Secret } from "../../src/core/secret.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { CAPABILITIES } from "../../src/faces/capabilities/all.ts";
import { capabilitiesOf, DOMAINS_APART } from "../../src/faces/capabilities/by-domain.ts";
import type { Call } from "../../src/faces/contract/capability.ts";
import type { Service } from "../../src/faces/contract/client.ts";
import { complianceOf } from "../../src/faces/capabilities/invocation.ts";
import { olderThan, updateCheck } from "../../src/faces/capabilities/updates.ts";
import { consentGap } from "../../src/faces/capabilities/verification-order.ts";
import { businessOf, contradiction, differingFields } from "../../src/faces/capabilities/writes/business.ts";
import { positionModeOf } from "../../src/faces/capabilities/writes/account.ts";
import { worstPrice } from "../../src/faces/capabilities/writes/market-price.ts";
import { svcPage } from "../../src/faces/docs/svc-page.ts";
import { completionScript } from "../../src/faces/svc/completion.ts";
import { capabilityHelp } from "../../src/faces/svc/help.ts";
import type { StoredDocument } from "../../src/faces/contract/documents.ts";
import { cleanValue } from "../../src/faces/contract/mask.ts";
import { runSvc, type SvcProgram } from "../../src/faces/svc/command-line.ts";
import { optionValue, splitWords } from "../../src/faces/svc/options.ts";
import { MCP_HOSTS, mcpSnippet } from "../../src/faces/svc/mcp-hosts.ts";
import { submitCommand } from "../../src/faces/svc/next-command.ts";
import { failure } from "../../src/faces/contract/statuses.ts";
import { canonicalInput, canonicalSymbol, hintedSymbol } from "../../src/faces/svc/symbols.ts";
import { envelopeText } from "../../src/faces/svc/text.ts";
import { validInput } from "../../src/faces/contract/validate.ts";
import { launchOf } from "../../src/client/launch.ts";
import { BTC, capabilityOf, ETH } from "./svc-rig.ts";

test.each([
  [BTC, BTC],
  ["exchange_a_perp_btc_usdt", BTC],
  ["BTCUSDT", BTC],
  ["btc/usdt", BTC],
  ["BTC-USDT", BTC],
  ["1000PEPEUSDT", "EXCHANGE_A_PERP_1000PEPE_USDT"],
  ["EXCHANGE_B_SWAP_BTC_USDT", "EXCHANGE_B_PERP_BTC_USDT"],
  ["USDCUSDT", "EXCHANGE_A_PERP_USDC_USDT"],
  ["BTC", BTC],
  ["eth", ETH],
  ["EXCHANGE_A_PERP_BTC", null],
  ["BTCC", null],
  ["XYZ", null],
  ["", null],
])("the symbol %s reads as %s", (text, expected) => {
  const read = canonicalSymbol(text, ["EXCHANGE_A", "EXCHANGE_B"]);
  expect(read.ok ? read.value : null).toBe(expected);
  if (!read.ok) expect(read.error.message).toContain("EXCHANGE_A_PERP_BTC_USDT");
});

test("a bare pair is completed under either name that a field of symbols has", () => {
  const given = { symbol: "ethusdt", sym: "btcusdt", symbolList: "BTCUSDT,ETHUSDT" };
  const read = canonicalInput(given, ["EXCHANGE_A"]);
  expect(read.ok && read.value.input).toMatchObject({ symbol: ETH, sym: BTC, symbolList: `${BTC},${ETH}` });
});

test("what was completed is said, and another letter case is no completion", () => {
  const completed = (symbols: readonly string[]) => {
    const read = canonicalInput({ symbols }, ["EXCHANGE_B", "EXCHANGE_A"]);
    return read.ok ? read.value.completed : read.error.message;
  };
  expect(completed(["sol", BTC.toLowerCase()])).toEqual(["symbol sol is read as EXCHANGE_B_PERP_SOL_USDT"]);
  expect(completed(["SHIB"])).toContain("did you mean EXCHANGE_B_PERP_1000SHIB_USDT?");
});

test.each([
  [{ symbol: "EXCHANGE_A_PERP_BTCC_USDT" }, "401011", "did you mean EXCHANGE_A_PERP_BTC_USDT?"],
  [{ symbol: BTC }, "401011", undefined],
  [{ symbol: "EXCHANGE_A_PERP_BTCC_USDT" }, "406012", undefined],
])("where the service refuses %j with %s the hint is %s", (given, upstreamCode, hint) => {
  const refused = failure("BUSINESS_ERROR", "22001", "no", { details: { upstreamCode } });
  expect(hintedSymbol(refused, given, ["EXCHANGE_A"]).details?.hint).toBe(hint);
});

describe("svc mcp config", () => {
  const variables = {
    SVC_ACCESS_KEY: "canary-access",
    SVC_SECRET_KEY: "canary-secret",
    SVC_API_HOST: "https://venue.example",
    SVC_MARKET_WS_URL: "wss://venue.example/stream?token=canary-token",
    SVC_READ_ONLY: "true",
    SVC_CANDLE_DIR: "candles",
    AI_API_KEY: "canary-ai",
  };
  const at = { node: "/usr/bin/node", nodeArgs: [], script: "package.json", cwd: "/home/me" };
  const snippet = (host: string, more: Readonly<Record<string, string>> = {}): string =>
    mcpSnippet(host, launchOf({ ...variables, ...more }, at))?.text ?? "";

  test.each(MCP_HOSTS)("holds for %s what the server needs, and no secret", (host) => {
    const text = snippet(host);
    expect(text).not.toContain("canary");
    expect(text).toContain(realpathSync("package.json"));
    for (const word of [
      "SVC_ACCESS_KEY",
      "SVC_SECRET_KEY",
      "https://venue.example",
      "/home/me/candles",
      "/home/me/.svc",
    ])
      expect(text).toContain(word);
    expect(text).toMatch(/SVC_READ_ONLY"?\s*[:=] "true"/);
    if (host !== "codex") expect(() => JSON.parse(text) as unknown).not.toThrow();
  });

  test("refers to a secret in the host's own words, and to a file where one is named", () => {
    const server = (host: string, more?: Readonly<Record<string, string>>): Record<string, string> => {
      const { mcpServers, servers } = JSON.parse(snippet(host, more)) as Record<
        string,
        { svc: { env: Record<string, string> } } | undefined
      >;
      return (mcpServers ?? servers)?.svc.env ?? {};
    };
    expect(server("claude")["SVC_SECRET_KEY"]).toBe("${SVC_SECRET_KEY}");
    expect(server("cursor")["SVC_SECRET_KEY"]).toBe("${env:SVC_SECRET_KEY}");
    expect(server("vscode")["SVC_SECRET_KEY"]).toBe("${input:svc-secret-key}");
    expect(snippet("codex")).toContain('env_vars = ["SVC_ACCESS_KEY", "SVC_SECRET_KEY"]');
    const fromFile = server("generic", { SVC_SECRET_KEY: "", SVC_SECRET_KEY_FILE: "keys/secret" });
    expect(fromFile["SVC_SECRET_KEY_FILE"]).toBe("/home/me/keys/secret");
    expect(fromFile).not.toHaveProperty("SVC_SECRET_KEY");
    expect(server("generic", { SVC_API_HOST: "https://me:canary@venue.example" })["SVC_API_HOST"]).toMatch(/^<your/);
  });
});

test("the line that follows a preview says every parameter so that a shell reads it back", () => {
  const input = { targetCapabilityId: "position.close", symbol: "BTC", reduceOnly: true, automationMode: true };
  const data = { previewId: "rpv_1", confirmation: { submitToken: "it's" } };
  expect(submitCommand(capabilityOf("trade.preview"), input, data)).toBe(
    "svc position close --symbol BTC --reduce-only true --preview-id rpv_1 --continue-consent-id 'it'\\''s'",
  );
  expect(submitCommand(capabilityOf("order.query"), { orderId: "1" }, { orderId: "1" })).toBeNull();
});

test.each([
  [["--tool-names", "underscores"], /--tool-names is underscores; write slash or underscore/],
  [["--tool-name", "underscore"], /toolName is unknown/],
  [["--record"], /--record needs a file/],
  [["--tool-names", "underscore"], null],
  [[], null],
])("svc mcp serve %j begins only where every word has its effect", async (words, wrong) => {
  const said: string[] = [];
  const served: unknown[] = [];
  const program = {
    io: { err: (text: string) => said.push(text) },
    serveMcp: (options: unknown) => Promise.resolve(served.push(options) - 1),
  } as unknown as SvcProgram;
  expect(await runSvc(["mcp", "serve", ...words], program)).toBe(wrong === null ? 0 : 1);
  expect(served).toHaveLength(wrong === null ? 1 : 0);
  if (wrong !== null) expect(said.join("")).toMatch(wrong);
});

describe("options", () => {
  const place = capabilityOf("order.place-preview");
  test("are split from words, with values by = or by the next word", () => {
    const { words, options } = splitWords([
      "order",
      "place",
      "--order-type=limit",
      "--post-only",
      "--price",
      "-5",
      "--json",
      "x",
    ]);
    expect(words).toEqual(["order", "place", "x"]);
    expect([...options]).toEqual([
      ["orderType", "limit"],
      ["postOnly", true],
      ["price", "-5"],
      ["json", true],
    ]);
  });
  test.each([
    ["side", "buy", "BUY"],
    ["postOnly", "false", false],
    ["postOnly", true, true],
    ["price", "60000", "60000"],
    ["side", "up", "up"],
  ] as const)("%s %s becomes %s", (name, given, expected) => expect(optionValue(place, name, given)).toBe(expected));
  test("numbers and lists take the type of their field", () => {
    expect(optionValue(capabilityOf("market.orderbook"), "level", "5")).toBe(5);
    expect(optionValue(capabilityOf("automation.start"), "symbols", "A, B")).toEqual(["A", "B"]);
  });
});

test("every problem of an input is named at once, with the nearest field", () => {
  const read = validInput(capabilityOf("order.place-preview"), { simbol: BTC, side: "UP", quantity: 1 });
  const message = read.ok ? "" : read.error.message;
  for (const part of ["did you mean symbol?", "side: must be BUY or SELL", "symbol is required", "quantity: must be"]) {
    expect(message).toContain(part);
  }
  const close = validInput(capabilityOf("position.close"), {
    symbol: BTC,
    side: "SELL",
    reduceOnly: true,
    maxNotional: "1",
  });
  expect(close.ok ? "" : close.error.message).toContain("side is not accepted");
});

describe("masking", () => {
  const secret = "AbCdEfGhIjKlMnOp0123";
  const redact = redactor([new Secret(secret)]);
  test("reaches a canary wherever it hides", () => {
    fc.assert(
      fc.property(fc.json(), fc.stringMatching(/^[a-z ]{0,10}$/), (json, around) => {
        const value = { deep: [JSON.parse(json) as unknown, { note: `${around}${secret}${around}` }], [secret]: 1 };
        expect(JSON.stringify(Object.values(cleanValue(value, redact) as object))).not.toContain(secret);
      }),
    );
  });
  test("goes by one rule of names, in what leaves and in what a schema complains of", () => {
    const plain = "hunter2hunter2";
    for (const name of ["aiKey", "secretKey", "clientSecretOld", "token", "PASSWORD", "passphrase", "privatePem"]) {
      expect(cleanValue({ [name]: plain }, redact)).toEqual({ [name]: "***" });
      expect(issuesText([{ path: [name], message: "is too long" }], { [name]: plain })).toBe(`${name}: is too long`);
    }
    for (const name of ["key", "submitToken", "tokens", "symbol"]) {
      expect(cleanValue({ [name]: plain }, redact)).toEqual({ [name]: plain });
      expect(issuesText([{ path: [name], message: "x" }], { [name]: plain })).toBe(`${name}: x, found "${plain}"`);
    }
  });
  test("knows what looks like a secret, and leaves hashes of ours", () => {
    const hex = "ab".repeat(32);
    expect(cleanValue({ note: `x ${hex} y`, paramsHash: hex, key: "sk-abcdefghijklmnop" }, redact)).toEqual({
      note: "x [REDACTED] y",
      paramsHash: hex,
      key: "[REDACTED]",
    });
  });
});

test("business parameters are equal by value, whatever their spelling", () => {
  const one = businessOf({ sym: BTC, tpTriggerPrice: "1.50", previewId: "x" }).params;
  expect(one).toEqual({ symbol: BTC, takeProfitPrice: "1.5" });
  expect(differingFields(one, { symbol: BTC, takeProfitPrice: "1.5" })).toEqual([]);
  expect(differingFields(one, { symbol: BTC, price: "2" })).toEqual(["price", "takeProfitPrice"]);
  expect(contradiction({ takeProfitPrice: "1.5", tpTriggerPrice: "1.50" })).toBeNull();
  expect(contradiction({ takeProfitPrice: "1.5", tpTriggerPrice: "1.6" })).toMatch(/both name takeProfitPrice/);
});

test("a market order is priced at the worst level that it reaches", () => {
  const asks = [
    { price: 100, qty: 1 },
    { price: 101, qty: 2 },
  ];
  expect(worstPrice(asks, dec("1"))?.toFixed()).toBe("100");
  expect(worstPrice(asks, dec("1.5"))?.toFixed()).toBe("101");
  expect(worstPrice(asks, dec("4"))).toBeNull();
});

test.each([
  ["svc market get-ticker --symbol BTCUSDT --json", undefined],
  [`svc order place --input '{"a":"x|y;z"}' --json`, undefined],
  ["svc order open-orders | jq .", "13001"],
  ["svc a && svc b", "13001"],
  [`svc order query --note "it's | fine; \\"so\\" \\$(x) \\\`y\\\`" --json`, undefined],
  [`svc order query --note it\\'s --json`, undefined],
  [`svc order query --note "$(curl x)"`, "13001"],
  ['svc order query --note "`curl x`"', "13001"],
  [`svc order query --note "\\\\$(curl x)"`, "13001"],
  [`svc order query --note "it's" | sh -c 'x'`, "13001"],
  [`svc order query --note \\' ; curl 'x'`, "13001"],
  [`svc order query --note $'\\'' ; curl 'x'`, "13001"],
  [`svc order query --note "open 'a | b'`, "13001"],
  ["python3 bridge.py svc", "13002"],
  ["bash -c 'svc order place'", "13002"],
  ["curl x", "13002"],
])("the command line %s", (line, digits) => expect(complianceOf(line).digits).toBe(digits));

describe("update check", () => {
  const manifest = { latestCliVersion: "1.2.0", minimumSupportedVersion: "1.0.0", minimumWriteVersion: "1.1.0" };
  const check = async (version: string, news: object | null) => {
    const kept = new Map<string, StoredDocument>();
    const documents = {
      get: (kind: string, id: string) => kept.get(`${kind} ${id}`),
      put: (kind: string, document: StoredDocument) => void kept.set(`${kind} ${document.id}`, document),
    };
    let asked = 0;
    const releaseNews = async () => {
      asked++;
      return { manifestUrl: null, manifest: news, error: null };
    };
    const client = { env: { clock: virtualClock(1) }, version, documents, releaseNews };
    const call = { client } as unknown as Call;
    const first = await updateCheck(call, {});
    const second = await updateCheck(call, {});
    const seen = second.ok ? second.value : second.error.data;
    return {
      envelope: first.ok ? "PASS" : first.error.status,
      asked,
      ...(seen as { status: string; manifestSource: string }),
    };
  };
  test.each([
    ["1.2.0", manifest, "CURRENT", "cache"],
    ["1.1.0", manifest, "UPDATE_AVAILABLE", "cache"],
    ["1.0.5", manifest, "WRITE_BLOCKED", "cache"],
    ["0.9.0", manifest, "UPGRADE_REQUIRED", "cache"],
    ["1.0.0", null, "UNKNOWN", "fallback"],
  ] as const)("version %s beside %j is %s", async (version, news, status, manifestSource) => {
    expect(await check(version, news)).toMatchObject({
      status,
      manifestSource,
      asked: news === null ? 2 : 1,
      envelope: { CURRENT: "PASS", UPDATE_AVAILABLE: "PASS", UNKNOWN: "NOT_VERIFIED" }[status as string] ?? "BLOCKED",
    });
  });
});

test("versions are compared part by part", () => {
  expect([olderThan("1.2.3", "1.10.0"), olderThan("2.0.0", "1.9.9"), olderThan("1.0", "1.0.0")]).toEqual([
    true,
    false,
    false,
  ]);
});

test("the words of a live verification must name everything", () => {
  const input = {
    symbol: BTC,
    side: "BUY",
    maxNotional: "100",
    clientOrderId: "x",
    explicitUserConsent: true,
  } as const;
  expect(consentGap({ ...input, acceptedRiskText: `A real BUY in ${BTC} up to 100.0, then cancel.` })).toBeNull();
  expect(consentGap({ ...input, acceptedRiskText: `A real BUY in ${BTC} up to 1000, then cancel.` })).toContain("100");
  expect(consentGap({ ...input, explicitUserConsent: false, acceptedRiskText: "" })).toContain("explicitUserConsent");
});

describe("read off the records", () => {
  test("ids, commands and tools are unique, and examples fit their schemas", () => {
    for (const list of [CAPABILITIES.map(({ id }) => id), CAPABILITIES.map(({ command }) => command.join(" "))]) {
      expect(new Set(list).size).toBe(list.length);
    }
    for (const capability of CAPABILITIES) {
      expect(capability.input.safeParse(capability.example).success, capability.id).toBe(true);
      expect(capabilityHelp(capability)).toContain(`svc ${capability.command.join(" ")}`);
    }
  });
  test("each shell gets its completion", () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      expect(completionScript(shell)).toContain("place-preview");
      expect(completionScript(shell)).toContain("max-notional");
    }
    expect(completionScript("tcsh")).toBeNull();
  });
  test("the reference page is the one that is committed", () => {
    expect(readFileSync("docs/SVC.md", "utf8")).toBe(svcPage());
  });
});

test("people read tables and sentences", () => {
  const evidence = [] as const;
  const list = { code: 200000, message: "success", data: [{ sym: BTC, qty: "1" }] };
  const shown = envelopeText({ ok: true, status: "PASS", data: list, evidence }, false);
  expect(shown).toContain(BTC);
  expect(shown).not.toContain("200000");
  const columns = "sym side positionSide exchangeOrderType status orderState limitPrice orderQty executedQty avgPrice";
  const crowded = Object.fromEntries(columns.split(" ").map((name) => [name, "x"]));
  const rows = [
    { ...crowded, orderId: "2188000000000001", clientOrderId: null },
    { ...crowded, orderId: "2188000000000002", clientOrderId: "c".repeat(40) },
  ];
  const orders = envelopeText({ ok: true, status: "PASS", data: { ...list, data: rows }, evidence }, false);
  for (const id of ["2188000000000001", "2188000000000002", "c".repeat(40)]) expect(orders).toContain(id);
  expect(orders).not.toContain("avgPrice");
  const notes = [
    "maxNotional is a ceiling, not the size of the order.",
    "The leverage set for the symbol is above the cap.",
  ];
  const previewed = envelopeText({ ok: true, status: "PASS", data: { notes, needed: ["a", "b"] }, evidence }, false);
  expect(previewed).toBe(`notes   ${notes.join("\n        ")}\nneeded  a, b\n`);
  const refused = envelopeText(
    { ok: false, status: "BLOCKED", code: "RCLI20002", message: "no preview", evidence },
    false,
  );
  expect(refused).toBe("BLOCKED RCLI20002 no preview\n");
});

test.each([
  ["BOTH", { ok: true, value: "BOTH" }],
  ["NET", { ok: true, value: "NET" }],
  [null, { ok: false, error: { status: "NOT_VERIFIED", digits: "23001" } }],
])(
  "an account that reports the mode %s is taken at its word, and for nothing that it did not say",
  async (reported, mode) => {
    const kept = new Map<string, StoredDocument>();
    const documents = {
      get: (kind: string) => kept.get(kind) ?? null,
      put: (kind: string, document: StoredDocument) => void kept.set(kind, document),
    };
    const client = { documents, env: { clock: virtualClock(0) }, credentials: {} };
    const call = { client, seen: {}, signal: new AbortController().signal } as unknown as Call;
    const account = () =>
      Promise.resolve({ kind: "done", value: [{ exchange: "EXCHANGE_A", positionMode: reported }] });
    const service = { baseUrl: "", venue: { account } } as unknown as Service;
    expect(await positionModeOf(call, service, "EXCHANGE_A")).toMatchObject(mode);
  },
);

test.each(DOMAINS_APART)("the domain %s, loaded apart from the others, is whole", async (domain) => {
  const whole = CAPABILITIES.filter(({ command }) => command[0] === domain);
  expect(await capabilitiesOf(domain)).toEqual(whole);
});
