/** Writes to an account of the service begin with the owner's word, and the data folder remembers it. */
import { describe, expect, onTestFinished, test } from "vitest";
import { DAY_MS } from "../../src/core/time.ts";
import { Secret } from "../../src/core/secret.ts";
import { silentLog } from "../../src/core/log.ts";
import { session as sessionSchema } from "../../src/config/session.ts";
import { type Journal, openJournal } from "../../src/journal/journal.ts";
import { pinAccount, pinned, pinOf } from "../../src/control/account-pin.ts";
import { consentVenue } from "../../src/control/consent-gap.ts";
import { livePermit } from "../../src/control/go-live.ts";
import { type LiveHosts, liveFile } from "../../src/control/live-file.ts";
import { folder } from "../support/process.ts";
import { archiveOld } from "../../src/ops/retention.ts";
import { freshJournalPath, virtualEnv } from "../journal/support.ts";
import { rawRow } from "../support/raw-row.ts";

const URL_HERE = "https://api.example.com";
const HERE = consentVenue("service", URL_HERE);
const DAY = 86_400_000;
const own = sessionSchema.parse({
  consent: "My agent may trade: 400 USDT in one order, 20000 USDT in one session.",
  consentFor: "api.example.com",
});
const none = { ...own, consent: "" };

function books(): { journal: Journal; env: ReturnType<typeof virtualEnv> } {
  const env = virtualEnv();
  const journal = openJournal({ path: freshJournalPath(), env, runId: "b" });
  onTestFinished(() => journal.close());
  return { journal, env };
}

/** Of a folder that keeps nothing beside its journal. */
const NOWHERE: LiveHosts = { has: () => false, add: () => undefined };

/** As at a start, up to the first reading of the account. */
const start = (journal: Journal, session = own, flag = false, venue = HERE, hosts = NOWHERE) => {
  const permit = livePermit(journal, venue, { session, flag, log: silentLog, hosts });
  permit.accountKnown();
  return permit;
};

/** The account is read once, as at every start. */
function pin(journal: Journal): void {
  const given = pinOf("service", { restUrl: URL_HERE, accessKey: new Secret("key-0123456789") });
  const account = pinAccount(journal, given, { log: silentLog, refused: () => undefined, known: () => undefined });
  if (account.ok) account.value.check({ kind: "done", value: [] });
}

describe("a folder that has never traded there", () => {
  test("sends nothing, and says which step is missing", () => {
    const { journal } = books();
    expect(start(journal).problem()).toMatch(/never traded on api\.example\.com.*--live, or write session\.live: true/);
    expect(start(journal, none, true).problem()).toMatch(/session\.consent is empty.*; then start it once with --live/);
    expect(journal.count()).toBe(0);
  });

  test("goes live with flag and consent, and a consent saved later completes a flag given before", () => {
    const { journal } = books();
    const permit = start(journal, none, true);
    permit.change(own);
    expect(permit.problem()).toBeNull();
    expect(start(journal).problem()).toBeNull();
  });

  test("remembers no word given with a key whose account the venue did not confirm", () => {
    const { journal } = books();
    const permit = livePermit(journal, HERE, { session: own, flag: true, log: silentLog, hosts: NOWHERE });
    expect(permit.missing()).toBeNull();
    expect(permit.problem()).toMatch(/has not been read yet/);
    expect(start(journal).problem()).toMatch(/--live/);
  });

  test("stays live there although its journal is lost, and only there", () => {
    const made = folder();
    onTestFinished(() => made.remove());
    const hosts = liveFile(made.dir, silentLog);
    expect(start(books().journal, own, true, HERE, hosts).problem()).toBeNull();
    expect(start(books().journal, none, false, HERE, liveFile(made.dir, silentLog)).problem()).toBeNull();
    const elsewhere = consentVenue("service", "https://other.example.com");
    expect(start(books().journal, own, false, elsewhere, hosts).problem()).toMatch(/other\.example\.com|consent/);
  });

  test("needs no word to practise", () => {
    expect(start(books().journal, none, false, consentVenue("embedded", null)).problem()).toBeNull();
  });
});

describe("a folder that has gone live", () => {
  const live = (): ReturnType<typeof books> => {
    const made = books();
    pin(made.journal);
    expect(start(made.journal, { ...own, live: true }).problem()).toBeNull();
    return made;
  };

  test("an earlier version left no such row: one that has sent orders to this account was live", () => {
    const { journal } = books();
    pin(journal);
    expect(start(journal).problem()).not.toBeNull();
    journal.append(rawRow("wire-out", { action: "order.place" }));
    expect(start(journal).problem()).toBeNull();
  });

  test("stays so at a restart and without consent, which opens nothing but protects what is held", () => {
    const { journal } = live();
    expect(start(journal).problem()).toBeNull();
    expect(start(journal, none).problem()).toBeNull();
  });

  test.each(["https://api.example.com:8443", "https://test.example.com"])("is not live at %s", (url) => {
    const { journal } = live();
    expect(start(journal, own, false, consentVenue("service", url)).problem()).not.toBeNull();
  });

  test("remembers account and permit when the rows that said so are archived", async () => {
    const { journal, env } = live();
    const before = pinned(journal);
    env.clock.advanceSync(40 * DAY);
    journal.appendMany(Array.from({ length: 1_200 }, () => rawRow("beat", {})));
    const moved = await archiveOld(journal, { keepMs: 30 * DAY_MS, nowMs: env.clock.nowMs(), log: silentLog });
    expect(moved).toMatchObject({ ok: true, value: { rows: expect.any(Number) } });
    expect(pinned(journal)).toEqual(before);
    expect(start(journal).problem()).toBeNull();
  });
});
