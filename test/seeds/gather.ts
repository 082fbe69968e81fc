/** What a run leaves behind, as the verifier wants it: the journal's rows, and what the venue and the model saw. */
import { readFileSync } from "node:fs";
import { openSqliteReader } from "../../src/journal/sqlite.ts";
import { tailMarkPath } from "../../src/journal/tail-mark.ts";
import type { Harness } from "../../src/harness/harness.ts";
import { journalPath } from "../../src/ops/run-file.ts";
import type { History, Tail } from "../../src/verify/history.ts";
import { isRec, recs, type Rec } from "../../src/verify/fields.ts";
import { decodeCharge, decodeFrame } from "../../src/verify/outside.ts";
import { decodeFact, type VenueFact } from "../../src/verify/venue-facts.ts";
import { decodeRow, type Row } from "../../src/verify/rows.ts";

/** `lost`: the rows of journals that were lost from their first row on. */
export async function gather(harness: Harness, sinks: History["sinks"], lost: readonly Row[] = []): Promise<History> {
  const [wire, venue, charges] = await Promise.all([
    entriesOf(harness, "/control/wire-log?limit=50000"),
    entriesOf(harness, "/control/venue-log"),
    entriesOf(harness, "/control/model-ledger"),
    harness.clock.advance(1_000),
  ]);
  const db = openSqliteReader(journalPath(harness.dataDir));
  const rows = db.all("SELECT * FROM rows ORDER BY seq").map((row) => decodeRow(row));
  db.close();
  // By the venue's clock: the agent's may be wrong.
  const beganMs = harness.clock.nowMs() - harness.clock.monotonicMs() + (rows[0]?.monoMs ?? 0);
  const facts = venue.map((from, at) => decodeFact(from, at)).filter((fact) => fact !== null);
  return {
    rows,
    tail: tailOf(harness.dataDir),
    wire: wire.map(decodeFrame),
    venue: visible(facts, beganMs, lost),
    charges: charges.map(decodeCharge),
    sinks,
    secrets: [harness.venue.ready.secretKey, harness.venue.ready.accessKey, harness.venue.ready.aiKey],
    hashes: null,
    twin: null,
    same: null,
    phaseTwoMs: null,
    skewMs: 0,
  };
}

/** Without the orders that were over before the journal began, where no lost row names them: nobody could have seen them. */
function visible(facts: readonly VenueFact[], beganMs: number, lost: readonly Row[]): readonly VenueFact[] {
  const lastMs = new Map<string, number>();
  for (const fact of facts) if (fact.fact === "order") lastMs.set(fact.order.orderId, fact.atMs);
  const bodies = lost.map(({ body }) => JSON.stringify(body));
  const names = (id: string): boolean => id !== "" && bodies.some((body) => body.includes(id));
  return facts.filter(
    (fact) =>
      fact.fact !== "order" ||
      (lastMs.get(fact.order.orderId) ?? 0) >= beganMs ||
      [fact.order.orderId, fact.order.clientOrderId].some((id) => names(id)),
  );
}

async function entriesOf(harness: Harness, path: string): Promise<readonly Rec[]> {
  const reported = await harness.control("GET", path);
  return isRec(reported) ? recs(reported, "entries") : [];
}

function tailOf(dataDir: string): Tail {
  try {
    const mark: unknown = JSON.parse(readFileSync(tailMarkPath(journalPath(dataDir)), "utf8"));
    return isRec(mark) && typeof mark["seq"] === "number" && typeof mark["hash"] === "string"
      ? { state: "read", seq: mark["seq"], hash: mark["hash"] }
      : { state: "unreadable" };
  } catch {
    return { state: "missing" };
  }
}
