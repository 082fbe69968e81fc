/** Judges a run that has ended: the verifier, and independent checks. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { Decimal } from "../../src/core/decimal.ts";
import { openSqliteReader } from "../../src/journal/sqlite.ts";
import { tailMarkPath } from "../../src/journal/tail-mark.ts";
import { journalPath } from "../../src/ops/run-file.ts";
import type { RecordFiles } from "../../src/daemon/practice-record.ts";
import { readEntries } from "../../src/verify/outside.ts";
import { historyOf } from "../../src/verify/read.ts";
import { verify } from "../../src/verify/verify.ts";
import { FULL_USDT, type Story } from "./stories.ts";

export interface Evidence {
  readonly story: Story;
  readonly dataDir: string;
  readonly files: RecordFiles;
  readonly logs: readonly string[];
  readonly secrets: readonly string[];
  /** Client ids of all intents in the journal. */
  readonly known: ReadonlySet<string>;
}

export interface Judgement {
  /** In words, each with the id of an invariant or the name of a check. */
  readonly problems: readonly string[];
  /** Writes that reached the venue. */
  readonly writes: number;
  readonly rows: number;
}

export type Entry = Readonly<Record<string, unknown>>;

/** A child reads the service's time once, on a shared machine: the two may be this far apart. */
const SKEW_MS = 2_000;
/** Prices move during a story; a duplicate order would add a hundred percent. */
const ROOM = 1.15;

export function judge(evidence: Evidence): Judgement {
  const { dataDir, files, logs, secrets } = evidence;
  const content = (file: string): string => readFileSync(file, "utf8");
  const db = openSqliteReader(journalPath(dataDir));
  const rows = db.all("SELECT * FROM rows ORDER BY seq");
  db.close();
  const [wire, venue] = [content(files.wireLogFile), content(files.venueLogFile)];
  const history = historyOf({
    rows,
    tail: content(tailMarkPath(journalPath(dataDir))),
    wire,
    venue,
    charges: content(files.modelLogFile),
    sinks: logs.map((file) => ({ name: path.basename(file), content: content(file) })),
    secrets: secrets.join("\n"),
    skewMs: SKEW_MS,
  });
  if (!history.ok) return { problems: [`verifier: ${history.error}`], writes: 0, rows: rows.length };
  const frames = readEntries(wire) ?? [];
  return {
    problems: [
      ...violations(history.value),
      ...surplus({ frames, facts: readEntries(venue) ?? [], story: evidence.story, known: evidence.known }),
    ],
    writes: frames.length,
    rows: rows.length,
  };
}

function violations(history: Parameters<typeof verify>[0]): readonly string[] {
  return verify(history).invariants.flatMap(({ id, verdict }) =>
    verdict.kind !== "violated"
      ? []
      : verdict.findings.map(({ seq, what }) => `${id}: ${seq === null ? "" : `row ${seq}: `}${what}`),
  );
}

export interface Seen {
  /** Writes as they reached the venue. */
  readonly frames: readonly Entry[];
  readonly facts: readonly Entry[];
  readonly story: Pick<Story, "steps">;
  readonly known: ReadonlySet<string>;
}

/** What exists at the venue and should not, by counts that are independent of the verifier. */
export const surplus = ({ frames, facts, story, known }: Seen): readonly string[] => [
  ...duplicates(frames, facts),
  ...unpromised(facts, known),
  ...oversized(facts, story),
];

const opens = (entry: Entry): boolean => entry["reduceOnly"] !== true && !entry["algoOrderId"];
const idOf = (entry: Entry): string => String(entry["clientOrderId"] ?? "");
const isPlacing = ({ call, params }: Entry): boolean =>
  /trading\/order$|place/i.test(String(call)) && (params as Entry)["orderQty"] !== undefined;

/** An opening order that was sent twice, or that the venue holds twice. */
function duplicates(frames: readonly Entry[], facts: readonly Entry[]): readonly string[] {
  const sent = new Map<string, number>();
  for (const { params } of frames.filter(isPlacing)) {
    const placed = params as Entry;
    if (opens(placed)) sent.set(idOf(placed), (sent.get(idOf(placed)) ?? 0) + 1);
  }
  const held = new Map<string, Set<unknown>>();
  for (const fact of facts) {
    if (fact["fact"] !== "order" || !opens(fact)) continue;
    held.set(idOf(fact), (held.get(idOf(fact)) ?? new Set()).add(fact["orderId"]));
  }
  return [
    ...[...sent].filter(([, times]) => times > 1).map(([id, times]) => `duplicate: ${id} was sent ${times} times`),
    ...[...held]
      .filter(([, orders]) => orders.size > 1)
      .map(([id, orders]) => `duplicate: the venue has ${orders.size} orders of ${id}`),
  ];
}

function unpromised(facts: readonly Entry[], known: ReadonlySet<string>): readonly string[] {
  const opened = facts.filter((fact) => fact["fact"] === "order" && opens(fact)).map(idOf);
  return [...new Set(opened)].filter((id) => !known.has(id)).map((id) => `orphan: no intent for order ${id}`);
}

/** Whatever the ids say: more was held of a symbol than the script ever targeted. */
function oversized(facts: readonly Entry[], { steps }: Seen["story"]): readonly string[] {
  const prices = new Map<string, Decimal>();
  const most = new Map<string, Decimal>();
  for (const fact of facts) {
    const symbol = String(fact["sym"] ?? "");
    if (fact["fact"] === "execution") prices.set(symbol, new Decimal(String(fact["price"])));
    const price = prices.get(symbol);
    if (fact["fact"] !== "position" || !price) continue;
    const value = new Decimal(String(fact["positionQty"] ?? "0")).abs().mul(price);
    if (value.gt(most.get(symbol) ?? 0)) most.set(symbol, value);
  }
  const targeted = (symbol: string): number =>
    Math.max(0, ...steps.flat().flatMap((target) => (target.symbol === symbol ? [target.size] : [])));
  return [...most].flatMap(([symbol, value]) =>
    value.gt(targeted(symbol) * FULL_USDT * ROOM)
      ? [`duplicate: ${value.toFixed(2)} USDT of ${symbol} were held, ${targeted(symbol) * FULL_USDT} targeted`]
      : [],
  );
}
