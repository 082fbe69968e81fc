/** One run of the agent's process on the second exchange: the daemon's own plug, life and journal, on virtual time. */
import type { Strategies } from "../../../src/agent/contract/events.ts";
import type { AgentStatus } from "../../../src/agent/decide/status.ts";
import { readConfig } from "../../../src/config/read.ts";
import { seededEntropy } from "../../../src/core/entropy.ts";
import { timedIds } from "../../../src/core/ids.ts";
import { silentLog } from "../../../src/core/log.ts";
import { Secret } from "../../../src/core/secret.ts";
import { type VirtualClock, virtualClock } from "../../../src/core/virtual-clock.ts";
import { startLifecycle } from "../../../src/daemon/lifecycle.ts";
import { plug } from "../../../src/daemon/plug.ts";
import type { VenueAccess } from "../../../src/daemon/venue-access.ts";
import { hashedPages } from "../../../src/harness/untimed.ts";
import { crashableProcess } from "../../../src/harness/crashable-process.ts";
import { relaxedDisk } from "../../../src/harness/relaxed-disk.ts";
import { type Journal, openJournal } from "../../../src/journal/journal.ts";
import { loadPrompts } from "../../../src/llm/prompts/prompts.ts";
import type { Network } from "../../../src/net/network.ts";
import { OWN_PROMPTS_DIR, PROMPTS_DIR } from "../../../src/ops/paths.ts";
import { journalPath } from "../../../src/ops/run-file.ts";

const START_MS = Date.UTC(2026, 0, 5, 9, 30);

/** Lets all that an instant has begun come to its next wait. */
export const secondClock = (): VirtualClock =>
  virtualClock(START_MS, () => new Promise((resolve) => setImmediate(resolve)));

export interface Run {
  readonly journal: Journal;
  status(): AgentStatus;
  /** What ended it from inside; null while nothing has. */
  fatal(): unknown;
  /** Death without a word. May be called twice. */
  kill(): void;
}

interface RunParts {
  readonly clock: VirtualClock;
  readonly connect: VenueAccess["connect"];
  readonly dataDir: string;
  readonly strategies: Strategies;
}

/** Neither a feed service nor a model gateway is there. */
const unreachable: Network = {
  http: () => ({
    send: () => Promise.resolve({ kind: "not-sent", message: "there is no such host" }),
    close: () => Promise.resolve(),
  }),
  connect: () => ({ send: () => false, abandon: () => undefined }),
  gate: () => ({ run: (_priority, work) => work(), waiting: () => 0 }),
};

const CONSENT = {
  consent: "I let this agent trade on the practice venue, up to 400 USDT an order and 20000 USDT in all.",
  maxNotionalPerOrder: "400",
  maxTotalNotional: "20000",
};

function configOf() {
  const read = readConfig(
    JSON.stringify({
      strategy: { use: "hold" },
      universe: ["BTC", "ETH"],
      cadence: { every: "5s", minGap: "2s", firstAfter: "1s" },
      session: CONSENT,
      risk: { reentryCooldown: "3s", flipCooldown: "3s", minHolding: "1s" },
      recorder: { enabled: false },
      learning: { review: "off" },
    }),
  );
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

let runs = 0;

export function beginRun({ clock, connect, dataDir, strategies }: RunParts): Run {
  const prompts = loadPrompts(PROMPTS_DIR, OWN_PROMPTS_DIR);
  if (!prompts.ok) throw new Error(prompts.error);
  let fatal: unknown = null;
  const onFatal = (cause: unknown): void => void (fatal ??= cause);
  const life = crashableProcess(clock, unreachable, onFatal);
  const entropy = seededEntropy(`second:${++runs}`);
  const ids = timedIds(() => clock.nowMs(), entropy.fork("ids"));
  const env = { clock: life.clock, entropy, ids, network: life.network };
  const runId = ids.next("b").slice(2);
  const journal = openJournal({ path: journalPath(dataDir), env, runId, pid: 1, disk: relaxedDisk });
  const secrets = { accessKey: new Secret("access-key-0001"), secretKey: new Secret("secret-key-0001") };
  const service = {
    restUrl: "https://second.example",
    marketWsUrl: "wss://second.example/market",
    userWsUrl: "wss://second.example/user",
    feedsWsUrl: "wss://second.example/feeds",
    ...secrets,
  };
  const access: VenueAccess = {
    ...service,
    aiUrl: "https://model.example",
    aiKey: new Secret("ai-key-0001"),
    sim: null,
    past: null,
    about: "a second exchange in memory",
    connect,
  };
  const running = plug(
    {
      file: "second",
      strategyFlag: undefined,
      environment: {
        service,
        missing: [],
        aiUrl: access.aiUrl,
        aiKey: access.aiKey,
        exchanges: ["EXCHANGE_A"],
        dataDir,
      },
      config: configOf(),
      strategies,
      kind: "embedded",
      env,
      log: silentLog,
      runId,
      pid: 1,
      journal,
      pages: hashedPages,
    },
    access,
    prompts.value,
    onFatal,
  );
  startLifecycle(env.clock, running);
  let alive = true;
  return {
    journal,
    status: () => running.agent.status(clock.nowMs()),
    fatal: () => fatal,
    kill: () => {
      if (!alive) return;
      alive = false;
      running.loop.close();
      running.streams.user.stop();
      life.kill();
      journal.close();
    },
  };
}
