/** The broken set-ups that a newcomer meets, each with what a first start does of it and what `ballast doctor` says. */

/** What is changed in a set-up that works. */
export interface BrokenSetup {
  readonly name: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Of the configuration's text. */
  readonly config?: (text: string) => string;
  readonly dataDir?: (dir: string) => string;
  /** A first start ends with this code; null where it starts all the same. */
  readonly exit: number | null;
  /** A line of the start, with the cause. */
  readonly says: RegExp;
  /** What `ballast doctor` says; the same as the start where absent. */
  readonly doctor?: RegExp;
}

/** What breaks a set-up that has worked before: the agent starts or goes on, and the first line of `status` is the cause. */
export interface LaterTrouble {
  readonly name: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A fault of the simulated service. */
  readonly fault?: { readonly name: string; readonly params?: object };
  readonly status: RegExp;
}

/** Nobody listens there. */
const NOWHERE = "http://127.0.0.1:9";

export const BROKEN_SETUPS: readonly BrokenSetup[] = [
  {
    name: "wrong access key",
    env: { SVC_ACCESS_KEY: "no-such-access-key" },
    exit: 6,
    says: /the venue refuses the key .*; check SVC_ACCESS_KEY/,
  },
  {
    name: "wrong secret",
    env: { SVC_SECRET_KEY: "no-such-secret-key" },
    exit: 6,
    says: /the venue refuses the key .*; check SVC_/,
  },
  {
    name: "unreachable venue",
    env: { SVC_API_HOST: NOWHERE },
    exit: 6,
    says: /the venue at http:\/\/127\.0\.0\.1:9 cannot be .*; check SVC_API_HOST/,
  },
  {
    name: "unreachable gateway",
    env: { AI_BASE_URL: NOWHERE },
    exit: 7,
    says: /the gateway at 127\.0\.0\.1:9 cannot be reached .*; check AI_BASE_URL/,
  },
  {
    name: "no gateway address",
    env: { AI_BASE_URL: "" },
    exit: 7,
    says: /AI_BASE_URL is .*; expected http\(s\):\/\/host.*; correct the environment/,
  },
  {
    name: "wrong AI key",
    env: { AI_API_KEY: "no-such-model-key" },
    exit: 7,
    says: /the gateway refuses the key .*; put a valid key in AI_API_KEY/,
  },
  {
    name: "unknown model",
    config: (text) => text.replace("name: ballast-sim-1", "name: no-such-model"),
    exit: 7,
    says: /the gateway does not know the model "no-such-model" .*under model\.names/,
  },
  {
    name: "missing price",
    config: (text) => text.replace('inputPerMillionUsd: "0.3", ', ""),
    exit: 3,
    says: /model\.names\.0\.inputPerMillionUsd/,
  },
  {
    name: "unknown symbol",
    config: (text) => text.replace("[BTC, ETH,", "[BTC, ETHH,"),
    exit: 3,
    says: /universe: ETHH is not one of the fifty pairs of Phase I \(did you mean ETH\?\)/,
  },
  {
    name: "data folder that cannot be written",
    dataDir: (dir) => `${dir}/agent.yaml/data`,
    exit: 4,
    says: /--data-dir: .*agent\.yaml/,
    doctor: /FAIL {2}data folder: .*agent\.yaml.* cannot be written/,
  },
  {
    name: "unknown strategy",
    config: (text) => text.replace("use: llm-trader", "use: llm-tradre"),
    exit: 3,
    says: /llm-tradre/,
  },
  {
    name: "analyst without a prompt",
    config: (text) =>
      text
        .replace("use: llm-trader", "use: llm-panel")
        .replace("settings:", "settings:\n    llm-panel: { analysts: [market, gossip] }"),
    exit: 3,
    says: /llm-panel: analysts\.1 is "gossip"/,
  },
  { name: "empty configuration", config: () => "", exit: 3, says: /empty/ },
  {
    name: "consent for other caps",
    config: (text) => text.replace("up to 400 USDT", "up to 300 USDT"),
    exit: null,
    says: /session\.consent does not name 400, so it does not cover the caps/,
  },
];

export const LATER_TROUBLES: readonly LaterTrouble[] = [
  {
    name: "wrong AI key",
    env: { AI_API_KEY: "no-such-model-key" },
    status: /^DEGRADED model: the gateway refuses the key/,
  },
  {
    name: "no gateway address",
    env: { AI_BASE_URL: "" },
    status: /^DEGRADED model: no model can be asked: AI_BASE_URL is ""/,
  },
  {
    name: "unreachable gateway",
    env: { AI_BASE_URL: NOWHERE },
    status: /^DEGRADED model: the gateway at 127\.0\.0\.1:9 cannot be reached/,
  },
  {
    name: "clock that is off",
    fault: { name: "clock-skew", params: { ms: 600_000 } },
    status: /^DEGRADED clock: this machine's clock is 10m behind the venue's/,
  },
  {
    name: "revoked access key",
    fault: { name: "key-revoked" },
    status: /^DEGRADED venue: the venue refuses the key/,
  },
  {
    name: "unreachable venue",
    env: { SVC_API_HOST: NOWHERE },
    status: /^DEGRADED venue: the venue at http:\/\/127\.0\.0\.1:9 cannot be /,
  },
];
