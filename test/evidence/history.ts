/** What is said of a drawn history of an account, and what came of it. */

export interface Telling {
  /** How many of the records lack the client's name of an order, from 0 to 1. */
  readonly nameless: number;
  readonly report: (atMs: number, text: string) => void;
}

export interface History {
  readonly wrong: readonly string[];
  /** How many messages the agent was given, and how often it died. */
  readonly messages: number;
  readonly deaths: number;
}
