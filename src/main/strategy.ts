/** `ballast strategy use | list | shadows` and `ballast lessons`: commands to the running agent, and reads that work without one. */
import { existsSync } from "node:fs";
import { complain, note, print } from "../ops/complaint.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { bookFromRow, booksOf, lessonsOf } from "../restore/restore-deciding.ts";
import { OWN_STRATEGIES_DIR } from "../ops/paths.ts";
import { journalPath } from "../ops/run-file.ts";
import { nothingIn } from "../control/past-journal.ts";
import { askAgent, askRunning, dataDirOf } from "../control/running-agent.ts";
import type { DecidingOptions, UseOptions } from "../faces/cli/deciding-commands.ts";
import {
  convictionFacts,
  convictionText,
  type LessonFacts,
  lessonsText,
  type ShadowFacts,
  shadowsText,
  strategiesText,
  type SwitchFacts,
  switchText,
} from "../report/strategies/text.ts";
import { type OrderCosts, orderCosts } from "../report/orders/costs.ts";
import { type CauseCount, postMortemCounts, postMortemsText } from "../report/strategies/post-mortems.ts";
import { closedTrades } from "../report/account/trades.ts";
import type { ClosedTradeRow } from "../rows/trade.ts";
import { lessonText } from "../context/lesson-text.ts";
import { systemClock } from "../core/clock.ts";
import { readJournal } from "../journal/reader.ts";
import { listStrategies, loadStrategy } from "../strategy/registry.ts";

interface DecidingBody {
  readonly strategy: string;
  readonly deciding: { readonly shadows: readonly ShadowFacts[] };
}

/** Exit code 2 for an unknown name; the agent itself checks settings, model and handover. */
export async function strategyUseProgram(name: string, options: UseOptions): Promise<number> {
  const known = await loadStrategy(name, undefined, OWN_STRATEGIES_DIR);
  if (!known.ok && !listStrategies(OWN_STRATEGIES_DIR).includes(name)) return complain(known.error, EXIT.usage);
  const answer = await askRunning<{ switch: SwitchFacts }>(options, {
    kind: "use",
    strategy: name,
    handover: options.handover ?? null,
  });
  if (!answer.ok) return complain(answer.error);
  print(options.json ? `${JSON.stringify(answer.value)}\n` : switchText(answer.value.switch));
  return EXIT.ok;
}

/** A strategy that cannot be loaded is reported on standard error and omitted. */
export async function strategyListProgram(options: DecidingOptions): Promise<number> {
  const live = await askAgent<DecidingBody>(dataDirOf(options), "/status");
  const strategies = [];
  for (const name of listStrategies(OWN_STRATEGIES_DIR)) {
    const loaded = await loadStrategy(name, undefined, OWN_STRATEGIES_DIR);
    if (!loaded.ok) {
      note(loaded.error);
      continue;
    }
    const { needsModel, description } = loaded.value.strategy;
    strategies.push({ name, needsModel, description });
  }
  const deciding = live.ok ? live.body.strategy : null;
  print(options.json ? `${JSON.stringify({ deciding, strategies })}\n` : strategiesText(strategies, deciding));
  return EXIT.ok;
}

/** From the running agent, else from the journal with open positions at their entry price. */
export async function strategyShadowsProgram(options: DecidingOptions): Promise<number> {
  const dataDir = dataDirOf(options);
  const live = await askAgent<DecidingBody>(dataDir, "/status");
  const scores = live.ok ? live.body.deciding.shadows : scoresFromJournal(dataDir);
  if (scores === null) return complain(live.silence ?? nothingIn(options));
  const running = live.ok;
  const own = ownCosts(dataDir, scores);
  if (options.json) print(`${JSON.stringify({ running, shadows: scores, ownOrders: own })}\n`);
  else {
    const who = live.silence ?? "no agent is running";
    const stopped = running ? "" : `Open positions are at their entry price: ${who}.\n`;
    print(`${stopped}${shadowsText(scores, own)}`);
  }
  return EXIT.ok;
}

/** Of the account's orders since the first shadow began, from the journal. */
function ownCosts(dataDir: string, scores: readonly ShadowFacts[]): OrderCosts | null {
  const file = journalPath(dataDir);
  if (!existsSync(file) || scores.length === 0) return null;
  const reader = readJournal(file);
  try {
    return orderCosts(reader, Math.min(...scores.map(({ sinceMs }) => sinceMs)));
  } finally {
    reader.close();
  }
}

function scoresFromJournal(dataDir: string): readonly ShadowFacts[] | null {
  const file = journalPath(dataDir);
  if (!existsSync(file)) return null;
  const reader = readJournal(file);
  try {
    return [...booksOf(reader).values()].flatMap((body) => bookFromRow(body) ?? []);
  } finally {
    reader.close();
  }
}

/**
 * Lessons from the running agent, otherwise from the journal; an empty list without either. The value of convictions always
 * comes from the journal.
 */
export async function lessonsProgram(options: DecidingOptions): Promise<number> {
  const dataDir = dataDirOf(options);
  const live = await askAgent<{ deciding: { lessons: readonly LessonFacts[] } }>(dataDir, "/status");
  const lessons = live.ok ? live.body.deciding.lessons : lessonsFromJournal(dataDir);
  const { trades, postMortems } = pastOf(dataDir);
  const conviction = convictionFacts(trades);
  const shown = options.json
    ? `${JSON.stringify({ lessons, conviction, postMortems })}\n`
    : `${lessonsText(lessons)}${convictionText(conviction)}${postMortemsText(postMortems)}`;
  process.stdout.write(shown);
  return EXIT.ok;
}

interface Past {
  readonly trades: readonly ClosedTradeRow[];
  readonly postMortems: readonly CauseCount[];
}

function pastOf(dataDir: string): Past {
  const file = journalPath(dataDir);
  if (!existsSync(file)) return { trades: [], postMortems: [] };
  const reader = readJournal(file);
  try {
    return { trades: closedTrades(reader, {}), postMortems: postMortemCounts(reader) };
  } finally {
    reader.close();
  }
}

function lessonsFromJournal(dataDir: string): readonly LessonFacts[] {
  const file = journalPath(dataDir);
  if (!existsSync(file)) return [];
  const reader = readJournal(file);
  try {
    return lessonsOf(reader, systemClock().nowMs()).map((lesson) => ({ ...lesson, text: lessonText(lesson) }));
  } finally {
    reader.close();
  }
}

/** Exit code 1 if no agent runs or it has no such lesson. */
export async function lessonsForgetProgram(id: string, options: DecidingOptions): Promise<number> {
  const answer = await askRunning<{ id: string }>(options, { kind: "forget-lesson", id });
  return resultCode(
    answer.ok ? null : answer.error === "the agent refused" ? `there is no lesson ${id}` : answer.error,
    {
      text: `${id} is removed.`,
      json: options.json,
    },
  );
}

/** Waits for the agent's review, which asks the model inside the budget; exit code 1 without an agent. */
export async function lessonsReviewProgram(options: DecidingOptions): Promise<number> {
  const answer = await askRunning<{ text: string }>(options, { kind: "review" });
  return resultCode(answer.ok ? null : answer.error, { text: answer.ok ? answer.value.text : "", json: options.json });
}

function resultCode(problem: string | null, { text, json }: { text: string; json: boolean }): number {
  if (problem !== null) return complain(problem);
  print(json ? JSON.stringify({ ok: true, text }) : text);
  return EXIT.ok;
}
