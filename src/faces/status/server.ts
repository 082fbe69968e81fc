/**
 * The local health and status endpoint: read-only, for the container's health check, `ballast status` and people. Foreign
 * Host headers get 403, so that no web page can reach it through a name of its own. Knows nothing of the agent: it is
 * handed functions that answer.
 */
import { serve, type ServerType } from "@hono/node-server";
import { Hono } from "hono";

export interface StatusSources {
  /** True while the decision loop beats. */
  healthy(): { readonly ok: boolean; readonly reason: string };
  status(): unknown;
}

export interface StatusServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const LOCAL = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

export function statusApp(sources: StatusSources, anyHost: boolean): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    const host = context.req.header("host") ?? "";
    const origin = context.req.header("origin");
    if ((!anyHost && !LOCAL.test(host)) || (origin && !LOCAL.test(origin.replace(/^https?:\/\//, ""))))
      return context.text("forbidden", 403);
    await next();
    context.header("cache-control", "no-store");
    context.header("x-content-type-options", "nosniff");
    context.header("content-security-policy", "default-src 'none'");
  });
  app.get("/health", (context) => {
    const health = sources.healthy();
    return context.json(health, health.ok ? 200 : 503);
  });
  app.get("/status", (context) => context.json(sources.status() as Record<string, unknown>));
  app.notFound((context) => context.json({ error: "not found", paths: ["/health", "/status"] }, 404));
  return app;
}

/** Listens; the port 0 takes a free one. Rejects when the address cannot be used. */
export function startStatusServer(sources: StatusSources, at: { host: string; port: number }): Promise<StatusServer> {
  const anyHost = at.host !== "127.0.0.1" && at.host !== "localhost";
  const app = statusApp(sources, anyHost);
  return new Promise((resolve, reject) => {
    const server: ServerType = serve({ fetch: app.fetch, hostname: at.host, port: at.port }, (info) => {
      resolve({ url: `http://${at.host}:${info.port}`, port: info.port, close: () => closeServer(server) });
    });
    server.once("error", reject);
  });
}

const closeServer = (server: ServerType): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
