import { expect, test, vi } from "vitest";
import { type Programs, runBallastCli } from "../../src/faces/cli/ballast-cli.ts";

/** Runs a command line in this process; every program answers 0 and remembers what it was given. */
async function say(line: string): Promise<{ code: number; text: string; calls: (readonly unknown[])[] }> {
  const calls: (readonly unknown[])[] = [];
  let text = "";
  const take = (said: unknown): boolean => ((text += String(said)), true);
  const out = vi.spyOn(process.stdout, "write").mockImplementation(take);
  const err = vi.spyOn(process.stderr, "write").mockImplementation(take);
  const programs = new Proxy({} as Programs, {
    get:
      (_, name) =>
      (...args: unknown[]) => (calls.push([name, ...args]), Promise.resolve(0)),
  });
  try {
    const code = await runBallastCli(line.split(" "), programs, { version: "0", exitCodes: "" });
    return { code, text, calls };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

test.each(["explain", "why", "reasons", "trades", "budget", "prompt diff"])(
  "%s has help with an example",
  async (name) => {
    const { code, text } = await say(`${name} --help`);
    expect(code).toBe(0);
    expect(text).toMatch(/Example:\n {2}\$ ballast /);
  },
);

test.each<[string, readonly unknown[]]>([
  ["explain last --rerun", ["explain", "last", { rerun: true, full: false, json: false }]],
  ["why i-1 --json", ["why", "i-1", { json: true }]],
  ["reasons --from 2026-01-31 --format csv", ["reasons", { from: Date.UTC(2026, 0, 31), format: "csv" }]],
  ["reasons --to 2026-01-31T09:30:00Z", ["reasons", { to: Date.UTC(2026, 0, 31, 9, 30), format: "text" }]],
  ["trades --symbol BTC --limit 5 --csv", ["trades", { symbol: "BTC", limit: 5, csv: true, json: false }]],
  ["budget --day 2026-01-31 --format json", ["budget", { day: Date.UTC(2026, 0, 31), format: "json" }]],
  ["prompt diff --decision d-1 --decision d-2", ["promptDiff", { decision: ["d-1", "d-2"], json: false }]],
])("`%s` means what it says", async (line, call) => {
  const { code, calls } = await say(line);
  expect(code).toBe(0);
  expect(calls[0]?.slice(0, call.length)).toMatchObject(call);
});

test.each([
  ["explain", /missing required argument 'decision'/],
  ["why", /missing required argument 'id'/],
  ["reasons --from yesterday", /write a UTC day such as 2026-01-31 or a time/],
  ["reasons --format xml", /Allowed choices are text, csv, md, json/],
  ["trades --limit 0", /write a whole number from 1 up/],
  ["budget --day 2026-02-30T00", /write a day such as 2026-01-31/],
  ["prompt dif", /unknown command/],
])("`%s` answers 2 and says what to do", async (line, says) => {
  const { code, text } = await say(line);
  expect(text).toMatch(says);
  expect(code).toBe(2);
});
