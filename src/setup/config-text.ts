/** The configuration of a new set-up: short, with a comment for every choice; what it leaves out is at its default. */
import { type Answers, hostOf, modelOf, onService } from "./questions.ts";

const STATUS_PORT = 8787;

/** Any text as a YAML string. */
const quoted = (text: string): string => JSON.stringify(text);

/** `prompt` is the name of the owner's copy; null for a strategy that asks no deciding question. */
export const configText = (answers: Answers, prompt: string | null): string =>
  [
    ...headAndVenue(answers),
    ...strategySection(answers, prompt),
    ...cadenceSection(answers),
    ...sessionSection(answers),
    ...riskSection(),
    ...modelSection(answers),
    ...(onService(answers) ? competitionSection() : []),
    ...statusSection(answers),
  ].join("\n");

const headAndVenue = (answers: Answers): readonly string[] => [
  "# yaml-language-server: $schema=ballast.schema.json",
  `# Written by \`ballast init\`. \`ballast config check\` checks it; saving it changes a running agent.`,
  `# Every setting with its default and unit: docs/CONFIGURATION.md. Secrets are never in this file, see .env.example.`,
  `# Phase of the competition: 1 caps leverage at 2x, 2 at 5x.`,
  `phase: ${answers.phase || "1"}`,
  "",
  "venue:",
  "  # embedded: the practice venue inside the agent. service: the real one, with the credentials of the environment.",
  `  kind: ${onService(answers) ? "service" : "embedded"}`,
  "",
  "# What to watch and trade: base assets, or `phase` for the fifty pairs of Phase I. The first one is the lead instrument.",
  onService(answers) ? "universe: phase" : "universe: [BTC, ETH, SOL, XRP, BNB, DOGE, LINK, AVAX, SUI, LTC]",
  "",
];

const strategySection = (answers: Answers, prompt: string | null): readonly string[] => [
  "strategy:",
  "  # Who decides. `ballast strategy list` names all.",
  `  use: ${answers.strategy}`,
  "  # Decides while the chosen one cannot, for example because the model does not answer. It needs no model itself.",
  `  fallback: ${onService(answers) ? "hold" : "trend-carry"}`,
  "  # What happens to open positions when another strategy takes over: adopt, wind-down or close.",
  "  handover: adopt",
  "  # Strategies that run on paper accounts beside the trading one: `ballast strategy shadows`.",
  "  shadows: [hold]",
  ...(prompt === null
    ? []
    : [
        "  settings:",
        `    # The model is asked with your own prompt, own/prompts/${prompt}.md. Without this line it is the shipped prompt.`,
        `    ${answers.strategy}: { prompt: ${prompt} }`,
      ]),
  "",
];

const cadenceSection = (answers: Answers): readonly string[] => [
  "cadence:",
  "  # Decisions at this interval, and never closer than minGap.",
  ...(onService(answers) ? ["  every: 5m", "  minGap: 60s"] : ["  every: 1m", "  minGap: 20s"]),
  "",
];

const sessionSection = (answers: Answers): readonly string[] => [
  "session:",
  "  # Your consent to open positions: one sentence in your own words that names both caps below. Empty: the agent only watches.",
  `  consent: ${quoted(answers.consent)}`,
  "  # Where it holds: embedded, or the host of SVC_API_HOST.",
  `  consentFor: ${onService(answers) ? quoted(hostOf(answers.apiHost)) : "embedded"}`,
  ...(onService(answers)
    ? [
        "  # true, or `ballast run --live` once: the first order on an account needs it. The data folder remembers it.",
        "  live: false",
      ]
    : []),
  "  # Largest value of one order, and of all orders of a session, USDT.",
  `  maxNotionalPerOrder: ${quoted(answers.maxOrder)}`,
  `  maxTotalNotional: ${quoted(answers.maxTotal)}`,
  "",
];

const riskSection = (): readonly string[] => ["risk:", "  # Positions at once.", "  maxPositions: 3", ""];

function modelSection(answers: Answers): readonly string[] {
  const model = Object.entries(modelOf(answers)).map(([name, value]) => `${name}: ${quoted(value)}`);
  return [
    "model:",
    "  # In order of preference, with prices in USD per million tokens, from which the day's budget is computed.",
    "  names:",
    `    - { ${model.join(", ")} }`,
    "  # The most that may be spent on models in a UTC day, USD.",
    `  dayLimitUsd: "9.8"`,
    "",
  ];
}

const competitionSection = (): readonly string[] => [
  "competition:",
  "  # The period over which uptime is measured, and the start of Phase II, as the organiser announces them.",
  `  # start: "2026-12-01T00:00:00Z"`,
  `  # phaseTwo: "2026-12-08T00:00:00Z"`,
  "  days: 7",
  "",
];

const statusSection = ({ place }: Answers): readonly string[] => [
  "status:",
  ...(place === "container"
    ? [
        "  # Every address of the container, so that its port can be mapped; callers from outside need the token.",
        "  host: 0.0.0.0",
      ]
    : ["  # This machine alone; from elsewhere through `ssh -L`, see `ballast open`.", "  host: 127.0.0.1"]),
  `  port: ${STATUS_PORT}`,
  "",
];
