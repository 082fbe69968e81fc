/** Figures and instants as text. Everything is UTC, as the competition counts. */

import { trueMinus } from "../../core/words.ts";

const MISSING = "-";

export const percent = (fraction: number | null, digits = 2): string =>
  fraction === null ? MISSING : `${signed((fraction * 100).toFixed(digits))} %`;

/** Without a sign, for shares of a whole. */
export const share = (fraction: number | null, digits = 0): string =>
  fraction === null ? MISSING : `${trueMinus((fraction * 100).toFixed(digits))} %`;

export const usdt = (amount: number | null, digits = 2): string =>
  amount === null ? MISSING : trueMinus(amount.toFixed(digits));

export const signedUsdt = (amount: number | null): string => (amount === null ? MISSING : signed(amount.toFixed(2)));

export const plain = (value: number | null, digits = 2): string =>
  value === null ? MISSING : trueMinus(value.toFixed(digits));

/** Prices as the venue writes them: no trailing zeros. */
export const price = (value: number | null): string =>
  value === null ? MISSING : trueMinus(String(Number(value.toPrecision(8))));

const signed = (text: string): string => trueMinus(Number(text) > 0 ? `+${text}` : text);

/** The colour of a result as it is shown: what is written as zero has none. */
export function toneOf(value: number | null, digits = 2): "" | "gain" | "loss" {
  const shown = Number((value ?? 0).toFixed(digits));
  return shown === 0 ? "" : shown > 0 ? "gain" : "loss";
}

export const iso = (atMs: number): string => new Date(atMs).toISOString();
export const dayTime = (atMs: number): string => iso(atMs).slice(5, 16).replace("T", " ");
export const timeOfDay = (atMs: number): string => iso(atMs).slice(11, 19);
export const day = (atMs: number): string => iso(atMs).slice(0, 10);

/** `45 s`, `12 min`, `3.5 h`, `2.1 d`. */
export function span(ms: number | null): string {
  if (ms === null) return MISSING;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 100) return `${seconds} s`;
  if (seconds < 6_000) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${(seconds / 3_600).toFixed(1)} h`;
  return `${(seconds / 86_400).toFixed(1)} d`;
}

export const wholeMinutes = (ms: number): string => `${Math.floor(ms / 60_000)} min`;

/** A text of the agent as the page writes it: coins in place of the venue's long symbols, and true minus signs. */
export const prose = (text: string): string => trueMinus(text.replace(/\b[A-Z_]+_PERP_([A-Z0-9]+)_[A-Z]+\b/g, "$1"));

/** EXCHANGE_A_PERP_BTC_USDT is the coin BTC. */
export const coin = (symbol: string): string => /_PERP_(.+)_[A-Z]+$/.exec(symbol)?.[1] ?? symbol;
