/**
 * A fault: a name, a description, parameters with defaults, and its effect while it is on. Faults are in one table per
 * surface (`rest-faults.ts`, `market-faults.ts`, ...), and `all.ts` lists the tables. Random draws come from the seed,
 * so a run with faults is reproducible.
 */
import { z } from "zod";
import type { Entropy } from "../../core/entropy.ts";
import type { Env } from "../../core/ids.ts";
import { issuesText } from "../../core/issues.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { Exchange } from "../exchange/contract/api.ts";
import type { BehaviourBoard } from "../model/behaviour.ts";
import type { Injection } from "../feed/inject.ts";
import type { FaultHooks, MarketFrame, NewsMessage, UserPush } from "./hooks.ts";

/** For listings: the surface that a fault acts on, `venue` if it is the exchange itself. */
export type FaultGroup = "rest" | "market" | "user" | "news" | "model" | "venue";

/** What a fault can act on besides the hooks. */
export interface FaultWorld {
  readonly env: Env;
  readonly exchange: Exchange;
  /** Cuts the sockets for which `chosen` returns true. Returns how many. */
  cutMarketSockets(chosen: () => boolean): number;
  deafenMarketSockets(): void;
  cutUserSockets(): number;
  cutNewsSockets(): number;
  /** Sends a push without the hooks. */
  releaseUserPush(push: UserPush): void;
  /** Sends a market push without the hooks to all subscribers of its topic. */
  releaseMarketFrame(frame: MarketFrame): void;
  /** Publishes a message on the feed stream without the hooks. */
  releaseNews(message: NewsMessage): void;
  /** Adds an item to the feed, for stream and queries. */
  injectNews(injection: Injection): void;
  /** Moves a symbol's price ("*" for all) by a fraction over a span. False if the market cannot be moved. */
  pushPrice(symbol: string, move: number, overMs: number): boolean;
  /** Marks every key as disabled or frozen. The returned function restores each key's own status. */
  barKeys(status: "disabled" | "frozen"): () => void;
  /** Switches of the model gateway itself. */
  readonly model: BehaviourBoard;
}

/** What a fault returns when it is switched on. */
export interface Begun {
  readonly hooks: FaultHooks;
  /** Undoes effects that do not end with its hooks. */
  readonly stop?: () => void;
}

/** A fault without its parameter type, as the board stores it. `begin` checks the parameters again. */
export interface AnyFault {
  readonly name: string;
  readonly group: FaultGroup;
  readonly description: string;
  /** JSON schema of the parameters, for listings. */
  readonly paramsSchema: unknown;
  /** The error in the parameters; null if there is none. */
  check(rawParams: unknown): string | null;
  begin(world: FaultWorld, rawParams: unknown): Result<Begun & { readonly params: unknown }, string>;
}

interface Given<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly group: FaultGroup;
  readonly description: string;
  /** Each with its default; others are refused. */
  readonly params: Shape;
  /** `entropy` belongs to the fault and is equal for the same seed and name. */
  start(world: FaultWorld, params: z.output<z.ZodObject<Shape>>, entropy: Entropy): Begun;
}

/** Wraps a fault so that its schema reads raw parameters, with defaults; invalid ones give the reason as text. */
export function fault<Shape extends z.ZodRawShape>(given: Given<Shape>): AnyFault {
  const { name, group, description } = given;
  const schema = z.strictObject(given.params);
  return {
    name,
    group,
    description,
    paramsSchema: z.toJSONSchema(schema, { io: "input" }),
    check: (rawParams) => {
      const params = schema.safeParse(rawParams ?? {});
      return params.success ? null : issuesText(params.error.issues, rawParams);
    },
    begin: (world, rawParams) => {
      const params = schema.safeParse(rawParams ?? {});
      if (!params.success) return err(issuesText(params.error.issues, rawParams));
      const begun = given.start(world, params.data as never, world.env.entropy.fork(`fault:${name}`));
      return ok({ ...begun, params: params.data });
    },
  };
}

/** Acts when the fault begins and then every `everyMs` until it ends; zero means once. */
export function repeated({ env }: FaultWorld, everyMs: number, act: () => void): Begun {
  act();
  return everyMs === 0 ? { hooks: {} } : { hooks: {}, stop: env.clock.every(everyMs, act) };
}

/** Probability that a fault applies; 1 is always. */
export const shareOf = (fallback: number) => z.number().min(0).max(1).default(fallback).describe("probability, 0..1");
export const share = shareOf(1);
/** A span in milliseconds. */
export const spanMs = (fallback: number) =>
  z.number().min(0).max(86_400_000).default(fallback).describe("milliseconds");
/** How often sockets are cut. */
export const cutEveryMs = z.number().min(0).max(86_400_000).default(0).describe("0 is once");
