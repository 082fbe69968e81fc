/** The report of an account as text of at most 100 columns, Markdown, HTML that loads nothing, or CSV. */
import Table from "cli-table3";
import { stringify } from "csv-stringify/sync";
import { formatSpan } from "../../core/time.ts";
import type { ReportFacts, ReportLine } from "./report.ts";
import { entrySentences } from "../orders/entry-report.ts";
import { inertCell } from "../../core/safe-text.ts";
import { counted, trueMinus } from "../../core/words.ts";

export const REPORT_FORMATS = ["text", "md", "html", "csv", "json"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const money = (text: string | null): string => (text === null ? "" : Number(text).toFixed(2));
const percent = (fraction: number | null): string => (fraction === null ? "" : `${(fraction * 100).toFixed(2)} %`);

function heads(by: ReportFacts["by"]): readonly string[] {
  const common = [by, "trades", "won", "lost", "net", "fees", "funding", "best", "worst", "held"];
  return by === "day" ? [...common, "equity", "drawdown"] : common;
}

function cells(line: ReportLine, by: ReportFacts["by"]): readonly string[] {
  const { name, trades, won, lost, netUsdt, feesUsdt, fundingUsdt, bestUsdt, worstUsdt, meanHeldMs } = line;
  const common = [
    ...[name, String(trades), String(won), String(lost), money(netUsdt), money(feesUsdt), money(fundingUsdt)],
    ...[money(bestUsdt), money(worstUsdt), meanHeldMs === null ? "" : formatSpan(meanHeldMs)],
  ];
  return by === "day" ? [...common, money(line.equityUsdt), percent(line.drawdown)] : common;
}

/** What stands above the table, one sentence each. */
function sentences({ equity, total, entries }: ReportFacts): readonly string[] {
  const account = equity
    ? [
        `Equity ${money(equity.firstUsdt)} at ${equity.from} to ${money(equity.lastUsdt)} USDT at ${equity.to}.`,
        `Change ${money(equity.changeUsdt)} USDT, ${percent(equity.returnFraction)}; largest fall from a peak ${percent(equity.drawdown)}.`,
        `At full hours, as the organiser reads it: fall ${percent(equity.organiser.drawdown)}, ${equity.organiser.sharpe === null ? "no Sharpe ratio before two days" : `Sharpe ratio ${equity.organiser.sharpe.toFixed(2)}`}.`,
      ]
    : ["The journal has no equity readings for that period."];
  const unknown = total.unknown > 0 ? ` The result of ${total.unknown} is not known.` : "";
  const closed = `${counted(total.trades, "closed trade")}, money in USDT after fees and funding.${unknown}`;
  return [...account, ...(entries === null ? [] : entrySentences(entries)), closed];
}

function text(facts: ReportFacts): string {
  const table = new Table({
    head: [...heads(facts.by)],
    style: { head: [], border: [], compact: true, "padding-left": 0, "padding-right": 0 },
    colAligns: heads(facts.by).map((_, at) => (at === 0 ? "left" : "right")),
  });
  for (const line of [...facts.lines, facts.total]) table.push([...cells(line, facts.by)]);
  return `${sentences(facts).join("\n")}\n${table.toString()}\n`;
}

function markdown(facts: ReportFacts): string {
  const row = (columns: readonly string[]): string =>
    `| ${columns.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const names = heads(facts.by);
  return `${[
    ...sentences(facts),
    "",
    row(names),
    row(names.map((_, at) => (at === 0 ? "---" : "--:"))),
    ...[...facts.lines, facts.total].map((line) => row(cells(line, facts.by))),
  ].join("\n")}\n`;
}

const HIDDEN: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** As text of a page, where minus signs are true ones. */
const plain = (words: string): string => trueMinus(words).replace(/[&<>"]/g, (sign) => HIDDEN[sign] ?? sign);

const STYLE =
  "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color-scheme:light dark}" +
  "table{border-collapse:collapse;font-variant-numeric:tabular-nums}" +
  "th,td{padding:.3rem .7rem;text-align:right;border-bottom:1px solid #8885}" +
  "th:first-child,td:first-child{text-align:left}tr:last-child{font-weight:600}";

function html(facts: ReportFacts): string {
  const row = (tag: "th" | "td", columns: readonly string[]): string =>
    `<tr>${columns.map((cell) => `<${tag}${tag === "th" ? ' scope="col"' : ""}>${plain(cell)}</${tag}>`).join("")}</tr>`;
  const rows = [...facts.lines, facts.total].map((line) => row("td", cells(line, facts.by)));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Account report by ${facts.by}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Account report by ${facts.by}</h1>
${sentences(facts)
  .map((sentence) => `<p>${plain(sentence)}</p>`)
  .join("\n")}
<table>
<thead>${row("th", heads(facts.by))}</thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
</body>
</html>
`;
}

const COLUMNS: readonly (keyof ReportLine)[] = [
  ...(["name", "trades", "won", "lost", "unknown", "netUsdt", "feesUsdt", "fundingUsdt"] as const),
  ...(["bestUsdt", "worstUsdt", "meanHeldMs", "equityUsdt", "drawdown"] as const),
];

/** CSV has the exact figures and no total, so that it can be added up elsewhere. */
const csv = ({ lines }: ReportFacts): string =>
  stringify(
    lines.map((line) => ({ ...line, name: inertCell(line.name) })),
    { header: true, columns: [...COLUMNS] },
  );

/** JSON is one object of all facts. */
export function accountReportText(facts: ReportFacts, format: ReportFormat): string {
  const writers = { text, md: markdown, html, csv, json: (all: ReportFacts) => JSON.stringify(all) };
  return writers[format](facts);
}
