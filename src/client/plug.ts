/**
 * Assembles the client layer for one process: credentials, stores on disk, the desk, and the service when first needed.
 * Both faces use the same layer under their own names. Spec: 3 §1, §5; records §17.9.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { dec, DECIMAL_PATTERN } from "../core/decimal.ts";
import type { Env } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { err, ok, type Result } from "../core/result.ts";
import { redactor, Secret } from "../core/secret.ts";
import type { DeskRow } from "../desk/context.ts";
import { createDesk } from "../desk/desk.ts";
import { DEFAULT_EXCHANGES } from "../domain/symbol.ts";
import type { VenuePort } from "../domain/venue-calls.ts";
import type { Client, CredentialFacts, Service } from "../faces/contract/client.ts";
import type { Documents, StoredDocument } from "../faces/contract/documents.ts";
import { type Face, type Failure, failure } from "../faces/contract/statuses.ts";
import { documentPreviewStore, documentSessionStore, sentMarks } from "../faces/svc/stores.ts";
import { openDocumentStore } from "../journal/document-store.ts";
import type { LimiterState } from "../net/rate-limit.ts";
import { reviewOperatorOrder } from "../risk/review.ts";
import { type Environment, readEnvironment, variable } from "../control/environment.ts";
import { recordingDir } from "../ops/paths.ts";
import { candleFolder, candleUrl } from "../history/candle-sources.ts";
import { refusingVenue } from "./refusing-venue.ts";
import { fetchReleaseNews } from "./release-news.ts";
import { type OpenService, openService } from "./service.ts";
import { readWireIn } from "../rows/wire-in.ts";
import { readWireOut } from "../rows/wire-out.ts";

/** The process's environment, or a test's replacement for it. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** `face` binds previews and appears in audit rows; `.svc` is in `cwd` without SVC_STATE_DIR. */
export interface PlugOptions {
  readonly env: Env;
  readonly log: Log;
  readonly face: Face;
  readonly variables: Variables;
  readonly version: string;
  readonly cwd: string;
}

/** `close` keeps the rate-limit windows and the clock offset for the next command. */
export interface OpenClient {
  readonly client: Client;
  close(): Promise<void>;
}

const NAMES = ["SVC_ACCESS_KEY", "SVC_SECRET_KEY", "SVC_API_HOST"] as const;

/** The state folder: SVC_STATE_DIR, else `.svc` under the working folder. */
export const stateFile = ({ variables, cwd }: Pick<PlugOptions, "variables" | "cwd">): string =>
  path.resolve(cwd, variables["SVC_STATE_DIR"] ?? ".svc", "svc.db");

function credentialFacts(variables: Variables, environment: ReturnType<typeof readEnvironment>): CredentialFacts {
  const has = (name: string): boolean => {
    const found = variable(variables, name);
    return found.ok && found.value !== null;
  };
  const access = variable(variables, "SVC_ACCESS_KEY");
  const key = access.ok && access.value !== null ? new Secret(access.value).masked : null;
  return {
    SVC_ACCESS_KEY: has(NAMES[0]),
    SVC_SECRET_KEY: has(NAMES[1]),
    SVC_API_HOST: has(NAMES[2]),
    maskedAccessKey: key,
    problems: environment.ok ? [] : environment.error.filter((problem) => problem.startsWith("SVC_")),
  };
}

/** Why the service cannot be reached; null if it can. Missing credentials are reported before a missing host. */
function gapOf({ SVC_ACCESS_KEY, SVC_SECRET_KEY, SVC_API_HOST, problems }: CredentialFacts): Failure | null {
  if (problems.length > 0) return failure("NOT_VERIFIED", "01001", problems.join("; "));
  const missing = [SVC_ACCESS_KEY ? "" : NAMES[0], SVC_SECRET_KEY ? "" : NAMES[1]].filter(Boolean);
  if (missing.length > 0)
    return failure(
      "NOT_VERIFIED",
      "01001",
      `credentials are missing: set ${missing.join(" and ")}; \`ballast sim\` prints a pair of its own for practice`,
    );
  return SVC_API_HOST ? null : failure("NOT_VERIFIED", "01003", "the API host is missing: set SVC_API_HOST");
}

/** Settings from the environment, else from `config set`. */
const setting =
  (variables: Variables, documents: Documents) =>
  (name: string, key: string): string | null => {
    const given = variables[name]?.trim();
    if (given) return given;
    const kept = documents.get("config", key)?.body;
    return typeof kept === "string" && kept !== "[REDACTED]" ? kept : null;
  };

const YES = /^(1|true|yes|on)$/i;
const NO = /^(0|false|no|off)$/i;

/** A value that is neither yes nor no forbids, because whoever sets one of these two restricts trading. */
function forbidden(read: (name: string, key: string) => string | null): string | null {
  const readOnly = read("SVC_READ_ONLY", "readOnly");
  if (readOnly !== null && !NO.test(readOnly))
    return `READ_ONLY: writes are switched off (SVC_READ_ONLY${YES.test(readOnly) ? "" : " is neither true nor false"})`;
  const trading = read("SVC_TRADING_ENABLED", "tradingEnabled");
  return trading !== null && !YES.test(trading)
    ? `TRADING_DISABLED: writes are switched off (SVC_TRADING_ENABLED${NO.test(trading) ? "" : " is neither true nor false"})`
    : null;
}

/** Whoever sets a cap wants one: orders are refused until it is readable. */
const unreadableCap = (given: string) => ({
  limit: "SVC_MAX_NOTIONAL",
  reason: `your own cap is ${JSON.stringify(given.slice(0, 40))}; write plain USDT such as 250.5`,
});

/** The desk's rows: a request is recorded, and its client order id marked, before it is sent. */
function recorder(env: Env, documents: Documents, marks: ReturnType<typeof sentMarks>) {
  const CAME_TO_NOTHING = new Set(["rejected", "rate-limited", "not-sent"]);
  return ({ kind, body }: DeskRow): void => {
    // Sessions and previews are documents, stored in the same transaction.
    if (kind !== "wire-out" && kind !== "wire-in") return;
    const atMs = env.clock.nowMs();
    const written = { seq: 0, kind, body };
    const came = kind === "wire-in" ? readWireIn(written) : null;
    const { clientOrderId, previewId } = came ?? readWireOut(written);
    documents.put("wire", { id: `${previewId}-${kind}`, body, atMs });
    if (clientOrderId === null) return;
    if (came === null) marks.mark(clientOrderId, previewId, atMs);
    else if (CAME_TO_NOTHING.has(came.outcome)) marks.unmark(clientOrderId);
  };
}

interface Reach {
  readonly service: () => Result<Service, Failure>;
  close(): Promise<void>;
}

/** How long an earlier command's measurement of the service's clock stays valid. */
const CLOCK_KEPT_MS = 600_000;

function restoreClock({ clock }: Env, kept: StoredDocument | undefined, { clock: venueClock }: OpenService): void {
  const nowMs = clock.nowMs();
  if (!kept || Math.abs(nowMs - kept.atMs) > CLOCK_KEPT_MS) return;
  const { offsetMs, uncertaintyMs } = kept.body as { offsetMs: number; uncertaintyMs: number };
  venueClock.note({ venueMs: nowMs + offsetMs, uncertaintyMs, atMonotonicMs: clock.monotonicMs() });
}

/** The service, opened when first needed, with the rate limits that earlier commands have used. */
function reach(
  options: PlugOptions,
  environment: Environment | null,
  facts: CredentialFacts,
  documents: Documents,
): Reach {
  const { env, log } = options;
  const access = environment?.service ?? null;
  const id = `${access?.restUrl ?? ""}|${facts.maskedAccessKey ?? ""}`;
  let open: OpenService | null = null;
  return {
    service: () => {
      const gap = gapOf(facts);
      if (gap || !access) return err(gap ?? failure("NOT_VERIFIED", "01001", "credentials are missing"));
      if (!open) {
        open = openService(env, log, access, environment?.exchanges ?? []);
        const kept = documents.get("limiter", id);
        if (kept) open.limits.restore(kept.body as LimiterState);
        restoreClock(env, documents.get("clock", id), open);
      }
      return ok(open);
    },
    close: async () => {
      if (!open) return;
      const atMs = env.clock.nowMs();
      const offset = open.clock.offset();
      try {
        documents.put("limiter", { id, body: open.limits.snapshot(), atMs });
        if (offset.measuredAtMs !== null) documents.put("clock", { id, body: offset, atMs });
      } catch {
        // The reply has been printed and its exit code must hold: the next command measures again.
      }
      await open.close();
    },
  };
}

/** A venue that opens on its first call. */
function lateVenue(service: Reach["service"]): VenuePort {
  const refusing = refusingVenue("the credentials of the service are missing");
  const venue = (): VenuePort => {
    const found = service();
    return found.ok ? found.value.venue : refusing;
  };
  return new Proxy(refusing, { get: (_, name) => venue()[name as keyof VenuePort] });
}

/** Opens everything that needs no network. Throws if the state folder cannot be used. */
export function plugClient(options: PlugOptions): OpenClient {
  const { env, log, face, variables, version } = options;
  const documents: Documents = openDocumentStore(stateFile(options));
  const environment = readEnvironment(variables);
  const facts = credentialFacts(variables, environment);
  const known = environment.ok ? environment.value : null;
  const { service, close } = reach(options, known, facts, documents);
  const marks = sentMarks(documents);
  const previews = documentPreviewStore(documents);
  const read = setting(variables, documents);
  const dir = read("SVC_CANDLE_DIR", "candleDir");
  const recording = daemonRecording(known);
  const url = read("SVC_CANDLE_URL", "candleUrl");
  const client: Client = {
    env,
    face,
    version,
    exchanges: known?.exchanges ?? DEFAULT_EXCHANGES,
    credentials: facts,
    writesForbidden: () => forbidden(read),
    service,
    desk: createDesk({
      env,
      log,
      venue: lateVenue(service),
      sessions: documentSessionStore(documents),
      previews,
      record: recorder(env, documents, marks),
      runtime: face,
      wasSent: marks.wasSent,
    }),
    previews,
    documents,
    review: ({ order, rules, referencePrice, maxNotional }) => {
      const ownCap = read("SVC_MAX_NOTIONAL", "maxNotional");
      if (ownCap !== null && !DECIMAL_PATTERN.test(ownCap)) return err(unreadableCap(ownCap));
      const cap = ownCap !== null && dec(ownCap).lt(maxNotional) ? dec(ownCap) : maxNotional;
      const draft = { order, stopPrice: null, targetPrice: null };
      const judged = reviewOperatorOrder(draft, { rules, referencePrice, maxNotionalUsdt: cap });
      if (judged.kind === "approved") return ok(judged.draft);
      const denied = judged.verdicts.find((verdict) => verdict.kind === "deny");
      return err({ limit: denied?.limit ?? "review", reason: denied?.reason ?? "refused" });
    },
    // Where two sources have the same candle the later source wins: what the service itself traded comes last.
    candleSources: [
      ...(url === null ? [] : [candleUrl(env.clock, url)]),
      ...(dir === null ? [] : [candleFolder(dir)]),
      ...(recording === null ? [] : [candleFolder(recording, "recording")]),
    ],
    releaseNews: (manifestUrl) =>
      fetchReleaseNews(env.clock, manifestUrl ?? read("SVC_RELEASE_MANIFEST_URL", "manifestUrl")),
    redact: redactor(secretsOf(variables)),
  };
  return {
    client,
    close: async () => {
      await close();
      documents.close();
    },
  };
}

/** The recording of a daemon on this machine for the same service. */
function daemonRecording(environment: Environment | null): string | null {
  if (!environment?.service) return null;
  const dir = recordingDir(environment.dataDir, environment.service.restUrl);
  return existsSync(dir) ? dir : null;
}

/** All secrets in this machine's environment, even if it is otherwise invalid. */
export function secretsOf(variables: Variables): readonly Secret[] {
  const texts = ["SVC_ACCESS_KEY", "SVC_SECRET_KEY", "AI_API_KEY"].map((name) => {
    const found = variable(variables, name);
    return found.ok ? found.value : null;
  });
  return [...new Set(texts.filter((text) => text !== null))].map((text) => new Secret(text));
}
