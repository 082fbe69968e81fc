/** What a long beat brings is logged once, and nothing of it is lost that anybody could act on. */
import { expect, it } from "vitest";
import { digestFor } from "../../../../src/sim/servers/market-stream/step-digest.ts";
import type { TopicSink } from "../../../../src/sim/servers/market-stream/market-publisher.ts";

const SYMBOL = "EXCHANGE_A_BTC_USDT_PERP";

function rig(wanted = true): { readonly sink: TopicSink; readonly reported: unknown[][] } {
  const reported: unknown[][] = [];
  const sink = digestFor({
    wanted: () => wanted,
    intervals: () => [],
    publish: (...frame) => void reported.push(frame),
  });
  return { sink, reported };
}

it("reports every trade and the last of what is replaced, once the beat is over", async () => {
  const { sink, reported } = rig();
  sink.publish("TRADE", SYMBOL, null, [{ tradeid: "1" }]);
  sink.publish("BBO", SYMBOL, null, { bid: "1" });
  sink.publish("TRADE", SYMBOL, null, [{ tradeid: "2" }, { tradeid: "3" }]);
  sink.publish("BBO", SYMBOL, null, { bid: "2" });
  expect(reported).toEqual([]);
  await Promise.resolve();
  expect(reported).toEqual([
    ["TRADE", SYMBOL, null, [{ tradeid: "1" }, { tradeid: "2" }, { tradeid: "3" }]],
    ["BBO", SYMBOL, null, { bid: "2" }],
  ]);
  sink.publish("BBO", SYMBOL, null, { bid: "3" });
  await Promise.resolve();
  expect(reported).toHaveLength(3);
});

it("reports each bar as it ended and the running one as it stands", async () => {
  const { sink, reported } = rig();
  for (const [openMs, close] of [
    ["60000", "1"],
    ["60000", "2"],
    ["120000", "3"],
    ["120000", "4"],
  ])
    sink.publish("KLINE", SYMBOL, "1m", [[openMs, close]]);
  await Promise.resolve();
  expect(reported).toEqual([
    [
      "KLINE",
      SYMBOL,
      "1m",
      [
        ["60000", "2"],
        ["120000", "4"],
      ],
    ],
  ]);
});

it("passes changes of the book on at once, and keeps nothing that nobody follows", async () => {
  const { sink, reported } = rig();
  sink.publish("ORDER_BOOK", SYMBOL, null, { seq: 1 });
  sink.publish("ORDER_BOOK", SYMBOL, null, { seq: 2 });
  expect(reported).toHaveLength(2);
  const unfollowed = rig(false);
  unfollowed.sink.publish("TRADE", SYMBOL, null, []);
  await Promise.resolve();
  expect(unfollowed.reported).toEqual([]);
});
