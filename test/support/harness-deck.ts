/** The page of a simulated agent on a port of its own: agent and venue on virtual time, the page over real sockets. */
import { CAUSE_LOOK_MS } from "../../src/causes/cause-watch.ts";
import type { Config } from "../../src/config/config.ts";
import type { Environment } from "../../src/control/environment.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { timedIds } from "../../src/core/ids.ts";
import { Secret } from "../../src/core/secret.ts";
import type { PageParts } from "../../src/daemon/daemon-setup.ts";
import { healthOf } from "../../src/daemon/health.ts";
import { statusReport } from "../../src/daemon/status-report.ts";
import { createDeck } from "../../src/deck/deck.ts";
import { startStatusServer } from "../../src/faces/status/server.ts";
import type { AgentRun, Harness } from "../../src/harness/harness.ts";
import { type LineRing, lineRing } from "../../src/ops/line-ring.ts";

interface Options {
  readonly config: Config;
  readonly log?: LineRing;
  /** Without one the page only reads. */
  readonly token?: string;
}

export interface ServedDeck {
  readonly url: string;
  close(): Promise<void>;
}

export async function serveDeck(
  { clock, dataDir }: Harness,
  { running, journal }: AgentRun,
  { config, token, log = lineRing(500) }: Options,
): Promise<ServedDeck> {
  const status: PageParts["status"] = () =>
    statusReport(running.agent.status(clock.nowMs()), running.gateway.budget(), running.streams, {
      collections: running.gauges(),
      tightened: running.venue.limits.tightened(),
      health: healthOf(running.causes.now(), running.agent.sinceTickMs(clock.monotonicMs())),
      sources: running.sources.status(),
      history: running.history.status(),
    });
  const stopLooking = clock.every(CAUSE_LOOK_MS, running.causes.look);
  const entropy = seededEntropy("the page");
  const env = { clock, entropy, ids: timedIds(clock.nowMs, entropy) };
  const environment: Environment = {
    ...{ service: null, missing: [], aiUrl: null, aiKey: null, exchanges: ["EXCHANGE_A"], dataDir },
    ...(token === undefined ? {} : { statusToken: new Secret(token) }),
  };
  const setup = { env, journal, environment, config, kind: "embedded", runId: "b" } as unknown as PageParts["setup"];
  const deck = createDeck({ log, venue: "practice" })({ setup, running, status });
  const server = await startStatusServer(
    { healthy: () => ({ ok: true, reason: "" }), status, page: deck.routes, ...(token === undefined ? {} : { token }) },
    { host: "127.0.0.1", port: 0 },
  );
  return {
    url: server.url,
    close: async () => {
      stopLooking();
      deck.stop();
      await server.close();
    },
  };
}
