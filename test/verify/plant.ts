/** How mistakes are planted: into an honest run, one at a time, and which invariant must see it. */
import { expect, test } from "vitest";
import { honestRun, type Run } from "./base.ts";
import * as move from "./moves.ts";
import type { Row } from "../../src/verify/rows.ts";
import { type Body, type Entry, fact, findingsOf, hashOfParams, history, type Story } from "./story.ts";

/** What is planted, in words, and the edit. */
export type Plant = readonly [what: string, edit: (run: Run, story: Story) => void];

export const LEAST = 6;

/** One test for each planted mistake. The invariant must see it; others may. */
export function plants(id: string, all: readonly Plant[]): void {
  test(`${id} is planted against often enough`, () => {
    expect(all.length).toBeGreaterThanOrEqual(LEAST);
  });
  test.each(all)(`${id} sees: %s`, (_what, edit) => {
    const run = honestRun();
    edit(run, run.story);
    expect([...findingsOf(history(run.story)).keys()]).toContain(id);
  });
}

export function the(story: Story, kind: string, fits: (body: Body, entry: Entry) => boolean = () => true): Entry {
  const found = story.entries.find((entry) => entry.kind === kind && fits(entry.body, entry));
  if (!found) throw new Error(`the story has no such ${kind} row`);
  return found;
}

export function last(story: Story, kind: string): Entry {
  const found = story.entries.findLast((entry) => entry.kind === kind);
  if (!found) throw new Error(`the story has no ${kind} row`);
  return found;
}

export const drop = (story: Story, entry: Entry): void => void story.entries.splice(story.entries.indexOf(entry), 1);

/** Puts a row in front of or behind another one, at its time. */
export function put(
  story: Story,
  where: "before" | "after",
  entry: Entry,
  added: Partial<Entry> & { kind: string; body: Body },
): Entry {
  const made = { ...entry, decisionId: null, ...added };
  story.entries.splice(story.entries.indexOf(entry) + (where === "after" ? 1 : 0), 0, made);
  return made;
}

export const frameOf = (story: Story, id: string): Body => {
  const found = story.wire.find((frame) => (frame["params"] as Body)["clientOrderId"] === id);
  if (!found) throw new Error(`no frame of ${id}`);
  return found;
};

export const facts = (story: Story, name: string, fits: (fact: Body) => boolean = () => true): Body[] =>
  story.venue.filter((fact) => fact["fact"] === name && fits(fact));

export const factsOfOrder = (story: Story, { orderId }: move.Placed): Body[] =>
  facts(story, "order", (fact) => fact["orderId"] === orderId);

/** The preview of a write. */
export const previewOf = (story: Story, out: Entry): Entry =>
  the(story, "preview", (body) => body["previewId"] === out.body["previewId"]);

const WIRE_NAME: Record<string, string> = {
  symbol: "sym",
  price: "limitPrice",
  quantity: "orderQty",
};

/** Changes a parameter everywhere it stands: preview, row with its hash, and frame. */
export function reword(story: Story, placed: move.Placed, change: Body): void {
  const preview = previewOf(story, placed.out);
  for (const entry of [preview, placed.out]) {
    const params = { ...(entry.body["params"] as Body), ...change };
    for (const [name, value] of Object.entries(change)) if (value === undefined) delete params[name];
    entry.body = { ...entry.body, params, paramsHash: hashOfParams(params) };
  }
  const params = frameOf(story, placed.id)["params"] as Body;
  for (const [name, value] of Object.entries(change)) {
    const wire = WIRE_NAME[name] ?? name;
    if (value === undefined) delete params[wire];
    else params[wire] = value;
  }
}

export const reseen = (placed: move.Placed, change: Body): void => {
  placed.out.body = { ...placed.out.body, seen: { ...(placed.out.body["seen"] as Body), ...change } };
};

/** The rows of another honest run, changed. */
export const twinOf = (edit: (story: Story) => void): readonly Row[] => {
  const { story } = honestRun();
  edit(story);
  return history(story).rows;
};

/** A position and what it is worth. */
export const hold = (
  story: Story,
  sym: string,
  given: { qty: string; price: string; equity?: string; side?: string },
): void => {
  move.symbol(story, sym);
  move.mark(story, sym, given.price);
  fact(story, "position", { sym, positionSide: given.side ?? "LONG", positionQty: given.qty });
  move.account(story, given.equity ?? "1000");
};

export const config = (story: Story, part: string): Body =>
  ((the(story, "config").body["config"] as Body)[part] ?? {}) as Body;

/** The configuration is shared by all stories until it is changed in one. */
export const reconfigure = (story: Story, part: string, change: Body): void => {
  const entry = the(story, "config");
  entry.body = {
    ...entry.body,
    config: { ...(entry.body["config"] as Body), [part]: { ...config(story, part), ...change } },
  };
};
