import { figure, type Rec, text } from "../fields.ts";
import { type Finding, finding, type History, type Invariant, type Sink } from "../history.ts";
import { journalView } from "../journal-view.ts";
import { readObject, type Row } from "../rows.ts";

export const i36: Invariant = {
  id: "I36",
  title: "Reported truth",
  rule: "What a sink's JSON lines say of an order or position (filled, cancelled, rejected, opened, closed, protected, an uptime) has a row of venue evidence, or of beats, that is older than the line.",
  needs: ["sinks"],
  more: [],
  unseen: "Sentences that are no JSON lines.",
  judge: (history) => {
    const told = (history.sinks ?? []).flatMap(claimsIn);
    if (told.length === 0) return { notJudged: "needs sinks with JSON lines about orders or positions" };
    return told.flatMap((claim) => problems(history, claim));
  },
};

interface Claim {
  readonly where: string;
  readonly evt: string;
  readonly atMs: number;
  readonly line: Rec;
}

/** Log events and answers that claim something of the venue, with the kinds of rows that may stand behind them. */
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
    if (!line || !evt || !(evt in EVIDENCE)) return [];
    const atMs = Date.parse(text(line, "time") ?? "");
    return [{ where: `${name} line ${index + 1}`, evt, atMs: figure(line, "atMs") ?? atMs, line }];
  });
}

function problems(history: History, claim: Claim): readonly Finding[] {
  const { where, evt, atMs } = claim;
  const rows = journalView(history).kinds(...(EVIDENCE[evt] ?? []));
  // Log lines are stamped in whole milliseconds.
  const older = rows.filter((row) => row.atMs <= atMs + 1 + history.skewMs);
  const fits = older.filter((row) => isAbout(row, claim));
  if (!Number.isFinite(atMs)) return [finding(null, `${where}: ${evt} bears no time`)];
  if (fits.length === 0) return [finding(null, `${where}: ${evt} at ${atMs} has no row of evidence before it`)];
  return stateProblem(fits, claim).map((what) => finding(fits.at(-1)?.seq ?? null, `${where}: ${what}`));
}

function isAbout({ body, kind }: Row, { evt, line }: Claim): boolean {
  if (kind === "beat") return true;
  if (evt.startsWith("position.")) return text(body, "leg") === text(line, "leg");
  const ids = ["clientOrderId", "orderId"].flatMap((name) => text(line, name) ?? []);
  return ["clientOrderId", "orderId", "intentId"].some((name) => ids.includes(text(body, name) ?? ""));
}

function stateProblem(fits: readonly Row[], { evt }: Claim): readonly string[] {
  const last = (name: string): string => text(fits.at(-1)?.body ?? {}, name) ?? "";
  if (evt === "position.closed" && last("kind") !== "closed") return [`${evt}, but the journal has it ${last("kind")}`];
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
