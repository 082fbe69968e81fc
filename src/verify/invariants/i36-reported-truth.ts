import { figure, flag, type Rec, rec, text } from "../fields.ts";
import { type Finding, finding, type History, type Invariant, type Sink } from "../history.ts";
import { journalView } from "../journal-view.ts";
import { moneyProblems } from "../money-rows.ts";
import { readObject, type Row } from "../rows.ts";

/** I36: no log line, and no count of lines, claims anything that the rows do not support. */
export const i36: Invariant = {
  id: "I36",
  title: "Reported truth",
  rule: "What a sink's JSON lines say of an order or position (filled, cancelled, rejected, opened, closed, protected, an uptime) has a row of venue evidence, or of beats, that is older than the line; and the log never claims more of a kind (`said` of beats and the last row, counted from the start of the process) than rows of that boot bear out. Equity, funding and the results of round trips are those of the venue's own facts, where no fault is on.",
  needs: [],
  more: ["sinks", "venue ledger"],
  unseen:
    "Sentences that are no JSON lines; funding where the position changed at the settlement; results of round trips whose fills cannot be distinguished from those of others.",
  judge: (history) => {
    const claims = (history.sinks ?? []).flatMap(claimsIn);
    const counted = journalView(history)
      .kinds("beat", "stop")
      .filter(({ body }) => rec(body, "said"));
    const money = moneyProblems(history);
    if (claims.length === 0 && counted.length === 0 && money.length === 0)
      return { notJudged: "needs beat rows that count what was said, or a log in JSON lines (--log, --sinks)" };
    return [...claims.flatMap((claim) => problems(history, claim)), ...overstated(history), ...money];
  },
};

/** For each log claim, the rows that support it, one each. */
const BEARS: Readonly<Record<string, (row: Row) => boolean>> = {
  "order.filled": ({ kind, body }) =>
    kind === "fill" ||
    kind === "position" ||
    (["order", "intent"].includes(kind) && Number(body["executedQty"] ?? 0) > 0),
  "order.cancelled": ({ kind, body }) =>
    ["order", "intent"].includes(kind) && (text(body, "state") ?? "").startsWith("CANCEL"),
  "position.opened": ({ kind, body }) => kind === "position" && text(body, "kind") === "opened",
  "position.closed": ({ kind, body }) => kind === "position" && text(body, "kind") === "closed",
  "position.protected": ({ kind, body }) => kind === "protection" && flag(body, "standing"),
};
/** An order's push reports a fill before the fill's own push, which may be lost and found later in a list. */
const FILL_FOLLOWS_MS = 35_000;

interface Count {
  readonly seq: number;
  readonly runId: string;
  readonly evt: string;
  readonly said: unknown;
  readonly dueMs: number;
}

function overstated(history: History): readonly Finding[] {
  const borne = new Map<string, number>();
  const bearing = ({ runId, evt }: Pick<Count, "runId" | "evt">): number => borne.get(`${runId} ${evt}`) ?? 0;
  const found: Finding[] = [];
  let waiting: readonly Count[] = [];
  for (const row of history.rows) {
    // Claims pending when the process ended had no time to be supported.
    waiting = waiting.filter(({ runId }) => runId === row.runId);
    const due = waiting.filter(({ dueMs }) => row.atMs > dueMs);
    waiting = waiting.filter((count) => !due.includes(count));
    for (const [evt, bears] of Object.entries(BEARS))
      if (bears(row)) borne.set(`${row.runId} ${evt}`, bearing({ runId: row.runId, evt }) + 1);
    const counts = countsIn(row);
    waiting = [...waiting, ...counts.filter(({ evt }) => evt === "order.filled")];
    for (const count of [...due, ...counts.filter(({ evt }) => evt !== "order.filled")])
      found.push(...countProblem(count, bearing(count)));
  }
  return found;
}

function countsIn({ seq, runId, kind, atMs, body }: Row): readonly Count[] {
  const said = kind === "beat" || kind === "stop" ? rec(body, "said") : null;
  const of = ([evt, count]: [string, unknown]): Count => ({
    seq,
    runId,
    evt,
    said: count,
    dueMs: atMs + FILL_FOLLOWS_MS,
  });
  return said ? Object.entries(said).map(of) : [];
}

function countProblem({ seq, evt, said }: Count, borne: number): readonly Finding[] {
  if (!Object.hasOwn(BEARS, evt))
    return [finding(seq, `the log is said to claim ${evt}, an event that the verifier does not know`)];
  if (typeof said === "number" && said <= borne) return [];
  return [finding(seq, `the log has claimed ${evt} ${String(said)} times, rows bear out ${borne}`)];
}

interface Claim {
  readonly where: string;
  readonly evt: string;
  readonly atMs: number;
  readonly line: Rec;
}

/** Log events and answers that claim something about the venue, with the row kinds that can support them. */
const EVIDENCE: Readonly<Record<string, readonly string[]>> = {
  "order.filled": ["fill", "order", "intent", "wire-in", "position", "reconcile"],
  "order.cancelled": ["order", "intent"],
  "position.opened": ["position"],
  "position.closed": ["position"],
  "position.protected": ["protection"],
  "reported.uptime": ["beat"],
};

function claimsIn({ name, content }: Sink): readonly Claim[] {
  return content.split("\n").flatMap((raw, index): readonly Claim[] => {
    const line = raw.startsWith("{") ? readObject(raw) : null;
    const evt = line && text(line, "evt");
    if (!line || !evt || !Object.hasOwn(EVIDENCE, evt)) return [];
    const atMs = Date.parse(text(line, "time") ?? "");
    return [{ where: `${name} line ${index + 1}`, evt, atMs: figure(line, "atMs") ?? atMs, line }];
  });
}

function problems(history: History, claim: Claim): readonly Finding[] {
  const { where, evt, atMs } = claim;
  const rows = journalView(history).kinds(...(EVIDENCE[evt] ?? []));
  // Log lines have whole milliseconds.
  const older = rows.filter((row) => row.atMs <= atMs + 1 + history.skewMs);
  const fits = older.filter((row) => isAbout(row, claim));
  if (!Number.isFinite(atMs)) return [finding(null, `${where}: ${evt} bears no time`)];
  if (fits.length === 0) return [finding(null, `${where}: ${evt} at ${atMs} has no row of evidence before it`)];
  return stateProblem(fits, claim, history.skewMs).map((what) =>
    finding(fits.at(-1)?.seq ?? null, `${where}: ${what}`),
  );
}

function isAbout({ body, kind }: Row, { evt, line }: Claim): boolean {
  if (kind === "beat") return true;
  if (evt.startsWith("position.")) return text(body, "leg") === text(line, "leg");
  const ids = ["clientOrderId", "orderId"].flatMap((name) => text(line, name) ?? []);
  return ["clientOrderId", "orderId", "intentId"].some((name) => ids.includes(text(body, name) ?? ""));
}

/** The possible states of a position when the line was written: rows too close in time to be ordered all count. */
function kindsAt(fits: readonly Row[], atMs: number, skewMs: number): readonly string[] {
  const near = fits.filter((row) => row.atMs >= atMs - 1 - skewMs);
  return [...fits.slice(0, fits.length - near.length).slice(-1), ...near].map(({ body }) => text(body, "kind") ?? "");
}

function stateProblem(fits: readonly Row[], { evt, atMs }: Claim, skewMs: number): readonly string[] {
  const kinds = kindsAt(fits, atMs, skewMs);
  if (evt === "position.closed" && !kinds.includes("closed")) return [`${evt}, but the journal has it ${kinds.at(-1)}`];
  if (evt === "position.opened" && !fits.some(({ body }) => text(body, "kind") === "opened"))
    return [`${evt}, but no row says that it was opened`];
  if (evt === "position.protected" && !fits.some(({ body }) => body["standing"] === true))
    return [`${evt}, but no row says that a stop stands`];
  const states = fits.map(({ body }) => text(body, "state") ?? "");
  if (evt === "order.cancelled" && !states.some((state) => state.startsWith("CANCEL")))
    return [`${evt}, but the journal has it ${states.at(-1) ?? ""}`];
  const rejected = evt === "order.filled" && states.includes("REJECTED");
  return rejected ? [`${evt}, but the journal has it REJECTED`] : [];
}
