/** The status endpoint of a run: what it shows, and where it listens. */
import { startStatusServer, type StatusServer, type StatusSources } from "../faces/status/server.ts";
import type { StatusRequests } from "../faces/status/request-counts.ts";
import { exposing } from "../faces/status/prometheus.ts";
import { readRunCard } from "../ops/run-file.ts";
import { maskTexts } from "../core/secret.ts";
import type { DaemonSetup, Page, Running } from "./daemon-setup.ts";
import { type Health, healthOf } from "./health.ts";
import { METRICS, metricFacts } from "./metrics.ts";
import type { OwnerNotifications } from "./notify-owner.ts";
import { type StatusReport, statusReport } from "./status-report.ts";

/** What the endpoint shows. */
export interface EndpointParts {
  readonly requests: StatusRequests;
  readonly status: () => StatusReport;
  readonly owner: OwnerNotifications | null;
  readonly health: () => Health;
}

/** Null if the endpoint cannot listen: trading continues without it. */
export async function serveStatus(
  setup: DaemonSetup,
  running: Running,
  { requests, status, owner, health }: EndpointParts,
): Promise<(StatusServer & { readonly page: Page | null }) | null> {
  const { log, config, environment } = setup;
  const { statusToken } = environment;
  const page = setup.page?.({ setup, running, status }) ?? null;
  const expose = exposing(METRICS);
  try {
    const server = await listening(
      {
        healthy: health,
        status,
        requests,
        run: setup.runId,
        metrics: () => expose(metricFacts(status(), owner?.counts() ?? null)),
        ...(page ? { page: page.routes } : {}),
        trouble: ({ message }) => {
          const text = `the status endpoint could not accept a connection (${message}); trading continues`;
          log.event("warn", "status.listening", text);
        },
        ...(statusToken ? { token: statusToken.reveal() } : {}),
      },
      setup,
    );
    return { ...server, page };
  } catch (cause) {
    page?.stop();
    log.event(
      "error",
      "status.listening",
      `the status endpoint cannot listen on ${config.status.host}:${config.status.port} (${cause instanceof Error ? cause.message : String(cause)}); trading continues without it`,
    );
    return null;
  }
}

/** If the file sets no port, the port of a run that was killed comes first: an open page then finds the agent again. */
async function listening(sources: StatusSources, { config, environment }: DaemonSetup): Promise<StatusServer> {
  const left = config.status.port === 0 ? readRunCard(environment.dataDir)?.statusUrl : undefined;
  const port = left !== undefined && URL.canParse(left) ? Number(new URL(left).port) : 0;
  const again = port === 0 ? null : await startStatusServer(sources, { ...config.status, port }).catch(() => null);
  return again ?? startStatusServer(sources, config.status);
}

/** Texts of the venue and of the saved file are in it, so secrets are masked. */
export const healthNow = ({ env: { clock }, redact = String }: DaemonSetup, { causes, agent }: Running): Health =>
  maskTexts(healthOf(causes.now(), agent.sinceTickMs(clock.monotonicMs()) / clock.scale), redact);

/** Everything that the endpoint, the page, notifications and chats say of the agent; secrets are masked. */
export const statusOf = (setup: DaemonSetup, running: Running) => (): StatusReport => {
  const { env, redact = String } = setup;
  const report = statusReport(running.agent.status(env.clock.nowMs()), running.gateway.budget(), running.streams, {
    collections: running.gauges(),
    tightened: running.venue.limits.tightened(),
    health: healthNow(setup, running),
    sources: running.sources.status(),
    history: running.history.status(),
  });
  return maskTexts(report, redact);
};
