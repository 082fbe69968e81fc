/**
 * The operator's page on the status port: its routes, behind the port's own door. What it shows is read once a second for all
 * who look. Commands need the token, which no other page can know; docs/DECK.md.
 */
import type { Context as Door, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Clock } from "../core/clock.ts";
import type { Page, PageParts } from "../daemon/daemon-setup.ts";
import { type Bound, PAGE_HASH } from "../faces/status/server.ts";
import type { LineRing } from "../ops/line-ring.ts";
import { CHART_INTERVALS } from "./chart-intervals.ts";
import { carryOut } from "./commands.ts";
import { createDeckNow } from "./deck-now.ts";
import { createEventStreams, type Update, openEvents } from "./event-stream.ts";
import { createHistory } from "./history.ts";
import { barsOf, storyOf, whyNothing } from "./look-back.ts";
import { PAGE_POLICY, type PageFile, readPage } from "./page-text.ts";
import { createRowFeed } from "./row-feed.ts";
import { createSetupChecks } from "./setup-checks.ts";
import type { DeckLogLine } from "./shapes.ts";

const WHY_NOT_KEPT_MS = 15_000;
const COMMAND_BYTES_MAX = 2_048;
const ID = /^[\w-]{1,80}$/;

export interface DeckOptions {
  /** Log lines of this process as JSON. */
  readonly log: LineRing;
  /** What it trades on, for a person. */
  readonly venue: string;
}

export const createDeck =
  ({ log, venue }: DeckOptions) =>
  (parts: PageParts): Page => {
    const { setup, running } = parts;
    const { clock, ids } = setup.env;
    const { dataDir } = setup.environment;
    const now = createDeckNow(parts, venue);
    const feed = createRowFeed(setup.journal);
    const history = createHistory(setup.journal, { clock, contractSize: running.context.contractSize });
    const streams = createEventStreams(clock, (seen) => updateFor(seen));
    const setupChecks = createSetupChecks(setup, clock);
    const page = readPage();

    /** A page stands at a row and at a log line of one run: `boot.row.line`. */
    const updateFor = (seen: string): Update => {
      const [runId, row, line] = seen.split(".");
      const same = runId === setup.runId;
      const rows = feed.since(Number(row) || 0);
      const lines = log.since(same ? Number(line) || 0 : 0);
      const messages: (readonly [string, string])[] = [["now", JSON.stringify(now())]];
      if (rows.length > 0) messages.push(["rows", JSON.stringify(rows)]);
      if (lines.lines.length > 0) messages.push(["log", JSON.stringify(lines.lines.flatMap(logLine))]);
      return { messages, seen: `${setup.runId}.${rows.at(-1)?.seq ?? (Number(row) || 0)}.${lines.last}` };
    };

    const whyNothingNow = kept(clock, () => JSON.stringify(whyNothing(setup.journal, clock.nowMs())));

    const routes = (app: Hono<Bound>, mayCommand: (context: Door<Bound>) => boolean): void => {
      app.get("/", (context) => {
        if (!page) return context.json({ error: "the page is not built: run npm run build" }, 404);
        context.header("content-security-policy", PAGE_POLICY);
        context.header(PAGE_HASH, page.hash);
        return context.html(page.html);
      });
      app.get("/deck.js", (context) => file(context, "text/javascript; charset=utf-8", page?.script));
      app.get("/deck.css", (context) => file(context, "text/css; charset=utf-8", page?.style));
      app.get("/deck/events", (context) => openEvents(context, streams));
      app.get("/deck/history", (context) => context.json(history.now()));
      app.get("/deck/why-not", (context) => context.body(whyNothingNow(), 200, { "content-type": "application/json" }));
      app.get("/deck/setup", async (context) => context.json(await setupChecks()));
      app.get("/deck/bars/:symbol/:interval", (context) => {
        const { symbol, interval } = context.req.param();
        if (!ID.test(symbol) || !CHART_INTERVALS.some((known) => known === interval))
          return context.json({ error: `interval is one of ${CHART_INTERVALS.join(", ")}` }, 400);
        return context.json(barsOf(running.context, setup.journal, { symbol, interval }));
      });
      app.get("/deck/decisions/:id", (context) => {
        const { id } = context.req.param();
        const story = ID.test(id) ? storyOf(setup.journal, dataDir, id) : null;
        return story ? context.json(story) : context.json({ error: "the journal knows no such decision" }, 404);
      });
      app.post("/deck/commands", bodyLimit({ maxSize: COMMAND_BYTES_MAX }), async (context) => {
        if (!mayCommand(context)) return context.json({ error: "the token is missing or wrong" }, 403);
        const body = await context.req.json<unknown>().catch(() => null);
        const done = await carryOut(body, { dataDir, clock, ids });
        return done.ok ? context.json({ said: done.value }) : context.json({ error: done.error }, 400);
      });
    };
    return {
      routes,
      stop: () => {
        streams.stop();
        history.stop();
      },
    };
  };

/** A text that takes a while to make, made again only when it is older than fifteen seconds. */
function kept(clock: Pick<Clock, "monotonicMs" | "scale">, make: () => string): () => string {
  let [text, madeMs] = ["", -Infinity];
  return () => {
    const nowMs = clock.monotonicMs();
    if (nowMs - madeMs > WHY_NOT_KEPT_MS * clock.scale) [text, madeMs] = [make(), nowMs];
    return text;
  };
}

/** A file of the page, packed for whoever takes that; 404 where it was not built. */
function file(context: Door<Bound>, type: string, found: PageFile | undefined): Response {
  if (!found) return context.json({ error: "not found" }, 404);
  const headers = { "content-type": type, vary: "accept-encoding" };
  const packs = /\bgzip\b/.test(context.req.header("accept-encoding") ?? "");
  return packs
    ? context.body(found.gzip, 200, { ...headers, "content-encoding": "gzip" })
    : context.body(found.text, 200, headers);
}

/** Our own log writes these lines; one that is none is left out. */
function logLine(line: string): readonly DeckLogLine[] {
  try {
    const { time, level, evt, msg } = JSON.parse(line) as DeckLogLine;
    return [{ time, level, evt, msg }];
  } catch {
    return [];
  }
}
