/**
 * The account's position mode, which decides whether an order names a position side. It is cached briefly, because the
 * service allows one account call in three seconds and the mode cannot change under open orders. Spec: 3 §4.4 rule 1.
 */
import { z } from "zod";
import { err, ok, type Result } from "../../../core/result.ts";
import type { PositionMode } from "../../../domain/position.ts";
import { parseSymbol } from "../../../domain/symbol.ts";
import { cachedBody } from "../../contract/stored-body.ts";
import { blocked, failure, type Failure, readFailure } from "../../contract/statuses.ts";
import type { Call } from "../../contract/capability.ts";
import type { Client, Service } from "../../contract/client.ts";

const REMEMBERED_MS = 60_000;
/** The service allows one account call in three seconds. */
const WAIT_MS = 800;
const ATTEMPTS = 6;

const idOf = (client: Client, service: Service): string =>
  `${service.baseUrl}|${client.credentials.accessKeyHash ?? ""}`;

/** Empty if the symbol cannot be parsed. */
export const exchangeOf = (symbol: string): string => {
  const parts = parseSymbol(symbol);
  return parts.ok ? parts.value.exchange : "";
};

const storedModes = z.record(z.string(), z.enum(["NET", "BOTH"]).nullable()).readonly();
type Modes = z.output<typeof storedModes>;

function modeIn(modes: Modes, exchange: string): Result<PositionMode, Failure> {
  const mode = modes[exchange] ?? null;
  if (mode !== null) return ok(mode);
  return err(failure("NOT_VERIFIED", "23001", `the account does not state the position mode of ${exchange}`));
}

/** The cached modes, if they are young enough. */
function rememberedModes(call: Call, service: Service, ageMaxMs: number): Modes | null {
  const { client } = call;
  const cache = { kind: "mode", id: idOf(client, service), nowMs: client.env.clock.nowMs(), ageMaxMs };
  return cachedBody(client.documents, cache, storedModes)?.body ?? null;
}

/**
 * BOTH is hedge mode. There is no default, because the mode decides which side an order opens (records §4.3). If many
 * commands ask at once, one gets an answer and the others wait for it in the cache.
 */
export async function positionModeOf(
  call: Call,
  service: Service,
  exchange: string,
): Promise<Result<PositionMode, Failure>> {
  const { client, signal } = call;
  const { clock } = client.env;
  for (let attempt = 1; ; attempt++) {
    const known = rememberedModes(call, service, REMEMBERED_MS);
    if (known) return modeIn(known, exchange);
    const account = await service.venue.account();
    if (account.kind === "done") {
      call.seen.real = true;
      const body = Object.fromEntries(account.value.map((part) => [part.exchange, part.positionMode]));
      client.documents.put("mode", { id: idOf(client, service), body, atMs: clock.nowMs() });
      continue;
    }
    if (account.kind !== "rate-limited" || attempt >= ATTEMPTS) return err(readFailure(account));
    await clock.sleep(WAIT_MS, signal);
  }
}

/** Drops the cached mode after a change. */
export const forgetMode = (client: Client, service: Service): void =>
  void client.documents.remove("mode", idOf(client, service));

/** Why the position side does not fit the mode; null if it does. */
export function positionProblem(mode: PositionMode, positionSide: string | null): Failure | null {
  if (mode === "BOTH" && positionSide === null) {
    return blocked(
      "00001",
      "POSITION_SIDE_REQUIRED: the account is in hedge mode, so positionSide LONG or SHORT is needed",
    );
  }
  if (mode === "NET" && positionSide !== null) {
    return blocked(
      "00001",
      "POSITION_SIDE_NOT_ALLOWED: the account is in one-way mode, so positionSide must be omitted",
    );
  }
  return null;
}
