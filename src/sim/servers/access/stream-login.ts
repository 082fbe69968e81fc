/**
 * Checks the signed login of a WebSocket. The two streams report failures by different codes, so the reason is returned
 * as a word. Spec: 1 §5.3, §7.2, §7.3; records §10.2, §11.1.
 */
import { isRecord } from "../../../core/record.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { sameSignature, signSocketLogin } from "../../../net/sign.ts";
import { CLOCK_SKEW_MS } from "../../../protocol/limits.ts";
import { addressAllowed, mayUse, type ApiKey, type KeyBook } from "./key-book.ts";

/** The first error. */
export type LoginFailure =
  | "shape"
  | "digits"
  | "key"
  | "disabled"
  | "frozen"
  | "address"
  | "skew"
  | "signature"
  | "permission";

/** `nowMs` is the service's visible time; `digits` are the accepted timestamp lengths. */
export interface LoginRules {
  readonly keys: KeyBook;
  readonly address: string;
  readonly nowMs: number;
  isFrozen(accountId: string): boolean;
  /** 10 digits are seconds, 13 are milliseconds. */
  readonly digits: readonly (10 | 13)[];
}

/** The key that logs in. `args` is untrusted; both streams require the read permission. */
export function checkLogin(args: unknown, rules: LoginRules): Result<ApiKey, LoginFailure> {
  if (!isRecord(args)) return err("shape");
  const { apiKey, sign } = args;
  const timestamp = typeof args.timestamp === "number" ? String(args.timestamp) : args.timestamp;
  if (typeof apiKey !== "string" || typeof sign !== "string" || typeof timestamp !== "string") return err("shape");
  if (!/^\d+$/.test(timestamp) || !rules.digits.some((count) => count === timestamp.length)) return err("digits");
  const key = rules.keys.find(apiKey);
  if (!key) return err("key");
  if (key.status === "disabled") return err("disabled");
  if (key.status === "frozen" || rules.isFrozen(key.accountId)) return err("frozen");
  if (!addressAllowed(key, rules.address)) return err("address");
  const saidMs = Number(timestamp) * (timestamp.length === 10 ? 1_000 : 1);
  if (Math.abs(saidMs - rules.nowMs) > CLOCK_SKEW_MS.login) return err("skew");
  if (!sameSignature(sign, signSocketLogin(key.secretKey, timestamp))) return err("signature");
  return mayUse(key, "read") ? ok(key) : err("permission");
}
