/** Which market pushes a fault strikes: by channel, by symbol, and by chance. */
import { z } from "zod";
import type { Entropy } from "../../core/entropy.ts";
import { share } from "./fault.ts";
import type { MarketFrame } from "./hooks.ts";

/** Parameters to spread into a fault's schema; every frame of every topic unless told. */
export const frameMatch = {
  channel: z.string().default("*").describe('channel name, or "*" for all'),
  symbol: z.string().default("*").describe('symbol, or "*" for all'),
  share,
};

/** What `frameMatch` reads. */
export interface FrameMatch {
  readonly channel: string;
  readonly symbol: string;
  readonly share: number;
}

/** Draws from the seed for each frame of a fitting topic, so it is asked once a frame. */
export const matches = (match: FrameMatch, frame: MarketFrame, entropy: Entropy): boolean =>
  (match.channel === "*" || match.channel === frame.channel) &&
  (match.symbol === "*" || match.symbol === frame.symbol) &&
  entropy.chance("fault:frame", match.share);
