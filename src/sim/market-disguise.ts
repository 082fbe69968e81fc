/**
 * A recorded market under other names and at other prices, for runs that ask what a model knows of the true one. Times need
 * nothing: a tape follows the venue's clock, whatever the date. Who disguises, and how: `lab/disguise/`.
 */
import type { NewsVO } from "./feed/news-source.ts";
import type { Recorded } from "./market/recorded.ts";

export interface MarketDisguise {
  /** The symbol of the data that an offered symbol stands for. */
  trueSymbol(symbol: string): string;
  recorded(recorded: Recorded): Recorded;
  /** `offsetMs` is venue time less the time of the data. */
  news(item: NewsVO, offsetMs: number): NewsVO;
}
