/** The operator's consent as a running session: when the next one begins. */
import { expect, test } from "vitest";
import { session } from "../../src/config/session.ts";
import { keepConsent } from "../../src/control/consent.ts";
import { testDesk } from "../desk/support.ts";
import { BTC } from "../risk/support.ts";

test.each([
  ["20s", 8_000, 12_000],
  ["60s", 29_000, 31_000],
  ["1h", 3_500_000, 3_550_000],
])("a session of %s is kept with its total until its end is near", async (expiresIn, midwayMs, nearMs) => {
  const { desk, clock } = testDesk();
  const terms = session.parse({ consent: "Trade by automation, 400 an order, 20000 in total.", expiresIn });
  const keeper = keepConsent(desk, clock, { session: terms, symbols: [BTC], venue: { kind: "embedded", host: "" } });
  const ids: (string | undefined)[] = [];
  for (const waitMs of [0, midwayMs, nearMs - midwayMs]) {
    clock.advanceSync(waitMs);
    ids.push((await keeper.renew()).session?.id);
  }
  expect(ids[0]).toBeDefined();
  expect(ids[1]).toBe(ids[0]);
  expect(ids[2]).not.toBe(ids[0]);
});
