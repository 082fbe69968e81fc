/**
 * Histories for the verifier's own test, built row by row: one clock, one journal, and beside it what the venue, the wire
 * and the model gateway saw. Everything is plain data, so that a planted mistake is one edit before the chain is sealed.
 */
import type { Finding, History, Sink } from "../../src/verify/history.ts";
import { ALL_INVARIANTS } from "../../src/verify/all-invariants.ts";
import { decodeCharge, decodeFrame } from "../../src/verify/outside.ts";
import { decodeFact } from "../../src/verify/venue-facts.ts";
import { canonical, decodeRow, digest, FIRST_PREV_HASH, hashOfRow } from "../../src/verify/rows.ts";
import { judgeOne } from "../../src/verify/verify.ts";

export type Body = Record<string, unknown>;

/** A row before the chain is made over it. */
export interface Entry {
  runId: string;
  atMs: number;
  monoMs: number;
  kind: string;
  decisionId: string | null;
  body: Body;
}

export interface Story {
  nowMs: number;
  runId: string;
  startedMs: number;
  readonly entries: Entry[];
  readonly wire: Body[];
  readonly venue: Body[];
  readonly charges: Body[];
  readonly sinks: { name: string; content: string }[];
  readonly secrets: string[];
  /** Changes a built history, for what lies outside the rows. */
  finish: ((history: History) => History) | null;
  phaseTwoMs: number | null;
  skewMs: number;
  count: number;
}

export const START_MS = Date.UTC(2026, 2, 10, 9);
export const BTC = "EXCHANGE_A_PERP_BTC_USDT";
export const ETH = "EXCHANGE_A_PERP_ETH_USDT";
export const SOL = "EXCHANGE_A_PERP_SOL_USDT";
export const ACCOUNT = "2188000000000001";
export const SECRET = "sk-5f1e9c04b7a24d0e9a6b";

export const CONFIG = {
  phase: 1,
  universe: ["BTC", "ETH", "SOL"],
  risk: { perOrderEquityShare: 0.4, gapMajors: 0.12, gapOthers: 0.25, bufferUsdt: "20" },
  execution: { slippage: 0.002 },
  model: { dayLimitUsd: "10", dayBoundaryUtcHour: 0 },
};

export function newStory(): Story {
  const empty = { entries: [], wire: [], venue: [], charges: [], sinks: [], secrets: [SECRET] };
  return {
    ...empty,
    nowMs: START_MS,
    runId: "",
    startedMs: START_MS,
    finish: null,
    phaseTwoMs: null,
    skewMs: 0,
    count: 0,
  };
}

export const pass = (story: Story, ms: number): void => void (story.nowMs += ms);

export function row(story: Story, kind: string, body: Body, decisionId: string | null = null): Entry {
  const { runId, nowMs, startedMs } = story;
  const entry = { runId, atMs: nowMs, monoMs: nowMs - startedMs, kind, decisionId, body: { ...body } };
  story.entries.push(entry);
  return entry;
}

export function fact(story: Story, name: string, fields: Body = {}): Body {
  const made = { fact: name, atMs: story.nowMs, accountId: ACCOUNT, ...fields };
  story.venue.push(made);
  return made;
}

export function frame(story: Story, call: string, params: Body, result = "200000"): Body {
  const made = {
    seq: story.wire.length + 1,
    atMs: story.nowMs,
    via: "rest",
    call,
    accountId: ACCOUNT,
    params: { ...params },
    result,
  };
  story.wire.push(made);
  return made;
}

export const nextId = (story: Story, kind: string): string => `${kind}-${story.runId}-${++story.count}`;
const sixteen = (story: Story, head: string): string => `${head}${String(++story.count).padStart(12, "0")}`;
export const orderIdOf = (story: Story): string => sixteen(story, "2190");
export const algoIdOf = (story: Story): string => sixteen(story, "2195");
export const fillIdOf = (story: Story): string => sixteen(story, "2199");

/** Seals the rows into a chain and decodes the rest: what `ballast verify` would have read. */
export function history(story: Story): History {
  let prevHash = FIRST_PREV_HASH;
  const rows = story.entries.map((entry, at) => {
    const { runId, atMs, monoMs, kind, decisionId } = entry;
    const bodyText = canonical(entry.body);
    const bare = { seq: at + 1, runId, atMs, monoMs, kind, decisionId, bodyText, prevHash };
    const hash = hashOfRow(bare);
    const raw = {
      seq: at + 1,
      boot: runId,
      at_ms: atMs,
      mono_ms: monoMs,
      kind,
      decision_id: decisionId,
      body: bodyText,
    };
    const made = decodeRow({ ...raw, prev_hash: prevHash, hash });
    prevHash = hash;
    return made;
  });
  const last = rows.at(-1);
  const built: History = {
    rows,
    tail: last ? { state: "read", seq: last.seq, hash: last.hash } : null,
    wire: story.wire.map(decodeFrame),
    venue: story.venue.map(decodeFact).filter((known) => known !== null),
    charges: story.charges.map(decodeCharge),
    sinks: story.sinks as readonly Sink[],
    secrets: story.secrets,
    hashes: null,
    twin: null,
    same: null,
    phaseTwoMs: story.phaseTwoMs,
    skewMs: story.skewMs,
  };
  return story.finish ? story.finish(built) : built;
}

/** Findings by invariant; those that are not judged are left out. */
export function findingsOf(judged: History): Map<string, readonly Finding[]> {
  const found = new Map<string, readonly Finding[]>();
  for (const invariant of ALL_INVARIANTS) {
    const { verdict } = judgeOne(invariant, judged);
    if (verdict.kind === "violated") found.set(invariant.id, verdict.findings);
  }
  return found;
}

export const hashOfParams = (params: Body): string => digest(canonical(params));
