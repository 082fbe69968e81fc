/** What keeps the venue from answering, read from how exchanges end. */
import { expect, test } from "vitest";
import type { Outcome } from "../../src/core/outcome.ts";
import { rejected } from "../../src/protocol/codes.ts";
import { createVenueTroubles } from "../../src/venue/venue-trouble.ts";

const done: Outcome<null> = { kind: "done", value: null };
const cut: Outcome<null> = { kind: "unknown", message: "HTTP 503: down" };
const unsent: Outcome<null> = { kind: "not-sent", message: "ECONNREFUSED" };

function rig() {
  const clock = { ms: 1_000 };
  const troubles = createVenueTroubles("https://venue.example", () => clock.ms++);
  return { note: troubles.note, said: () => troubles.now()?.sentence ?? null, now: troubles.now };
}

test.each([
  ["2002", "the venue refuses the key (2002: no)", "key", true],
  ["100041", "the venue refuses the key (100041: no)", "key", true],
  ["http-401", "the venue refuses the key (http-401: no)", "key", true],
  ["2001", "the venue refuses the address of this machine (2001: no)", "address", true],
  ["7000", "the venue refuses the time of our requests (7000: no)", "clock", true],
])("a refusal with %s is %s until the same call is answered", (code, sentence, kind, lasting) => {
  const { note, said, now } = rig();
  note("GET /a", rejected(code, "no"));
  note("GET /a", rejected(code, "no"));
  expect(now()).toMatchObject({ sentence, kind, lasting, sinceMs: 1_000 });
  note("GET /a", done);
  expect(said()).toBeNull();
});

test("a permission that one call lacks is reported that call alone", () => {
  const { note, said } = rig();
  note("GET /a", rejected("2003", "no access permission"));
  note("GET /b", done);
  expect(said()).toBe("the venue refuses the key for GET /a (2003: no access permission)");
});

test("a refused time is over once any call is taken: all are signed with the same time", () => {
  const { note, said } = rig();
  note("GET /a", rejected("7000", "nonce must be within 60 s"));
  note("GET /b", done);
  expect(said()).toBeNull();
});

test("one lost exchange is no trouble, two in a row are, a refusal of business ends it", () => {
  const { note, said, now } = rig();
  note("GET /a", unsent);
  expect(said()).toBeNull();
  note("GET /a", unsent);
  expect(now()).toMatchObject({
    sentence: "the venue at https://venue.example cannot be reached (ECONNREFUSED)",
    next: "check SVC_API_HOST and the network",
    lasting: false,
  });
  note("GET /a", rejected("401018", "order not found"));
  expect(said()).toBeNull();
});

test("a venue that is away after it refused the key is away", () => {
  const { note, said } = rig();
  note("GET /a", rejected("2002", "no"));
  for (let n = 0; n < 2; n++) note("GET /a", unsent);
  expect(said()).toBe("the venue at https://venue.example cannot be reached (ECONNREFUSED)");
});

test("a venue that is reached and fails, or another service at its address, is reported as that", () => {
  const { note, said } = rig();
  note("GET /a", cut);
  note("GET /a", { kind: "rate-limited", retryAtMs: 0, message: "429" });
  note("GET /a", rejected("http-404", "a page"));
  expect(said()).toBe("the venue at https://venue.example fails (http-404: a page)");
});
