import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { scanObject } from "../../../src/llm/replies/json-scan.ts";
import { oneObject, readReply, REPLY_MAX_CHARS } from "../../../src/llm/replies/reply.ts";
import { strictJsonSchema } from "../../../src/llm/replies/schema.ts";
import { ReplySchema } from "../support.ts";

const rules = { schema: ReplySchema, echo: "echo-1", canary: "fence-1" };
const good = {
  echo: "echo-1",
  summary: 'Braces { } and "quotes" and \\ and ü 世',
  stances: [{ symbol: "A", size: 0.5, targetPct: null }],
};
const text = JSON.stringify(good);

describe("one object is found", () => {
  test.each([
    ["alone", text],
    ["with blanks", `\n\n  ${JSON.stringify(good, null, 2)}\n`],
    ["in a code fence", `\`\`\`json\n${text}\n\`\`\``],
    [
      "after words with braces",
      `I looked at {symbol} and {} of set theory {1, 2}.`.replace("{}", "{ }").replace("{ }", "") + text,
    ],
    ["before words", `${text}\n\nI hope that helps :}`],
    ["after a thinking block with drafts", `<think>maybe {"a": 1} or {"b": 2}</think>${text}`],
  ])("%s", (_what, reply) => expect(readReply(reply, rules)).toEqual({ ok: true, value: good }));
});

describe("refused, with a reason that a model can act on", () => {
  test.each([
    ["two objects", `${text} ${text}`, "two JSON objects"],
    ["no object", "I would hold.", "contains no JSON object"],
    ["empty", "", "no JSON object"],
    ["thinking that never ends", `<think>${text}`, "no JSON object"],
    ["the same key twice", text.replace('"summary"', '"echo":"echo-1","summary"'), "occurs twice"],
    ["a number beyond float64", text.replace("0.5", "1e309"), "too large"],
    ["a prototype key", text.replace('"summary"', '"__proto__":{},"summary"'), "__proto__"],
    ["a trailing comma", text.replace("]}", "],}"), "a key expected"],
    ["single quotes", "{\"echo\": 'echo-1'}", "a value expected"],
    ["NaN", text.replace("0.5", "NaN"), "a value expected"],
    ["endless nesting", `{"a":${"[".repeat(5000)}`, "nested deeper"],
    ["a raw line break in a string", text.replace("Braces", "Bra\nces"), "not a complete JSON string"],
    ["an unknown member", text.replace('"summary"', '"leverage":50,"summary"'), "leverage"],
    ["a missing member", text.replace(',"targetPct":null', ""), "targetPct"],
    ["a figure out of range", text.replace("0.5", "1000"), "size"],
    ["another echo", text.replace("echo-1", "echo-2"), "echo"],
    ["the fence word", text.replace("Braces", "fence-1"), "fence word"],
    ["a flood", `${text}${" ".repeat(REPLY_MAX_CHARS)}`, "longer than"],
    ["a list", `[${text},${text}]`, "two JSON objects"],
  ])("%s", (_what, reply, reason) => {
    const read = readReply(reply, rules);
    expect(read.ok).toBe(false);
    expect(!read.ok && read.error).toContain(reason);
  });

  test("a schema without an echo asks for none", () => {
    const plain = { ...rules, schema: z.strictObject({ note: z.string() }) };
    expect(readReply('{"note":"x"}', plain).ok).toBe(true);
  });

  test("a schema that throws is a reason, not an exception", () => {
    const broken = z.looseObject({}).refine(() => {
      throw new Error("bug");
    });
    expect(readReply("{}", { ...rules, schema: broken })).toEqual({
      ok: false,
      error: "the schema could not check the answer: bug",
    });
  });
});

const corpus = [
  text,
  `\`\`\`json\n${JSON.stringify(good, null, 2)}\n\`\`\``,
  `<think>{"a":[1,2,{"b":null}]}</think> Here you are: ${text} Done.`,
  `{"a":{"b":[true,false,null,-1.5e-3,"\\u00e9\\n"]}} {"c":1}`,
];

test("no answer is read from any of them cut at any character, and none throws", () => {
  for (const reply of corpus) {
    for (let length = 0; length < reply.length; length++) {
      const read = readReply(reply.slice(0, length), rules);
      if (read.ok) expect(read.value).toEqual(good);
    }
  }
  for (let length = 0; length < text.length; length++) expect(readReply(text.slice(0, length), rules).ok).toBe(false);
});

test("cut at any byte, as a broken stream would, it does not throw", () => {
  const bytes = Buffer.from(text, "utf8");
  for (let length = 0; length < bytes.length; length++) {
    expect(readReply(bytes.subarray(0, length).toString("utf8"), rules).ok).toBe(false);
  }
});

test("with any characters changed it is refused or still meets the schema", () =>
  fc.assert(
    fc.property(
      fc.constantFrom(...corpus),
      fc.array(fc.tuple(fc.nat(400), fc.string({ unit: "binary", maxLength: 3 })), { maxLength: 4 }),
      (base, edits) => {
        const edited = edits.reduce((reply, [at, put]) => reply.slice(0, at) + put + reply.slice(at + 1), base);
        const read = readReply(edited, rules);
        if (read.ok) expect(ReplySchema.safeParse(read.value).success).toBe(true);
      },
    ),
    { numRuns: 1_000 },
  ));

test("the scanner agrees with JSON.parse on every object that holds no key twice", () =>
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (value) => {
      const written = JSON.stringify(value);
      const scanned = scanObject(`${written} after`, 0);
      if (written.includes('"__proto__"')) return;
      expect(scanned).toEqual({ ok: true, value: { value: JSON.parse(written) as unknown, end: written.length } });
    }),
    { numRuns: 500 },
  ));

test("hostile text is scanned in time that grows with its length", () => {
  const hostile = [
    '{"'.repeat(30_000),
    "{".repeat(60_000),
    `{"a":"${"{".repeat(60_000)}`,
    '{"a":{"b":'.repeat(6_000),
    "{'a':1} ".repeat(8_000),
  ];
  for (const reply of hostile) expect(oneObject(reply).ok).toBe(false);
}, 3_000);

describe("the schema that is sent", () => {
  test("demands every member and no other, at every level", () => {
    const made = strictJsonSchema(ReplySchema);
    if (!made.ok) throw new Error(made.error);
    expect(made.value).toMatchObject({
      type: "object",
      required: ["echo", "summary", "stances"],
      additionalProperties: false,
      properties: {
        stances: { items: { required: ["symbol", "size", "targetPct"], additionalProperties: false } },
      },
    });
    expect(JSON.stringify(made.value)).not.toContain("$schema");
  });

  test("drops keywords that strict services refuse, keeps those that guide, and requires optional members", () => {
    const made = strictJsonSchema(
      z.object({
        note: z.string().max(300).describe("Why."),
        kind: z.enum(["a", "b"]),
        n: z.number().min(0).optional(),
      }),
    );
    expect(made).toMatchObject({
      ok: true,
      value: {
        required: ["note", "kind", "n"],
        properties: { note: { description: "Why." }, kind: { enum: ["a", "b"] }, n: { minimum: 0 } },
      },
    });
    expect(JSON.stringify(made)).not.toContain("maxLength");
  });

  test("has an object at its root and a JSON form", () => {
    expect(strictJsonSchema(z.array(z.string())).ok).toBe(false);
    expect(strictJsonSchema(z.object({ at: z.date() })).ok).toBe(false);
  });
});
