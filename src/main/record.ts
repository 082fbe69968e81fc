/** `ballast record`: records market data, without permission to trade and without a journal. */
import { HOUR_MS, parseSpan } from "../core/time.ts";
import { seededEntropy } from "../core/entropy.ts";
import { type Env, timedIds } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { redactor, type Secret } from "../core/secret.ts";
import { homeExchange, perpSymbol } from "../domain/symbol.ts";
import { NOOP_SINK } from "../domain/market.ts";
import { createNewsSource } from "../news/news-source.ts";
import { createRecorder, type Recorder } from "../recorder/recorder.ts";
import { universeOf } from "../control/universe.ts";
import { readEnvironment } from "../control/environment.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { createLogger } from "../ops/logger.ts";
import { makeFolder } from "../core/make-folder.ts";
import { onStopSignal } from "../ops/stop-signals.ts";
import { practiceClock } from "../daemon/practice-clock.ts";
import { basesOf } from "../daemon/streams.ts";
import { idleCredentials, openVenue, type VenueAccess, venueKind } from "../daemon/venue-access.ts";
import { loadMarketConfig } from "../control/watch-config.ts";
import { counted } from "../core/words.ts";
import type { RecordOptions } from "../faces/cli/run-commands.ts";

const FUNDING_EVERY_MS = 5_000;
const PROGRESS_MS = 5 * 60_000;
const NEWS_CATCH_UP_MS = 24 * HOUR_MS;

const complain = (code: number, lines: readonly string[]): number => {
  for (const line of lines) process.stderr.write(`ballast: ${line}\n`);
  return code;
};

/** Runs until the span is over or a signal comes; exit code 1 if rows were lost. */
export async function recordProgram(options: RecordOptions): Promise<number> {
  const forMs = options.for === undefined ? Infinity : parseSpan(options.for);
  if (forMs === null) return complain(EXIT.usage, ["--for must be a span such as 30m, 6h or 2d"]);
  const made = makeFolder(options.out);
  if (!made.ok) return complain(EXIT.usage, [`--out: ${made.error}`]);
  const read = readEnvironment(process.env);
  if (!read.ok) return complain(EXIT.config, read.error);
  const loaded = loadMarketConfig(options.config);
  if (!loaded.ok) return complain(EXIT.config, loaded.error);
  const kind = venueKind(loaded.value, read.value);
  if (!kind.ok) return complain(EXIT.config, [kind.error]);
  const speed = kind.value === "embedded" ? loaded.value.venue.embedded.speed : 1;
  const clock = await practiceClock(options.practiceClock, speed);
  if (!clock.ok) return complain(EXIT.usage, [clock.error]);
  const entropy = seededEntropy(`${process.pid}:${clock.value.nowMs()}`);
  const env: Env = { clock: clock.value, entropy, ids: timedIds(clock.value.nowMs, entropy) };
  const given = [read.value.service?.accessKey, read.value.service?.secretKey];
  const redact = redactor(given.filter((secret): secret is Secret => !!secret));
  const log = await createLogger({ clock: env.clock, format: options.logFormat, level: options.logLevel, redact });
  const venue = await openVenue(kind.value, loaded.value, read.value, { env, log });
  if (!venue.ok) return complain(EXIT.venueRefused, [venue.error]);
  const idle = idleCredentials(kind.value, read.value);
  if (idle !== null) log.event("info", "venue.practice", idle);
  log.event("info", "venue.opened", `recording from ${venue.value.about}`, { embedded: venue.value.sim !== null });
  const exchange = homeExchange(read.value.exchanges);
  const symbols = options.symbols
    ? options.symbols.split(",").map((base) => perpSymbol(exchange, base.trim().toUpperCase()))
    : universeOf(loaded.value, exchange);
  const quotaBytes = loaded.value.recorder.quotaMb * 1_000_000;
  const recorder = createRecorder({ clock: env.clock, log, dir: options.out, quotaBytes, symbols });
  await listen({ env, log, access: venue.value, recorder, symbols, exchanges: read.value.exchanges }, forMs);
  await venue.value.sim?.stop();
  const { candles, news, fundings, interests, leftOut, lost } = recorder.status();
  process.stderr.write(
    `recorded into ${options.out}: ${counted(candles, "minute bar")}, ${counted(fundings, "settlement")}, ${counted(interests, "reading")} of open interest, ${counted(news, "news item")}; ${counted(leftOut, "bar")} left out, ${counted(lost, "row")} lost\n`,
  );
  return lost > 0 ? EXIT.failed : EXIT.ok;
}

interface Listening {
  readonly env: Env;
  readonly log: Log;
  readonly access: VenueAccess;
  readonly recorder: Recorder;
  readonly symbols: readonly string[];
  readonly exchanges: readonly string[];
}

/** Listens until the time is over or a signal comes; then writes the pending rows. */
async function listen(given: Listening, forMs: number): Promise<void> {
  const { env, log, access, recorder, symbols } = given;
  const keys = { accessKey: access.accessKey, secretKey: access.secretKey };
  const { clock } = env;
  const venue = access.connect({ env, log, exchanges: given.exchanges });
  const market = venue.streams.market({
    sink: recorder.tee(NOOP_SINK),
    onHealth: (health) => (health.up ? undefined : recorder.gap()),
  });
  const news = createNewsSource({
    env,
    log,
    restUrl: access.restUrl,
    wsUrl: access.feedsWsUrl,
    keys,
    catchUpMs: NEWS_CATCH_UP_MS,
    venueNowMs: venue.clock.nowMs,
    bases: basesOf(symbols),
    onItem: (item, how) => (how === "new" ? recorder.news(item) : undefined),
  });
  let next = 0;
  let reading: Promise<void> = Promise.resolve();
  const readFunding = async (): Promise<void> => {
    const symbol = symbols[next++ % symbols.length];
    const found = symbol === undefined ? null : await venue.client.fundingRate(symbol);
    if (found?.kind === "done") recorder.funding(found.value);
  };
  const report = (): void => {
    const { candles, news: items, bytes } = recorder.status();
    log.event("info", "recorder.progress", `${candles} minute bars, ${items} news items, ${bytes} bytes`, {});
  };
  await recorder.start();
  await venue.clock.measure();
  market.want(
    symbols.flatMap((symbol) => [
      { channel: "KLINE" as const, symbol, interval: "1m" },
      { channel: "OPEN_INTEREST" as const, symbol },
    ]),
  );
  market.start();
  news.start();
  const stops = [
    clock.every(FUNDING_EVERY_MS, () => void (reading = reading.then(readFunding))),
    clock.every(PROGRESS_MS, report),
  ];
  await overOrStopped(env, forMs);
  for (const stop of stops) stop();
  market.stop();
  await news.stop();
  await recorder.stop();
  await reading;
  await venue.client.close();
}

function overOrStopped({ clock }: Env, forMs: number): Promise<void> {
  const ending = new AbortController();
  const endListening = onStopSignal({ first: () => ending.abort() });
  const waited = Number.isFinite(forMs)
    ? clock.sleep(forMs, ending.signal)
    : new Promise<void>((resolve) => ending.signal.addEventListener("abort", () => resolve(), { once: true }));
  return waited.finally(endListening);
}
