/** A handover outlives a restart, whoever wanted the switch. */
import { expect, test } from "vitest";
import { SWITCHED_BY } from "../../src/agent/handover.ts";
import { restoreMind } from "../../src/main/restore-mind.ts";
import type { JournalReader } from "../../src/journal/reader.ts";

const NOW_MS = Date.UTC(2026, 0, 5, 9);

test.each(SWITCHED_BY)("a switch by the %s is restored with its handover", (by) => {
  const atMs = NOW_MS - 5_000;
  const told = { request: null, atMs, from: "hold", to: "momentum", by, handover: "close" };
  const lists = { differences: [], positions: [], withdrawn: [] };
  const body = { ...told, ...lists, untilMs: NOW_MS + 5_000, renamed: true };
  const reader = {
    rows: ({ kinds = [] }: { kinds?: readonly string[] }) => (kinds.includes("switch") ? [{ atMs, body }] : []),
  } as unknown as JournalReader;
  expect(restoreMind(reader, NOW_MS)).toMatchObject({ handover: { closeBeforeMs: atMs }, lastSwitch: { by } });
});
