/** How time passes in a story: by seconds, until something is asked for, without prices, and over a restart. */
import type { Effect } from "../../../src/agent/contract/effects.ts";
import { restore } from "../../../src/restore/restore.ts";
import { rejected } from "../../../src/protocol/codes.ts";
import { BTC, ready, type World } from "../agent-world.ts";
import { readerOf } from "../reader-of.ts";
import { readList } from "./account.ts";
import type { Story } from "./words.ts";

const UNTIL_MAX_S = 180;
const TIME = /^([\d.]+) s( with lists| with list .*| without prices| of the book at ([\d.]+))?$/;

/** A tick a second, and before each the account is read where `read` does so. */
function seconds(world: World, count: number, read: () => void): void {
  for (let left = count; left > 0; left -= 1) {
    read();
    world.tick(Math.min(1, left) * 1_000);
  }
}

function reading(story: Story, how: string): () => void {
  if (how === " with lists") return () => void story.world.account();
  const [, list] = /^ with list (.*)$/.exec(how) ?? [];
  return list === undefined ? () => undefined : () => readList(story, list);
}

/** Nothing but the book of BTC moves on. */
function bookAlone(world: World, count: number, price: number): void {
  for (let second = 0; second < count; second += 1) {
    world.nowMs += 1_000;
    world.context.sink.received(world.nowMs);
    world.context.sink.bbo(BTC, price - 3, 5, price + 3, 5, world.nowMs);
    world.feed({ kind: "tick" });
  }
}

/** Time passes as the line says; false where the line says something else. */
export function passed(story: Story, line: string): boolean {
  const { world } = story;
  const found = TIME.exec(line);
  if (!found) return false;
  const [, count = "", how = "", price] = found;
  if (price !== undefined) bookAlone(world, Number(count), Number(price));
  else if (how === " without prices") {
    world.nowMs += Number(count) * 1_000;
    world.feed({ kind: "tick" });
  } else seconds(world, Number(count), reading(story, how));
  return true;
}

export function until({ world }: Story, kind: string): void {
  for (let second = 0; second < UNTIL_MAX_S; second++) {
    if (world.of(kind as Effect["kind"]).length > 0) return;
    if (kind === "close" && world.of("protect").length > 0 && second > 0) {
      const { positionKey, order } = world.last("protect");
      const { clientOrderId } = order;
      world.feed({ kind: "protect-sent", positionKey, clientOrderId, sent: rejected("50001", "not now") });
    }
    world.tick(1_000);
  }
  throw new Error(`no ${kind} within ${UNTIL_MAX_S} s`);
}

/** The next run begins, from what the journal says: it wants the same, and prices are those of before. */
export function restart(story: Story): void {
  const { world } = story;
  const restored = restore(readerOf(world), world.nowMs);
  const now = { atMs: world.nowMs, runId: "t2", prices: world.prices, before: world };
  const next = ready({ ...world.given, ...now, restored });
  next.targets.splice(0, next.targets.length, ...world.targets);
  story.world = next;
}
