/** An amendment of an order whose answer did not come: the larger order counts until the venue says which one stands. */
import { describe, expect, test } from "vitest";
import { BTC, ready, settingsOf, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

const patient = (restFor = 600_000): World =>
  ready({ settings: settingsOf({ execution: { ...settingsOf().execution, restFor } }) });

/** An order that rests, and its change to a larger one. */
const AMENDING = `
  wants BTC LONG 0.5 resting
  1 s                      -> places BTC BUY 0.003 once
  rest
  wants BTC LONG 0.9 resting
  61 s with lists          -> amends order for 0.005 once, asks order
  wants nothing
`;

const stakeOf = (w: World): string | undefined =>
  w.agent
    .wireFacts(BTC, w.nowMs)
    ?.stakes.map(({ clientOrderId, qty }) => `${clientOrderId} ${qty.toFixed()}`)
    .join();
const idOf = (w: World): string => w.last("place").intent.clientOrderId;

describe("an amendment whose answer did not come", () => {
  test("is read back and never sent again; until then the larger order counts", () => {
    const w = story(`${AMENDING}\namend unknown`, patient());
    expect(stakeOf(w)).toBe(`${idOf(w)} 0.005`);
    story(`1 s -> asks order ${idOf(w)}\nlookup OPEN amended -> nothing, writes intent amend-end amended once`, w);
    expect(w.of("amend")).toHaveLength(1);
  });

  test("makes the stop of what has filled cover the larger order", () => {
    story(
      `${AMENDING}
      amend unknown
      order PARTIALLY_FILLED executed 0.001
      2 s                  -> protects all, asks order
      protect refused 400001
      0.25 s               -> protects 0.005
      `,
      patient(),
    );
  });

  test("counts as never made only after look-ups over half a minute that show the order as it was", () => {
    const w = story(
      `${AMENDING}
      amend unknown
      ${"lookup OPEN -> nothing\n".repeat(10)}
      31 s                 -> asks order
      `,
      patient(),
    );
    const ends = () => w.of("record").filter(({ row, body }) => row === "intent" && body["event"] === "amend-end");
    expect(ends()).toHaveLength(0);
    expect(stakeOf(w)).toBe(`${idOf(w)} 0.005`);
    story("lookup OPEN -> nothing, writes intent amend-end absent 11 once", w);
    expect(stakeOf(w)).toBe(`${idOf(w)} 0.003`);
  });

  test("an older record that comes late does not undo a newer one", () => {
    const w = story(
      `${AMENDING}
      amend unknown
      order OPEN amended dated 2000
      order OPEN dated 1000
      `,
      patient(),
    );
    expect(w.agent.status(w.nowMs).orders.map(({ qty }) => qty)).toEqual(["0.005"]);
  });

  test("an order that filled at its old price before the new one came was not amended", () => {
    story(`
      wants BTC LONG 0.5 resting
      1 s                  -> places BTC BUY 0.003 at 59997 once
      rest
      price 60030
      6 s with lists       -> amends order once
      order FILLED         -> nothing, writes intent amend-end order-ended 59997 once
    `);
  });

  test("ends with its order", () => {
    story(
      `${AMENDING}\namend unknown\norder CANCELLED -> nothing, writes intent amend-end order-ended once`,
      patient(),
    );
  });
});

describe("an amendment that is refused", () => {
  test("because the order is over ends with it, and the larger order counts until its record comes", () => {
    const w = story(
      `${AMENDING}
      amend refused 401058   -> writes intent amend-end never
      0.25 s                 -> asks order
      `,
      patient(),
    );
    expect(w.last("look-up").clientOrderId).toBe(idOf(w));
    expect(stakeOf(w)).toBe(`${idOf(w)} 0.005`);
    story("order FILLED -> writes intent amend-end order-ended once", w);
  });

  test("may have been made by the first copy of a request that was repeated: its record decides. Fault R3", () => {
    const w = story(`${AMENDING}\namend refused 400001 -> writes intent amend-end never`, patient());
    expect(stakeOf(w)).toBe(`${idOf(w)} 0.005`);
    story("lookup OPEN amended -> writes intent amend-end amended once", w);
  });

  test("counts as refused once enough look-ups have shown the order as it was", () => {
    const w = story(
      `${AMENDING}
      amend refused 400001
      lookup OPEN
      31 s
      lookup OPEN            -> writes intent amend-end never
      lookup OPEN
      lookup OPEN            -> writes intent amend-end refused 400001 once
      `,
      patient(),
    );
    expect(stakeOf(w)).toBe(`${idOf(w)} 0.003`);
  });
});

test("a restart counts the larger of an order and its change until the venue answers, and cancels the rest", () => {
  const w = story(`${AMENDING}\nrestart -> asks order`, patient(90_000));
  const { clientOrderId } = w.last("look-up");
  expect(clientOrderId).toBe(w.given.before?.last("place").intent.clientOrderId);
  expect(stakeOf(w)).toBe(`${clientOrderId} 0.005`);
  story(
    `
    lookup OPEN            -> orders OPEN
    32 s with lists        -> cancels order ${clientOrderId}, asks order
    `,
    w,
  );
  expect(w.agent.status(w.nowMs).orders.map(({ qty }) => qty)).toEqual(["0.003"]);
});

test("after a restart too the larger counts until enough look-ups have shown the order as it was", () => {
  const w = story(
    `
    ${AMENDING}
    restart                -> asks order
    lookup OPEN dated 2000
    12 s with lists        -> asks order, writes intent amend-end never
    `,
    patient(),
  );
  expect(stakeOf(w)).toBe(`${w.last("look-up").clientOrderId} 0.005`);
  story(
    `${"lookup OPEN dated 2000\n".repeat(3)}31 s\nlookup OPEN dated 2000 -> nothing, writes intent amend-end absent once`,
    w,
  );
  expect(stakeOf(w)).toBe(`${w.last("look-up").clientOrderId} 0.003`);
});
