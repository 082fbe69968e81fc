/** Each way of a gateway to be odd: status alone names the cause, or the answer is used and status names nothing. */
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { systemClock } from "../../src/core/clock.ts";
import { dec } from "../../src/core/decimal.ts";
import { statusText } from "../../src/report/status/text.ts";
import type { ModelGateway } from "../../src/llm/contract/port.ts";
import { causesOf } from "../../src/causes/causes.ts";
import { healthOf } from "../../src/daemon/health.ts";
import { testGateway, question } from "../llm/support.ts";
import { behaviourOf, ODD_MODEL, ODD_NAMES, type OddName } from "../support/odd-behaviours.ts";
import { oddGateway } from "../support/odd-gateway.ts";
import { calmStatus, calmVenue } from "../support/calm-status.ts";

const open: { close(): void | Promise<void> }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

async function start(name: OddName, more: object = {}) {
  const server = await oddGateway(name);
  const price = { inputPerMillionUsd: dec("0.3"), outputPerMillionUsd: dec("1.2"), cachedPerMillionUsd: dec("0.06") };
  const names = [{ name: ODD_MODEL, speech: "chat" as const, ...price, temperature: 0.2, ...more }];
  const made = testGateway({ aiUrl: server.url, names, timeout: 700 });
  open.push(made.gateway, server);
  return { ...made, server };
}

const reply = z.strictObject({ echo: z.string(), summary: z.string() });
const ask = (gateway: ModelGateway, fingerprint = "f") =>
  gateway.ask(question({ replySchema: reply, replySchemaName: "reply", fingerprint }));

/** The first line of `ballast status`. */
function statusLine(gateway: ModelGateway): string {
  const atMs = systemClock().nowMs();
  const status = { ...calmStatus, atMs };
  const model = { ...gateway.budget(), refused: null };
  const causes = causesOf({ status, venue: calmVenue, model, refusedConfig: null }, new Map());
  return statusText({ ...status, health: healthOf(causes, 10) }).split("\n")[0] ?? "";
}

describe("a gateway that", () => {
  test.each(ODD_NAMES.map((name) => [behaviourOf(name).about, name] as const))("%s (%s)", async (_about, name) => {
    const { cause } = behaviourOf(name);
    const { gateway, store } = await start(name);
    const { kind } = await ask(gateway);
    await gateway.reconcile();
    if (cause === null) {
      expect(kind).toBe("answered");
      expect(statusLine(gateway)).toBe("HEALTHY");
    } else {
      expect(kind).not.toBe("answered");
      await expect
        .poll(() => statusLine(gateway))
        .toMatch(new RegExp(`^DEGRADED model: .*${cause.source}`.replace("model: .*model: ", "model: ")));
    }
    // What may have been carried out is paid for in our books, what was refused is not.
    const booked = store.rows[1]?.body["how"];
    expect(booked).toBe(BOOKED[name] ?? (cause === null ? "actual" : name.startsWith("4") ? "nothing" : "bound"));
  });
});

const BOOKED: Readonly<Partial<Record<OddName, string>>> = {
  redirect: "nothing",
  "no-usage": "estimated",
  "absurd-usage": "estimated",
  "empty-content": "actual",
  "cut-content": "actual",
  prose: "actual",
  "wrong-schema": "actual",
  refusal: "actual",
};

test("a plain 400 for response_format steps down once, is remembered, and is one line in the log", async () => {
  const { gateway, server, log } = await start("400-format-plain");
  await ask(gateway, "a");
  await ask(gateway, "b");
  const formats = server.asked.map(
    (body) => (body["response_format"] as { type?: string } | undefined)?.type ?? "none",
  );
  expect(formats).toEqual(["json_schema", "json_object", "none", "none"]);
  const lines = log.lines.filter(({ evt }) => evt === "model.dialect").map(({ msg }) => msg);
  expect(lines).toEqual([
    `${ODD_MODEL}: the answer is requested as plain instead of json_schema, because the gateway refused the previous form`,
  ]);
});

test("a plain 400 for everything is walked down once, and then not again", async () => {
  const { gateway, server } = await start("400-always");
  await ask(gateway, "a");
  await ask(gateway, "b");
  expect(server.asked).toHaveLength(4);
});

test("a forced way of asking is kept, also where the gateway refuses it", async () => {
  const { gateway, server } = await start("400-format-plain", { replyFormat: "json_object" });
  expect((await ask(gateway)).kind).toBe("failed");
  expect(server.asked).toHaveLength(1);
  const plain = await start("400-format-plain", { replyFormat: "plain" });
  expect((await ask(plain.gateway)).kind).toBe("answered");
  expect(plain.server.asked).toHaveLength(1);
});

test("the last error of each model is kept after it is over, and only what goes on is a cause", async () => {
  const { gateway, server } = await start("500");
  await ask(gateway, "a");
  server.become("good");
  await ask(gateway, "b");
  expect(statusLine(gateway)).toBe("HEALTHY");
  expect(gateway.budget().models).toMatchObject([
    {
      name: ODD_MODEL,
      failing: null,
      lastError: { kind: "server", sentence: "the gateway failed (500: internal error)" },
    },
  ]);
});
