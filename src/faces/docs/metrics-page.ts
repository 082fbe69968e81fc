/** docs/METRICS.md, generated from the table of metrics. Returns Markdown. */

interface Described {
  readonly name: string;
  readonly kind: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** What `scripts/docs.ts` writes to docs/METRICS.md. */
export function metricsPage(metrics: readonly Described[]): string {
  const rows = metrics.map(
    ({ name, kind, help, labels }) =>
      `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(", ")} | ${help} |`,
  );
  return `# Metrics

\`/metrics\` on the status port answers in the text format of Prometheus. Access is as for \`/status\`: callers on the same machine
need nothing, others send \`Authorization: Bearer\` with \`BALLAST_STATUS_TOKEN\`. All figures of a scrape are read at one instant
from the agent's state; a scrape sends nothing to the venue.

The suffix of the name is the unit: \`_usdt\`, \`_usd\`, \`_seconds\`, \`_bytes\`, \`_ratio\` (0 to 1). A name without one counts things or
is 0 or 1. Counters begin at zero with each start of the process. An unknown figure, such as the equity before the first
reading of the account, is omitted.

\`deploy/monitoring/\` contains a Prometheus configuration, alert rules and a Grafana dashboard; \`deploy/README.md\` starts them.

| metric | kind | labels | meaning |
|---|---|---|---|
${rows.join("\n")}
`;
}
