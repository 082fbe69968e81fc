/** What a service keeps on disk while it runs, and that a disk which refuses it ends nothing. */
import { toFloat } from "../core/decimal.ts";
import type { Env } from "../core/ids.ts";
import { parseSymbol } from "../domain/symbol.ts";
import type { Exchange } from "./exchange/contract/api.ts";
import type { HostedOptions } from "./options.ts";
import { type LineFile, openLineFile } from "./wire/line-file.ts";

/** A venue that cannot keep its records trades on: practice must not end where the real service would not. */
const unsaved =
  (log: HostedOptions["log"], what: string) =>
  (reason: string): void =>
    log.event("warn", "sim.unsaved", `${what} cannot be written (${reason}); it is tried again`);

/** Null where none is named. */
export const lineFile = (file: string | undefined, log: HostedOptions["log"]): LineFile | null =>
  file === undefined ? null : openLineFile(file, unsaved(log, file));

const PRICES_EVERY_MS = 5_000;

/** Saves the price of each base, so that the next run continues from there. */
export function keepPrices({ kept, log }: HostedOptions, exchange: Exchange, clock: Env["clock"]): () => void {
  if (!kept) return () => undefined;
  let troubled = false;
  const look = (): void => {
    const prices = new Map<string, number>();
    for (const { rules } of exchange.symbols) {
      const parts = parseSymbol(rules.symbol);
      const price = exchange.lastPrice(rules.symbol);
      if (parts.ok && price !== null && !prices.has(parts.value.base)) prices.set(parts.value.base, toFloat(price));
    }
    try {
      kept.savePrices(prices);
      troubled = false;
    } catch (cause) {
      if (!troubled) unsaved(log, "the last prices")(cause instanceof Error ? cause.message : String(cause));
      troubled = true;
    }
  };
  const stop = clock.every(PRICES_EVERY_MS, look);
  return () => {
    stop();
    look();
  };
}
