/** Before each test file: proofs over real sockets and processes share a small machine in CI, and may have a second try there. */
import { expect, vi } from "vitest";

const SOCKETS = [
  /^(author|backtest|contract|e2e|hostile|kill-sweep|recorder|venue)\//,
  /^sim\/servers\//,
  /^control\/(daily-review|environment|requests|running-agent|watch-config)\./,
  /^daemon\/(heartbeat|odd-gateway|recording)\./,
  /^faces\/(cli|json-\w+|status-door|svc-[\w-]+)\./,
  /^main\/(init|journal-program|logs-program|operate|own-files|start|verify-program)\./,
  /^llm\/gateway\/gateway\./,
  /^(causes\/causes|client\/input-file|docs\/deploy|journal\/lease|net\/(http|socket)|news\/news-source)\./,
  /^(ops\/(closed-pipe|log-file)|strategy\/outside|verify\/real-run)\./,
];

const file = expect.getState().testPath?.split("/test/").pop() ?? "";
// Vitest reads it when it collects the file, and sets it back behind it; its type leaves it out.
if (process.env["CI"] && SOCKETS.some((pattern) => pattern.test(file)))
  vi.setConfig({ retry: 2 } as Parameters<typeof vi.setConfig>[0]);
