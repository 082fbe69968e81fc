/** The service under test: the simulated one, on a clock that runs faster, with an account for each card. */
import { type Clock, type Stop, systemClock } from "../../src/core/clock.ts";
import { dec } from "../../src/core/decimal.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { timedIds } from "../../src/core/ids.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { silentLog } from "../../src/core/log.ts";
import type { NetEnv } from "../../src/net/network.ts";
import type { Phase } from "../../src/domain/competition.ts";
import type { HostedOptions, SimOptions, SimReady } from "../../src/sim/options.ts";
import type { AccountSetup } from "../../src/sim/servers/service/accounts.ts";
import { startInProcess, startSimService } from "../../src/sim/service.ts";
import type { Key } from "./rest-client.ts";
import { realSockets, type Transport, withinProcess } from "./transport.ts";

/** Milliseconds of the service for each real one: 60 s of silence are proven in 6 s. */
const SCALE = 10;
/** Far from a funding. */
const START_MS = Date.UTC(2026, 0, 5, 9, 30);

/** Real milliseconds between two steps of the clock, and the most that one step may count. */
const STEP_MS = 5;
const STEP_MAX_MS = 15;

/**
 * A clock that runs `SCALE` times as fast as the machine's, but stands still while the machine is busy elsewhere: a
 * loaded machine makes the proofs slower, never wrong.
 */
function patientClock(startMs: number): { readonly clock: Clock; readonly stop: Stop } {
  const real = systemClock();
  const inner = virtualClock(startMs);
  let lastMs = real.monotonicMs();
  const stop = real.every(STEP_MS, () => {
    const nowMs = real.monotonicMs();
    inner.advanceSync(Math.min(nowMs - lastMs, STEP_MAX_MS) * SCALE);
    lastMs = nowMs;
  });
  return { clock: { ...inner, scale: SCALE }, stop };
}

/** Milliseconds between two looks at whether the cards are done. */
const EAGER_STEP_MS = 200;

const untilIdle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A clock that is always late: whenever nothing is left to do it moves on, as fast as the machine can. */
function eagerClock(startMs: number): { readonly clock: Clock; readonly stop: Stop } {
  const inner = virtualClock(startMs, untilIdle);
  let going = true;
  void (async () => {
    while (going) await inner.advance(EAGER_STEP_MS);
  })();
  return { clock: inner, stop: () => (going = false) };
}

export interface Account extends Key {
  readonly id: string;
}

export type KeyKind = "portfolio" | "main" | "read-only" | "disabled" | "frozen" | "walled";

export interface Service {
  readonly ready: SimReady;
  readonly transport: Transport;
  /** For cards about the client layer, whose programs reach the service as the cards' own bytes do. */
  readonly env: NetEnv;
  readonly clock: Clock;
  /** A fresh account; each card gets its own, so that no card meets another's rate limits. */
  account(): Account;
  /** A further key of an account of its own. */
  key(kind: KeyKind): Account;
  stop(): Promise<void>;
}

/** Each asking gets another one, so that no card meets another's rate limits. */
const OF_EACH_KIND = 24;
const SPECIAL: readonly KeyKind[] = ["main", "read-only", "disabled", "frozen", "walled"];

function setupOf(serial: number, kind: KeyKind): AccountSetup {
  const id = `21880000${String(10_000_000 + serial)}`;
  return {
    id,
    team: `team-${serial}`,
    initialUsdt: dec("1000"),
    mode: "BOTH",
    aiKey: `ai-key-${id}`,
    keys: [
      {
        accessKey: `access-${id}`,
        secretKey: `secret-${id}-${kind}`,
        permissions: kind === "read-only" ? ["read"] : ["read", "trade"],
        // An address of the documentation range: no card comes from there.
        allowList: kind === "walled" ? ["192.0.2.1"] : [],
        kind: kind === "main" ? "main" : "portfolio",
        status: kind === "disabled" || kind === "frozen" ? kind : "active",
      },
    ],
  };
}

const accountOf = (setup: AccountSetup): Account => {
  const key = setup.keys[0];
  if (!key) throw new RangeError(`account ${setup.id} has no key`);
  return { id: setup.id, accessKey: key.accessKey, secretKey: key.secretKey };
};

export interface ServiceAsked {
  readonly phase: Phase;
  /** How many accounts the cards may use. */
  readonly accounts: number;
  readonly symbols?: readonly string[];
  readonly settings?: SimOptions["settings"];
  /** Without ports: the cards call it in this process. */
  readonly inProcess?: boolean;
  /** Epoch ms at which the service begins. */
  readonly startMs?: number;
}

export async function startService(asked: ServiceAsked): Promise<Service> {
  const { clock, stop } = (asked.inProcess ? eagerClock : patientClock)(asked.startMs ?? START_MS);
  const entropy = seededEntropy("contract");
  const env = { clock, entropy, ids: timedIds(() => clock.nowMs(), entropy.fork("ids")) };
  const plain = Array.from({ length: asked.accounts }, (_unused, serial) => setupOf(serial, "portfolio"));
  const special = SPECIAL.flatMap((kind, row) =>
    Array.from({ length: OF_EACH_KIND }, (_unused, place) => ({
      kind,
      setup: setupOf(900_000 + row * 100 + place, kind),
    })),
  );
  const options: HostedOptions = {
    env,
    log: silentLog,
    exchanges: ["EXCHANGE_A", "EXCHANGE_B"],
    phase: asked.phase,
    seed: 7,
    accounts: [...plain, ...special.map(({ setup }) => setup)],
    ...(asked.symbols ? { symbols: asked.symbols } : {}),
    ...(asked.settings ? { settings: asked.settings } : {}),
    modelLatencyMs: 0,
  };
  const local = asked.inProcess ? startInProcess(options) : null;
  const service = local ?? (await startSimService({ ...options, host: "127.0.0.1", port: 0, controlPort: 0 }));
  const free = plain.map(accountOf);
  return {
    ready: service.ready,
    transport: local ? withinProcess(local.network) : realSockets,
    env: local ? { ...env, network: local.network } : env,
    clock,
    account: () => {
      const next = free.shift();
      if (!next) throw new RangeError("no account is left: ask for more when starting the service");
      return next;
    },
    key: (kind) => {
      const place = special.findIndex((candidate) => candidate.kind === kind);
      const [found] = place < 0 ? [] : special.splice(place, 1);
      if (!found) throw new RangeError(`no key of kind ${kind} is left`);
      return accountOf(found.setup);
    },
    stop: async () => {
      await service.stop();
      stop();
    },
  };
}
