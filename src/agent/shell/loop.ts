/**
 * The imperative shell around `step`: carries out effects in order, and feeds their results back as events. Rows are
 * durable before anything after them is sent. Writes go through lanes by kind, so that a write that waits for its slot
 * never holds up a close; reads have their own lane.
 */
import type { Gauge } from "../../core/bounded.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { Effect } from "../contract/effects.ts";
import { createLanes, type Lanes } from "./lanes.ts";
import type { Link, LoopParts, Untimed } from "./parts.ts";
import { createReader } from "./reads.ts";
import { createSender } from "./sends.ts";

/** One per process. What `step` or an effect throws goes to `onFatal`, not to whoever dispatched. */
export interface Loop {
  dispatch(event: AgentEvent): void;
  /** What waits in each lane. */
  gauges(): readonly Gauge[];
  /** Waits, up to `patienceMs`, until nothing is on its way. True when all has ended. */
  drain(patienceMs: number): Promise<boolean>;
  /** Stops it: no further effect is carried out. */
  close(): void;
}

/** Each dispatch runs the step at once; replies come back through it with the clock's time of their arrival. */
export function createLoop(parts: LoopParts): Loop {
  const { env, agent, onFatal } = parts;
  let closed = false;
  const dispatch = (event: AgentEvent): void => {
    if (closed) return;
    try {
      for (const unsent of carryOutAll(agent.step(event), parts, carryOut)) link.feed(unsent);
    } catch (cause) {
      onFatal(cause);
    }
  };
  const link: Link = {
    feed: (event) => dispatch({ ...event, atMs: env.clock.nowMs() } as AgentEvent),
    closed: () => closed,
  };
  const lanes = createLanes(link, onFatal);
  const carryOut = carrier(parts, link, lanes.run);

  return {
    dispatch,
    gauges: lanes.gauges,
    drain: async (patienceMs) => {
      const enough = new AbortController();
      const idle = lanes.idle().then(() => true);
      const drained = await Promise.race([idle, env.clock.sleep(patienceMs, enough.signal).then(() => false)]);
      enough.abort();
      return drained;
    },
    close: () => {
      closed = true;
      lanes.clear();
    },
  };
}

/** Rows are written before anything else is carried out. */
type Carry = (effect: Exclude<Effect, { kind: "record" }>) => void;

const unwritten = (lost: string) => ({ kind: "blocked", message: `its row could not be written: ${lost}` }) as const;

/**
 * No row, no order: an opening whose row could not be written is reported as never sent. Everything else continues,
 * because the desk writes separate rows for exits and stops, and refuses them if it cannot.
 */
function carryOutAll(effects: readonly Effect[], { journal }: LoopParts, carryOut: Carry): readonly Untimed[] {
  const unsent: Untimed[] = [];
  // A death between the two leaves a row that was never announced, never an announcement without a row. Invariant I36.
  const words: Extract<Effect, { kind: "log" }>[] = [];
  let lost: string | null = null;
  for (const effect of effects) {
    if (effect.kind === "log") words.push(effect);
    else if (effect.kind === "record") {
      const { row, body, decisionId } = effect;
      lost = journal.append({ kind: row, body }, decisionId)?.lost ?? lost;
    } else if (lost !== null && effect.kind === "place" && effect.intent.opening) {
      const { clientOrderId } = effect.intent;
      unsent.push({ kind: "placed", clientOrderId, sent: unwritten(lost) });
    } else if (lost !== null && effect.kind === "amend") {
      const { clientOrderId, intentId } = effect.intent;
      unsent.push({ kind: "amend-sent", clientOrderId, intentId, sent: unwritten(lost) });
    } else carryOut(effect);
  }
  for (const word of words) carryOut(word);
  return unsent;
}

function carrier(parts: LoopParts, link: Link, run: Lanes["run"]): Carry {
  const [reader, sender] = [createReader(parts, link), createSender(parts, link)];
  return (effect) => {
    switch (effect.kind) {
      case "log":
        return parts.log.event(effect.level, effect.evt, effect.msg, effect.fields);
      case "place":
        return run(effect.intent.opening ? "opening" : "reducing", 0, () => sender.place(effect));
      case "amend":
        return run("replacing", 0, () => sender.replace(effect));
      case "cancel":
        return run("cancelling", 0, () => sender.cancel(effect));
      case "close":
        return run("closing", 0, () => sender.close(effect));
      case "protect":
        return run("protecting", 0, () => sender.protect(effect));
      case "amend-protection":
        return run("amending", 0, () => sender.amend(effect));
      case "cancel-algo":
        return run("clearing", 0, () => sender.cancelAlgo(effect));
      case "set-leverage":
        return run("setting", 0, () => sender.setLeverage(effect));
      case "renew-session":
        return run("setting", 3, async () => ({ kind: "session", ...(await parts.consent.renew()) }));
      case "ask-model":
        return askModel(parts, link, effect);
      case "answer":
        return parts.answer?.(effect.request, effect.body);
      default:
        return run("reading", effect.kind === "look-up" ? 2 : effect.kind === "read-account" ? 1 : 0, () =>
          reader(effect),
        );
    }
  };
}

/** No lane: the model has limits and a budget of its own. */
function askModel(
  { model, onFatal }: LoopParts,
  { feed, closed }: Link,
  { decisionId, part, question, urgent, shadow }: Extract<Effect, { kind: "ask-model" }>,
): void {
  const from = shadow === undefined ? {} : { shadow };
  void model
    .ask(decisionId, question, urgent, shadow === undefined ? (question.use ?? "decision") : `shadow ${shadow}`)
    .then((outcome) => (closed() ? undefined : feed({ kind: "model", decisionId, part, outcome, ...from })))
    .catch(onFatal);
}
