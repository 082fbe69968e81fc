/**
 * Recognises from the answers why the venue does not serve us: a refused key, a refused clock, an unreachable
 * address. An answer to the same call ends the trouble.
 */
import type { Outcome } from "../core/outcome.ts";
import type { VenueTrouble, VenueTroubleKind } from "../domain/venue.ts";
import { stepTowards } from "../net/certificates.ts";

export interface VenueTroubles {
  /** Records the outcome of one exchange. */
  note(path: string, outcome: Outcome<unknown>): void;
  /** The current trouble; null while the last exchanges were answered. */
  now(): VenueTrouble | null;
}

/** Refusals by path, because a permission may be missing for one call only. */
interface Refusal {
  readonly reason: "unauthorized" | "clock";
  readonly code: string;
  readonly message: string;
  readonly sinceMs: number;
}

/** A single lost exchange is retried and is not a trouble yet. */
const LOST_MIN = 2;

/** A proxy in front of the venue refuses keys by the status alone. */
const BARE_REFUSALS: ReadonlySet<string> = new Set(["http-401", "http-403"]);

/** `baseUrl` appears in the sentences. */
export function createVenueTroubles(baseUrl: string, nowMs: () => number): VenueTroubles {
  const refusals = new Map<string, Refusal>();
  let lost: { readonly kind: VenueTroubleKind; message: string; count: number; readonly sinceMs: number } | null = null;
  let answeredMs = -Infinity;
  const noteLost = (kind: VenueTroubleKind, message: string): void => {
    lost = { kind, message, count: (lost?.count ?? 0) + 1, sinceMs: lost?.sinceMs ?? nowMs() };
  };
  return {
    note: (path, outcome) => {
      switch (outcome.kind) {
        case "rate-limited":
          return;
        case "not-sent":
          return noteLost("unreachable", outcome.message);
        case "unknown":
          return noteLost(outcome.message.startsWith("HTTP ") ? "server" : "unreachable", outcome.message);
        case "rejected": {
          const { code, message } = outcome;
          const reason = BARE_REFUSALS.has(code) ? "unauthorized" : outcome.reason;
          // A status without a body in the venue's form: another service answers at this address.
          if ((reason === "other" || reason === "not-served") && code.startsWith("http-"))
            return noteLost("server", `${code}: ${message}`);
          lost = null;
          if (reason !== "unauthorized" && reason !== "clock") refusals.delete(path);
          else refusals.set(path, { reason, code, message, sinceMs: refusals.get(path)?.sinceMs ?? nowMs() });
          return;
        }
        case "done":
          lost = null;
          answeredMs = nowMs();
          refusals.delete(path);
          // Every call is signed with the same time: an accepted one proves that the time is right now.
          for (const [refused, { reason }] of refusals) if (reason === "clock") refusals.delete(refused);
      }
    },
    now: () => {
      // Any answer ends earlier losses, so the losses counted now are newer than every refusal.
      if (lost && lost.count >= LOST_MIN) return lostTrouble(baseUrl, lost);
      const [refused] = [...refusals].sort(([, a], [, b]) => a.sinceMs - b.sinceMs);
      return refused ? refusedTrouble(refused, answeredMs) : null;
    },
  };
}

const NEXT_BY_CODE: Readonly<Record<string, string>> = {
  "2000": "check SVC_SECRET_KEY: the signature is made with it",
  "2001": "put the address of this machine on the key's allow-list",
  "2003": "give the key the permission to read and to trade",
  "100041": "have the key unfrozen, or use another one",
};

function refusedTrouble(
  [path, { reason, code, message, sinceMs }]: [string, Refusal],
  answeredMs: number,
): VenueTrouble {
  const said = `(${code}: ${message})`;
  // If other calls are answered, only this one is not permitted.
  const where = answeredMs > sinceMs ? ` for ${path}` : "";
  if (reason === "clock") {
    return {
      kind: "clock",
      sentence: `the venue refuses the time of our requests ${said}`,
      next: "set this machine's clock (timedatectl set-ntp true)",
      sinceMs,
      lasting: true,
    };
  }
  const kind = code === "2001" || code === "1007" ? "address" : "key";
  const what = kind === "address" ? "the address of this machine" : "the key";
  const next = NEXT_BY_CODE[code] ?? "check SVC_ACCESS_KEY and SVC_SECRET_KEY, and that the key is for this venue";
  return { kind, sentence: `the venue refuses ${what}${where} ${said}`, next, sinceMs, lasting: true };
}

function lostTrouble(
  baseUrl: string,
  { kind, message, sinceMs }: { readonly kind: VenueTroubleKind; readonly message: string; readonly sinceMs: number },
): VenueTrouble {
  const reached = kind === "server";
  return {
    kind,
    sentence: reached
      ? `the venue at ${baseUrl} fails (${message})`
      : `the venue at ${baseUrl} cannot be reached (${message})`,
    next: reached
      ? "wait for the retries; if they fail too, check SVC_API_HOST"
      : stepTowards("SVC_API_HOST", message, "check SVC_API_HOST and the network"),
    sinceMs,
    lasting: false,
  };
}
