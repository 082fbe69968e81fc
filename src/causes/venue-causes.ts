/** Causes at the venue or on the connection to it: key, address, clock, symbols, streams. Pure. */
import { formatSpan } from "../core/time.ts";
import { ACCOUNT_MS, type CauseFacts, type Found, type VenueFacts } from "./cause.ts";

/** Days, hours and logs go by this machine's clock; requests are signed with the venue's time. */
const CLOCK_OFF_MS = 5_000;
const SYMBOLS_SHOWN = 5;

/** In the order in which one can follow from another. */
export function venueCauses(facts: CauseFacts, known: ReadonlyMap<string, number>): readonly Found[] {
  const { status, venue } = facts;
  const trouble = troubleCause(facts);
  return [
    ...trouble,
    ...clockCause(venue.clock),
    ...symbolCauses(status.unlisted, venue.refused),
    ...(trouble.length > 0 ? [] : streamCauses(facts, known)),
  ];
}

/** A venue that is briefly unreachable is no alarm until the account has gone unread for too long. */
function troubleCause({ status, venue: { trouble } }: CauseFacts): readonly Found[] {
  if (!trouble) return [];
  const { kind, sentence, next, sinceMs, lasting } = trouble;
  const alarm = lasting || status.atMs - sinceMs > ACCOUNT_MS;
  return [{ key: `venue ${kind}`, part: "venue", severity: alarm ? "alarm" : "degraded", sentence, next, sinceMs }];
}

function clockCause(clock: VenueFacts["clock"]): readonly Found[] {
  if (!clock || !Number.isFinite(clock.uncertaintyMs)) return [];
  const offMs = Math.abs(clock.offsetMs);
  if (offMs - clock.uncertaintyMs <= CLOCK_OFF_MS) return [];
  const where = clock.offsetMs > 0 ? "behind" : "ahead of";
  const sentence = `this machine's clock is ${formatSpan(Math.round(offMs / 1_000) * 1_000)} ${where} the venue's; requests are signed with the venue's time, but days and logs go by ours`;
  const next = "set the clock (timedatectl set-ntp true)";
  return [{ key: "clock", part: "clock", severity: "degraded", sentence, next }];
}

const listed = (symbols: readonly string[]): string =>
  `${symbols.slice(0, SYMBOLS_SHOWN).join(", ")}${symbols.length > SYMBOLS_SHOWN ? ` and ${symbols.length - SYMBOLS_SHOWN} more` : ""}`;

function symbolCauses(unlisted: readonly string[], refused: VenueFacts["refused"]): readonly Found[] {
  const next = "correct the names in universe, or take them out";
  const unknown = unlisted.length === 0 ? [] : [`the venue does not list ${listed(unlisted)}`];
  const others = refused.filter(({ symbol }) => !unlisted.includes(symbol));
  const silent = [...new Set(others.map(({ symbol, code }) => `${symbol} (${code})`))];
  const quiet = silent.length === 0 ? [] : [`the venue gives no market data for ${listed(silent)}`];
  return [...unknown, ...quiet].map((sentence): Found => ({
    key: sentence,
    part: "symbols",
    severity: "degraded",
    sentence,
    next,
  }));
}

/** News may be down: then no decision rests on it. If the market or user stream is down for long, somebody must look. */
function streamCauses({ status, venue }: CauseFacts, known: ReadonlyMap<string, number>): readonly Found[] {
  if (status.stage === "stopping") return [];
  return Object.entries(status.streams).flatMap(([name, up]): readonly Found[] => {
    if (up) return [];
    const key = `stream ${name}`;
    const long = status.atMs - (known.get(key) ?? status.atMs) > ACCOUNT_MS;
    const reason = venue.reasons[name] ?? "";
    const sentence = `there is no ${name} stream${reason === "" ? "" : `: ${reason}`}`;
    const next = "nothing at first, it connects again by itself; if it stays, check the network and the key";
    return [{ key, part: "streams", severity: long && name !== "news" ? "alarm" : "degraded", sentence, next }];
  });
}
