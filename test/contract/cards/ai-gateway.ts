/** The model gateway. Spec: 3 §8; records §14. */
import { expect } from "vitest";
import { card, type Surface } from "../harness.ts";
import { at, isObject, type Json, num, parseJson, text } from "../json.ts";
import type { Venue } from "../venue.ts";

interface Answer {
  readonly status: number;
  readonly body: Json;
  header(name: string): string | null;
}

async function ask(
  v: Venue,
  path: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { body, headers = { Authorization: `Bearer ${v.aiKey}` } } = options;
  const reply = await v.transport.http(`${v.aiUrl}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "Content-Type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return {
    status: reply.status,
    body: parseJson(reply.text),
    header: reply.header,
  };
}

const keyInfo = (v: Venue, headers?: Record<string, string>): Promise<Answer> =>
  ask(v, "/key/info", headers ? { headers } : {});

/** The model that the key may use, as the gateway gives it. */
const modelOf = async (v: Venue): Promise<string> => text(at((await keyInfo(v)).body, "info", "models", 0));

async function complete(v: Venue, change: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  const model = await modelOf(v);
  const messages = [{ role: "user", content: "Answer with one word." }];
  return ask(v, "/v1/chat/completions", { body: { model, messages, max_tokens: 200, ...change } });
}

const spend = async (v: Venue): Promise<number> => num(at((await keyInfo(v)).body, "info", "spend"));

const SCHEMA = {
  type: "object",
  properties: { action: { type: "string", enum: ["hold", "trade"] }, size: { type: "number" } },
  required: ["action", "size"],
  additionalProperties: false,
};

export const aiGateway: Surface = {
  name: "ai-gateway",
  cards: [
    card("A-14.1-01", "records §14.1", "a completion has id, object, model, choices and usage", async (v) => {
      const { status, body } = await complete(v);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        object: "chat.completion",
        choices: [{ index: 0, message: { role: "assistant" } }],
      });
      expect(typeof at(body, "choices", 0, "message", "content")).toBe("string");
      expect(typeof at(body, "choices", 0, "finish_reason")).toBe("string");
    }),
    card("A-14.1-02", "records §14.1", "usage counts add up and report cached tokens", async (v) => {
      const usage = at((await complete(v)).body, "usage");
      expect(num(at(usage, "total_tokens"))).toBe(
        num(at(usage, "prompt_tokens")) + num(at(usage, "completion_tokens")),
      );
      expect(typeof at(usage, "prompt_tokens_details", "cached_tokens")).toBe("number");
    }),
    card("A-14.1-03", "records §14.1", "an answer under a JSON schema is JSON of that schema", async (v) => {
      const { body } = await complete(v, {
        response_format: { type: "json_schema", json_schema: { name: "decision", strict: true, schema: SCHEMA } },
      });
      const answer = parseJson(text(at(body, "choices", 0, "message", "content")));
      expect(isObject(answer) && Object.keys(answer).sort()).toEqual(["action", "size"]);
      expect(["hold", "trade"]).toContain(at(answer, "action"));
    }),
    card("A-14.1-04", "records §14.1", "the cost follows the price table", async (v) => {
      const before = await spend(v);
      const { body } = await complete(v);
      const usage = at(body, "usage");
      const cached = num(at(usage, "prompt_tokens_details", "cached_tokens"));
      const input = (num(at(usage, "prompt_tokens")) - cached) * 0.31 + cached * 0.06;
      const cost = (input + num(at(usage, "completion_tokens")) * 1.24) / 1e6;
      expect(at(body, "model")).toBe(await modelOf(v));
      expect((await spend(v)) - before).toBeCloseTo(cost, 8);
    }),
    card("A-14.1-05", "records §14.1", "max_tokens cuts the answer, finish_reason length", async (v) => {
      const { body } = await complete(v, {
        max_tokens: 1,
        response_format: { type: "json_schema", json_schema: { name: "d", schema: SCHEMA } },
      });
      expect(at(body, "choices", 0, "finish_reason")).toBe("length");
      expect(num(at(body, "usage", "completion_tokens"))).toBeLessThanOrEqual(1);
    }),
    card("A-14.2-01", "3 §8; records §14.2", "key info reports spend and budget of the calling key", async (v) => {
      const { status, body } = await keyInfo(v);
      expect(status).toBe(200);
      expect(at(body, "info")).toMatchObject({ spend: 0, max_budget: 10 });
    }),
    card("A-14.2-02", "records §14.2", "x-api-key works in place of the bearer", async (v) => {
      expect((await keyInfo(v, { "x-api-key": v.aiKey })).status).toBe(200);
    }),
    card("A-14.2-03", "3 §8; records §14.2", "spend grows with each completion", async (v) => {
      await complete(v);
      const first = await spend(v);
      await complete(v);
      expect(await spend(v)).toBeGreaterThan(first);
    }),
    card("A-14.2-04", "records §14.2", "the budget period and its reset are reported", async (v) => {
      const info = at((await keyInfo(v)).body, "info");
      expect(at(info, "budget_duration")).toBe("1d");
      expect(Date.parse(text(at(info, "budget_reset_at")))).toBeGreaterThan(v.clock.nowMs());
    }),
    card("A-14.2-05", "records §14.2", "the key itself is masked", async (v) => {
      expect(JSON.stringify((await keyInfo(v)).body)).not.toContain(v.aiKey);
    }),
    card("A-14.3-01", "records §14.3", "an unknown key is 401 with an error body", async (v) => {
      const { status, body } = await keyInfo(v, { Authorization: "Bearer sk-nobody" });
      expect(status).toBe(401);
      expect(at(body, "error")).toMatchObject({ type: "auth_error", code: "401", param: null });
      expect(text(at(body, "error", "message"))).toContain("Authentication Error");
    }),
    card(
      "A-14.3-02",
      "records §14.3",
      "a model that is not allowed is 401 or 403 key_model_access_denied",
      async (v) => {
        const { status, body } = await complete(v, { model: "another-model" });
        expect([401, 403]).toContain(status);
        expect(at(body, "error", "type")).toBe("key_model_access_denied");
      },
    ),
    card("A-14.3-03", "records §14.3", "a request without messages is 400 and costs nothing", async (v) => {
      const { status, body } = await complete(v, { messages: [] });
      expect(status).toBe(400);
      expect(at(body, "error", "code")).toBe("400");
      expect(await spend(v)).toBe(0);
    }),
    card("A-14.3-04", "records §14.3", "response headers report the cost and the key's spend", async (v) => {
      const answer = await complete(v);
      expect(num(answer.header("x-proxy-response-cost"))).toBeGreaterThan(0);
      expect(num(answer.header("x-proxy-key-spend"))).toBeGreaterThan(0);
      expect(answer.header("x-proxy-call-id")).not.toBeNull();
    }),
    card("A-14.1-06", "records §14.1", "another path of the gateway is 404", async (v) => {
      expect((await ask(v, "/v1/horoscope")).status).toBe(404);
    }),
  ],
};
