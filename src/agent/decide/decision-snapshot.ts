/** What a decision is made on: market, account, headroom, and what the agent knows of its own past decisions. */
import type { OwnDecision, Snapshot } from "../../context/snapshot.ts";
import { dec } from "../../core/decimal.ts";
import { lazyMembers } from "../../core/lazy.ts";
import type { Headroom } from "../../domain/competition.ts";
import type { LiveScore } from "../../domain/live-score.ts";
import { headroom } from "../../risk/headroom.ts";
import { DEFAULT_WINDOW } from "../books/uptime.ts";
import { entriesLeft, paceText } from "../execute/carry-out.ts";
import type { AgentState } from "../state/state.ts";
import { accountViewOf, NO_HEADROOM, scoreOf } from "../view/account-view.ts";
import { takerCost } from "../view/measure-costs.ts";
import { riskViewOf } from "../view/risk-view.ts";
import { standingLessons } from "./handle-lessons.ts";
import { type DecidedThen, decidedThen, ownDecisions } from "./own-decisions.ts";
import { shadowRecords } from "./shadows.ts";

const withDecisions = lazyMembers<DecidedThen, { decisions: readonly OwnDecision[] }>({ decisions: ownDecisions });
const withScore = lazyMembers<() => LiveScore, { score: LiveScore }>({ score: (make) => make() });

/** What strategies decide on: an immutable view of this instant. `account` is null until the account has been read. */
export function snapshotOf(state: AgentState, nowMs: number): Snapshot {
  const view = riskViewOf(state, nowMs);
  const seen = state.context.snapshot({
    atMs: nowMs,
    account: view ? accountViewOf(state, view) : null,
    headroom: view ? paced(state, headroom(view, state.settings.risk, takerCost(state)), nowMs) : NO_HEADROOM,
  });
  const score = scoreOf(state, nowMs, state.settings.uptimeWindow ?? DEFAULT_WINDOW);
  const snapshot = Object.assign(withDecisions({ ...seen }, decidedThen(state, seen.account, nowMs)), {
    bought: Object.fromEntries(state.deciding.bought),
    records: shadowRecords(state, nowMs),
    lessons: standingLessons(state, nowMs),
  });
  return Object.freeze(score ? withScore(snapshot, score) : snapshot);
}

/** With what the pace of new positions leaves. */
function paced(state: AgentState, given: Headroom, nowMs: number): Headroom {
  const left = entriesLeft(state, nowMs);
  if (left === Infinity) return given;
  const limits = [...given.limits, { limit: "new positions this hour", left: dec(left), unit: "positions" as const }];
  const blocked = given.mayOpen && left === 0;
  return { ...given, limits, ...(blocked ? { mayOpen: false, reason: paceText(state) } : {}) };
}
