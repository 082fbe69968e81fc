// The import table of docs/ARCHITECTURE.md, section "Who may import whom". Change the two together.
const rooms = {
  core: [],
  domain: ["core"],
  net: ["core"],
  config: ["core"],
  protocol: ["core", "domain"],
  journal: ["core", "domain"],
  context: ["core", "domain"],
  risk: ["core", "domain"],
  llm: ["core", "net"],
  venue: ["core", "domain", "protocol", "net"],
  news: ["core", "domain", "protocol", "net"],
  sim: ["core", "domain", "protocol", "net"],
  strategy: ["core", "domain", "context"],
  strategies: ["core", "domain", "context", "strategy"],
  desk: ["core", "domain", "risk"],
  agent: ["core", "domain", "context", "strategy", "risk", "desk"],
  faces: ["core", "domain", "desk"],
  backtest: ["core", "domain"],
  verify: ["core", "domain"],
  recorder: ["core", "domain"],
};

const pathOf = (room) =>
  room === "config" ? "^src/config(\\.ts$|/)" : room === "strategies" ? "^strategies/" : `^src/${room}/`;

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "nothing-imports-main", severity: "error", from: { pathNot: "^src/main/" }, to: { path: "^src/main/" } },
    ...Object.entries(rooms).map(([room, allowed]) => ({
      name: `${room}-imports-only-${allowed.join("-") || "nothing"}`,
      severity: "error",
      from: { path: pathOf(room) },
      to: {
        path: "^(src|strategies)/",
        pathNot: [room, ...allowed].map(pathOf),
      },
    })),
    {
      name: "one-owner-per-swappable-library",
      comment: "Each of these libraries is known to one file, so that it can be replaced by editing one file.",
      severity: "error",
      from: {
        pathNot: "^(src/net/gate\\.ts|src/llm/openai-client\\.ts|src/journal/sqlite\\.ts)$",
      },
      to: { path: "node_modules/(bottleneck|openai|better-sqlite3)/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { extensions: [".ts", ".js"] },
  },
};
