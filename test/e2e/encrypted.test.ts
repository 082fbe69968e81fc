/** The service behind TLS, as the real one is: REST and gateway over https, the streams over wss. */
import { expect, onTestFinished, test } from "vitest";
import {
  ballast,
  folder,
  quickConfig,
  run,
  type Running,
  serviceEnv,
  simProcess,
  takenDown,
} from "../support/process.ts";
import { CERTIFICATE_FILE, tlsProxy } from "../support/tls/tls-proxy.ts";

const { started, folders } = takenDown();

const ADDRESSES = ["SVC_API_HOST", "SVC_MARKET_WS_URL", "SVC_USER_WS_URL", "SVC_FEEDS_WS_URL", "AI_BASE_URL"];

async function behindTls() {
  const made = folder();
  folders.push(made);
  const { running, ready } = await simProcess(["--seed", "3", "--speed", "5"]);
  started.push(running);
  const plain = serviceEnv(ready);
  const proxy = await tlsProxy(ADDRESSES.map((name) => plain[name] ?? ""));
  onTestFinished(() => proxy.close());
  const secure = ADDRESSES.map((name) => [name, proxy.url(plain[name] ?? "")] as const);
  const config = made.file("agent.yaml", quickConfig({ kind: "service" }));
  const paths = ["--config", config, "--data-dir", `${made.dir}/data`];
  return { ready, paths, env: { ...plain, ...Object.fromEntries(secure) } };
}

test("the agent trades, protects and reads over encrypted connections alone", async () => {
  const { ready, paths, env } = await behindTls();
  const trusting = { ...env, NODE_EXTRA_CA_CERTS: CERTIFICATE_FILE };
  const args = ["run", ...paths, "--log-format", "json", "--practice-clock", ready.controlUrl];
  const agent: Running = ballast(args, trusting);
  started.push(agent);
  for (const evt of ["venue.opened", "position.opened", "position.protected"])
    await agent.until((line) => line.evt === evt, 90_000, evt);
  const status = JSON.parse((await run(["status", ...paths.slice(2), "--json"], {})).out) as { positions: object[] };
  expect(status.positions.length).toBeGreaterThan(0);
  agent.child.kill("SIGTERM");
  expect((await agent.ended).code).toBe(0);
  expect(agent.lines.filter(({ level }) => level === "error")).toEqual([]);
}, 120_000);

test("a certificate that this machine does not trust ends the first start, and the sentence names it", async () => {
  const { paths, env } = await behindTls();
  const { code, out } = await run(["run", ...paths, "--log-format", "json"], { ...env, NODE_EXTRA_CA_CERTS: "" });
  expect([code, out]).toEqual([
    6,
    expect.stringMatching(/cannot be reached \(\w+: self-signed certificate[^)]*\); .*NODE_EXTRA_CA_CERTS/),
  ]);
}, 60_000);
