/**
 * The accounts of the service: read from an accounts file, or one generated from the seed. Spec: 1 §5.4, 3 §8; records
 * §15, §16.
 */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { dec } from "../../../core/decimal.ts";
import { type Entropy, seededEntropy } from "../../../core/entropy.ts";
import { issuesText } from "../../../core/issues.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { INITIAL_CAPITAL_USDT } from "../../../domain/competition.ts";

const keyText = z.string().regex(/^[\w.-]{8,128}$/, "8 to 128 letters, digits, dots, dashes or underscores");

const keySchema = z.strictObject({
  accessKey: keyText,
  secretKey: keyText,
  permissions: z.array(z.enum(["read", "trade"])).default(["read", "trade"]),
  /** Source addresses that may use the key; empty means all. */
  allowList: z.array(z.string().min(1)).default([]),
  kind: z.enum(["portfolio", "main"]).default("portfolio"),
  status: z.enum(["active", "disabled", "frozen"]).default("active"),
});

const amount = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,8})?$/, "a plain decimal as text")
  .transform((text) => dec(text));

/** 0 is unverified; the news queries require at least `KYC_LEVEL_FEED`. */
export const kycLevel = z.number().int().min(0).max(3);

/** One entry of an accounts file; `POST /control/accounts` accepts the same, all optional and without a model key. */
export const accountSchema = z.strictObject({
  /** Portfolio id. */
  id: z.string().regex(/^\d{16}$/, "16 digits"),
  team: z.string().max(60).default("practice"),
  /** Credited on the first exchange of the service. */
  initialUsdt: amount.default(dec(INITIAL_CAPITAL_USDT)),
  /** Position mode: BOTH is hedge, NET one-way. */
  mode: z.enum(["BOTH", "NET"]).default("BOTH"),
  /** Identity level of the owner; 0 is unverified and gets 1010 from the news queries. Default verified. */
  kyc: kycLevel.optional(),
  keys: z.array(keySchema).min(1),
  aiKey: keyText.optional(),
});
/** A parsed account with its defaults; `initialUsdt` is a decimal. */
export type AccountSetup = z.output<typeof accountSchema>;

/** YAML or JSON with one member `accounts`; unknown members are errors. */
export const accountsFileSchema = z.strictObject({ accounts: z.array(accountSchema).min(1).max(1_000) });

/** Reads a YAML or JSON accounts file. The error names the file and each field that is wrong. */
export function readAccountsFile(path: string): Result<readonly AccountSetup[], string> {
  let value: unknown;
  try {
    value = parse(readFileSync(path, "utf8"));
  } catch (error) {
    return err(`accounts file ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = accountsFileSchema.safeParse(value);
  return parsed.success
    ? ok(parsed.data.accounts)
    : err(`accounts file ${path}: ${issuesText(parsed.error.issues, value)}`);
}

const letters = (entropy: Entropy, alphabet: string, count: number): string =>
  Array.from({ length: count }, () => alphabet[entropy.int("key character", 0, alphabet.length)]).join("");

/** The one account of a service without an accounts file: the same keys for the same seed. */
export function accountOfSeed(seed: number | string, serial = 1): AccountSetup {
  const entropy = seededEntropy(`account:${seed}:${serial}`);
  const base62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  return accountSchema.parse({
    id: `2188${letters(entropy, "0123456789", 12)}`,
    team: `practice-${serial}`,
    keys: [{ accessKey: letters(entropy, base62, 32), secretKey: letters(entropy, base62, 48) }],
    aiKey: `sk-sim-${letters(entropy, base62, 24)}`,
  });
}
