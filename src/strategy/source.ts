/**
 * The interface of a source of the owner's own data. Its file only parses a text; the program does the fetching, timing, bounds
 * and recording, so a source can neither block trading nor differ between a live run and a backtest.
 */
import type { z } from "zod";
import type { FactPoint } from "../context/facts.ts";

/** What an author writes: one file in `own/sources/`, with this as its default export. */
export interface SourceReader<Settings = unknown> {
  readonly name: string;
  /** One or two sentences for the docs and for `ballast status`. */
  readonly description: string;
  /** Strict; every member has a default and a description with its unit. */
  readonly settings: z.ZodType<Settings>;
  /**
   * The points in a text, in any order; known points may be among them. Called synchronously with a time limit
   * (`READ_MS_MAX`); it may throw, and the message is shown.
   */
  read(text: string, settings: Settings): readonly FactPoint[];
}

/** Checks the settings type where the source is written, and erases it for the loader. */
export const defineSource = <Settings>(source: SourceReader<Settings>): SourceReader =>
  source as unknown as SourceReader;

/** Time limit of one `read` in real milliseconds; everything else waits for it. */
export const READ_MS_MAX = 200;

/** A reader with its validated settings. */
export interface ArmedReader {
  readonly reader: SourceReader;
  readonly settings: unknown;
}

/** Receives a source's unchecked points, or the reason why there are none. */
export interface SourceSink {
  points(points: unknown): void;
  fault(reason: string): void;
}

/** Anything that reports points: a text that is read repeatedly, or a recording that is played back. */
export interface Source {
  readonly name: string;
  /** A point older than this is stale, ms. */
  readonly staleAfterMs: number;
  /** Returns at once and reports later, until the signal aborts. */
  start(signal: AbortSignal, sink: SourceSink): void;
}
