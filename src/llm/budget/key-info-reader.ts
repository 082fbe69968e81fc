/** Reads the gateway's own spend figure and lets the ledger adopt what is missing. Spec: 3 §8 (AI usage query). */
import type { Decimal } from "../../core/decimal.ts";
import type { Log } from "../../core/log.ts";
import { err, type Result } from "../../core/result.ts";
import type { Secret } from "../../core/secret.ts";
import { DAY_MS } from "../../core/time.ts";
import type { HttpClient } from "../../net/http.ts";
import { type NetEnv, networkOf } from "../../net/network.ts";
import { compareFigures, type KeyInfo, readKeyInfo } from "./key-info.ts";
import type { BudgetLedger } from "./ledger.ts";

/** Implements the gateway's `reconcile`; a second call joins the running one. */
export interface KeyInfoReader {
  /** The reported figures, or null if they could not be read, which changes nothing. Never throws. */
  reconcile(): Promise<Reported | null>;
  close(): Promise<void>;
}

/** The gateway's figures, after the ledger has adopted them. */
export interface Reported {
  readonly spendUsd: Decimal;
  /** Next reset of a daily counter; null for any other. */
  readonly dailyResetAtMs: number | null;
}

/** `limitUsd` is one day's money: a first figure above it covers the key's whole life. */
export interface KeyInfoDeps {
  readonly env: NetEnv;
  readonly log: Log;
  readonly ledger: BudgetLedger;
  readonly aiUrl: string;
  readonly apiKey: Secret;
  readonly limitUsd: Decimal;
}

const BODY_MAX_BYTES = 256 * 1024;

/** Owns an HTTP client, which `close` closes. */
export function createKeyInfoReader(deps: KeyInfoDeps): KeyInfoReader {
  const http = networkOf(deps.env).http(deps.env.clock, { baseUrl: deps.aiUrl, bodyMaxBytes: BODY_MAX_BYTES });
  let running: Promise<Reported | null> | null = null;
  return {
    reconcile: () => {
      running ??= compare(deps, http).finally(() => {
        running = null;
      });
      return running;
    },
    close: () => http.close(),
  };
}

async function compare(
  { env, log, ledger, apiKey, limitUsd }: KeyInfoDeps,
  http: HttpClient,
): Promise<Reported | null> {
  const read = await fetchKeyInfo(http, apiKey);
  if (!read.ok) {
    log.event("warn", "budget.reconciled", `The gateway's own figure could not be read: ${read.error}`, {
      reason: read.error,
    });
    return null;
  }
  const nowMs = env.clock.nowMs();
  const own = { spentSince: (sinceMs: number) => ledger.spentSince(sinceMs), baseline: ledger.baseline(), limitUsd };
  const { extraUsd, baseline, counted } = compareFigures(read.value, own, nowMs);
  ledger.adopt(extraUsd, { report: { spendUsd: read.value.spendUsd, atMs: nowMs }, baseline });
  if (counted && extraUsd.isZero()) ledger.correct(counted);
  const { spendUsd, resetAtMs, periodMs } = read.value;
  return { spendUsd, dailyResetAtMs: periodMs === DAY_MS ? resetAtMs : null };
}

async function fetchKeyInfo(http: HttpClient, apiKey: Secret): Promise<Result<KeyInfo, string>> {
  const headers = { authorization: `Bearer ${apiKey.reveal()}`, accept: "application/json" };
  const outcome = await http.send({ method: "GET", path: "/key/info", headers });
  if (outcome.kind !== "done") return err(`${outcome.kind}: ${outcome.message}`);
  if (outcome.status !== 200) return err(`HTTP ${outcome.status}`);
  try {
    return readKeyInfo(JSON.parse(outcome.text));
  } catch {
    return err("the answer is not JSON");
  }
}
