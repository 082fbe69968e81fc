import { afterEach, beforeEach, expect, test } from "vitest";
import { AI_KEY, type Rig, settled, startRig } from "../rig.ts";

let rig: Rig;
beforeEach(async () => {
  rig = await startRig();
});
afterEach(() => rig.stop());

const ask = async (body: string, key = AI_KEY): Promise<{ status: number; body: Record<string, unknown> }> => {
  const response = await fetch(`http://${rig.base}/ai/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const keyInfo = async (): Promise<{ info: { spend: number } }> => {
  const response = await fetch(`http://${rig.base}/ai/key/info`, { headers: { "x-api-key": AI_KEY } });
  return (await response.json()) as { info: { spend: number } };
};

test("a completion is answered over HTTP and shows in the key's spend", async () => {
  expect((await keyInfo()).info.spend).toBe(0);
  const models = ((await keyInfo()) as unknown as { info: { models: string[] } }).info.models;
  const answer = await settled(
    rig,
    ask(JSON.stringify({ model: models[0], messages: [{ role: "user", content: "Hello" }] })),
  );
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ object: "chat.completion", choices: [{ message: { role: "assistant" } }] });
  expect((await keyInfo()).info.spend).toBeGreaterThan(0);
});

test("wrong keys, broken bodies and unknown paths are refused in the gateway's own form", async () => {
  expect(await ask("{}", "sk-wrong-key")).toMatchObject({ status: 401, body: { error: { type: "auth_error" } } });
  expect(await ask("{broken")).toMatchObject({ status: 400, body: { error: { code: "400" } } });
  expect((await fetch(`http://${rig.base}/ai/v1/models`)).status).toBe(404);
});
