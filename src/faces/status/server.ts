/**
 * The local health and status endpoint, for the container's health check, `ballast status`, the page and people.
 * Foreign Host and Origin headers and requests that a browser sends for another site get 403, so that no web page can reach
 * it; callers from other machines need the token. The agent's state comes from injected functions. Invariant I33.
 */
import { timingSafeEqual } from "node:crypto";
import { serve, type HttpBindings, type ServerType } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { sha256 } from "../../core/hash.ts";
import type { Exposition } from "./prometheus.ts";
import type { StatusRequests } from "./request-counts.ts";
import { RUN_HEADER } from "../../ops/run-file.ts";
import { keepRoom } from "./room.ts";

/** Called at every request; must return immediately. */
export interface StatusSources {
  /** Not ok only if a restart would help. */
  healthy(): { readonly ok: boolean; readonly reason: string; readonly state?: string; readonly alarms?: number };
  status(): unknown;
  /** The figures of this instant for Prometheus; docs/METRICS.md. */
  readonly metrics?: () => Promise<Exposition>;
  /** The run that answers, by its id. */
  readonly run?: string;
  /** Records every call. */
  readonly requests?: StatusRequests;
  /** Called for a connection that could not be accepted, for example for lack of descriptors. */
  readonly trouble?: (cause: Error) => void;
  /** Bearer token for callers from other machines; without one they are refused, and no commands are accepted. */
  readonly token?: string;
  /** Routes of the page, added behind the same access check. */
  readonly page?: PageRoutes;
}

/** `mayCommand` is true for a caller who shows the bearer token. */
export type PageRoutes = (app: Hono<Bound>, mayCommand: (context: StatusContext) => boolean) => void;

/** `url` is for callers on this machine, even if the server listens on every address. */
export interface StatusServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export type Bound = { Bindings: Partial<HttpBindings> };
export type StatusContext = Context<Bound>;

const LOCAL = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;
const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;
const EVERY_ADDRESS: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);
const REFUSAL = "forbidden";
/** A page carries the hash of its text, so that the journal can prove that every caller received the same. */
export const PAGE_HASH = "x-page-sha256";

interface Caller {
  readonly host: string;
  readonly origin: string;
  /** A browser asks on behalf of a page of another site. It may leave out Origin, but not this. */
  readonly crossSite: boolean;
  readonly loopback: boolean;
  /** How the token was shown. A browser adds `basic` by itself, also where a foreign page asked: then it does not count. */
  readonly shown: "bearer" | "basic" | null;
}

function callerOf(context: StatusContext, token: string | undefined): Caller {
  const header = (name: string): string => context.req.header(name) ?? "";
  // A call without a socket comes from this process.
  const bindings = context.env as Partial<HttpBindings> | undefined;
  const address = bindings?.incoming?.socket.remoteAddress ?? "127.0.0.1";
  const named = { host: header("host"), origin: header("origin"), crossSite: isCrossSite(context, header) };
  const shown = token === undefined ? null : shownBy(header("authorization"), token);
  return {
    ...named,
    loopback: LOOPBACK.test(address),
    shown: shown === "basic" && !isLocal(named) ? null : shown,
  };
}

/** With `Basic`, the token is the password and the name may be any. */
function shownBy(authorization: string, token: string): Caller["shown"] {
  const [, scheme, value = ""] = /^(Bearer|Basic) (.+)$/.exec(authorization) ?? [];
  if (scheme === "Bearer") return sameText(value, token) ? "bearer" : null;
  if (scheme !== "Basic") return null;
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, "base64").toString("utf8")) ?? [];
  return password !== undefined && sameText(password, token) ? "basic" : null;
}

/** Constant-time comparison. */
const sameText = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(sha256(a)), Buffer.from(sha256(b)));

/** A person may still follow a link to the page: that shows it to nobody else. */
function isCrossSite({ req }: StatusContext, header: (name: string) => string): boolean {
  if (header("sec-fetch-site") !== "cross-site") return false;
  const opened = header("sec-fetch-mode") === "navigate" && header("sec-fetch-dest") === "document";
  return !(opened && req.method === "GET" && req.path === "/");
}

const isLocal = ({ host, origin, crossSite }: Pick<Caller, "host" | "origin" | "crossSite">): boolean =>
  !crossSite && LOCAL.test(host) && (origin === "" || LOCAL.test(origin.replace(/^https?:\/\//, "")));

/** A caller with the bearer token may use any host name: a foreign page cannot know the token. */
const welcome = (caller: Caller): boolean => caller.shown !== null || (caller.loopback && isLocal(caller));

/** Makes a browser ask for the token: through a published port of a container it comes from another address. */
const CHALLENGE = 'Basic realm="ballast: the password is BALLAST_STATUS_TOKEN", charset="UTF-8"';

/**
 * Not bound to a port. `/health` is 503 if not ok, `/health?strict=1` also during an alarm; unauthorised callers get
 * 403 on every path, or 401 where a browser on this machine may ask its user for the token.
 */
export function statusApp(sources: StatusSources): Hono<Bound> {
  const app = new Hono<Bound>();
  app.use(async (context, next) => {
    const caller = callerOf(context, sources.token);
    const { method } = context.req;
    const refused = !welcome(caller);
    if (!refused) await next();
    const asks = sources.token !== undefined && isLocal(caller);
    const answer = refused ? context.text(REFUSAL, asks ? 401 : 403) : context.res;
    if (refused && asks) answer.headers.set("www-authenticate", CHALLENGE);
    answer.headers.set("cache-control", "no-store");
    answer.headers.set("x-content-type-options", "nosniff");
    if (!refused && sources.run !== undefined) answer.headers.set(RUN_HEADER, sources.run);
    if (!answer.headers.has("content-security-policy"))
      answer.headers.set("content-security-policy", "default-src 'none'");
    const contentType = answer.headers.get("content-type") ?? "";
    const page = answer.headers.get(PAGE_HASH);
    const { host, origin, loopback, shown } = caller;
    const counted = { method, host, origin, loopback, token: shown !== null, status: answer.status, contentType };
    sources.requests?.note({ ...counted, ...(page === null ? {} : { page }) }, refused ? REFUSAL.length : 0);
    return answer;
  });
  app.get("/health", (context) => {
    const health = sources.healthy();
    const strict = context.req.query("strict") === "1" && (health.alarms ?? 0) > 0;
    return context.json(health, health.ok && !strict ? 200 : 503);
  });
  app.get("/status", (context) => context.json(sources.status() as Record<string, unknown>));
  const { metrics } = sources;
  if (metrics)
    app.get("/metrics", async (context) => {
      const { text, contentType } = await metrics();
      return context.body(text, 200, { "content-type": contentType });
    });
  sources.page?.(app, (context) => callerOf(context, sources.token).shown === "bearer");
  app.notFound((context) => context.json({ error: "not found", paths: ["/", "/health", "/status", "/metrics"] }, 404));
  return app;
}

/** More connections than any watcher needs, and far fewer than the descriptors that trading needs. */
const CONNECTIONS_MAX = 32;
/** Slow and silent callers are dropped after these times. */
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
};

/**
 * Listens; port 0 takes a free one. Rejects if the address cannot be used. Connections beyond the cap drop one
 * that waits (`keepRoom`), and a connection's error never ends the process.
 */
export function startStatusServer(sources: StatusSources, at: { host: string; port: number }): Promise<StatusServer> {
  const app = statusApp(sources);
  const own = EVERY_ADDRESS.has(at.host) ? "127.0.0.1" : at.host;
  return new Promise((resolve, reject) => {
    const options = { fetch: app.fetch, hostname: at.host, port: at.port, serverOptions: LIMITS };
    const server: ServerType = serve(options, (info) => {
      resolve({ url: `http://${own}:${info.port}`, port: info.port, close: () => closeServer(server) });
    });
    keepRoom(server, CONNECTIONS_MAX);
    server.on("error", (cause: Error) => {
      if (server.listening) sources.trouble?.(cause);
      else reject(cause);
    });
  });
}

const closeServer = (server: ServerType): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
