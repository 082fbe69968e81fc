/**
 * The imperative shell around `step`: carries effects out, in order, and feeds what became of them back as events. Rows
 * are durable before anything that follows them leaves. Writes go through lanes by kind, so that what waits for its slot
 * never holds up a close; reads have a lane of their own.
 */
import PQueue from "p-queue";
import { filling, type Gauge } from "../core/gauge.ts";
import { describeOutcome, type Outcome } from "../core/outcome.ts";
import type { AlgoOrder } from "../domain/algo-order.ts";
import type { Execution } from "../domain/order.ts";
import { legKey } from "../domain/position.ts";
import type { AgentEvent, Effect } from "./events.ts";
import type { LoopParts } from "./parts.ts";
import { createWriter } from "./writes.ts";

export interface Loop {
  dispatch(event: AgentEvent): void;
  /** What waits in each lane. */
  gauges(): readonly Gauge[];
  /** Waits, up to `patienceMs`, until nothing is on its way. True when all has ended. */
  drain(patienceMs: number): Promise<boolean>;
  /** Nothing is carried out any more. */
  close(): void;
}

type DistributiveOmit<T, K extends keyof T> = T extends unknown ? Omit<T, K> : never;
type Untimed = DistributiveOmit<AgentEvent, "atMs">;

const ALGOS_PATIENCE_MS = 2_500;
/** Most waiting effects in a lane; beyond it something is wrong, and reads are simply asked for again later. */
const LANE_CAP = 200;

/** Each kind of write waits in a lane of its own, because each has a limit of its own: a stop that waits holds up no exit. */
const newLanes = () => ({
  opening: new PQueue({ concurrency: 1 }),
  closing: new PQueue({ concurrency: 4 }),
  replacing: new PQueue({ concurrency: 1 }),
  cancelling: new PQueue({ concurrency: 1 }),
  protecting: new PQueue({ concurrency: 1 }),
  amending: new PQueue({ concurrency: 1 }),
  clearing: new PQueue({ concurrency: 1 }),
  reading: new PQueue({ concurrency: 4 }),
});

const unwritten = (lost: string) => ({ kind: "blocked", message: `its row could not be written: ${lost}` }) as const;

export function createLoop(parts: LoopParts): Loop {
  const { env, log, agent, venue } = parts;
  const lanes = newLanes();
  const { opening, closing, replacing, cancelling, protecting, amending, clearing, reading } = lanes;
  const writer = createWriter(parts);
  let closed = false;

  const feed = (event: Untimed): void => dispatch({ ...event, atMs: env.clock.nowMs() } as AgentEvent);
  const run = (lane: PQueue, priority: number, work: () => Promise<Untimed | null>): void => {
    if (lane.size >= LANE_CAP) return;
    lane
      .add(async () => (closed ? null : work()), { priority })
      .then((event) => (event && !closed ? feed(event) : undefined))
      .catch(parts.onFatal);
  };

  const carryOut = (effect: Effect): void => {
    switch (effect.kind) {
      case "record":
        return void parts.journal.append(effect.row, effect.body, effect.decisionId);
      case "log":
        return log.event(effect.level, effect.evt, effect.msg, effect.fields);
      case "place":
        return run(effect.intent.opening ? opening : closing, 0, () => place(effect));
      case "amend":
        return run(replacing, 0, () => replace(effect));
      case "cancel":
        return run(cancelling, 0, async () => ({
          kind: "cancel-sent",
          clientOrderId: effect.known.clientOrderId,
          sent: await writer.cancel(effect.known, effect.decisionId),
        }));
      case "close":
        return run(closing, 1, async () => ({
          kind: "close-sent",
          leg: legKey(effect.known.symbol, effect.known.side),
          sent: await writer.close(effect),
        }));
      case "protect":
        return run(protecting, 0, () => protect(effect));
      case "amend-protection":
        return run(amending, 0, () => amend(effect));
      case "cancel-algo":
        return run(clearing, 0, async () => ({
          kind: "algo-cancel-sent",
          algoOrderId: effect.algoOrderId,
          sent: await writer.cancelAlgo(effect.algoOrderId),
        }));
      case "set-leverage":
        return run(reading, 0, () => setLeverage(effect.symbol, effect.leverage));
      case "renew-session":
        return run(reading, 3, async () => ({ kind: "session", ...(await parts.consent.renew()) }));
      case "ask-model":
        return askModel(effect);
      case "answer":
        return parts.answer?.(effect.request, effect.body);
      default:
        return run(reading, effect.kind === "look-up" ? 2 : effect.kind === "sweep" ? 1 : 0, () => read(effect));
    }
  };

  const askModel = ({ decisionId, part, question, urgent, shadow }: Extract<Effect, { kind: "ask-model" }>): void => {
    const from = shadow === undefined ? {} : { shadow };
    void parts.model
      .ask(decisionId, question, urgent, shadow === undefined ? "decision" : `shadow ${shadow}`)
      .then((answer) => (closed ? undefined : feed({ kind: "model", decisionId, part, answer, ...from })))
      .catch(parts.onFatal);
  };

  const place = async ({ intent, contractSize }: Extract<Effect, { kind: "place" }>): Promise<Untimed> => {
    if (intent.opening) await parts.turn?.("order.place");
    const sent = await writer.place(intent, contractSize);
    // What the session has left is part of what the next review looks at.
    feed({ kind: "session", session: await parts.consent.view(), reason: "" });
    return { kind: "placed", clientOrderId: intent.clientOrderId, sent };
  };

  const replace = async ({ intent, contractSize }: Extract<Effect, { kind: "amend" }>): Promise<Untimed> => {
    await parts.turn?.("order.replace");
    const sent = await writer.replace(intent, contractSize);
    feed({ kind: "session", session: await parts.consent.view(), reason: "" });
    return { kind: "amend-sent", clientOrderId: intent.clientOrderId, intentId: intent.intentId, sent };
  };

  /** A stop that waited for its turn may be late: its leg is flat by then, or asks for another one. */
  const protect = async ({ leg, order, decisionId }: Extract<Effect, { kind: "protect" }>): Promise<Untimed | null> => {
    await parts.turn?.("algo.place");
    if (closed || !agent.wantsProtection(leg, order.clientOrderId)) return null;
    return { kind: "protect-sent", leg, sent: await writer.protect(order, decisionId) };
  };

  /** A move that waited for its turn may lie on the wrong side of the mark by then. */
  const amend = async (effect: Extract<Effect, { kind: "amend-protection" }>): Promise<Untimed | null> => {
    await parts.turn?.("algo.replace");
    if (closed) return null;
    const { leg } = effect;
    if (!agent.mayAmend(effect, env.clock.nowMs()))
      return {
        kind: "protection-amended",
        leg,
        sent: { kind: "blocked", message: "it is not to be changed any more" },
      };
    return { kind: "protection-amended", leg, sent: await writer.amend(effect) };
  };

  const read = async (
    effect: Extract<
      Effect,
      { kind: "sweep" | "read-fills" | "load-rules" | "read-leverage" | "load-funding" | "look-up" }
    >,
  ): Promise<Untimed | null> => {
    switch (effect.kind) {
      case "sweep":
        return sweep(effect.withAlgos);
      case "read-fills": {
        const startedAtMs = env.clock.nowMs();
        const make = (fills: readonly Execution[]): Untimed => ({ kind: "fills-read", startedAtMs, fills });
        return readOr(await venue.executions({ beginMs: effect.sinceMs }), "executions", make);
      }
      case "load-rules":
        return readOr(await venue.symbolRules(), "symbol rules", (rules) => ({ kind: "rules", rules }));
      case "read-leverage":
        return readOr(await venue.leverage(), "leverage", (settings) => ({ kind: "leverage", settings }));
      case "load-funding":
        return readOr(await venue.fundingRate(effect.symbol), `funding of ${effect.symbol}`, (funding) => ({
          kind: "funding",
          funding,
        }));
      case "look-up":
        return {
          kind: "looked-up",
          clientOrderId: effect.clientOrderId,
          found: await venue.order({ clientOrderId: effect.clientOrderId }),
        };
    }
  };

  const readOr = <T>(outcome: Outcome<T>, what: string, make: (value: T) => Untimed): Untimed | null => {
    if (outcome.kind === "done") return make(outcome.value);
    log.event("warn", "venue.retry", `${what} could not be read: ${describeOutcome(outcome)}`);
    return null;
  };

  const sweep = async (withAlgos: boolean): Promise<Untimed> => {
    const startedAtMs = env.clock.nowMs();
    const [account, positions, openOrders, openAlgos] = await Promise.all([
      venue.account(),
      venue.positions(),
      venue.openOrders(),
      withAlgos ? algosInTime(startedAtMs) : null,
    ]);
    const failed = [account, positions, openOrders].find((outcome) => outcome.kind !== "done");
    if (account.kind !== "done" || positions.kind !== "done" || openOrders.kind !== "done") {
      return { kind: "sweep-failed", reason: failed ? describeOutcome(failed) : "" };
    }
    return {
      kind: "swept",
      sweep: {
        startedAtMs,
        account: account.value,
        positions: positions.value,
        openOrders: openOrders.value,
        openAlgos,
      },
    };
  };

  /** Their rate is scarce: the sweep waits a moment for the list, which otherwise follows when its turn has come. */
  const algosInTime = async (startedAtMs: number): Promise<readonly AlgoOrder[] | null> => {
    const enough = new AbortController();
    const reading = venue.openAlgos();
    const first = await Promise.race([reading, env.clock.sleep(ALGOS_PATIENCE_MS, enough.signal)]);
    enough.abort();
    if (first) return first.kind === "done" ? first.value : null;
    void reading
      .then((late) => {
        if (late.kind === "done" && !closed) feed({ kind: "algos-read", startedAtMs, algos: late.value });
      })
      .catch(parts.onFatal);
    return null;
  };

  /** Set, then read back: only what the venue says it is counts. */
  const setLeverage = async (symbol: string, leverage: number): Promise<Untimed> => {
    const set = await writer.setLeverage(symbol, leverage);
    if (set.kind !== "done")
      return { kind: "leverage-failed", symbol, reason: set.kind === "blocked" ? set.message : describeOutcome(set) };
    const now = await venue.leverage(symbol);
    return now.kind === "done"
      ? { kind: "leverage", settings: now.value }
      : { kind: "leverage-failed", symbol, reason: describeOutcome(now) };
  };

  const dispatch = (event: AgentEvent): void => {
    if (closed) return;
    try {
      for (const unsent of carryOutAll(agent.step(event))) feed(unsent);
    } catch (cause) {
      parts.onFatal(cause);
    }
  };

  /**
   * No row, no wire: an opening behind a row that could not be written is answered as never sent. Everything else goes on,
   * because exits and stops need rows of their own at the desk, which refuses them where those cannot be written either.
   */
  const carryOutAll = (effects: readonly Effect[]): readonly Untimed[] => {
    const unsent: Untimed[] = [];
    let lost: string | null = null;
    for (const effect of effects) {
      if (effect.kind === "record")
        lost = parts.journal.append(effect.row, effect.body, effect.decisionId)?.lost ?? lost;
      else if (lost !== null && effect.kind === "place" && effect.intent.opening) {
        const { clientOrderId } = effect.intent;
        unsent.push({ kind: "placed", clientOrderId, sent: unwritten(lost) });
      } else if (lost !== null && effect.kind === "amend") {
        const { clientOrderId, intentId } = effect.intent;
        unsent.push({ kind: "amend-sent", clientOrderId, intentId, sent: unwritten(lost) });
      } else carryOut(effect);
    }
    return unsent;
  };

  return {
    dispatch,
    gauges: () => Object.entries(lanes).map(([name, lane]) => filling(`loop.${name}`, lane.size, LANE_CAP)),
    drain: async (patienceMs) => {
      const enough = new AbortController();
      const idle = async (): Promise<boolean> => {
        await Promise.all(Object.values(lanes).map((lane) => lane.onIdle()));
        return true;
      };
      const drained = await Promise.race([idle(), env.clock.sleep(patienceMs, enough.signal).then(() => false)]);
      enough.abort();
      return drained;
    },
    close: () => {
      closed = true;
      for (const lane of Object.values(lanes)) lane.clear();
    },
  };
}
