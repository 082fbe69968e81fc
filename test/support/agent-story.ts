/**
 * The account of an agent as a story, one event a line, with what the agent does and holds after `->`.
 *
 *   list BTC LONG 0.004 @ 60000      the account snapshot; `list nothing`; `list ..., S1` with the stops that stand, `, no stops`,
 *                                    `, asked 0.5 s ago`; `, new` where the position has just begun
 *   push BTC LONG 0.004 | flat       a position push
 *   stop S1 | S1 for 0.001 | S1 at 61000 | S1 CANCELLED    a stop push; at 58200 unless it says otherwise
 *   fill SELL 0.004 @ 60000 by 301 [earning -4] [now]    an execution of order 301; `now` gives it the present time
 *   protect refused 50001 | done S1                the reply to the last stop
 *   close refused 401097 | done 301 | unknown | unsent    the reply to the last close
 *   found S1 | S1 CANCELLED | refused 401097 | unknown    the answer to a question about one stop
 *   stops S1 | none                  the list of stops, read by itself
 *   price 57000                      the market of BTC from now on
 *   8 s | until close                time passes, a tick a second
 *
 * After `->`, by commas: `closes`, `protects 0.004`, `cancels S1`, `asks S1`, `moves S1`, or `nothing`: all that the agent asks
 * for in that line, each once, in any order. `holds BTC LONG 0.004`, `holds nothing`, `stop live` and `stop live at 58200` look at the status, `reads`
 * at requests for the account; a line of these alone leaves the actions open. A line without `->` expects nothing in particular.
 * Prices default to 60000; every position is of hedge mode.
 */
import type { Sent } from "../../src/agent/contract/events.ts";
import type { Effect } from "../../src/agent/contract/effects.ts";
import { dec } from "../../src/core/decimal.ts";
import type { AlgoOrder } from "../../src/domain/algo-order.ts";
import type { Position } from "../../src/domain/position.ts";
import { positionKeyOf } from "../../src/domain/position.ts";
import { rejected } from "../../src/protocol/codes.ts";
import { BTC, ETH, position, ready, standingStop, START_MS, type World } from "./agent-world.ts";

const SYMBOLS: Readonly<Record<string, string>> = { BTC, ETH };
const UNTIL_MAX_S = 180;

const symbolOf = (name: string): string => SYMBOLS[name] ?? name;
const shortOf = (symbol: string): string => Object.entries(SYMBOLS).find(([, full]) => full === symbol)?.[0] ?? symbol;
const sideOf = (name: string): "LONG" | "SHORT" => (name === "SHORT" ? "SHORT" : "LONG");
/**
 * `S1` is a stop of the agent's with the venue's id 2190000000000101, `H1` somebody else's with 2190000000000701, and `301` the
 * order 2190000000000301.
 */
const idOf = (name: string): string =>
  `2190000000000${/^[SH]/.test(name) ? String((name.startsWith("S") ? 100 : 700) + Number(name.slice(1))) : name}`;
const nameOf = (id: string): string => {
  const no = Number(id.slice(-3));
  return no > 700 ? `H${no - 700}` : `S${no - 100}`;
};

/** What the story has shown so far: a stop keeps its size from push to push. */
interface Story {
  readonly world: World;
  readonly stops: Map<string, AlgoOrder>;
}

type Words = readonly string[];

function after(words: Words, word: string): string | undefined {
  const at = words.indexOf(word);
  return at < 0 ? undefined : words[at + 1];
}

function listed(words: Words, world: World): Position {
  const [symbol = "", side = "", qty = ""] = words;
  return { ...position(symbolOf(symbol), qty, after(words, "@") ?? "60000", sideOf(side)), updatedAtMs: world.nowMs };
}

function stopOf({ stops, world }: Story, words: Words): AlgoOrder {
  const [name = "", state] = words.filter(
    (word, i) => !/^(for|at)$/.test(word) && !/^(for|at)$/.test(words[i - 1] ?? ""),
  );
  const before =
    stops.get(name) ??
    standingStop({
      algoOrderId: idOf(name),
      clientOrderId: name.startsWith("H") ? "by-hand" : `p-boot-${name.slice(1)}`,
    });
  const [qty, price] = [after(words, "for"), after(words, "at")];
  const stop = {
    ...before,
    ...(qty === undefined ? {} : { qty: dec(qty) }),
    ...(price === undefined ? {} : { triggerPrice: dec(price) }),
    state: (state ?? "NEW") as AlgoOrder["state"],
    updatedAtMs: world.nowMs,
  };
  stops.set(name, stop);
  return stop;
}

function readList(story: Story, rest: string): void {
  const parts = rest.split(",").map((part) => part.trim());
  const named = parts.filter((part) => /^[SH]\d/.test(part)).map((part) => stopOf(story, part.split(" ")));
  const openAlgos = named.length > 0 || parts.includes("no stops") ? named : null;
  const positions = parts
    .filter((part) => part in SYMBOLS || / (LONG|SHORT) /.test(part))
    .map((part) => listed(part.split(" "), story.world))
    .map((held) => (parts.includes("new") ? { ...held, createdAtMs: story.world.nowMs } : held));
  const asked = parts.find((part) => part.startsWith("asked "));
  const agoMs = asked === undefined ? 0 : Number(asked.split(" ")[1]) * 1_000;
  story.world.account({ positions, openAlgos, startedAtMs: story.world.nowMs - agoMs });
}

function reply(words: Words, done: (id: string) => object): Sent<never> {
  const [how = "", what = ""] = words;
  if (how === "refused") return rejected(what, "the venue refuses it") as Sent<never>;
  if (how === "done") return { kind: "done", value: done(idOf(what)) } as Sent<never>;
  if (how === "unknown") return { kind: "unknown", message: "no answer" };
  if (how === "unsent") return { kind: "not-sent", message: "no line" };
  throw new Error(`a reply is refused CODE, done ID, unknown or unsent, not ${how}`);
}

function fill({ world }: Story, words: Words): void {
  const [side = "", qty = ""] = words;
  const id = after(words, "by") ?? "300";
  const execution = {
    ...{ transactionId: `t${id}-${qty}`, orderId: idOf(id), clientOrderId: idOf(id), symbol: BTC },
    ...{ side: side as "BUY" | "SELL", qty: dec(qty), price: dec(after(words, "@") ?? "60000"), fee: dec("0.1") },
    ...{ realizedPnl: dec(after(words, "earning") ?? "0"), liquidity: "TAKER" as const },
    atMs: words.includes("now") ? world.nowMs : 0,
  };
  world.feed({ kind: "fill", execution });
}

function seconds(world: World, count: number): void {
  for (let left = count; left > 0; left -= 1) world.tick(Math.min(1, left) * 1_000);
}

function until(world: World, kind: string): void {
  for (let second = 0; second < UNTIL_MAX_S; second++) {
    if (world.of(kind as Effect["kind"]).length > 0) return;
    if (kind === "close" && world.of("protect").length > 0 && second > 0) {
      const { leg } = world.last("protect");
      world.feed({ kind: "protect-sent", leg, sent: rejected("50001", "not now") });
    }
    world.tick(1_000);
  }
  throw new Error(`no ${kind} within ${UNTIL_MAX_S} s`);
}

const KEY = positionKeyOf(BTC, "LONG");

function happen(story: Story, line: string): void {
  const { world } = story;
  const words = line.split(/\s+/);
  const [verb = "", ...rest] = words;
  if (/^[\d.]+ s$/.test(line)) return seconds(world, Number(verb));
  switch (verb) {
    case "list":
      return readList(story, rest.join(" "));
    case "push": {
      const [symbol = "", side = "", qty = ""] = rest;
      const flat = qty === "flat";
      const update = {
        ...{ symbol: symbolOf(symbol), positionSide: sideOf(side), qty: dec(flat ? "0" : qty) },
        ...{ avgPrice: dec(flat ? "0" : (after(rest, "@") ?? "60000")), leverage: null },
      };
      return void world.feed({ kind: "position", update });
    }
    case "stop":
      return void world.feed({ kind: "algo", algo: stopOf(story, rest) });
    case "fill":
      return fill(story, rest);
    case "protect":
      return void world.feed({ kind: "protect-sent", leg: KEY, sent: reply(rest, (algoOrderId) => ({ algoOrderId })) });
    case "close":
      return void world.feed({ kind: "close-sent", leg: KEY, sent: reply(rest, (orderId) => ({ orderId })) });
    case "found": {
      const { leg } = world.last("read-algo");
      const isStop = /^[SH]\d/.test(rest[0] ?? "");
      const found = isStop ? ({ kind: "done", value: stopOf(story, rest) } as const) : reply(rest, () => ({}));
      return void world.feed({ kind: "algo-found", leg, found } as Parameters<World["feed"]>[0]);
    }
    case "stops": {
      const algos = rest[0] === "none" ? [] : [stopOf(story, rest)];
      return void world.feed({ kind: "algos-read", startedAtMs: world.nowMs, algos });
    }
    case "price":
      return world.price(BTC, Number(rest[0]));
    case "until":
      return until(world, rest[0] ?? "");
    default:
      throw new Error(`nothing happens by "${verb}"`);
  }
}

function phraseOf(effect: Effect): string | null {
  switch (effect.kind) {
    case "close":
      return "closes";
    case "protect":
      return `protects ${effect.order.qty.toFixed()}`;
    case "cancel-algo":
      return `cancels ${nameOf(effect.algoOrderId)}`;
    case "read-algo":
      return `asks ${"algoOrderId" in effect ? nameOf(effect.algoOrderId) : "by its own id"}`;
    case "amend-protection":
      return `moves ${nameOf(effect.algoOrderId)}`;
    default:
      return null;
  }
}

/** What the line made the agent do, each action once, and what its status shows where the line looks at it. */
function seen(world: World, wanted: Words, since: number): readonly string[] {
  const actions = [...new Set(world.effects.slice(since).flatMap((effect) => phraseOf(effect) ?? []))];
  const { positions } = world.agent.status(world.nowMs);
  const looks = wanted.flatMap((phrase): string[] => {
    if (phrase.startsWith("holds "))
      return positions.length === 0
        ? ["holds nothing"]
        : positions.map(({ symbol, side, qty }) => `holds ${shortOf(symbol)} ${side} ${qty}`);
    if (phrase === "reads")
      return world.effects.slice(since).some(({ kind }) => kind === "read-account") ? ["reads"] : [];
    if (!phrase.startsWith("stop ")) return [];
    const priced = phrase.includes(" at ");
    return positions.map(({ protection, stopPrice }) => `stop ${protection}${priced ? ` at ${stopPrice}` : ""}`);
  });
  const looked = wanted.filter((phrase) => /^(holds |stop |reads$)/.test(phrase)).length;
  return [
    ...(actions.length === 0 && wanted.length > looked ? ["nothing"] : looked === wanted.length ? [] : actions),
    ...new Set(looks),
  ];
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
