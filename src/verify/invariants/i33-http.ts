import { figure, flag, type Rec, recs, text, texts } from "../fields.ts";
import { type Finding, finding, type Invariant, type Sink } from "../history.ts";
import { journalView } from "../journal-view.ts";
import { readObject, type Row } from "../rows.ts";

const LOCAL = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/;
const READING: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** I33: our own HTTP only reads, gives unauthorised callers no data and escapes its output. */
export const i33: Invariant = {
  id: "I33",
  title: "HTTP",
  rule: "Of the calls at our own HTTP (`visits` of beats and the last row, counted by kind; sinks named *.http.jsonl with method, host, origin, token, loopback, status, body, untrusted): only GET and HEAD succeed, anything else only with the token; a counted page (text/html) is one text for all callers of a run, so that nothing untrusted can stand in it; a foreign Host or Origin without the token, or no token when not on loopback, is answered 403, or 401 for a local Host and Origin, without body data; no untrusted text stands unescaped in a page.",
  needs: [],
  more: ["sinks"],
  unseen: "Of calls that are only counted, the text of the pages.",
  judge: (history) => {
    const logs = (history.sinks ?? []).filter(({ name }) => name.endsWith(".http.jsonl"));
    const rows = journalView(history)
      .kinds("beat", "stop")
      .filter(({ body }) => Array.isArray(body["visits"]));
    const first = pageTexts(rows);
    if (logs.length === 0 && rows.length === 0)
      return { notJudged: "needs beat rows with visits, or what was exchanged (--http, or a sink named *.http.jsonl)" };
    return [
      ...rows.flatMap(({ seq, runId, body }) => visits(seq, body, first.get(runId) ?? null)),
      ...logs.flatMap(exchanges),
    ];
  },
};

/** Longest refusal text that can hold no data. */
const REFUSAL_MAX = 40;

/** The hash of the first page of each run. */
function pageTexts(rows: readonly Row[]): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const { runId, body } of rows)
    for (const visit of recs(body, "visits")) {
      const page = text(visit, "page");
      if (page !== null && !first.has(runId)) first.set(runId, page);
    }
  return first;
}

function visits(seq: number, body: Rec, served: string | null): readonly Finding[] {
  return recs(body, "visits").flatMap((visit) => {
    const status = figure(visit, "status") ?? 0;
    const chars = figure(visit, "refusalChars") ?? Infinity;
    const outsider = outsiderOf(visit);
    const found = answerProblems(visit, status, outsider);
    const page = (text(visit, "contentType") ?? "").startsWith("text/html");
    const hash = text(visit, "page");
    return [
      ...found,
      ...(outsider !== null && chars > REFUSAL_MAX ? [`gives ${chars} characters to ${outsider}`] : []),
      ...(page && outsider === null && hash === null ? ["serves a page, whose text nobody recorded"] : []),
      ...(hash !== null && hash !== served ? ["serves a page whose text is another one than before"] : []),
    ].map((what) => finding(seq, `our HTTP ${what}`));
  });
}

const exchanges = ({ name, content }: Sink): readonly Finding[] =>
  content
    .split("\n")
    .filter((line) => line.trim() !== "")
    .flatMap((line, index): readonly Finding[] => {
      const exchange = readObject(line);
      const problems = exchange ? exchangeProblems(exchange) : ["is no JSON object"];
      return problems.map((problem) => finding(null, `${name} line ${index + 1} ${problem}`));
    });

function answerProblems(call: Rec, status: number, outsider: string | null): readonly string[] {
  const method = text(call, "method") ?? "";
  return [
    ...(!READING.has(method) && !flag(call, "token") && status < 400 ? [`answers ${status} to ${method}`] : []),
    ...(outsider !== null && !refusals(outsider).includes(status) ? [`answers ${status} to ${outsider}`] : []),
  ];
}

const OUTSIDE = "a caller from outside without a token";

/** Only whom its name does not give away as a foreign page may be asked for the token. */
const refusals = (outsider: string): readonly number[] => (outsider === OUTSIDE ? [401, 403] : [403]);

function exchangeProblems(exchange: Rec): readonly string[] {
  const body = text(exchange, "body") ?? "";
  const outsider = outsiderOf(exchange);
  const found = [...answerProblems(exchange, figure(exchange, "status") ?? 0, outsider)];
  if (outsider !== null && body.length > 0 && !/^\s*(\{"error":"[^"<>]{0,80}"\}|[\w ]{0,40})\s*$/.test(body))
    found.push(`gives body data to ${outsider}`);
  const raw = texts(exchange, "untrusted").find((piece) => /[<>"'&]/.test(piece) && body.includes(piece));
  return raw === undefined || isJson(exchange)
    ? found
    : [...found, `holds untrusted text unescaped: ${JSON.stringify(raw.slice(0, 40))}`];
}

const isJson = (exchange: Rec): boolean => (text(exchange, "contentType") ?? "").startsWith("application/json");

/** A caller with the token may use any host name: a foreign page cannot know the token. */
function outsiderOf(exchange: Rec): string | null {
  if (flag(exchange, "token")) return null;
  const host = text(exchange, "host") ?? "";
  const origin = text(exchange, "origin");
  const loopback = flag(exchange, "loopback");
  const allowed = texts(exchange, "allowedHosts");
  const known = (name: string): boolean => LOCAL.test(name) || allowed.includes(name);
  if (!known(host)) return `the foreign Host ${JSON.stringify(host)}`;
  if (origin !== null && !known(origin.replace(/^https?:\/\//, ""))) return `the foreign Origin ${origin}`;
  return !loopback ? OUTSIDE : null;
}
