/**
 * The account of an agent as a story, one event a line, with what the agent does and holds after `->`.
 *
 *   list BTC LONG 0.004 @ 60000      the account snapshot; `list nothing`; `list ..., S1` with the stops that stand, `, no stops`,
 *                                    `, asked 0.5 s ago`; `, new` where the position has just begun, or after its size
 *                                    `began 9 s ago` or `changed 9 s ago`, by the venue's own time; `, equity 810` of 1000 otherwise; `, one-way`
 *   push BTC LONG 0.004 | flat       a position push; `dated 20` where it bears a time, in ms after the start; NONE is one-way
 *   stop S1 | S1 for 0.001 | S1 at 61000 | S1 CANCELLED    a stop push; at 58200 unless it says otherwise;
 *                                    `S1 at 58800 target 63000` is one order of both sides
 *   fill SELL 0.004 @ 60000 by 301 [earning -4] [now | 5 s ago]    an execution of order 301; by default it is as old as can be
 *   fills none                       the list of executions, read by itself
 *   order FILLED | OPEN | CANCELLED  a push of the agent's newest order; `order 301 OPEN SELL LONG [executed 0.002]` one of an
 *                                    order of 0.004, or `of 0.001`, that the agent did not place; `as ID` where it has an id
 *                                    of its client's, as has a `fill`
 *   place done 301 | refused 401097 | unknown | unsent | blocked    the reply to the newest order
 *   rest                             the venue takes the newest order and lets it rest
 *   amend done | refused 401058 | unknown          the reply to the newest change of an order; `order OPEN amended` shows its
 *                                    new price and quantity, `order FILLED at 59997` what a fill paid
 *   cancel done | ...                the reply to the newest cancel of an order, `unstop` to that of a stop
 *   protect refused 50001 | done S1                the reply to the last stop
 *   move done | refused 400001 | unknown           the reply to the last change of a stop
 *   close refused 401097 | done 301 | unknown | unsent    the reply to the last close
 *   found S1 | S1 CANCELLED | refused 401097 | unknown    the answer to a question about one stop
 *   stops S1 | none                  the list of stops, read by itself
 *   halt | halt-all | resume | flatten    a command of the operator
 *   shutdown                         the process is to end
 *   wallet 810                       a push of the USDT balance
 *   stream down | up                 the user stream
 *   hold disk is full | disk ended   a hold by its cause, with its reason; or its end
 *   price 57000                      the market of BTC from now on
 *   8 s | until close | until place  time passes, a tick a second; `8 s with lists` reads the account before each
 *
 * After `->`, by commas: `closes`, `protects all` (or `protects 0.004` of a stop with a quantity), `cancels S1`, `asks S1`, `moves S1`, `places BTC`, `cancels order`, `amends order`,
 * `asks order`, or `nothing`: all that the agent asks for in that line, in any order and however often; `cancels S1 once` and
 * `places BTC 2 times` count. A phrase may say more: `protects all at 58200 [target 63000 | none]`, `moves S1 to 60021.1`, `moves S1 for 0.006`,
 * `places BTC SELL`, `asks order by-hand`.
 *
 * `holds BTC LONG 0.004`, `holds nothing`, `stop live`, `stop live at 58200`, `orders OPEN` and `orders none` look at the status, `reads` and `reads fills` at
 * requests for the account and the executions. `external 301` and `external none` name the orders reported as somebody else's so
 * far, `journal opened closed` and `journal nothing` what the journal says of positions so far. `floor HALT` and `equity 810` are
 * of the status too, and `logs floor.changed` is said by the line, once or more. A line of these alone leaves the actions open. A line without `->` expects nothing in particular. Prices default to 60000; every position is of hedge mode.
 */
import type { Effect } from "../../src/agent/contract/effects.ts";
import { ready, START_MS, type World } from "./agent-world.ts";
import { happen, nameOf, orderName, shortOf, type Story, type Words } from "./story-events.ts";

/** How an action may be put, the shortest first. */
function phrasesOf(effect: Effect): readonly string[] {
  switch (effect.kind) {
    case "close":
      return ["closes"];
    case "protect": {
      const { qty, triggerPrice, stopLossPrice, takeProfitPrice } = effect.order;
      const base = `protects ${qty.isZero() ? "all" : qty.toFixed()}`;
      const priced = `${base} at ${(triggerPrice ?? stopLossPrice)?.toFixed() ?? "no price"}`;
      return [base, priced, `${priced} target ${takeProfitPrice?.toFixed() ?? "none"}`];
    }
    case "cancel-algo":
      return [`cancels ${nameOf(effect.algoOrderId)}`];
    case "read-algo":
      return [`asks ${"algoOrderId" in effect ? nameOf(effect.algoOrderId) : "by its own id"}`];
    case "amend-protection": {
      const { qty, triggerPrice, stopLossPrice } = effect.change;
      const base = `moves ${nameOf(effect.algoOrderId)}`;
      const price = (triggerPrice ?? stopLossPrice)?.toFixed();
      return [base, ...(price ? [`${base} to ${price}`] : []), ...(qty ? [`${base} for ${qty.toFixed()}`] : [])];
    }
    case "place": {
      const { symbol, side } = effect.intent.draft.order;
      return [`places ${shortOf(symbol)}`, `places ${shortOf(symbol)} ${side}`];
    }
    case "amend":
      return ["amends order"];
    case "cancel":
      return ["cancels order", `cancels order ${effect.known.clientOrderId}`];
    case "look-up":
      return ["asks order", `asks order ${effect.clientOrderId}`];
    default:
      return [];
  }
}

const times = (count: number): string => (count === 1 ? " once" : ` ${count} times`);
const COUNT = / (once|\d+ times)$/;

/** What the agent asked for, as the line puts it, with a count where the line counts. */
function actionsOf(effects: readonly Effect[], wanted: Words): readonly string[] {
  const uncounted = wanted.map((phrase) => phrase.replace(COUNT, ""));
  const counts = new Map<string, number>();
  for (const effect of effects) {
    const [base, ...more] = phrasesOf(effect);
    if (base === undefined) continue;
    const phrase = more.find((longer) => uncounted.includes(longer)) ?? base;
    counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  }
  return [...counts].map(([phrase, count]) => {
    const counted = wanted.some((other) => COUNT.test(other) && other.replace(COUNT, "") === phrase);
    return counted ? `${phrase}${times(count)}` : phrase;
  });
}

const bodies = (world: World, row: string) =>
  world.of("record").flatMap((effect) => (effect.row === row ? [effect.body as Record<string, unknown>] : []));

const LOOK = /^(holds |orders |stop |external |journal |floor |equity |logs |reads\b)/;

/** What one look of the line finds. */
function lookedAt(world: World, phrase: string, since: number): readonly string[] {
  const { positions } = world.agent.status(world.nowMs);
  const [verb] = phrase.split(" ");
  switch (verb) {
    case "holds":
      return positions.length === 0
        ? ["holds nothing"]
        : positions.map(({ symbol, side, qty }) => `holds ${shortOf(symbol)} ${side} ${qty}`);
    case "orders": {
      const { orders } = world.agent.status(world.nowMs);
      return [`orders ${orders.map(({ state }) => state).join(" ") || "none"}`];
    }
    case "reads": {
      const kind = phrase.startsWith("reads fills") ? "read-fills" : "read-account";
      const count = world.effects.slice(since).filter((effect) => effect.kind === kind).length;
      return count === 0 ? [] : [`${phrase.replace(COUNT, "")}${COUNT.test(phrase) ? times(count) : ""}`];
    }
    case "floor":
      return [`floor ${world.agent.status(world.nowMs).floorState}`];
    case "equity":
      return [`equity ${world.agent.status(world.nowMs).equityUsdt}`];
    case "logs": {
      const [, evt] = phrase.split(" ");
      const count = world.effects.slice(since).filter((effect) => effect.kind === "log" && effect.evt === evt).length;
      return count === 0 ? [] : [`logs ${evt}${COUNT.test(phrase) ? times(count) : ""}`];
    }
    case "external": {
      const others = world.of("record").flatMap(({ body }) => (body["event"] === "external-order" ? [body] : []));
      return [`external ${others.map(({ orderId }) => orderName(String(orderId))).join(" ") || "none"}`];
    }
    case "journal":
      return [
        `journal ${
          bodies(world, "position")
            .map(({ kind }) => String(kind))
            .join(" ") || "nothing"
        }`,
      ];
    default: {
      const priced = phrase.includes(" at ");
      return positions.map(({ protection, stopPrice }) => `stop ${protection}${priced ? ` at ${stopPrice}` : ""}`);
    }
  }
}

/** What the line made the agent do, and what the line finds where it looks at more. */
function seen(world: World, wanted: Words, since: number): readonly string[] {
  const looks = wanted.filter((phrase) => LOOK.test(phrase));
  const found = new Set(looks.flatMap((phrase) => lookedAt(world, phrase, since)));
  if (looks.length === wanted.length) return [...found];
  const actions = actionsOf(world.effects.slice(since), wanted);
  return [...(actions.length === 0 ? ["nothing"] : actions), ...found];
}

/** Plays the story on a ready agent, or on the one that is given. Throws with the story where a line ends otherwise. */
export function story(text: string, world: World = ready()): World {
  const playing: Story = { world, stops: new Map() };
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  lines.forEach((line, at) => {
    const [event = "", expected] = line.split("->").map((part) => part.trim());
    const since = world.effects.length;
    const fail = (found: string): never => {
      const marked = lines.map((other, n) => `${n === at ? ">" : " "} ${other}`).join("\n");
      throw new Error(`${marked}\n${found}, ${(world.nowMs - START_MS) / 1_000} s after the start`);
    };
    try {
      happen(playing, event);
    } catch (cause) {
      fail(cause instanceof Error ? cause.message : String(cause));
    }
    if (expected === undefined) return;
    const wanted = expected.split(",").map((part) => part.trim());
    const found = seen(world, wanted, since);
    const sort = (phrases: Words): string => [...phrases].sort().join(", ");
    if (sort(found) !== sort(wanted)) fail(`found: ${found.join(", ") || "nothing"}`);
  });
  return world;
}
