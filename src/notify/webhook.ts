/** Webhooks: one template per service. Text from news or a model is only ever text: each template takes its markup away. */
import type { Send } from "./outbox.ts";
import { TryAgain } from "./outbox.ts";
import { type Notification, notificationText } from "./events.ts";
import type { TargetSettings } from "./settings.ts";

type Kind = Exclude<TargetSettings["kind"], "telegram">;

interface Request {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const json = (body: object): Request => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

const linesOf = (events: readonly Notification[], max: number): string =>
  events.map(notificationText).join("\n").slice(0, max);

const slackText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A backslash takes each mark its meaning, also in `https://`, which would become a link. */
const discordText = (text: string): string =>
  text.replace(/[\\`*_{}[\]()#+\-.!|~>@<:]/g, (mark) => `\\${mark}`).slice(0, 2_000);

export const TEMPLATES: Readonly<Record<Kind, (events: readonly Notification[]) => Request>> = {
  slack: (events) => {
    const text = linesOf(events, 2_900);
    return json({
      text: slackText(text),
      blocks: [{ type: "section", text: { type: "plain_text", text, emoji: false } }],
    });
  },
  discord: (events) =>
    // 4 suppresses the previews of links.
    json({ content: discordText(linesOf(events, 1_900)), allowed_mentions: { parse: [] }, flags: 4 }),
  ntfy: (events) => {
    const alarm = events.some(({ level }) => level === "alarm");
    const headers = { "content-type": "text/plain; charset=utf-8", title: "Ballast", priority: alarm ? "5" : "3" };
    return { headers, body: linesOf(events, 3_900) };
  },
  json: (events) => json({ source: "ballast", events }),
};

const TIMEOUT_MS = 10_000;

/** Redirects are not followed: the address is the owner's secret. No error names the address. */
export const webhook =
  (kind: Kind, url: string, timeoutMs: number = TIMEOUT_MS): Send =>
  async (events) => {
    const { headers, body } = TEMPLATES[kind](events);
    const signal = AbortSignal.timeout(timeoutMs);
    let reply: Response;
    try {
      reply = await fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
      await reply.body?.cancel();
    } catch {
      throw new TryAgain(signal.aborted ? `no answer within ${timeoutMs / 1_000} s` : "it cannot be reached");
    }
    if (reply.ok) return;
    const said = `it answered HTTP ${reply.status}`;
    if (reply.status === 429 || reply.status >= 500) throw new TryAgain(said, waitOf(reply.headers.get("retry-after")));
    throw new Error(`${said}; check its address`);
  };

/** Seconds, as these services write it. */
function waitOf(header: string | null): number | null {
  const seconds = Number(header);
  return header !== null && Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
}
