/** One data folder, one account: a live key on a practice journal, or another team's key, writes nothing. Fault O1. */
import { describe, expect, onTestFinished, test } from "vitest";
import { dec, ZERO } from "../../src/core/decimal.ts";
import { silentLog } from "../../src/core/log.ts";
import type { Outcome } from "../../src/core/outcome.ts";
import { Secret } from "../../src/core/secret.ts";
import type { ExchangeAccount } from "../../src/domain/position.ts";
import { type Journal, openJournal } from "../../src/journal/journal.ts";
import { type AccountPin, pinAccount, pinOf, pinned } from "../../src/control/account-pin.ts";
import { freshJournalPath, virtualEnv } from "../journal/support.ts";

const KEY = "live-access-key-of-the-team";
const access = (key = KEY, restUrl = "https://api.example.org:8443") => ({ restUrl, accessKey: new Secret(key) });

function journal(): Journal {
  const opened = openJournal({ path: freshJournalPath(), env: virtualEnv(), runId: "b" });
  onTestFinished(() => opened.close());
  return opened;
}

const reading = (...ids: string[]): Outcome<readonly ExchangeAccount[]> => ({
  kind: "done",
  value: ids.map((portfolioId, index) => ({
    portfolioId,
    exchange: `EXCHANGE_${index}`,
    equity: dec("1000"),
    availableMargin: dec("1000"),
    maintenanceMargin: ZERO,
    unrealizedPnl: ZERO,
    positionMode: "BOTH",
    status: "NORMAL",
  })),
});

/** One start: what the pin says to the credentials, then to what the venue answers. */
function start(books: Journal, pin: AccountPin, ...answers: Outcome<readonly ExchangeAccount[]>[]) {
  const refused: string[] = [];
  const account = pinAccount(books, pin, {
    log: silentLog,
    refused: (reason) => refused.push(reason),
    known: () => undefined,
  });
  const seen = account.ok ? answers.map((answer) => account.value.check(answer).kind) : [];
  return { begun: account.ok, problem: account.ok ? null : account.error, refused, seen };
}

describe("the first start", () => {
  test("pins nothing before the venue has answered, then what it answered, once", () => {
    const books = journal();
    const pin = pinOf("service", access());
    const failed: Outcome<never> = { kind: "unknown", message: "no answer" };
    expect(start(books, pin, failed)).toMatchObject({ begun: true, seen: ["unknown"] });
    expect(pinned(books)).toBeNull();
    start(books, pin, reading("42", "42"), reading("42", "42"));
    expect(pinned(books)).toMatchObject({ venue: "service", host: "api.example.org", portfolios: "42" });
    start(books, pin, reading("42"));
    expect(books.count()).toBe(1);
  });

  test("no part of a key stands in the row", () => {
    const books = journal();
    start(books, pinOf("service", access()), reading("42"));
    const text = JSON.stringify(books.rows());
    for (const form of [KEY, Buffer.from(KEY).toString("base64"), Buffer.from(KEY).toString("hex")]) {
      expect(text).not.toContain(form.slice(0, 8));
      expect(text).not.toContain(form.slice(-8));
    }
  });
});

describe("a later start", () => {
  const pinnedTo = (portfolio: string, pin = pinOf("service", access())): Journal => {
    const books = journal();
    start(books, pin, reading(portfolio));
    return books;
  };

  test.each<[string, AccountPin, RegExp]>([
    ["the practice venue on a live folder", pinOf("embedded", access()), /belongs to an account at api\.example\.org/],
  ])("%s is refused before anything is asked", (_name, pin, words) => {
    expect(start(pinnedTo("42"), pin)).toMatchObject({ begun: false, problem: expect.stringMatching(words) });
  });

  test("a live key on a practice folder is refused before anything is asked", () => {
    const books = journal();
    start(books, pinOf("embedded", access()), reading("1"));
    const live = start(books, pinOf("service", access()));
    expect(live).toMatchObject({ begun: false, problem: expect.stringContaining("embedded practice venue") });
    expect(start(books, pinOf("embedded", access("another-key-of-a-new-practice-venue"))).begun).toBe(true);
  });

  test("another account behind the credentials: the reading is withheld, every time", () => {
    const books = pinnedTo("42");
    const other = start(books, pinOf("service", access("the-key-of-another-team")), reading("77"), reading("77"));
    expect(other.begun).toBe(true);
    expect(other.seen).toEqual(["rejected", "rejected"]);
    expect(other.refused[0]).toContain("another account");
    expect(pinned(books)).toMatchObject({ portfolios: "42" });
  });

  test("a renewed key of the same account is taken over", () => {
    const books = pinnedTo("42");
    const renewed = start(books, pinOf("service", access("a-renewed-access-key")), reading("42"));
    expect(renewed).toMatchObject({ seen: ["done"], refused: [] });
    expect(start(books, pinOf("service", access("a-renewed-access-key")), reading("42")).begun).toBe(true);
  });

  test("where the venue names no portfolio, key and host must be the same", () => {
    const books = journal();
    const nameless: Outcome<readonly ExchangeAccount[]> = { kind: "done", value: [] };
    start(books, pinOf("service", access()), nameless);
    expect(start(books, pinOf("service", access()), nameless)).toMatchObject({ seen: ["done"] });
    expect(start(books, pinOf("service", access("another-access-key"))).begun).toBe(false);
    expect(start(books, pinOf("service", access(KEY, "https://sim.example.org"))).begun).toBe(false);
  });
});
