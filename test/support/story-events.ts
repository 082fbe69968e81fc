/** What happens in a story of `agent-story.ts`: each line as the event that the agent is fed. */
import { positionKeyOf } from "../../src/domain/position.ts";
import { BTC, type World } from "./agent-world.ts";
import { pushPosition, pushWallet, readList, readRules, stopOf } from "./story/account.ts";
import { modelReplies, readSession, switchTo, want } from "./story/mind.ts";
import { fill, lookUp, pushOrder, replied, reply, restOrder } from "./story/orders.ts";
import { passed, restart, until } from "./story/time.ts";
import type { Story, Words } from "./story/words.ts";

const KEY = positionKeyOf(BTC, "LONG");

function hold({ world }: Story, [cause = "", ...reason]: Words): void {
  const ended = reason.join(" ") === "ended";
  world.feed({ kind: "hold", cause, reason: ended ? null : reason.join(" ") });
}

function found(story: Story, words: Words): void {
  const { kind: _, positionKey, ...key } = story.world.last("read-algo");
  const asked = "clientOrderId" in key ? key : {};
  const isStop = /^[SH]\d/.test(words[0] ?? "");
  const answer = isStop ? ({ kind: "done", value: stopOf(story, words) } as const) : reply(words, () => ({}));
  story.world.feed({ kind: "algo-found", positionKey, ...asked, found: answer } as Parameters<World["feed"]>[0]);
}

function stopsRead(story: Story, words: Words): void {
  const algos = words[0] === "none" ? [] : [stopOf(story, words)];
  story.world.feed({ kind: "algos-read", startedAtMs: story.world.nowMs, algos });
}

export function happen(story: Story, line: string): void {
  const { world } = story;
  const [verb = "", ...rest] = line.split(/\s+/);
  const text = rest.join(" ");
  if (passed(story, line)) return;
  switch (verb) {
    case "list":
      return readList(story, text);
    case "push":
      return pushPosition(story, rest);
    case "stop":
      return void world.feed({ kind: "algo", algo: stopOf(story, rest) });
    case "fill":
      return fill(story, rest);
    case "fills":
      return void world.feed({ kind: "fills-read", startedAtMs: world.nowMs, fills: [] });
    case "order":
      return pushOrder(story, text);
    case "place":
    case "amend":
    case "cancel":
    case "unstop":
    case "protect":
    case "move":
      return replied(story, verb, rest);
    case "rest":
      return restOrder(story);
    case "lookup":
      return lookUp(story, text);
    case "close":
      return void world.feed({ kind: "close-sent", positionKey: KEY, sent: reply(rest, (orderId) => ({ orderId })) });
    case "found":
      return found(story, rest);
    case "stops":
      return stopsRead(story, rest);
    case "halt":
      if (text !== "") return void world.feed({ kind: "halt", reason: text });
      return void world.feed({ kind: "operator", command: "halt" });
    case "halt-all":
    case "resume":
    case "flatten":
      return void world.feed({ kind: "operator", command: verb });
    case "shutdown":
      return void world.feed({ kind: "stop", reason: "SIGTERM" });
    case "restart":
      return restart(story);
    case "wallet":
      return pushWallet(story, text);
    case "rules":
      return readRules(story, text);
    case "session":
      return readSession(story, rest);
    case "stream":
      return void world.feed({ kind: "stream", stream: "user", up: rest[0] === "up", reason: "test" });
    case "hold":
      return hold(story, rest);
    case "wants":
      return want(story, text);
    case "model":
      return modelReplies(story, text);
    case "switch":
      return switchTo(story, rest);
    case "price":
      return world.price(BTC, Number(rest[0]));
    case "until":
      return until(story, text);
    default:
      throw new Error(`nothing happens by "${verb}"`);
  }
}
