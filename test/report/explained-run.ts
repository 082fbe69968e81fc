/** A small run written down as the daemon writes it: real strategies, real prompts, the practice model's own replies. */
import path from "node:path";
import { expect, vi } from "vitest";
import { keepPage } from "../../src/agent/decide/keep-page.ts";
import { Outbox } from "../../src/agent/contract/effects.ts";
import type { Snapshot } from "../../src/context/snapshot.ts";
import { silentLog } from "../../src/core/log.ts";
import { canonicalJson } from "../../src/core/hash.ts";
import { type Journal, openJournal } from "../../src/journal/journal.ts";
import { openPageStore, pagesDir } from "../../src/journal/page-store.ts";
import type { RowKind, RowValue } from "../../src/rows/row.ts";
import { loadPrompts } from "../../src/llm/prompts/prompts.ts";
import { renderQuestion } from "../../src/llm/calls/question.ts";
import { readReply } from "../../src/llm/replies/reply.ts";
import { keepPages, type PageKeeper } from "../../src/daemon/decision-pages.ts";
import { answer as practiceAnswer } from "../../src/sim/model/answer.ts";
import { askStrategy, interpretReplies } from "../../src/strategy/guarded.ts";
import type { ModelQuestion, Reply, StrategyAnswer } from "../../src/strategy/strategy.ts";
import { freshJournalPath, virtualEnv } from "../journal/support.ts";
import { armed } from "../strategies/asking.ts";
import { pageToKeep } from "../../src/rows/snapshot.ts";
import { wholeRow } from "../support/rows.ts";

export interface WrittenRun {
  readonly dataDir: string;
  readonly journal: Journal;
  readonly clock: ReturnType<typeof virtualEnv>["clock"];
  readonly pages: PageKeeper;
  row(kind: RowKind, body: object, decisionId?: string): void;
  /** A whole decision with its pages, as the agent and the model port write them; answers what it came to. */
  decide(decisionId: string, strategy: string, snapshot: Snapshot, settings?: unknown): Promise<StrategyAnswer>;
  close(): Promise<void>;
}

/** `file` is for a run that several tests share; without it the folder is gone when the test has ended. */
export function writtenRun(file: string = freshJournalPath()): WrittenRun {
  const env = virtualEnv();
  const journal = openJournal({ path: file, env, runId: "test" });
  const row: WrittenRun["row"] = (kind, body, decisionId) => void journal.append(wholeRow(kind, body), decisionId);
  const dataDir = path.dirname(file);
  const store = openPageStore(pagesDir(dataDir));
  const append = (value: RowValue, id: string | null): undefined => void journal.append(value, id ?? undefined);
  const pages = keepPages(append, store, silentLog);
  return {
    dataDir,
    journal,
    clock: env.clock,
    pages,
    row,
    decide: (decisionId, strategy, snapshot, settings) =>
      decideAndKeep(pages, { decisionId, strategy, snapshot, settings: settings ?? {} }),
    close: async () => {
      await pages.idle();
      journal.close();
    },
  };
}

interface Asked {
  readonly decisionId: string;
  readonly strategy: string;
  readonly snapshot: Snapshot;
  readonly settings: unknown;
}

async function decideAndKeep(pages: PageKeeper, { decisionId, strategy, snapshot, settings }: Asked) {
  const by = await armed(strategy, settings);
  const keep = (call: "decide" | "interpret", page: object): void => {
    const out = new Outbox();
    keepPage(out, decisionId, { call, by, snapshot, ...page } as Parameters<typeof keepPage>[2]);
    for (const effect of out.effects)
      if (effect.kind === "record") pages.append({ kind: effect.row, body: effect.body }, decisionId);
  };
  let answer = askStrategy(by, snapshot);
  keep("decide", { answer });
  for (let round = 1; answer.ok && answer.value.kind === "ask"; round++) {
    const { questions, carry } = answer.value;
    const reported = { round, replies: questions.map((question) => askAndKeep(pages, decisionId, question)), carry };
    answer = interpretReplies(by, reported, snapshot);
    keep("interpret", { replies: reported, answer });
  }
  if (!answer.ok) throw new Error(answer.error.reason);
  return answer.value;
}

const WORDS = { fence: "fence-0123456789abcdef", echo: "echo-0123456789abcdef" };

function askAndKeep(pages: PageKeeper, decisionId: string, question: ModelQuestion): Reply {
  const prompts = loadPrompts(path.join(import.meta.dirname, "../../prompts"));
  if (!prompts.ok) throw new Error(prompts.error);
  const made = renderQuestion(prompts.value, WORDS, question);
  if (!made.ok) throw new Error(made.error);
  const { system, user, head, promptHash } = made.value;
  const { text } = practiceAnswer(
    {
      model: "m",
      messages: [
        { role: "system", content: system },
        { role: "user", content: user },
      ],
      response_format: { type: "json_schema", json_schema: { name: "x", schema: made.value.schema } },
    },
    false,
  );
  const asked = { prompt: head.name, version: head.version, promptHash, system, user, ...WORDS };
  const about = { schemaName: question.replySchemaName, fingerprint: question.fingerprint, purpose: "decision" };
  pages.append(
    pageToKeep({ call: "ask", ...about, kind: "answered", cached: false, asked, replyText: text }),
    decisionId,
  );
  const read = readReply(text ?? "", { schema: question.replySchema, echo: WORDS.echo, canary: WORDS.fence });
  if (!read.ok) throw new Error(read.error);
  return { kind: "answered", value: read.value, model: "m" };
}

/** What a program wrote on standard output and standard error, and its exit code. */
export async function reported(program: () => Promise<number>): Promise<{ code: number; out: string; err: string }> {
  const said = { out: "", err: "" };
  const out = vi.spyOn(process.stdout, "write").mockImplementation((text) => ((said.out += String(text)), true));
  const err = vi.spyOn(process.stderr, "write").mockImplementation((text) => ((said.err += String(text)), true));
  try {
    return { code: await program(), ...said };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

export const asJson = <T>({ out, code }: { out: string; code: number }): T => {
  expect(code, out).toBe(0);
  return JSON.parse(out) as T;
};

/** Order of keys aside. */
export const same = (a: unknown, b: unknown): void => expect(canonicalJson(a)).toBe(canonicalJson(b));
