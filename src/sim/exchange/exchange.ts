/**
 * The simulated venue as one synchronous object: the same symbols, settings and commands give the same bytes. It knows
 * neither sockets nor clocks; `servers/` exposes it and `market/` moves its prices. Spec: document 1; records §15.
 */
import * as operate from "./accounts/account-ops.ts";
import type * as api from "./contract/api.ts";
import { viewBook } from "./book/book.ts";
import { nextDueAtMs } from "./commands/clockwork.ts";
import { priceOf } from "./state/figures.ts";
import { dumpLedger } from "./state/ledger.ts";
import { marketInput } from "./commands/market-input.ts";
import { type ExchangeOptions, newWorld } from "./world.ts";
import { restoreAccounts } from "./persistence/restore.ts";
import { createSaver } from "./persistence/save.ts";
import type { Saved } from "./persistence/saved.ts";
import { scoreboard } from "./accounts/scoreboard.ts";
import type { World } from "./state/state.ts";
import { worldText } from "./persistence/world-text.ts";
import { during } from "./commands/command.ts";
import {
  accountCommands,
  algoCommands,
  orderCommands,
  positionCommands,
  referenceCommands,
} from "./commands/participant-commands.ts";
import { operatorCommands } from "./commands/operator-commands.ts";

export type { ExchangeOptions } from "./world.ts";

function subscribe<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Builds a venue with empty books and no accounts. */
export function createExchange(options: ExchangeOptions): api.Exchange {
  const world = newWorld(options);
  const exchange = exchangeOver(world);
  if (options.saved) restoreAccounts(world, options.saved);
  if (options.keep) world.commit = committer(world, options.keep);
  return exchange;
}

/** Most commands are reads and market moves, which change no account and need no save. */
function committer(world: World, keep: (saved: Saved) => void): (wrote: boolean) => void {
  const save = createSaver(world);
  let before = "";
  return (wrote) => {
    const { id, long, transaction } = world.counters;
    const now = `${id}:${long}:${transaction}:${world.ledger.rows.end}`;
    if (!wrote && now === before) return;
    before = now;
    keep(save());
  };
}

/** Creates a venue over a new world. */
export function exchangeOver(world: World): api.Exchange {
  operate.fundInsurance(world);
  let isOneInstant = false;
  return {
    ...orderCommands(world),
    ...accountCommands(world),
    ...positionCommands(world),
    ...referenceCommands(world),
    ...algoCommands(world),
    ...operatorCommands(world),
    market: marketInput(world, (nowMs, work) => (isOneInstant ? work() : during(world, nowMs, work))),
    together: (nowMs, work) =>
      during(world, nowMs, () => {
        isOneInstant = true;
        try {
          work();
        } finally {
          isOneInstant = false;
        }
      }),
    symbols: [...world.instruments.values()].map(({ spec }) => spec),
    advance: (nowMs) => during(world, nowMs, () => undefined),
    nextDueMs() {
      const atMs = nextDueAtMs(world);
      return atMs === Infinity ? null : atMs;
    },
    onUserPush: (hear, wants = () => true) => subscribe(world.userListeners, { hear, wants }),
    onPlanned: (listener) => subscribe(world.planListeners, listener),
    onPublic: (listener) => subscribe(world.publicListeners, listener),
    book(symbol, levels) {
      const instrument = world.instruments.get(symbol);
      return instrument === undefined ? { bids: [], asks: [] } : viewBook(instrument.book, levels);
    },
    lastPrice(symbol) {
      const instrument = world.instruments.get(symbol);
      return instrument?.lastTicks == null ? null : priceOf(instrument, instrument.lastTicks);
    },
    ledger: () => dumpLedger(world.ledger),
    scoreboard: (nowMs) => during(world, nowMs, () => scoreboard(world)),
    snapshot: () => worldText(world),
  };
}
