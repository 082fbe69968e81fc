import { type Finding, finding, type History, type Invariant, type Sink } from "../history.ts";
import { journalView } from "../journal-view.ts";

/** A fragment of a secret of this length counts as the secret. */
const PART = 8;

/** I31: no secret or part of one in a sink or in the journal, and no submit token in a sink. */
export const i31: Invariant = {
  id: "I31",
  title: "Secrets",
  rule: "No secret stands in any sink or in the journal: raw, hex, base64, URL-coded, or its first or last 8 characters; nor does the submit token of any preview stand in a sink.",
  needs: ["secrets"],
  more: ["sinks"],
  unseen: "",
  judge: (history) => {
    const forms = (history.secrets ?? []).flatMap(formsOf);
    const journal = { name: "the journal", content: history.rows.map(({ bodyText }) => bodyText).join("\n") };
    return [
      ...[...(history.sinks ?? []), journal].flatMap((sink) => leaks(sink, forms)),
      ...(history.sinks ?? []).flatMap((sink) => leaks(sink, tokens(history))),
    ];
  },
};

interface Form {
  readonly what: string;
  readonly text: string;
}

function formsOf(secret: string, at: number): readonly Form[] {
  const bytes = Buffer.from(secret, "utf8");
  const named = (what: string, text: string): Form => ({ what: `secret ${at + 1} ${what}`, text });
  const forms = [
    named("raw", secret),
    named("in hex", bytes.toString("hex")),
    named("in hex", bytes.toString("hex").toUpperCase()),
    named("in base64", bytes.toString("base64").replace(/=+$/, "")),
    named("in base64url", bytes.toString("base64url")),
    named("URL-coded", encodeURIComponent(secret)),
  ];
  // A secret hardly longer than a fragment has no fragments.
  const parts =
    secret.length >= 2 * PART
      ? [named("by its beginning", secret.slice(0, PART)), named("by its end", secret.slice(-PART))]
      : [];
  return [...forms, ...parts];
}

const tokens = (history: History): readonly Form[] =>
  [...journalView(history).previews.keys()].map((id) => ({ what: `the submit token of ${id}`, text: `confirm_${id}` }));

function leaks({ name, content }: Sink, forms: readonly Form[]): readonly Finding[] {
  const seen = new Set<string>();
  return forms.flatMap(({ what, text }) => {
    const at = text === "" ? -1 : content.indexOf(text);
    if (at < 0 || seen.has(what)) return [];
    seen.add(what);
    return [finding(null, `${what} stands in ${name}, line ${content.slice(0, at).split("\n").length}`)];
  });
}
