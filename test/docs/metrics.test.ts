/** Page, table, alert rules and dashboard name the same metrics. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { METRICS } from "../../src/daemon/metrics.ts";
import { metricsPage } from "../../src/faces/docs/metrics-page.ts";
import { exposing, type Metric } from "../../src/faces/status/prometheus.ts";

const read = (name: string): string => readFileSync(name, "utf8");
const labelsOf = new Map(METRICS.map(({ name, labels }) => [name, labels]));

/** Names and labels that a query uses, apart from those that Prometheus itself adds. */
function queried(query: string): { readonly names: readonly string[]; readonly unknownLabels: readonly string[] } {
  const names = query.match(/ballast_\w+/g) ?? [];
  const labels = [...query.matchAll(/(ballast_\w+)\{([^}]*)\}/g)].flatMap(([, name = "", inside = ""]) =>
    [...inside.matchAll(/(\w+)=/g)].flatMap(([, label = ""]) =>
      labelsOf.get(name)?.includes(label) ? [] : [`${name}{${label}}`],
    ),
  );
  return { names, unknownLabels: labels };
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly description: string };
}

const rules = (parse(read("deploy/monitoring/alerts.yml")) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const dashboard = JSON.parse(read("deploy/monitoring/grafana/dashboards/ballast.json")) as {
  panels: { title: string; targets: { expr: string; legendFormat: string }[] }[];
};

describe("metrics", () => {
  test("docs/METRICS.md is up to date (npm run docs)", () => {
    const plain = (text: string): string => text.replace(/[ |-]+/g, " ");
    expect(plain(read("docs/METRICS.md"))).toBe(plain(metricsPage(METRICS)));
  });

  test("names are unique, counters end in _total, and every help is a sentence", () => {
    expect(new Set(METRICS.map(({ name }) => name)).size).toBe(METRICS.length);
    for (const { name, kind, help } of METRICS) {
      expect(name.endsWith("_total"), name).toBe(kind === "counter");
      expect(help, name).toMatch(/^[A-Z0-9].*[.]$/);
    }
  });

  test("every metric and label that an alert rule or a panel names exists", () => {
    const exprs = [
      ...rules.map(({ expr }) => expr),
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    expect(exprs.length).toBeGreaterThan(25);
    const found = exprs.map(queried);
    expect(found.flatMap(({ names }) => names).filter((name) => !labelsOf.has(name))).toEqual([]);
    expect(found.flatMap(({ unknownLabels }) => unknownLabels)).toEqual([]);
    expect(queried('ballast_nothing{state="x"}').unknownLabels).toEqual(["ballast_nothing{state}"]);
  });

  test("a legend names labels of the metrics in its query", () => {
    for (const { title, targets } of dashboard.panels)
      for (const { expr, legendFormat } of targets) {
        const labels = new Set(queried(expr).names.flatMap((name) => labelsOf.get(name) ?? []));
        for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
          expect(labels.has(label), `${title}: ${label}`).toBe(true);
      }
  });

  test("every alert says what to do", () => {
    for (const { alert, annotations } of rules) expect(annotations.description.length, alert).toBeGreaterThan(20);
  });
});

describe("the exposition", () => {
  interface Facts {
    readonly equity: number | null;
    readonly held: readonly string[];
  }
  const metrics: readonly Metric<Facts>[] = [
    { name: "equity", kind: "gauge", help: "Equity.", labels: [], samples: ({ equity }) => [{ value: equity }] },
    {
      name: "held_total",
      kind: "counter",
      help: "Held.",
      labels: ["symbol"],
      samples: ({ held }) => held.map((symbol) => ({ labels: { symbol }, value: 2 })),
    },
  ];

  test("leaves out what is not known, and what is gone since the last scrape", async () => {
    const expose = exposing(metrics);
    const first = await expose({ equity: 1000.5, held: ["BTC", 'E"\n\\'] });
    expect(first.contentType).toContain("text/plain; version=0.0.4");
    expect(first.text).toContain("\nequity 1000.5\n");
    expect(first.text).toContain('held_total{symbol="BTC"} 2\n');
    expect(first.text).toContain('held_total{symbol="E\\"\\n\\\\"} 2\n');
    const second = await expose({ equity: null, held: ["BTC"] });
    expect(second.text).not.toMatch(/^equity /m);
    expect(second.text).toContain('held_total{symbol="BTC"} 2\n');
    expect(second.text).not.toContain("E\\");
  });
});
