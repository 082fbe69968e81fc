/** Who knocked at the status endpoint and what they were answered, by kind: what `ballast verify` judges I33 by. */

/** Calls that were alike in all but their path. */
export interface Visit {
  readonly method: string;
  readonly host: string;
  readonly origin: string;
  /** The caller is on this machine. */
  readonly loopback: boolean;
  /** It showed the token that callers from elsewhere need. */
  readonly token: boolean;
  readonly status: number;
  readonly contentType: string;
  readonly count: number;
  /** Longest body that a caller of this kind was refused with; 0 where it was served. */
  readonly refusalChars: number;
}

/** Calls that are equal in all of this are counted together. */
export type VisitKind = Omit<Visit, "count" | "refusalChars">;

/** `note` takes the length of a refusal's body, 0 where the call was served. */
export interface StatusRequests {
  note(kind: VisitKind, refusalChars: number): void;
  reported(): readonly Visit[];
}

/** An outsider who makes up a new name for every call shall not fill our memory: names of further kinds are reported as one. */
const KINDS_CAP = 50;
const TEXT_MAX = 100;

const short = (text: string): string => text.slice(0, TEXT_MAX);

/** The first 50 kinds keep their host; of later ones the hosts are reported as one. Texts are cut at 100 characters. */
export function countStatusRequests(): StatusRequests {
  const known = new Map<string, Visit>();
  return {
    note: (kind, refusalChars) => {
      const exact = { ...kind, method: short(kind.method), host: short(kind.host), origin: short(kind.origin) };
      const exactKey = JSON.stringify(exact);
      const listed = known.has(exactKey) || known.size < KINDS_CAP;
      // The one name still says which they were: the verifier must see outsiders as such, and nobody else.
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
