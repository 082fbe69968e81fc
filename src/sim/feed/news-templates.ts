/**
 * Headlines and bodies for generated news, all written for Ballast. Placeholders are in braces: {coin}, {ticker},
 * {firm}, {place}, {amount}, {percent}. `lean` says in which direction such news usually moves the price.
 */

export interface Template {
  readonly category: 1 | 2 | 3 | 4 | 7 | 13;
  /** Plus one for good news, minus one for bad, zero for neither. */
  readonly lean: -1 | 0 | 1;
  /** False for general news. */
  readonly aboutCoin: boolean;
  readonly title: string;
  readonly body: string;
}

const t = (category: Template["category"], lean: Template["lean"], title: string, body: string): Template => ({
  category,
  lean,
  aboutCoin: `${title} ${body}`.includes("{coin}") || `${title} ${body}`.includes("{ticker}"),
  title,
  body,
});

/** For true news and featured items. `generated-news.ts` draws from them evenly. */
export const TEMPLATES: readonly Template[] = [
  t(
    1,
    1,
    "{firm} adds {coin} to its treasury with a {amount} purchase",
    "<p>{firm} said on its website that it bought {amount} worth of <b>{ticker}</b> over the past week.</p><p>The company calls the position long term.</p>",
  ),
  t(
    1,
    1,
    "{coin} payments go live at a retailer in {place}",
    "<p>Shoppers in {place} can pay with {coin} from today. The launch covers forty stores.</p>",
  ),
  t(
    1,
    -1,
    "Bridge that carries {coin} drained of {amount} in an exploit",
    "<p>An attacker drained about <strong>{amount}</strong> from a bridge that holds {ticker}. Withdrawals are halted while developers look for the cause.</p><ul><li>Deposits paused</li><li>No refund plan yet</li></ul>",
  ),
  t(
    1,
    -1,
    "Regulator in {place} opens a probe into a {coin} issuer",
    "<p>The authority in {place} asked for records of {ticker} sales going back three years, according to a notice.</p>",
  ),
  t(
    1,
    0,
    "{coin} developers schedule their next protocol call",
    "<p>The agenda for the next {ticker} call lists fee markets, client diversity and housekeeping.</p>",
  ),
  t(
    1,
    1,
    "Lawmakers in {place} approve a custody bill that names {coin}",
    "<p>The bill passed its last reading. Banks in {place} may hold <em>{ticker}</em> for clients from next quarter.</p>",
  ),
  t(
    1,
    -1,
    "Outage halts {coin} transfers for {minutes} minutes",
    "<p>Blocks stopped for {minutes} minutes. Validators restarted after a patch; funds are said to be safe.</p>",
  ),
  t(
    1,
    -1,
    "Court in {place} rejects a settlement in the {coin} case",
    "<p>The judge found the terms too vague. Lawyers for both sides said that talks will go on.</p>",
  ),
  t(
    2,
    0,
    "Weekly report: {coin} volumes {percent} above their mean",
    "<p>Turnover in {ticker} ran {percent} above its ninety-day mean, our desk notes, while open interest barely moved.</p><table><tr><td>Spot</td><td>up</td></tr><tr><td>Perpetuals</td><td>flat</td></tr></table>",
  ),
  t(
    2,
    1,
    "On-chain note: long-term holders accumulate {coin}",
    "<p>Wallets older than a year added {ticker} for the fifth week. Exchange balances fell by {percent}.</p>",
  ),
  t(
    2,
    -1,
    "Derivatives note: crowded {coin} longs invite a sell-off",
    "<p>Funding has been positive for days. A fall of {percent} would liquidate most late longs, the note says.</p>",
  ),
  t(
    3,
    1,
    "Fund filing shows {amount} of inflows into {coin} products",
    "<p>Products that track {ticker} took in {amount} last week, a record high for the year.</p>",
  ),
  t(
    3,
    -1,
    "{coin} products see {amount} of outflows as {firm} cuts exposure",
    "<p>{firm} reported clients that it reduced {ticker} after a risk review.</p>",
  ),
  t(
    3,
    0,
    "{firm} publishes an outlook for digital assets",
    "<p>The outlook of {firm} expects lower volatility and more rules. It names no target prices.</p>",
  ),
  t(
    4,
    1,
    "Trader's view: {coin} looks ready to break out",
    "<p>I have been buying {ticker} on every dip this month. Structure is clean, invalidation is close. Not advice.</p>",
  ),
  t(
    4,
    -1,
    "Trader's view: why I sold all my {coin}",
    "<p>Momentum is gone and the bounce was weak. I am bearish on {ticker} until it proves me wrong.</p>",
  ),
  t(
    4,
    0,
    "Thread: ten things people get wrong about {coin}",
    "<p>1/ It is older than you think. 2/ Fees are not the point. More below.</p>",
  ),
  t(
    7,
    1,
    "Listing: {ticker} pairs open for trading",
    "<p>Deposits for {ticker} are open. Trading begins at the top of the hour.</p>",
  ),
  t(
    7,
    -1,
    "Notice: {ticker} margin pairs will be delisted",
    "<p>The following margin pairs will be delisted after a regular review. Users should close positions in {ticker}.</p>",
  ),
  t(
    7,
    0,
    "Notice: wallet maintenance for the {coin} network",
    "<p>Deposits and withdrawals pause for about {minutes} minutes. Trading is not affected.</p>",
  ),
  t(
    13,
    1,
    "Shares of {firm} rally after it unveils a {coin} reserve",
    "<p>The stock rose {percent} in early trading.</p>",
  ),
  t(
    13,
    -1,
    "Shares of {firm} plunge as {coin} weighs on its balance sheet",
    "<p>The stock fell {percent} after the quarterly report.</p>",
  ),
  t(
    13,
    0,
    "{firm} names a new head of digital assets",
    "<p>The appointment takes effect next month. The company gave no further details.</p>",
  ),
  t(
    1,
    0,
    "Central bank of {place} leaves its rate unchanged",
    "<p>The decision was expected. The statement dropped a sentence about inflation risks.</p>",
  ),
  t(
    1,
    0,
    "Stocks in {place} close little changed ahead of earnings",
    "<p>Trading was quiet before a week full of reports.</p>",
  ),
];

/** For hot topics. */
export const HOT_TITLES: readonly Template[] = [
  t(
    1,
    1,
    "{coin} jumps as shorts get squeezed",
    "<p>Open shorts in {ticker} worth {amount} were closed within the hour.</p>",
  ),
  t(1, -1, "{coin} slides, longs liquidated", "<p>About {amount} of {ticker} longs are gone.</p>"),
  t(1, 0, "Everyone is talking about {coin} today", "<p>Mentions of {ticker} doubled since the morning.</p>"),
];

/** False claims. The price rarely follows them for long. */
export const LIES: readonly Template[] = [
  t(
    4,
    1,
    "UNCONFIRMED: state fund of {place} reportedly buying {coin}",
    "<p>Reportedly a deal for {amount} of {ticker}. No source would be named.</p>",
  ),
  t(
    4,
    -1,
    "Rumour: {coin} founder allegedly arrested in {place}",
    "<p>Claims spread on social media; nobody has confirmed them.</p>",
  ),
  t(
    1,
    1,
    "{firm} said to approve {coin} for all clients",
    "<p>According to a screenshot, {firm} approves {ticker} from tomorrow.</p>",
  ),
];

/** Fills {firm}. */
export const FIRMS = [
  "Northgate Capital",
  "Harbour & Pine",
  "Meridian Foods",
  "Orlo Motors",
  "Silverline Bank",
  "Kestrel Pay",
  "Tallow Street Partners",
  "Brightwater Energy",
] as const;
/** Fills {place}. */
export const PLACES = [
  "Portugal",
  "Singapore",
  "Brazil",
  "Ontario",
  "Kenya",
  "South Korea",
  "Estonia",
  "Texas",
] as const;
export const AMOUNTS = [
  "$12 million",
  "$38 million",
  "$75 million",
  "$140 million",
  "$320 million",
  "$1.1 billion",
] as const;
export const PERCENTS = ["3%", "5.4%", "8%", "11%", "14.5%", "21%"] as const;
/** Handle and display name. */
export const HANDLES: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ["ledgerlark", "Ledger Lark"],
  ["tapewatcher", "Tape Watcher"],
  ["m_okafor_desk", "M. Okafor"],
  ["basispoint_ann", "Ann of the Basis"],
  ["coldwalletkai", "Kai"],
];
