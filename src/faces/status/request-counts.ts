/** Counts requests to the status endpoint and their answers by kind: the evidence of `ballast verify` for I33. */

/** Requests that differ only in their path. */
export interface Visit {
  readonly method: string;
  readonly host: string;
  readonly origin: string;
  /** The caller is on this machine. */
  readonly loopback: boolean;
  /** Whether the caller sent the token that other machines need. */
  readonly token: boolean;
  readonly status: number;
  readonly contentType: string;
  /** Hash of the text of a page; absent for everything else. */
  readonly page?: string;
  readonly count: number;
  /** Longest body of a refusal to this kind of caller; 0 if it was served. */
  readonly refusalChars: number;
}

/** Calls that are equal in these fields are counted together. */
export type VisitKind = Omit<Visit, "count" | "refusalChars">;

/** `note` takes the length of a refusal's body, or 0. */
export interface StatusRequests {
  note(kind: VisitKind, refusalChars: number): void;
  reported(): readonly Visit[];
}

/** Bounds memory against callers that invent names: further kinds share one name. */
const KINDS_CAP = 50;
const TEXT_MAX = 100;

const short = (text: string): string => text.slice(0, TEXT_MAX);

/** The first 50 kinds keep their host; later ones share one. Texts are cut at 100 characters. */
export function countStatusRequests(): StatusRequests {
  const known = new Map<string, Visit>();
  return {
    note: (kind, refusalChars) => {
      const exact = { ...kind, method: short(kind.method), host: short(kind.host), origin: short(kind.origin) };
      const exactKey = JSON.stringify(exact);
      const listed = known.has(exactKey) || known.size < KINDS_CAP;
      // The shared name must still show whether the callers were foreign.
      const name = kind.status === 403 ? "many" : "localhost";
      const entry = listed ? exact : { ...exact, host: name, origin: exact.origin === "" ? "" : name };
      const key = listed ? exactKey : JSON.stringify(entry);
      const before = known.get(key);
      known.set(key, {
        ...entry,
        count: (before?.count ?? 0) + 1,
        refusalChars: Math.max(before?.refusalChars ?? 0, refusalChars),
      });
    },
    reported: () => [...known.values()],
  };
}
