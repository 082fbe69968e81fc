import { figure, flag, type Rec, text, texts } from "../fields.ts";
import { type Finding, finding, type Invariant } from "../history.ts";
import { readObject } from "../rows.ts";

const LOCAL = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/;
const READING: ReadonlySet<string> = new Set(["GET", "HEAD"]);

export const i33: Invariant = {
  id: "I33",
  title: "HTTP",
  rule: "Of the exchanges with our own HTTP (sinks named *.http.jsonl: method, host, origin, token, loopback, status, body, untrusted): only GET and HEAD succeed; a foreign Host or Origin, or no token when not on loopback, is answered 403 without body data; no untrusted text stands unescaped in a page.",
  needs: ["sinks"],
  more: [],
  unseen: "",
  judge: ({ sinks }) => {
    const logs = (sinks ?? []).filter(({ name }) => name.endsWith(".http.jsonl"));
    if (logs.length === 0) return { notJudged: "needs a sink named *.http.jsonl" };
    return logs.flatMap(({ name, content }) =>
      content
        .split("\n")
        .filter((line) => line.trim() !== "")
        .flatMap((line, index): readonly Finding[] => {
          const exchange = readObject(line);
          const problems = exchange ? exchangeProblems(exchange) : ["is no JSON object"];
          return problems.map((problem) => finding(null, `${name} line ${index + 1} ${problem}`));
        }),
    );
  },
};

function exchangeProblems(exchange: Rec): readonly string[] {
  const method = text(exchange, "method") ?? "";
  const status = figure(exchange, "status") ?? 0;
  const body = text(exchange, "body") ?? "";
  const stranger = strangeness(exchange);
  const found: string[] = [];
  if (!READING.has(method) && status < 400) found.push(`answers ${status} to ${method}`);
  if (stranger !== null && status !== 403) found.push(`answers ${status} to ${stranger}`);
  if (stranger !== null && body.length > 0 && !/^\s*(\{"error":"[^"<>]{0,80}"\}|[\w ]{0,40})\s*$/.test(body))
    found.push(`gives body data to ${stranger}`);
  const raw = texts(exchange, "untrusted").find((piece) => /[<>"'&]/.test(piece) && body.includes(piece));
  return raw === undefined || isJson(exchange)
    ? found
    : [...found, `holds untrusted text unescaped: ${JSON.stringify(raw.slice(0, 40))}`];
}

const isJson = (exchange: Rec): boolean => (text(exchange, "contentType") ?? "").startsWith("application/json");

function strangeness(exchange: Rec): string | null {
  const host = text(exchange, "host") ?? "";
  const origin = text(exchange, "origin");
  const loopback = flag(exchange, "loopback");
  const allowed = texts(exchange, "allowedHosts");
  const known = (name: string): boolean => LOCAL.test(name) || allowed.includes(name);
  if (!known(host)) return `the foreign Host ${JSON.stringify(host)}`;
  if (origin !== null && !known(origin.replace(/^https?:\/\//, ""))) return `the foreign Origin ${origin}`;
  return !loopback && !flag(exchange, "token") ? "a caller from outside without a token" : null;
}
