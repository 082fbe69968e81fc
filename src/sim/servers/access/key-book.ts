/**
 * The API keys of the service with their secrets, permissions and allow-lists; not the model gateway's keys. It knows
 * no balances; an account is only an id here. Spec: 1 §5.4; records §16.
 */
import type { Permission } from "../../../protocol/endpoint.ts";

/** A key of the trading and feed surfaces. Control calls and faults change `status` and `kyc` in place. */
export interface ApiKey {
  readonly accountId: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly permissions: readonly Permission[];
  /** A main key sees the broker endpoints; a portfolio key gets 2002 there. */
  readonly kind: "portfolio" | "main";
  /** Source addresses that may use the key; empty means all. */
  readonly allowList: readonly string[];
  status: "active" | "disabled" | "frozen";
  /** Identity level of the account's owner; default verified. The feed requires `KYC_LEVEL_FEED`. */
  kyc?: number;
}

/** The level that news queries require; code 1010 below it. The documents give the code and no level: a guess. */
export const KYC_LEVEL_FEED = 1;

/** By access key. `add` throws a RangeError if it exists. */
export class KeyBook {
  readonly #keys = new Map<string, ApiKey>();

  add(key: ApiKey): void {
    if (this.#keys.has(key.accessKey)) throw new RangeError(`access key ${key.accessKey} is given twice`);
    this.#keys.set(key.accessKey, key);
  }
  find(accessKey: string): ApiKey | undefined {
    return this.#keys.get(accessKey);
  }
  all(): readonly ApiKey[] {
    return [...this.#keys.values()];
  }
  ofAccount(accountId: string): readonly ApiKey[] {
    return this.all().filter((key) => key.accountId === accountId);
  }
}

/** Every endpoint and stream action requires a permission; 2003 without it. */
export const mayUse = (key: ApiKey, permission: Permission): boolean => key.permissions.includes(permission);

/** `address` is the client's, from `clientAddress`. */
export const addressAllowed = (key: ApiKey, address: string): boolean =>
  key.allowList.length === 0 || key.allowList.includes(address);
