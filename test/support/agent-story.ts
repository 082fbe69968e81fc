/**
 * The account of an agent as a story, one event a line, with what the agent does and holds after `->`.
 *
 * The venue:
 *   list BTC LONG 0.004 @ 60000      the account snapshot; `list nothing`; `list ..., S1` with the stops that stand, `, no stops`,
 *                                    `, asked 0.5 s ago`; `, new` where the position has just begun, or after its size
 *                                    `began 9 s ago` or `changed 9 s ago`, by the venue's own time; `, equity 810` of 1000
 *                                    otherwise; `, account MARGIN_CALL`; `, one-way`; `, order 301 OPEN BUY LONG` among the
 *                                    open orders, `, order OPEN` the agent's newest
 *   push BTC LONG 0.004 | flat       a position push; `dated 20` where it bears a time, in ms after the start; NONE is one-way
 *   stop S1 | S1 for 0.001 | S1 at 61000 | S1 CANCELLED    a stop push; at 58200 of BTC unless it says otherwise;
 *                                    `S1 at 58800 target 63000` is one order of both sides, `S2 of ETH` one of ETH
 *   fill SELL 0.004 @ 60000 by 301 [earning -4 | earning unsaid] [fee 0.1] [now | 5 s ago]    an execution of order 301; by
 *                                    default it is as old as can be; `as ID` names its client's id, `as order` that of the newest order
 *   fills none                       the list of executions, read by itself
 *   order FILLED | OPEN | CANCELLED  a push of the agent's newest order; `order 301 OPEN SELL LONG [executed 0.002]` one of an
 *                                    order of 0.004, or `of 0.001`, that the agent did not place; `as ID` where it has an id
 *                                    of its client's, as has a `fill`; `order REJECTED because it would take` has a reason;
 *                                    `order OPEN amended` shows its new price and quantity, `order FILLED at 59997` what a
 *                                    fill paid, `dated 2000` when it was changed, in ms after the start
 *   lookup OPEN | refused 401018     the answer to a look-up of the newest order: as a push shows it, or a reply
 *   stops S1 | none                  the list of stops, read by itself
 *   rules BTC, ETH halted            the rules of symbols
 *   wallet 810                       a push of the USDT balance
 *   stream down | up                 the user stream
 *   price 57000                      the market of BTC from now on
 *
 * Replies to the newest request of a kind, each `done 301 | refused 401097 | unknown | unsent | blocked`:
 *   place, amend, cancel             of an order; `rest` says that the venue takes the newest order and lets it rest
 *   protect done S1, move, unstop    of a stop, its change and its cancel
 *   close                            of the last close
 *   found S1 | S1 CANCELLED | refused 401097    the answer to a question about one stop
 *
 * The agent's own side:
 *   wants BTC LONG 0.5 [resting] [stop 0.01] [target 0.05] | BTC flat | nothing    what the strategy wants from now on
 *   model answers | fails HTTP 529   the answer to the newest question; `part 1`, `for NAME` of a shadow, `costing 0.02`
 *   switch to NAME [adopt | close | wind-down] [by file] [as q-1]    another strategy is to take over; q-1 waits for an answer
 *   session none because ... | stopped | active | for order.place    what the session allows
 *   halt | halt-all | resume | flatten    a command of the operator; `halt REASON` is one of the process itself
 *   shutdown                         the process is to end; `restart` begins the next run from the journal
 *   hold disk is full | disk ended   a hold by its cause, with its reason; or its end
 *   8 s | until close | until place  time passes, a tick a second; `8 s with list BTC LONG 0.004, S1` reads that list before each,
 *                                    `8 s with lists` an empty one; `8 s without prices` is one tick, and in `8 s of the book at
 *                                    50000` nothing else moves on
 *
 * After `->`, by commas, what the agent asks for in that line, all of it, in any order and however often, or `nothing`. A phrase
 * may say more, as in brackets, and may count: `cancels S1 once`, `places BTC 2 times`.
 *   places BTC [BUY [0.003 [at 59997]]] [post-only | taking]    cancels order [ID]    asks order [ID]
 *   amends order [to 60027 | for 0.005]        closes [BTC [LONG [0.004]]]            asks model [for NAME]
 *   protects all [at 58200 [target 63000 | target none] | of ETH]    `protects 0.004` of a stop with a quantity
 *   moves S1 [to 60021.1 | for 0.006]          cancels S1                             asks S1
 *
 * And what the line finds. A line of these alone leaves the actions open; one without `->` expects nothing in particular.
 *   holds BTC LONG 0.004 | nothing   and `stop live [at 58200]`, `stop wanted at 59000`, `orders OPEN | none`, `entries none`, `floor
 *                                    HALT`, `equity 810`, `strategy NAME`, `waiting NAME | none` look at the status
 *   reads                            requests for the account; `reads fills | rules | leverage` for others
 *   logs floor.changed [saying TEXT] and `writes intent end absent`, a row with these among its values, are of the line, once or
 *                                    more, or as often as `once`, `2 times` and `never` say
 *   external 301 | none              the orders reported as somebody else's so far
 *   journal opened closed | nothing  what the journal says of positions so far
 *   answers q-1 done | refused       the answers to commands, or `answers nothing`
 *   recheck passes | fails by TEXT   the last look before the newest order leaves
 *
 * Prices default to 60000; every position is of hedge mode.
 */
import { ready, START_MS, type World } from "./agent-world.ts";
import { actionsOf } from "./story/actions.ts";
import { isLook, lookedAt } from "./story/looks.ts";
import type { Story, Words } from "./story/words.ts";
import { happen } from "./story-events.ts";

/** What the line made the agent do, and what the line finds where it looks at more. */
function seen(world: World, wanted: Words, since: number): Words {
  const looks = wanted.filter(isLook);
  const found = lookedAt(world, looks, since);
  if (looks.length === wanted.length) return found;
  const actions = actionsOf(world.effects.slice(since), wanted);
  return [...(actions.length === 0 ? ["nothing"] : actions), ...found];
}

/** A stop is the same from story to story of one world. */
const STOPS = new WeakMap<World, Story["stops"]>();

/** Plays the story on a ready agent, or on the one that is given. Throws with the story where a line ends otherwise. */
export function story(text: string, world: World = ready()): World {
  const playing: Story = { world, stops: STOPS.get(world) ?? new Map() };
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  lines.forEach((line, at) => {
    const [event = "", expected] = line.split("->").map((part) => part.trim());
    const before = playing.world.effects.length;
    const fail = (found: string): never => {
      const marked = lines.map((other, n) => `${n === at ? ">" : " "} ${other}`).join("\n");
      throw new Error(`${marked}\n${found}, ${(playing.world.nowMs - START_MS) / 1_000} s after the start`);
    };
    try {
      happen(playing, event);
    } catch (cause) {
      fail(cause instanceof Error ? cause.message : String(cause));
    }
    if (expected === undefined) return;
    const wanted = expected.split(",").map((part) => part.trim());
    // What a run asks for as it begins is of the line that began it.
    const since = event === "restart" ? 0 : before;
    const found = seen(playing.world, wanted, since);
    const sort = (phrases: Words): string => [...phrases].sort().join(", ");
    if (sort(found) !== sort(wanted)) fail(`found: ${found.join(", ") || "nothing"}`);
  });
  STOPS.set(playing.world, playing.stops);
  return playing.world;
}
