/** A news item as the inside knows it: plain text, bounded, with our own first sight as its age. Spec: 2 §2. */

export type NewsKind = "news" | "hot" | "featured";

/** One story, by its first report; an edit or a richer report comes again under the same key. */
export interface NewsItem {
  /** `newsType:id`: unique among all items ever seen. */
  readonly key: string;
  readonly kind: NewsKind;
  /** Source-side article id; the same story may come under several kinds. */
  readonly newsId: string;
  readonly title: string;
  /** Plain text, capped. Hostile until proven otherwise: never executed, never trusted. */
  readonly text: string;
  readonly category: number | null;
  readonly author: string | null;
  /** Base tickers in upper case that the source linked. */
  readonly currencies: readonly string[];
  /** The source's own time; may be missing, late or in the future. */
  readonly publishedAtMs: number | null;
  /** When we first saw it. Ages are counted from here. */
  readonly firstSeenMs: number;
  readonly sourceUrl: string | null;
}
