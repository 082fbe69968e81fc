/** A handover outlives a restart, whoever wanted the switch. */
import { expect, test } from "vitest";
import { handoverAt, SWITCHED_BY } from "../../src/agent/contract/handover.ts";
import { restoreDeciding } from "../../src/restore/restore-deciding.ts";
import type { JournalReader } from "../../src/journal/reader.ts";
import { wholeRows } from "../support/rows.ts";

const NOW_MS = Date.UTC(2026, 0, 5, 9);

test.each(SWITCHED_BY)("a switch by the %s is restored with its handover", (by) => {
  const atMs = NOW_MS - 5_000;
  const reported = { request: null, atMs, from: "hold", to: "momentum", by, handover: "close" };
  const lists = { differences: [], positions: [], withdrawn: [] };
  const body = { ...reported, ...lists, untilMs: NOW_MS + 5_000, renamed: true };
  const reader = {
    rows: ({ kinds = [] }: { kinds?: readonly string[] }) =>
      kinds.includes("switch") ? wholeRows([{ kind: "switch", atMs, body }]) : [],
  } as unknown as JournalReader;
  expect(restoreDeciding(reader, NOW_MS)).toMatchObject({ handover: { closeBeforeMs: atMs }, lastSwitch: { by } });
});

const used = (use: string, handover: string | null, from = "hold") => ({
  command: "use",
  from,
  use,
  handover,
  windDownMs: 900,
});
const made = (from: string, to: string, handover: string, atMs: number) => ({
  ...{ request: null, atMs, from, to, by: "operator", handover, untilMs: atMs + 900, renamed: true },
  ...{ differences: [], positions: [], withdrawn: [] },
});
const handoverOf = (...bodies: object[]) => {
  const rows = wholeRows(bodies.map((body, n) => ({ kind: "switch", atMs: NOW_MS - 100 + n, body })));
  const reader = {
    rows: ({ kinds = [] }: { kinds?: readonly string[] }) => (kinds.includes("switch") ? rows : []),
  } as unknown as JournalReader;
  return restoreDeciding(reader, NOW_MS).handover;
};
const NONE = { closeBeforeMs: -Infinity, windDowns: [] };

test("a switch that still waited when the run ended is restored with the handover of its word", () => {
  const asked = NOW_MS - 100;
  expect(handoverOf(used("momentum", "close"))).toMatchObject({ closeBeforeMs: asked, voidBeforeMs: asked });
  expect(handoverOf(used("momentum", "wind-down"))).toMatchObject({
    windDowns: [{ beforeMs: asked, untilMs: asked + 900 }],
  });
});

test("a word that changed nothing, or was taken back before the switch, leaves nothing to hand over", () => {
  expect(handoverOf(used("hold", "close"))).toMatchObject(NONE);
  expect(handoverOf(used("momentum", "close"), used("hold", "adopt", "momentum"))).toMatchObject(NONE);
});

test("a switch that was made counts once, as it was made", () => {
  const rows = [used("momentum", "close"), made("hold", "momentum", "close", NOW_MS - 50)];
  expect(handoverOf(...rows)).toMatchObject({ closeBeforeMs: NOW_MS - 50 });
  const other = [
    used("momentum", "close"),
    used("grid", "adopt", "momentum"),
    made("hold", "grid", "adopt", NOW_MS - 50),
  ];
  expect(handoverOf(...other)).toMatchObject(NONE);
});

test("a wind-down that was over before the next one began does not end that one early", () => {
  const rows = [
    made("hold", "momentum", "wind-down", NOW_MS - 5_000),
    made("momentum", "grid", "wind-down", NOW_MS - 50),
  ];
  expect(handoverAt(handoverOf(...rows), NOW_MS)).toMatchObject({ closeBeforeMs: NOW_MS - 5_000 });
});

test("a close that a start had taken over is finished whatever switch comes after it", () => {
  const rows = [used("momentum", "close"), made("momentum", "grid", "adopt", NOW_MS - 50)];
  expect(handoverOf(...rows)).toMatchObject({ closeBeforeMs: NOW_MS - 100 });
});

test("the last answer of each use is restored, so that none is bought twice after a restart", () => {
  const asked = (purpose: string, atMs: number, kind = "answered") => ({
    ...{ kind: "question", atMs },
    body: { prompt: "p", fingerprint: "f", purpose, outcome: { kind } },
  });
  const rows = wholeRows([
    asked("deep-answer", NOW_MS - 9_000),
    asked("deep-answer", NOW_MS - 5_000),
    asked("deep-answer", NOW_MS - 1_000, "failed"),
    asked("post-mortem", NOW_MS + 4_000),
  ]);
  const reader = {
    rows: ({ kinds = [] }: { kinds?: readonly string[] }) => (kinds.includes("question") ? rows : []),
  } as unknown as JournalReader;
  const { bought } = restoreDeciding(reader, NOW_MS);
  expect([...bought]).toEqual([
    ["deep-answer", NOW_MS - 5_000],
    ["post-mortem", NOW_MS],
  ]);
});
