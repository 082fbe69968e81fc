/** Market and account through the client layer. Spec: 3 §4.2, §4.3, §4.7, §7.2, end. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { dataAt, write } from "../../faces/svc-rig.ts";
import { card, type Surface } from "../harness.ts";
import { failed, passed } from "../svc-client.ts";
import { accepted, BTC, ORDER } from "../venue.ts";
import { marketOrder } from "./client-steps.ts";

const symbol = BTC;
const MINUTE_MS = 60_000;

export const clientReads: Surface = {
  name: "client-reads",
  cards: [
    card("C-4.2-01", "3 §4.2", "get-ticker, get-mark-price and get-open-interest take symbol", async (v) => {
      const { bid } = await v.touch(symbol);
      const last = Number(passed(await v.svc.command("market.ticker", { symbol }))["lastPrice"]);
      expect(Math.abs(last / bid - 1)).toBeLessThan(0.1);
      passed(await v.svc.command("market.mark-price", { symbol }));
      const open = passed(await v.svc.command("market.open-interest", { symbol }));
      expect(Number(open["openInterest"])).toBeGreaterThan(0);
    }),
    card("C-4.2-02", "3 §4.2", "get-orderbook takes symbol and the integer level", async (v) => {
      const { bids, asks } = passed(await v.svc.command("market.orderbook", { symbol, level: 3 })) as {
        bids: { price: string }[];
        asks: { price: string }[];
      };
      expect([bids.length, asks.length]).toEqual([3, 3]);
      expect(Number(bids[0]?.price)).toBeLessThan(Number(asks[0]?.price));
      failed(await v.svc.command("market.orderbook", { symbol, level: "3.5" }), "INVALID_INPUT", "RCLI30001");
    }),
    card(
      "C-4.2-03",
      "3 §4.2, §7.1",
      "get-klines with fewer candles than asked for is NOT_VERIFIED with them",
      async (v) => {
        const answer = await v.svc.command("market.klines", { symbol, interval: "15M".toLowerCase(), limit: 50 });
        failed(answer, "NOT_VERIFIED");
        expect(answer.data).toMatchObject({ symbol, interval: "15m", count: 1, sources: ["stream"] });
        expect(answer.message).toContain("1 of 50 candles");
      },
    ),
    card(
      "C-4.2-04",
      "3 §4.2",
      "get-klines answers from a folder of candles, names it, and keeps interval as sent",
      async (v) => {
        const folder = mkdtempSync(path.join(os.tmpdir(), "candles-"));
        try {
          const day = path.join(folder, "klines-1h", "perp-2026-01");
          mkdirSync(day, { recursive: true });
          const hour = 60 * MINUTE_MS;
          const opens = [3, 2, 1].map((back) => (Math.floor(v.clock.nowMs() / hour) - back) * hour);
          const rows = opens.map((open, index) => `${open},1,2,0.5,1.5,${index}`);
          writeFileSync(path.join(day, "BTCUSDT.csv"), `open_time_ms,open,high,low,close,volume\n${rows.join("\n")}\n`);
          const drive = v.svc.commandAs({ variables: { ...v.svc.variables, SVC_CANDLE_DIR: folder } });
          for (const interval of ["1h", "1H"]) {
            const data = passed(await drive("market.klines", { symbol, interval, limit: 4 }));
            expect(data).toMatchObject({ interval, count: 4, sources: ["folder", "stream"] });
            expect((data["candles"] as number[][]).map(([open]) => open)).toEqual([...opens, (opens[2] ?? 0) + hour]);
          }
        } finally {
          rmSync(folder, { recursive: true });
        }
      },
    ),
    card("C-4.2-05", "3 §4.2", "get-funding-rate and get-symbol-info answer what REST answers", async (v) => {
      const info = await v.get("/api/v1/trading/sym/info", { sym: symbol });
      expect(JSON.stringify((await v.svc.command("market.symbol-info", { symbol })).data)).toBe(info.text);
      const rate = passed(await v.svc.command("market.funding-rate", { symbol }));
      expect(JSON.stringify(rate)).toContain(symbol);
    }),
    card(
      "C-4.3-01",
      "3 §4.3",
      "overview, assets, statement, user-fee-rate and position-bracket answer REST",
      async (v) => {
        const pairs: readonly (readonly [string, string, Record<string, string>])[] = [
          ["portfolio.overview", "/api/v1/trading/account", {}],
          ["portfolio.assets", "/api/v1/trading/portfolio/assets", {}],
          ["portfolio.statement", "/api/v1/trading/statement", {}],
          ["portfolio.user-fee-rate", "/api/v1/trading/userFeeRate", {}],
          ["portfolio.position-bracket", "/api/v1/trading/positionBracket", { symbol }],
        ];
        for (const [id, rest, input] of pairs) {
          const raw = await v.until(
            () => v.get(rest, input["symbol"] === undefined ? {} : { sym: symbol }),
            (reply) => reply.code === "200000",
            rest,
          );
          const answer = await v.until(
            () => v.svc.command(id, input),
            ({ ok }) => ok,
            id,
          );
          expect(JSON.stringify(answer.data), id).toBe(raw.text);
        }
      },
    ),
    card("C-4.3-02", "3 §4.3", "set-position-mode is previewed, takes exchange and mode, and switches", async (v) => {
      const mode = { exchange: "EXCHANGE_B", mode: "NET" };
      passed(await write(v.svc.command, "portfolio.set-position-mode", mode));
      const read = await v.until(
        () => v.get("/api/v1/trading/account"),
        (reply) => reply.code === "200000",
        "the account",
      );
      const accounts = accepted(read) as unknown as { exchangeType: string }[];
      expect(accounts.find(({ exchangeType }) => exchangeType === "EXCHANGE_B")).toMatchObject({ positionMode: "NET" });
      const other = { targetCapabilityId: "portfolio.set-position-mode", exchange: "EXCHANGE_B", mode: "HEDGE" };
      failed(await v.svc.command("trade.preview", other), "INVALID_INPUT", "RCLI30001");
    }),
    card("C-4.3-03", "3 §7.2", "a mode switch under open orders is a business error that names 406012", async (v) => {
      accepted(await v.post(ORDER, await v.farOrder()));
      const answer = await write(v.svc.command, "portfolio.set-position-mode", { exchange: "EXCHANGE_A", mode: "NET" });
      failed(answer, "BUSINESS_ERROR", "RCLI22001");
      expect(answer.details?.upstreamCode).toBe("406012");
    }),
    card("C-4.7-01", "3 §4.7", "transaction executions takes symbol and shows the fills", async (v) => {
      const order = await marketOrder(v, "c-4701");
      const placed = await write(v.svc.command, "order.place", order);
      const orderId = String(dataAt(placed, "data.orderId"));
      await v.settled(orderId, ["FILLED"]);
      const rows = dataAt(await v.svc.command("transaction.executions", { symbol: order["symbol"] }), "data");
      expect(JSON.stringify(rows)).toContain(orderId);
    }),
    card(
      "C-7.2-01",
      "3 §7.2",
      "a bare pair is normalised to the exchange-prefixed perpetual, and this is said",
      async (v) => {
        const answer = await v.svc.command("market.orderbook", { symbol: "BTCUSDT", level: 1 });
        expect(passed(answer)["symbol"]).toBe(BTC);
        expect(answer.evidence.map(({ toolOrCommandEvidence }) => toolOrCommandEvidence).join("\n")).toContain(BTC);
        failed(await v.svc.command("market.orderbook", { symbol: "BTCC" }), "INVALID_INPUT");
      },
    ),
    card(
      "C-7.1-02",
      "3 §7.1, §7.2",
      "a key without the permission gives PERMISSION_SCOPE_ERROR, RCORE01004",
      async (v) => {
        const { accessKey, secretKey } = v.key("read-only");
        const own = { ...v.svc.variables, SVC_ACCESS_KEY: accessKey, SVC_SECRET_KEY: secretKey };
        const drive = v.svc.commandAs({ variables: own });
        const answer = await write(drive, "position.set-leverage", { symbol, leverage: 2 });
        failed(answer, "PERMISSION_SCOPE_ERROR", "RCORE01004");
      },
    ),
    card(
      "C-7.1-01",
      "3 §7.1",
      "a symbol that the service does not carry is a business error with its code",
      async (v) => {
        const answer = await v.svc.tool("market.symbol-info", { symbol: "EXCHANGE_A_PERP_NOSUCH_USDT" });
        failed(answer, "BUSINESS_ERROR", "RCLI22001");
        expect(answer.details?.upstreamCode).toBe("401011");
      },
    ),
  ],
};
