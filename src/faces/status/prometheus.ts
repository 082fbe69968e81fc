/** Figures in the text format that Prometheus reads. The only file that uses prom-client. */
import { Counter, Gauge, Registry } from "prom-client";

/** One figure; a null value is left out, so that an unknown equity never looks like zero. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number | null;
}

/** One metric. The suffix of its name is the unit; a counter's name ends in `_total`. */
export interface Metric<Facts> {
  readonly name: string;
  readonly kind: "gauge" | "counter";
  readonly help: string;
  readonly labels: readonly string[];
  readonly samples: (facts: Facts) => readonly Sample[];
}

export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/** Renders the metrics for the facts of this instant. */
export function exposing<Facts>(metrics: readonly Metric<Facts>[]): (facts: Facts) => Promise<Exposition> {
  const registry = new Registry();
  const registered = metrics.map(({ kind, name, help, labels, samples }) => {
    const about = { name, help, labelNames: [...labels], registers: [registry] };
    const held = kind === "gauge" ? new Gauge(about) : new Counter(about);
    return { held, samples };
  });
  return async (facts) => {
    for (const { held, samples } of registered) {
      // Each scrape starts empty: a closed position must disappear.
      held.reset();
      // A reset leaves a zero where there are no labels.
      held.remove({});
      for (const { labels = {}, value } of samples(facts))
        if (value !== null && Number.isFinite(value)) held.inc(labels, value);
    }
    return { contentType: registry.contentType, text: await registry.metrics() };
  };
}
