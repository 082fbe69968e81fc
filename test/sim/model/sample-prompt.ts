/** A trading question in the form of the llm-trader prompt, with the parts that tests vary. */
export interface SampleParts {
  readonly market?: readonly string[];
  readonly positions?: readonly string[];
  readonly news?: readonly string[];
  readonly mayOpen?: boolean;
  readonly missing?: readonly string[];
}

export const RISING = "EXCHANGE_A_PERP_SOL_USDT | 78.2 | 0.9 | 1.8 | 2.1 | - | 0.9 | 1.3 | 0.4 | 0.7 | 0.01 | 2.0 | -";
export const FALLING =
  "EXCHANGE_A_PERP_XRP_USDT | 1.31 | -0.8 | -1.4 | -2 | - | 0.8 | 1.1 | -0.3 | -0.6 | 0.01 | 1.0 | -";
export const QUIET =
  "EXCHANGE_A_PERP_BTC_USDT | 60512 | 0.01 | -0.02 | 0.1 | - | 0.4 | 0.02 | 0.0 | 0.05 | 0.01 | 0.4 | -";

const SYSTEM = `# Role

You trade perpetual swaps.

- \`stopPct\`: distance of the protective stop from the entry in percent of price, between 0.4 and
  8. Set it beyond the ordinary noise of the symbol.
`;

export function samplePrompt(parts: SampleParts = {}): { system: string; user: string } {
  const open = "one order up to 500 USDT | all together up to 1500 USDT | round trip 0.12 percent";
  const user = `Time: 2026-07-20T12:00:00Z
Echo: k7Q2

## Account

equity 1002.5 USDT | available margin 800 USDT | floor 800 USDT

## Headroom

${parts.mayOpen === false ? "may open: no | the book is stale | round trip 0.12 percent" : `may open: yes | ${open}`}

## Positions

symbol | leg | qty | entry | mark | pnlUsdt | pnlPct | stop | target | age | thesis
${(parts.positions ?? []).join("\n")}

## Market

symbol | price | ret5m | ret1h | ret4h | ret24h | vol1h | spreadBps | imbalance | flow | fundingPct | basisBps | held
${(parts.market ?? [RISING, FALLING, QUIET]).join("\n")}

## News, newest first

<<<f3nce
id | age | kind | currencies | title | text
${(parts.news ?? []).join("\n")}
f3nce>>>

## Missing

${(parts.missing ?? ["none"]).map((line) => `- ${line}`).join("\n")}
`;
  return { system: SYSTEM, user };
}
