/** Whose facts and charges count: a service may have served other accounts than the one of this journal. */
import { text } from "./fields.ts";
import type { History } from "./history.ts";
import { journalView } from "./journal-view.ts";
import type { Charge } from "./outside.ts";

const accounts = new WeakMap<History, string | null>();

/**
 * The account of this journal: that of the orders, writes and model calls that it knows, otherwise the only one there is.
 * Null where the evidence names several and none of them for certain: then nothing of theirs is judged.
 */
export function accountOf(history: History): string | null {
  const known = accounts.get(history);
  if (known !== undefined) return known;
  const made = ownAccount(history) ?? onlyAccount(history);
  accounts.set(history, made);
  return made;
}

function ownAccount(history: History): string | null {
  const { wire, venue, charges } = history;
  const { intents, having } = journalView(history);
  const ordered = (venue ?? []).find((fact) => fact.fact === "order" && intents.has(fact.order.clientOrderId));
  if (ordered?.accountId) return ordered.accountId;
  const written = (wire ?? []).find(({ params }) => intents.has(text(params, "clientOrderId") ?? ""));
  if (written?.accountId) return written.accountId;
  const paid = (charges ?? []).find(({ requestId }) => having("model-reserve", "attemptId", requestId).length > 0);
  return paid?.accountId ?? null;
}

function onlyAccount({ wire, venue, charges }: History): string | null {
  const named = [...(wire ?? []), ...(venue ?? []), ...(charges ?? [])].flatMap(({ accountId }) => accountId ?? []);
  const [one, ...others] = new Set(named);
  return one !== undefined && others.length === 0 ? one : null;
}

/** Charges of the journal's account, and those that name none. */
export function chargesOf(history: History): readonly Charge[] {
  const account = accountOf(history);
  return (history.charges ?? []).filter(({ accountId }) => accountId === null || accountId === account);
}
