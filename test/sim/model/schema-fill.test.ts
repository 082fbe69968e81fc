import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { fillSchema } from "../../../src/sim/model/schema-fill.ts";

/** Schemas as they are sent to models: strict objects, arrays, words, figures, texts, nullables and unions. */
const anySchema = fc.letrec<{ schema: z.ZodType }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthIdentifier: "schema" },
    fc.constantFrom<z.ZodType>(z.boolean(), z.string(), z.null()),
    fc.record({ min: fc.integer({ min: -50, max: 50 }), span: fc.integer({ min: 0, max: 100 }) }).map(({ min, span }) =>
      z
        .int()
        .min(min)
        .max(min + span),
    ),
    fc.record({ min: fc.integer({ min: -50, max: 50 }), span: fc.integer({ min: 1, max: 100 }) }).map(({ min, span }) =>
      z
        .number()
        .gt(min)
        .max(min + span),
    ),
    fc.uniqueArray(fc.constantFrom("LONG", "SHORT", "FLAT", "hold"), { minLength: 1 }).map((words) => z.enum(words)),
    fc.record({ min: fc.nat(5), more: fc.nat(20) }).map(({ min, more }) =>
      z
        .string()
        .min(min)
        .max(min + more),
    ),
    fc.constantFrom("a", 3, true).map((value) => z.literal(value)),
    tie("schema").map((inner) => inner.nullable()),
    fc.tuple(tie("schema"), fc.nat(3), fc.nat(4)).map(([inner, min, more]) =>
      z
        .array(inner)
        .min(min)
        .max(min + more),
    ),
    fc
      .dictionary(fc.constantFrom("symbol", "stance", "size", "reason", "stances", "evidence"), tie("schema"))
      .map((shape) => z.strictObject(shape)),
    fc.tuple(tie("schema"), tie("schema")).map(([a, b]) => z.union([a, b])),
  ),
})).schema;

const anyGuide = fc.jsonValue({ maxDepth: 3 });

describe("a value for a schema", () => {
  test("conforms, whatever the schema and whatever the guide", () => {
    fc.assert(
      fc.property(anySchema, anyGuide, (schema, guide) => {
        const value = fillSchema(JSON.parse(JSON.stringify(z.toJSONSchema(schema))), guide);
        const checked = z
          .fromJSONSchema(z.toJSONSchema(schema) as Parameters<typeof z.fromJSONSchema>[0])
          .safeParse(value);
        expect(schema.safeParse(value).success && checked.success).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  test("follows the guide where the schema allows it, by name and without regard to case", () => {
    const schema = z.toJSONSchema(
      z.strictObject({
        summary: z.string(),
        decisions: z.array(
          z.strictObject({
            symbol: z.string(),
            stance: z.enum(["long", "short", "flat", "hold"]),
            conviction: z.number().min(0).max(1),
            horizon_minutes: z.int().min(5).max(60),
            target: z.number().nullable(),
          }),
        ),
      }),
    );
    const guide = {
      summary: "up",
      decisions: [{ symbol: "A_PERP_BTC_USDT", stance: "LONG", conviction: 3, horizonMinutes: 240 }],
    };
    expect(fillSchema(schema, guide)).toEqual({
      summary: "up",
      decisions: [{ symbol: "A_PERP_BTC_USDT", stance: "long", conviction: 1, horizon_minutes: 60, target: null }],
    });
  });

  test("follows references, ends recursion, and takes the branch whose discriminator agrees", () => {
    type Tree = { name: string; next: Tree | null };
    const tree: z.ZodType<Tree> = z.strictObject({
      name: z.string(),
      get next() {
        return tree.nullable();
      },
    });
    expect(tree.safeParse(fillSchema(z.toJSONSchema(tree), { name: "a", next: { name: "b" } }))).toEqual({
      success: true,
      data: { name: "a", next: { name: "b", next: null } },
    });
    const either = z.toJSONSchema(
      z.union([
        z.strictObject({ kind: z.literal("a"), x: z.int() }),
        z.strictObject({ kind: z.literal("b"), y: z.int() }),
      ]),
    );
    expect(fillSchema(either, { kind: "b", y: 4 })).toEqual({ kind: "b", y: 4 });
  });

  test("takes nothing from the guide that is not its own, and all that is", () => {
    const words = { toString: { type: "string" }, constructor: { type: "string" } };
    expect(fillSchema({ type: "object", properties: words }, {})).toEqual({});
    const open = { type: "object", properties: {}, additionalProperties: { type: "string" } };
    expect(fillSchema(open, { valueOf: "x" })).toEqual({ valueOf: "x" });
  });

  test("leaves out entries that name a word the schema does not offer", () => {
    const schema = z.toJSONSchema(z.array(z.strictObject({ symbol: z.enum(["A", "B"]), size: z.number() })));
    expect(
      fillSchema(schema, [
        { symbol: "Z", size: 1 },
        { symbol: "b", size: 2 },
      ]),
    ).toEqual([{ symbol: "B", size: 2 }]);
  });

  test("meets a pattern and a step", () => {
    expect(fillSchema({ type: "string", pattern: "^[A-Z]{4}$" }, "BTCX")).toBe("BTCX");
    expect(fillSchema({ type: "string", pattern: "^\\d+$" }, "many")).toBe("0");
    expect(fillSchema({ type: "number", multipleOf: 0.05, maximum: 0.12 }, 0.13)).toBe(0.1);
  });
});
