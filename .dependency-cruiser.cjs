// The import table of docs/ARCHITECTURE.md, section "Who may import whom". Change the two together.
const rooms = {
  core: [],
  domain: ["core"],
  rows: ["core", "domain"],
  net: ["core"],
  config: ["core", "risk", "llm", "agent", "notify"],
  protocol: ["core", "domain"],
  journal: ["core", "domain", "rows"],
  context: ["core", "domain"],
  risk: ["core", "domain"],
  llm: ["core", "net", "rows"],
  venue: ["core", "domain", "protocol", "net"],
  news: ["core", "domain", "protocol", "net"],
  sim: ["core", "domain", "protocol", "net"],
  strategy: ["core", "domain", "context"],
  strategies: ["core", "domain", "context", "strategy"],
  desk: ["core", "domain", "rows", "risk"],
  agent: ["core", "domain", "rows", "context", "strategy", "risk", "desk"],
  verify: ["core", "domain"],
  recorder: ["core", "domain"],
  datasets: ["core"],
  history: ["core", "domain", "context", "net"],
  // The middle floor: each has one purpose and knows what it is for, and main only puts them together.
  ops: ["core", "net", "journal"],
  faces: ["core", "domain", "rows", "desk", "ops"],
  causes: ["core", "domain", "llm", "agent"],
  notify: ["core", "rows"],
  restore: ["core", "domain", "rows", "context", "risk", "journal", "agent"],
  report: ["core", "domain", "rows", "context", "config", "journal", "llm", "strategy", "risk", "agent", "ops"],
  control: [
    "core",
    "domain",
    "rows",
    "context",
    "config",
    "journal",
    "llm",
    "strategy",
    "risk",
    "desk",
    "agent",
    "ops",
    "restore",
    "notify",
  ],
  client: [
    "core",
    "domain",
    "rows",
    "context",
    "journal",
    "net",
    "protocol",
    "venue",
    "risk",
    "desk",
    "faces",
    "ops",
    "control",
    "history",
  ],
  doctor: ["core", "domain", "config", "journal", "llm", "ops", "control"],
};
rooms.daemon = Object.keys(rooms).filter(
  (room) => !["strategies", "verify", "report", "client", "datasets"].includes(room),
);
rooms.harness = ["core", "domain", "config", "journal", "llm", "net", "sim", "agent", "ops", "control", "daemon"];
rooms.lab = [
  "core",
  "domain",
  "protocol",
  "rows",
  "context",
  "config",
  "journal",
  "llm",
  "strategy",
  "risk",
  "desk",
  "agent",
  "sim",
  "ops",
  "control",
  "restore",
  "report",
  "daemon",
  "harness",
];
rooms.deck = [
  "core",
  "domain",
  "rows",
  "context",
  "journal",
  "strategy",
  "agent",
  "ops",
  "causes",
  "doctor",
  "faces",
  "report",
  "control",
  "daemon",
];
rooms.setup = ["core", "config", "control", "ops"];
// Pages that run in a browser: of lab and deck they know only the shapes of what they are given.
rooms.web = ["core", "lab", "deck"];
rooms.author = ["core", "rows", "config", "journal", "llm", "strategy", "agent", "ops", "control", "harness"];

// Inside a room of many folders each imports only from those that stand before it.
const floors = {
  agent: [
    "books",
    "positions",
    "contract",
    "paper",
    "state",
    "view",
    "reconcile",
    "protect",
    "execute",
    "decide",
    "shell",
  ],
  llm: ["contract", "prompts", "replies", "budget", "dialects", "calls", "gateway"],
  report: ["models", "budget", "orders", "decisions", "strategies", "account", "status"],
  sim: ["wire", "exchange", "market", "feed", "model", "faults", "servers"],
  "sim/exchange": [
    "contract",
    "book",
    "state",
    "positions",
    "records",
    "matching",
    "orders",
    "risk",
    "accounts",
    "queries",
    "persistence",
    "commands",
  ],
  "sim/servers": ["transport", "access", "rest", "market-stream", "user-stream", "news", "service", "control"],
  faces: ["contract", "capabilities", "svc", "mcp", "docs", "cli", "status"],
  lab: ["figures", "score", "fast", "disguise", "runs", "sheet", "sweep", "replay"],
  web: ["parts", "report", "deck"],
};

const pathOf = (room) => (room === "strategies" ? "^strategies/" : `^src/${room}/`);

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "nothing-imports-main", severity: "error", from: { pathNot: "^src/main/" }, to: { path: "^src/main/" } },
    {
      name: "every-file-has-a-room",
      severity: "error",
      from: {},
      to: { path: "^src/", pathNot: ["^src/main/", ...Object.keys(rooms).map(pathOf)] },
    },
    ...Object.entries(rooms).map(([room, allowed]) => ({
      name: `${room}-imports-only-its-row`,
      severity: "error",
      from: { path: pathOf(room) },
      to: {
        path: "^(src|strategies)/",
        pathNot: [room, ...allowed].map(pathOf),
      },
    })),
    ...Object.entries(floors).flatMap(([room, folders]) =>
      folders.map((folder, at) => ({
        name: `${room}-${folder}-imports-only-from-below`,
        severity: "error",
        from: { path: `^src/${room}/${folder}/` },
        to: {
          path:
            folders
              .slice(at + 1)
              .map((above) => `^src/${room}/${above}/`)
              .join("|") || "^$",
        },
      })),
    ),
    {
      name: "a-venue-is-connected-in-two-places",
      comment:
        "Everybody else knows the exchange as the `Venue` of src/domain/venue.ts, so that a second one is a folder.",
      severity: "error",
      from: { path: "^(src|strategies)/", pathNot: "^src/(venue/|daemon/venue-access\\.ts|client/service\\.ts)" },
      to: { path: "^src/venue/" },
    },
    {
      name: "a-venue-has-one-door",
      severity: "error",
      from: { path: "^(src|strategies)/", pathNot: "^src/venue/" },
      to: { path: "^src/venue/", pathNot: "^src/venue/service-venue\\.ts$" },
    },
    {
      name: "one-owner-per-swappable-library",
      comment: "Each of these libraries is known to one file, so that it can be replaced by editing one file.",
      severity: "error",
      from: {
        pathNot:
          "^(src/net/gate\\.ts|src/llm/dialects/openai-client\\.ts|src/journal/sqlite\\.ts|src/lab/sweep/pool\\.ts|src/faces/status/prometheus\\.ts|src/notify/telegram\\.ts)$",
      },
      to: { path: "node_modules/(bottleneck|openai|better-sqlite3|piscina|prom-client|grammy)/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { extensions: [".ts", ".js"] },
  },
};
