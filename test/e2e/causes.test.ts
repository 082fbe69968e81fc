/** One running agent whose model gateway turns odd again and again: `ballast status` alone names each cause. */
import { expect, test } from "vitest";
import { behaviourOf, ODD_MODEL, type OddName } from "../support/odd-behaviours.ts";
import { oddGateway } from "../support/odd-gateway.ts";
import { ballast, folder, quickConfig, run, takenDown } from "../support/process.ts";

const { started, folders } = takenDown();

/** One of each sort; each of the others is held against the same words without a process. */
const CYCLE: readonly OddName[] = ["404-model", "401", "hang", "html-200"];

test("status, health and log name what is wrong with the gateway, and nothing once it is over", async () => {
  const gateway = await oddGateway();
  const { dir, file, remove } = folder();
  folders.push({ dir, file, remove });
  const models = `
model:
  timeout: 2s
  cache: 0s
  names: [{ name: ${ODD_MODEL}, inputPerMillionUsd: "0.3", outputPerMillionUsd: "1.2", cachedPerMillionUsd: "0.06" }]
`;
  const config = file("agent.yaml", `${quickConfig({ strategy: "llm-trader", kind: "embedded", speed: 10 })}${models}`);
  const agent = ballast(["run", "--config", config, "--data-dir", `${dir}/data`, "--log-format", "json"], {
    AI_BASE_URL: gateway.url,
    AI_API_KEY: "odd-key",
  });
  started.push(agent);
  try {
    const { url } = await agent.until(({ evt }) => evt === "status.listening", 40_000, "the status endpoint");
    const health = async (path = ""): Promise<{ status: number; reason: string }> => {
      const answer = await fetch(`${String(url)}/health${path}`);
      return { status: answer.status, ...((await answer.json()) as { reason: string }) };
    };
    const reason = async (): Promise<string> => (await health()).reason;
    const wait = { timeout: 60_000, interval: 150 };
    await agent.until(({ evt }) => evt === "model.answered", 60_000, "a first answer");
    for (const name of CYCLE) {
      gateway.become(name);
      await expect.poll(reason, wait).toMatch(behaviourOf(name).cause ?? /$^/);
      if (name === "404-model") {
        // What stays until somebody acts is an alarm: a strict check fails, that of life does not.
        expect([(await health("?strict=1")).status, (await health()).status]).toEqual([503, 200]);
        const status = await run(["status", "--data-dir", `${dir}/data`]);
        // It is wrapped for a terminal.
        expect(status.out.replaceAll(/\s+/g, " ")).toMatch(
          /^DEGRADED model: the gateway does not know the model "odd-1" \(404\); name one of: other-1, other-2 under model\.names/,
        );
        await agent.until(({ evt, msg }) => evt === "cause.began" && msg.includes("does not know"), 30_000, "its line");
      }
      gateway.become("good");
      await expect.poll(reason, wait).not.toContain("model: ");
    }
    await agent.until(({ evt, msg }) => evt === "cause.ended" && msg.includes("does not know"), 30_000, "its end");
    expect((await health("?strict=1")).status).toBe(200);
  } finally {
    await gateway.close();
  }
}, 240_000);
