/**
 * The simulated model gateway, without a server: an OpenAI-compatible completion and a key report, with prices, a daily
 * budget, a prefix cache, latency, and switches for misbehaviour. Actual charges are kept apart from reported ones, so
 * that a client's ledger can be compared with the truth. Spec: 3 §8; records §14.
 */
import type { Clock } from "../../core/clock.ts";
import { type Decimal, sumDecimals, toWire } from "../../core/decimal.ts";
import type { Entropy } from "../../core/entropy.ts";
import { overridable } from "../../core/overridable.ts";
import { isoTime } from "../../core/time.ts";
import { type BehaviourBoard, GOOD_BEHAVIOUR } from "./behaviour.ts";
import { type ChatRequest, promptText, readChatRequest } from "./chat-request.ts";
import type { Charge } from "./charge-log.ts";
import { completionBody, write } from "./completion.ts";
import { admit, charge, describeKey, type GatewayKey, type KeyAccount, openAccount, rollPeriod } from "./keys.ts";
import { createPrefixCache, estimateTokens, type PrefixCache } from "./prefix-cache.ts";
import { costOf, PRACTICE_PRICES, type PriceTable, type Usage } from "./price-table.ts";

/** Names in lower case. The key is an `authorization` bearer or `x-api-key`. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** Before it is serialised, so that faults can change members of the body. */
export interface GatewayReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Times and budgets count on `clock`, which may run faster than the machine's. */
export interface GatewaySettings {
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly keys: readonly GatewayKey[];
  /** Default `PRACTICE_PRICES`. */
  readonly prices?: PriceTable;
  /** Milliseconds after midnight UTC at which spend restarts; default 0 (the live one: 16 h). */
  readonly budgetResetMs?: number;
  /** The usual range of answer times; default 300 to 1500 ms. */
  readonly latency?: { readonly minMs: number; readonly maxMs: number };
  /** Called with every completion that is charged. */
  readonly onCharge?: (charge: Omit<Charge, "seq">) => void;
  /** True for the model that obeys any text. */
  readonly obedient?: boolean;
}

/** Clients reach the first two; the others are for reports, tests and faults. */
export interface GatewayService {
  /** POST /v1/chat/completions. Header names in lower case. Resolves after the latency, on the gateway's clock. */
  chatCompletions(headers: Headers, body: unknown): Promise<GatewayReply>;
  /** GET /key/info. */
  keyInfo(headers: Headers): GatewayReply;
  /** Total charges over all keys and periods, USD. */
  trueSpendUsd(): Decimal;
  /** Charges to one key in the current period, USD; null for an unknown key. */
  trueKeySpendUsd(key: string): Decimal | null;
  /** Number of charged completions. */
  completions(): number;
  /** Switches for misbehaviour. */
  readonly behaviour: BehaviourBoard;
}

interface Inside {
  readonly settings: GatewaySettings;
  readonly prices: PriceTable;
  readonly accounts: ReadonlyMap<string, KeyAccount>;
  readonly cache: PrefixCache;
  readonly behaviour: BehaviourBoard;
  /** Spend over time, for a report that lags: newest last. */
  readonly marks: { readonly atMs: number; readonly key: string; readonly spentUsd: Decimal }[];
  completions: number;
}

/** Opens an account for each key; keys cannot be added later. */
export function createModelGateway(settings: GatewaySettings): GatewayService {
  const inside: Inside = {
    settings,
    prices: settings.prices ?? PRACTICE_PRICES,
    accounts: new Map(settings.keys.map((key) => [key.key, openAccount(key)])),
    cache: createPrefixCache(),
    behaviour: overridable(GOOD_BEHAVIOUR),
    marks: [],
    completions: 0,
  };
  return {
    chatCompletions: (headers, body) => complete(inside, headers, body),
    keyInfo: (headers) => reportKey(inside, headers),
    trueSpendUsd: () => sumDecimals([...inside.accounts.values()].map((account) => account.totalUsd)),
    trueKeySpendUsd: (key) => {
      const account = inside.accounts.get(key);
      if (!account) return null;
      rollPeriod(account, settings.clock.nowMs(), settings.budgetResetMs ?? 0);
      return account.spentUsd;
    },
    completions: () => inside.completions,
    behaviour: inside.behaviour,
  };
}

const LIVE_LATENCY = { minMs: 300, maxMs: 1_500 };
const MARKS_KEPT = 2_000;

const refuse = (status: number, type: string, message: string, param: string | null = null): GatewayReply => ({
  status,
  headers: { "content-type": "application/json" },
  body: { error: { message, type, param, code: String(status) } },
});

function keyIn(headers: Headers): string {
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers["authorization"] ?? "")?.[1];
  return bearer ?? headers["x-api-key"] ?? "";
}

type Entry = { readonly account: KeyAccount } | { readonly refusal: GatewayReply };

/** The caller's account, or the refusal for a wrong, disabled or expired key. */
function enter(inside: Inside, headers: Headers): Entry {
  const nowMs = inside.settings.clock.nowMs();
  const account = inside.accounts.get(keyIn(headers));
  const behaviour = inside.behaviour.now();
  if (!account)
    return { refusal: refuse(401, "auth_error", "Authentication Error, Invalid proxy server token passed") };
  const { expiresAtMs } = account.key;
  if (behaviour.expireKey || (expiresAtMs !== null && nowMs >= expiresAtMs)) {
    const at = isoTime(expiresAtMs ?? nowMs);
    return { refusal: refuse(401, "expired_key", `Authentication Error - Expired Key. Key Expiry time ${at}`) };
  }
  rollPeriod(account, nowMs, inside.settings.budgetResetMs ?? 0);
  return { account };
}

function refusalBefore(inside: Inside, account: KeyAccount, request: ChatRequest): GatewayReply | null {
  const behaviour = inside.behaviour.now();
  if (!Object.hasOwn(inside.prices, request.model)) {
    const known = Object.keys(inside.prices).join(", ");
    return refuse(
      401,
      "key_model_access_denied",
      `key not allowed to access model ${request.model}; allowed: ${known}`,
    );
  }
  if (behaviour.rateLimit || !admit(account, inside.settings.clock.nowMs())) {
    const limited = refuse(429, "rate_limit_error", "Rate limit exceeded: too many requests per minute for this key");
    return { ...limited, headers: { ...limited.headers, "retry-after": "20" } };
  }
  const budget = account.key.maxBudgetUsd;
  if (!behaviour.overBudget && (budget === null || account.spentUsd.lt(budget))) return null;
  const cost = `Current cost: ${account.spentUsd.toFixed()}, Max budget: ${budget?.toFixed() ?? "0"}`;
  return refuse(429, "budget_exceeded", `Budget has been exceeded! ${cost}`);
}

async function complete(inside: Inside, headers: Headers, body: unknown): Promise<GatewayReply> {
  const entry = enter(inside, headers);
  if ("refusal" in entry) return entry.refusal;
  const read = readChatRequest(body);
  if (!read.ok) return refuse(400, "invalid_request_error", read.error.message, read.error.param);
  const refusal = refusalBefore(inside, entry.account, read.value);
  if (refusal) return refusal;
  const { clock, entropy } = inside.settings;
  const behaviour = inside.behaviour.now();
  const { minMs, maxMs } = inside.settings.latency ?? LIVE_LATENCY;
  const startedMs = clock.nowMs();
  // The square favours short times, as real answer times do.
  await clock.sleep(minMs + (maxMs - minMs) * entropy.next("gateway:latency") ** 2 + behaviour.extraLatencyMs);
  if (behaviour.failStatus !== null) {
    return refuse(behaviour.failStatus, "upstream_error", "The model behind the gateway did not answer");
  }
  const requestId = headers["x-client-request-id"] ?? "";
  return finish(inside, entry.account, read.value, { startedMs, requestId });
}

function finish(
  inside: Inside,
  account: KeyAccount,
  request: ChatRequest,
  { startedMs, requestId }: { readonly startedMs: number; readonly requestId: string },
): GatewayReply {
  const { clock, entropy, settings } = { ...inside.settings, settings: inside.settings };
  const behaviour = inside.behaviour.now();
  const text = promptText(request);
  const written = write(request, behaviour, settings.obedient ?? false);
  const usage: Usage = {
    promptTokens: estimateTokens(text) + 4 * request.messages.length,
    cachedTokens: inside.cache.read(`${account.key.key}|${request.model}`, text, clock.nowMs()),
    completionTokens: written.tokens,
  };
  const price = inside.prices[request.model];
  const costUsd = price ? costOf(price, usage) : sumDecimals([]);
  rollPeriod(account, clock.nowMs(), settings.budgetResetMs ?? 0);
  charge(account, costUsd);
  inside.completions++;
  const { promptTokens, completionTokens } = usage;
  const reported = { startedMs, atMs: clock.nowMs(), model: request.model, requestId, costUsd: toWire(costUsd) };
  settings.onCharge?.({ ...reported, accountId: account.key.accountId, promptTokens, completionTokens });
  inside.marks.push({ atMs: clock.nowMs(), key: account.key.key, spentUsd: account.spentUsd });
  if (inside.marks.length > MARKS_KEPT) inside.marks.splice(0, MARKS_KEPT / 2);
  const id = `chatcmpl-${entropy.int("gateway:id", 0, 2 ** 32).toString(36)}${String(inside.completions)}`;
  const costHeaders = behaviour.hideCost
    ? {}
    : { "x-proxy-response-cost": toWire(costUsd), "x-proxy-key-spend": toWire(account.spentUsd) };
  const budget = account.key.maxBudgetUsd;
  return {
    status: 200,
    headers: {
      "content-type": "application/json",
      "x-proxy-call-id": id,
      "x-proxy-model-id": request.model,
      ...costHeaders,
      ...(budget && !behaviour.hideCost ? { "x-proxy-key-max-budget": toWire(budget) } : {}),
    },
    body: completionBody({ id, createdMs: startedMs, model: request.model, written, usage }),
  };
}

function reportKey(inside: Inside, headers: Headers): GatewayReply {
  const entry = enter(inside, headers);
  if ("refusal" in entry) return entry.refusal;
  const { account } = entry;
  const lagMs = inside.behaviour.now().staleSpendMs;
  const seenUntilMs = inside.settings.clock.nowMs() - lagMs;
  const spent = lagMs === 0 ? account.spentUsd : staleSpend(inside, account, seenUntilMs);
  return {
    status: 200,
    headers: { "content-type": "application/json" },
    body: describeKey(account, spent, Object.keys(inside.prices)),
  };
}

/** The spend that the report would have shown earlier in this period. */
function staleSpend(inside: Inside, account: KeyAccount, untilMs: number): Decimal {
  const seen = inside.marks.filter((mark) => mark.key === account.key.key && mark.atMs <= untilMs);
  const last = seen.filter((mark) => mark.atMs >= account.periodStartMs).at(-1);
  return last?.spentUsd ?? sumDecimals([]);
}
