/**
 * Assembles the client layer for one process: credentials, stores on disk, the desk, and the service when first needed.
 * Both faces use the same layer under their own names. Spec: 3 §1, §5; records §17.9.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { dec, type Decimal, DECIMAL_PATTERN, toWire } from "../core/decimal.ts";
import type { Env } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { err, ok } from "../core/result.ts";
import { redactor } from "../core/secret.ts";
import type { DeskRow } from "../desk/context.ts";
import { createDesk } from "../desk/desk.ts";
import { DEFAULT_EXCHANGES } from "../domain/symbol.ts";
import type { Client } from "../faces/contract/client.ts";
import type { Documents } from "../faces/contract/documents.ts";
import type { Face } from "../faces/contract/statuses.ts";
import { documentPreviewStore, documentSessionStore, sentMarks } from "../faces/svc/stores.ts";
import { openDocumentStore } from "../journal/document-store.ts";
import { reviewOperatorOrder } from "../risk/review.ts";
import { type Environment, readEnvironment } from "../control/environment.ts";
import { recordingDir } from "../ops/paths.ts";
import { candleFolder, candleUrl } from "../history/candle-sources.ts";
import { fetchReleaseNews } from "./release-news.ts";
import { readWireIn } from "../rows/wire-in.ts";
import { readWireOut } from "../rows/wire-out.ts";
import { credentialFacts, secretsOf, type Variables } from "./credentials.ts";
import { accountId, lateVenue, reach } from "./reach.ts";

export { secretsOf } from "./credentials.ts";

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

/** The state folder: SVC_STATE_DIR, else `.svc` under the working folder. */
export const stateFile = ({ variables, cwd }: Pick<PlugOptions, "variables" | "cwd">): string =>
  path.resolve(cwd, variables["SVC_STATE_DIR"] ?? ".svc", "svc.db");

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
function aboveOwnCap(read: (name: string, key: string) => string | null, value: Decimal): string | null {
  const cap = read("SVC_MAX_NOTIONAL", "maxNotional");
  if (cap === null) return null;
  if (!DECIMAL_PATTERN.test(cap))
    return `your own cap is ${JSON.stringify(cap.slice(0, 40))}; write plain USDT such as 250.5`;
  return value.lte(dec(cap)) ? null : `order value ${toWire(value)} is above your own cap ${cap}`;
}

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

/** Opens everything that needs no network. Throws if the state folder cannot be used. */
export function plugClient(options: PlugOptions): OpenClient {
  const { env, log, face, variables, version } = options;
  const documents: Documents = openDocumentStore(stateFile(options));
  const environment = readEnvironment(variables);
  const facts = credentialFacts(variables, environment);
  const known = environment.ok ? environment.value : null;
  const { service, close } = reach(options, known, facts, documents);
  const marks = sentMarks(documents);
  const account = accountId(known, facts);
  const previews = documentPreviewStore(documents, account);
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
      sessions: documentSessionStore(documents, account),
      previews,
      record: recorder(env, documents, marks),
      runtime: face,
      wasSent: marks.wasSent,
    }),
    previews,
    documents,
    aboveOwnCap: (value) => aboveOwnCap(read, value),
    review: ({ order, rules, referencePrice, maxNotional }) => {
      const draft = { order, stopPrice: null, targetPrice: null };
      const judged = reviewOperatorOrder(draft, { rules, referencePrice, maxNotionalUsdt: maxNotional });
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
