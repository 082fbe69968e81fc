/** Faults of the market stream: frames lost, doubled, reordered, damaged or too large, and sockets cut. Faults M1 to M8. */
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { BoundedMap } from "../../core/bounded.ts";
import { type AnyFault, type Begun, cutEveryMs, fault, type FaultWorld, repeated, share, shareOf } from "./fault.ts";
import type { MarketFrame } from "./hooks.ts";
import { frameMatch, matches } from "./match.ts";

const TOPICS_MAX = 10_000;
const FEW = { ...frameMatch, share: shareOf(0.01) };
const SOME = { ...frameMatch, share: shareOf(0.3) };

interface Struck<Own extends z.ZodRawShape> {
  readonly name: string;
  readonly description: string;
  readonly params?: Own;
  /** Selects the affected frames, and their share. */
  readonly match?: typeof frameMatch;
  /** Sent instead of an affected frame. */
  replace(params: z.output<z.ZodObject<Own>>): (frame: MarketFrame) => readonly MarketFrame[];
}

/** A fault that changes every affected frame in the same way. */
function struck<Own extends z.ZodRawShape>(given: Struck<Own>): AnyFault {
  const { name, description, params, match = frameMatch, replace } = given;
  return fault({
    name,
    group: "market",
    description,
    params: { ...params, ...match },
    start: (_world, given, entropy) => {
      const read = given as unknown as z.output<z.ZodObject<Own>> & z.output<z.ZodObject<typeof frameMatch>>;
      const change = replace(read);
      return { hooks: { marketFrame: (frame) => (matches(read, frame, entropy) ? change(frame) : [frame]) } };
    },
  });
}

const topicOf = (frame: MarketFrame): string => `${frame.channel}|${frame.symbol}|${frame.interval ?? ""}`;

/** Each topic repeats its first frame after the start, until the fault ends. */
function frozen(): (frame: MarketFrame) => readonly MarketFrame[] {
  const first = new BoundedMap<string, MarketFrame>(TOPICS_MAX);
  return (frame) => {
    const known = first.get(topicOf(frame));
    if (known) return [known];
    first.set(topicOf(frame), frame);
    return [frame];
  };
}

/** `flip` inverts eight bytes in the middle, `cut` sends the first half. */
function damaged(frame: MarketFrame, kind: "flip" | "cut"): Buffer {
  const bytes = gzipSync(JSON.stringify(frame.data));
  const middle = Math.floor(bytes.length / 2);
  if (kind === "cut") return bytes.subarray(0, middle);
  for (let at = middle; at < Math.min(bytes.length, middle + 8); at++) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  return bytes;
}

/** Holds an affected frame back until the next one of its topic; frames still held at the end are sent then. */
function reordered(world: FaultWorld, strikes: (frame: MarketFrame) => boolean): Begun {
  const held = new BoundedMap<string, MarketFrame>(TOPICS_MAX);
  const through = (frame: MarketFrame): readonly MarketFrame[] => {
    const before = held.get(topicOf(frame));
    if (before) {
      held.delete(topicOf(frame));
      return [frame, before];
    }
    if (!strikes(frame)) return [frame];
    held.set(topicOf(frame), frame);
    return [];
  };
  const stop = (): void => {
    for (const frame of held.values()) world.releaseMarketFrame(frame);
  };
  return { hooks: { marketFrame: through }, stop };
}

export const MARKET_FAULTS: readonly AnyFault[] = [
  // Pongs and acknowledgements continue, and omitted frames are not sent later.
  struck({
    name: "mute",
    description: "Pushes of a channel or symbol are missing; the others continue.",
    replace: () => () => [],
  }),
  struck({
    name: "freeze",
    description: "Pushes continue and repeat the values from the start of the fault, including their times.",
    replace: frozen,
  }),
  struck({
    name: "market-drop",
    description: "A share of the pushes is lost.",
    match: SOME,
    replace: () => () => [],
  }),
  struck({ name: "market-duplicate", description: "Pushes are duplicated.", replace: () => (frame) => [frame, frame] }),
  fault({
    name: "market-reorder",
    group: "market",
    description: "A push is held back and sent after the next one of its topic.",
    params: SOME,
    start: (world, params, entropy) => reordered(world, (frame) => matches(params, frame, entropy)),
  }),
  // Readers of plain frames are unaffected.
  struck({
    name: "corrupt-gzip",
    description: "Compressed frames are damaged in the middle, or cut off.",
    params: { kind: z.enum(["flip", "cut"]).default("flip") },
    replace:
      ({ kind }) =>
      (frame) => [{ ...frame, bytes: damaged(frame, kind) }],
  }),
  struck({
    name: "gzip-bomb",
    description: "A small compressed frame that unpacks to many megabytes.",
    params: { megabytes: z.number().min(1).max(200).default(50) },
    match: FEW,
    replace: ({ megabytes }) => {
      const bytes = gzipSync(Buffer.alloc(megabytes * 1_000_000, 0x20), { level: 9 });
      return (frame) => [{ ...frame, bytes }];
    },
  }),
  struck({
    name: "oversize-frame",
    description: "A frame of many megabytes of text, also where frames are compressed.",
    params: { megabytes: z.number().min(1).max(64).default(8) },
    match: FEW,
    replace: ({ megabytes }) => {
      const filler = "x".repeat(megabytes * 1_000_000);
      return (frame) => [{ ...frame, data: { filler }, bytes: Buffer.from(filler) }];
    },
  }),
  struck({
    name: "market-burst",
    description: "Every push is followed by copies of itself: many times the usual load.",
    params: { copies: z.number().int().min(1).max(1_000).default(100) },
    replace:
      ({ copies }) =>
      (frame) =>
        Array.from({ length: copies }, () => frame),
  }),
  // Affected sockets stay dead after its end; only a new connection works again.
  fault({
    name: "half-open",
    group: "market",
    description: "Market sockets stay open, but neither pushes nor pongs pass any more.",
    params: {
      existing: z.boolean().default(true).describe("also the sockets that are open now"),
      fresh: z.boolean().default(false).describe("also sockets that open while it lasts"),
    },
    start: (world, params) => {
      if (params.existing) world.deafenMarketSockets();
      return { hooks: params.fresh ? { deafMarketSocket: () => true } : {} };
    },
  }),
  // `share` is each socket's chance, each time. Clients may reconnect at once.
  fault({
    name: "market-disconnect",
    group: "market",
    description: "Market sockets are cut, once or repeatedly.",
    params: { everyMs: cutEveryMs, share },
    start: (world, params, entropy) =>
      repeated(world, params.everyMs, () => world.cutMarketSockets(() => entropy.chance("fault:cut", params.share))),
  }),
  // Only new subscriptions; existing ones continue.
  fault({
    name: "subscription-refused",
    group: "market",
    description: "Subscriptions to a channel or symbol are refused with a code.",
    params: {
      channel: z.string().default("*"),
      symbol: z.string().default("*"),
      code: z.number().int().default(11250),
    },
    start: (_world, { channel, symbol, code }) => ({
      hooks: {
        refuseSubscription: (askedChannel, askedSymbol) =>
          (channel === "*" || channel === askedChannel) && (symbol === "*" || symbol === askedSymbol)
            ? { code, msg: `${askedSymbol} is not available at the moment` }
            : null,
      },
    }),
  }),
];
