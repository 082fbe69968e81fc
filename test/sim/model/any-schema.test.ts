/** Schemas as they are written by hand or by other programs, and replies of strategies that nobody foresaw. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { strictJsonSchema } from "../../../src/llm/replies/schema.ts";
import { answer } from "../../../src/sim/model/answer.ts";
import { fillSchema } from "../../../src/sim/model/schema-fill.ts";
import { decide } from "../../../src/sim/model/rule-model.ts";
import { TRADING_VOCABULARY } from "../../../src/sim/model/vocabulary.ts";

type Schema = Readonly<Record<string, unknown>>;

const bounded = fc.tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: 0, max: 60 }));
const NAMES = ["symbol", "side", "stopLoss", "why", "__proto__", "toString", "BTC", "horizon_minutes"];
const PATTERNS = [
  "^[A-Z]{2,5}-\\d+$",
  "^(buy|sell)$",
  "^#[0-9a-f]{6}$",
  "^\\d{4}-(0[1-9]|1[0-2])$",
  "^(?!none)[a-z]{4,}$",
  "^(?:[^@\\s]+)@(?:x|y)\\.z?$",
  "^[^a-zA-Z0]+$",
];

/** Every keyword that describes a form, alone and inside others; references into `$defs`. */
const anySchema = fc.letrec<{ node: Schema }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthIdentifier: "node" },
    fc.constantFrom<Schema>({ type: "boolean" }, { type: "null" }, { type: "string" }, { const: "a" }, {}),
    fc.constantFrom<Schema>({ $ref: "#/$defs/word" }, { $ref: "#/$defs/list" }),
    fc.constantFrom(...PATTERNS).map((pattern) => ({ type: "string", pattern })),
    bounded.map(([least, span]) => ({ type: "integer", minimum: least, maximum: least + span })),
    bounded.map(([least, span]) => ({ type: "integer", exclusiveMinimum: least, exclusiveMaximum: least + span + 2 })),
    bounded.map(([least, span]) => ({
      type: "number",
      exclusiveMinimum: least / 1e7,
      exclusiveMaximum: (least + span + 1) / 1e7,
    })),
    bounded.map(([least, span]) => ({ type: "number", minimum: least, maximum: least + span + 1, multipleOf: 0.25 })),
    bounded.map(([least]) => ({ type: "integer", minimum: least, multipleOf: 7 })),
    fc.tuple(fc.nat(9), fc.nat(9)).map(([least, more]) => ({
      type: "string",
      minLength: least,
      maxLength: least + more,
    })),
    fc
      .uniqueArray(fc.constantFrom("LONG", "sell", "hold", null, 3), { minLength: 1 })
      .map((words) => ({ enum: words })),
    tie("node").map((inner) => ({ anyOf: [inner, { type: "null" }] })),
    fc.tuple(tie("node"), tie("node")).map(([a, b]) => ({ anyOf: [a, b] })),
    fc
      .tuple(
        fc.dictionary(fc.constantFrom(...NAMES), tie("node")),
        fc.dictionary(fc.constantFrom(...NAMES), tie("node")),
      )
      .map(([one, other]) => ({ allOf: [objectOf(one), objectOf({ ...other, ...one })] })),
    fc.dictionary(fc.constantFrom(...NAMES), tie("node")).map((members) => ({
      ...objectOf(members),
      additionalProperties: false,
    })),
    fc.tuple(tie("node"), fc.nat(3), fc.nat(3)).map(([items, least, more]) => ({
      type: "array",
      items,
      minItems: least,
      maxItems: least + more,
    })),
    fc.tuple(tie("node"), tie("node")).map((prefixItems) => ({ type: "array", prefixItems })),
  ),
})).node;

const objectOf = (members: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  properties: members,
  required: Object.keys(members),
});

const PROMPT = `Echo: e-1
symbol | price | ret5m | ret1h | vol1h | flow
EXCHANGE_A_PERP_BTC_USDT | 60000 | 1.2 | 2.5 | 0.9 | 0.8
EXCHANGE_A_PERP_ETH_USDT | 3000 | -1.1 | -2.2 | 0.9 | -0.7
EXCHANGE_A_PERP_SOL_USDT | 150 | 0.0 | 0.0 | 0.9 | 0.0
`;

test("whatever the schema and whatever there is to say, the value conforms", () => {
  const guides = fc.oneof(fc.constant<unknown>(decide(PROMPT)), fc.jsonValue({ maxDepth: 3 }));
  const DEFS = {
    $defs: {
      word: { type: "string", enum: ["up", "down"] },
      list: { type: "array", items: { $ref: "#/$defs/word" }, minItems: 1 },
    },
  };
  fc.assert(
    fc.property(anySchema, guides, (node, guide) => {
      const schema = { ...DEFS, type: "object", properties: { it: node }, required: ["it"] };
      const value = fillSchema(schema, guide, TRADING_VOCABULARY) as object;
      const own = Object.getOwnPropertyDescriptor(value, "it") !== undefined;
      const wire = JSON.parse(JSON.stringify(value)) as unknown;
      const checked = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(wire);
      expect({ own, problems: checked.error?.issues ?? [] }).toEqual({ own: true, problems: [] });
    }),
    { numRuns: 600 },
  );
});

test("lists without repetition, records by rule and recursion without null are filled as well", () => {
  const three = { type: "array", items: { enum: ["a", "b", "c", "d"] }, minItems: 3, uniqueItems: true };
  expect(new Set(fillSchema(three, ["a", "a"]) as string[]).size).toBe(3);
  const numbers = { type: "array", items: { type: "integer", minimum: 5 }, minItems: 3, uniqueItems: true };
  expect(new Set(fillSchema(numbers, []) as number[]).size).toBe(3);
  const record = {
    type: "object",
    minProperties: 2,
    propertyNames: { pattern: "^x\\d+$" },
    additionalProperties: { const: 1 },
  };
  expect(Object.keys(fillSchema(record, {}) as object).filter((name) => /^x\d+$/.test(name))).toHaveLength(2);
  expect(fillSchema({ type: "string", pattern: "^\\p{Lu}\\w{2,}\\.$" }, 7)).toMatch(/^\p{Lu}\w{2,}\.$/u);
  const old = { definitions: { "a b/c": { enum: ["x"] } }, $ref: "#/definitions/a%20b~1c" };
  expect(fillSchema(old, undefined)).toBe("x");
  const tree = {
    $defs: { node: { anyOf: [objectOf({ next: { $ref: "#/$defs/node" } }), { const: "end" }] } },
    $ref: "#/$defs/node",
  };
  expect(JSON.stringify(fillSchema(tree, { next: { next: {} } }))).toContain('"end"');
});

const asked = (schema: z.ZodType, prompt = PROMPT, format: "schema" | "text" = "schema"): unknown => {
  const strict = strictJsonSchema(schema);
  if (!strict.ok) throw new Error(strict.error);
  const stated = `\n\n# JSON schema of the answer\n\n${JSON.stringify(strict.value)}`;
  const said = answer(
    {
      model: "m",
      messages: [{ role: "user", content: format === "text" ? prompt + stated : prompt }],
      response_format:
        format === "schema"
          ? { type: "json_schema", json_schema: { name: "r", schema: strict.value as Record<string, unknown> } }
          : null,
    },
    false,
  );
  return schema.parse(JSON.parse(said.text ?? ""));
};

describe("a strategy that nobody foresaw is answered in its own terms", () => {
  const symbol = z.enum(["EXCHANGE_A_PERP_BTC_USDT", "EXCHANGE_A_PERP_ETH_USDT", "EXCHANGE_A_PERP_SOL_USDT"]);
  const pick = z.strictObject({
    ticker: symbol,
    side: z.enum(["buy", "sell", "hold"]),
    weight: z.number().min(0).max(1),
    stopLoss: z.number().min(0.001).max(0.2),
    take_profit_pct: z.number().min(0).max(50).nullable(),
    why: z.string().min(3),
  });

  test.each(["schema", "text"] as const)("a list of picks, asked by %s", (format) => {
    const reply = asked(z.strictObject({ echo: z.string(), picks: z.array(pick).max(3) }), PROMPT, format);
    expect(reply).toMatchObject({
      echo: "e-1",
      picks: [
        { ticker: "EXCHANGE_A_PERP_BTC_USDT", side: "buy" },
        { ticker: "EXCHANGE_A_PERP_ETH_USDT", side: "sell" },
      ],
    });
    const [first] = (reply as { picks: z.infer<typeof pick>[] }).picks;
    expect(first?.weight).toBeGreaterThan(0.2);
    expect(first?.stopLoss).toBeLessThan(0.05);
    expect(first?.take_profit_pct).toBeGreaterThan(1);
  });

  test("one call in place of a list, members by coin, and a table in JSON", () => {
    const one = z.strictObject({
      asset: z.string(),
      action: z.enum(["SHORT", "LONG", "WAIT"]),
      confidence: z.int().max(100),
    });
    expect(asked(one)).toMatchObject({ asset: "EXCHANGE_A_PERP_BTC_USDT", action: "LONG" });
    const byCoin = z.strictObject({ BTC: z.enum(["up", "down", "none"]), SOL: z.enum(["up", "down", "none"]) });
    expect(asked(byCoin)).toEqual({ BTC: "up", SOL: "none" });
    const rows = [
      { symbol: "EXCHANGE_A_PERP_BTC_USDT", change_5m: -1.2, change_1h: -2.5, flow: -0.9 },
      { symbol: "EXCHANGE_A_PERP_ETH_USDT", change_5m: 0, change_1h: 0, flow: null },
    ];
    expect(asked(one, `Markets: ${JSON.stringify(rows)}`)).toMatchObject({ action: "SHORT" });
  });

  test("where nothing is worth doing, an empty list, null or a word that changes nothing", () => {
    const calm = PROMPT.replaceAll(/\| -?[\d.]+ \| -?[\d.]+ \| 0.9 \| -?[\d.]+/g, "| 0.0 | 0.0 | 0.9 | 0.0");
    const shape = z.strictObject({ trades: z.array(pick), best: pick.nullable(), all: z.array(pick).min(2) });
    expect(asked(shape, calm)).toMatchObject({ trades: [], best: null, all: [{ side: "hold" }, { side: "hold" }] });
  });
});
