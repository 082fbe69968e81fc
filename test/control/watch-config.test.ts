/** A saved file is noticed however it was saved. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { silentLog } from "../../src/core/log.ts";
import { ok } from "../../src/core/result.ts";
import { loadConfig, oddities, watchConfig } from "../../src/control/watch-config.ts";
import { deafness } from "../../src/ops/watch-file.ts";
import { folder } from "../support/process.ts";

const text = (bases: string): string => `universe: [${bases}]\n`;

interface Watched {
  readonly dir: string;
  readonly file: string;
  readonly warnings: string[];
  /** Why the file as it is now was refused, at each look. */
  readonly refusals: (string | null)[];
  reload(): void;
  /** The universe of the next configuration that is handed on. */
  next(): Promise<Config["universe"]>;
}

function watched(prepare: (dir: string) => string): Watched {
  const made = folder();
  const file = prepare(made.dir);
  const seen: Config["universe"][] = [];
  const waiting: ((universe: Config["universe"]) => void)[] = [];
  const warnings: string[] = [];
  const refusals: (string | null)[] = [];
  const loaded = loadConfig(file);
  if (!loaded.ok) throw new Error(loaded.error.join());
  const watch = watchConfig(file, loaded.value, {
    log: { ...silentLog, event: (_level, evt, message) => void warnings.push(`${evt} ${message}`) },
    refused: (reason) => void refusals.push(reason),
    accept: (config) => {
      const hand = waiting.shift();
      if (hand) hand(config.universe);
      else seen.push(config.universe);
      return Promise.resolve(ok(undefined));
    },
  });
  onTestFinished(async () => {
    await watch.close();
    made.remove();
  });
  const next = (): Promise<Config["universe"]> => {
    const found = seen.shift();
    return found ? Promise.resolve(found) : new Promise((resolve) => waiting.push(resolve));
  };
  return { dir: made.dir, file, warnings, refusals, reload: watch.reload, next };
}

const plain = (dir: string): string => {
  const file = path.join(dir, "agent.yaml");
  writeFileSync(file, text("BTC"));
  return file;
};

describe("a saved file is handed on when it was", () => {
  // Twice: the first save may be found by the first look, the second one only by watching.
  test.each<[string, (at: Watched, bases: string) => void]>([
    ["written in place", ({ file }, bases) => writeFileSync(file, text(bases))],
    [
      "renamed over, as git and scp do",
      ({ dir, file }, bases) => {
        writeFileSync(`${dir}/agent.yaml.tmp`, text(bases));
        renameSync(`${dir}/agent.yaml.tmp`, file);
      },
    ],
    ["edited by sed -i", ({ file }, bases) => void execFileSync("sed", ["-i", `s/\\[.*\\]/[${bases}]/`, file])],
    [
      "moved away and written again, as vim does",
      ({ file }, bases) => {
        renameSync(file, `${file}~`);
        writeFileSync(file, text(bases));
      },
    ],
  ])("%s", async (_how, save) => {
    const at = watched(plain);
    for (const bases of ["ETH", "SOL"]) {
      const next = at.next();
      save(at, bases);
      expect(await next).toEqual([bases]);
    }
  });

  test("re-linked, as a mounted config map is", async () => {
    const at = watched((dir) => {
      for (const [version, bases] of Object.entries({ one: "BTC", two: "ETH" })) {
        mkdirSync(`${dir}/${version}`);
        writeFileSync(`${dir}/${version}/agent.yaml`, text(bases));
      }
      symlinkSync("one", `${dir}/data`);
      symlinkSync("data/agent.yaml", `${dir}/agent.yaml`);
      return `${dir}/agent.yaml`;
    });
    const next = at.next();
    symlinkSync("two", `${at.dir}/data.tmp`);
    renameSync(`${at.dir}/data.tmp`, `${at.dir}/data`);
    expect(await next).toEqual(["ETH"]);
  });

  test("broken first and whole later: the broken one is named, the whole one counts", async () => {
    const at = watched(plain);
    const next = at.next();
    writeFileSync(at.file, "");
    at.reload();
    await expect.poll(() => at.warnings.join()).toContain("the file is empty");
    writeFileSync(at.file, text("ETH"));
    expect(await next).toEqual(["ETH"]);
  });

  test("broken first and as it runs later: it is refused until it is valid again, and the log says so", async () => {
    const at = watched(plain);
    writeFileSync(at.file, `${text("BTC")}risk: { maxPositions: many }\n`);
    at.reload();
    await expect.poll(() => at.refusals.at(-1)).toContain("maxPositions");
    writeFileSync(at.file, text("BTC"));
    at.reload();
    await expect.poll(() => at.refusals.at(-1)).toBeNull();
    expect(at.warnings.at(-1)).toBe("config.changed the file is valid again: the running settings");
  });

  test("nowhere to be seen for a while", async () => {
    const at = watched(plain);
    const next = at.next();
    rmSync(at.file);
    at.reload();
    await expect.poll(() => at.warnings.join()).toContain("cannot be read (ENOENT)");
    writeFileSync(at.file, text("ETH"));
    expect(await next).toEqual(["ETH"]);
  });
});

test("a reload by hand reads the path, also where nothing seems to have changed", async () => {
  const at = watched(plain);
  const next = at.next();
  writeFileSync(at.file, text("ETH"));
  at.reload();
  expect(await next).toEqual(["ETH"]);
});

/** Bind mounts in a namespace of the test's own; null where that is not permitted. */
const mountsWork = spawnSync("unshare", ["--mount", "true"]).status === 0;

describe.skipIf(!mountsWork)("under bind mounts (skipped where they are not permitted)", () => {
  /** Runs a shell in a mount namespace in which `from` is bound over `to`; answers what it printed. */
  const bound = (from: string, to: string, script: string): string =>
    execFileSync("unshare", ["--mount", "sh", "-ec", `mount --bind "${from}" "${to}"; ${script}`], {
      encoding: "utf8",
    });

  test("a file that is its own mount is named as deaf, and one in a mounted folder is not", () => {
    const made = folder();
    onTestFinished(() => made.remove());
    const outside = made.file("outside.yaml", text("BTC"));
    const inside = made.file("agent.yaml", "");
    const asFile = bound(outside, inside, "cat /proc/self/mountinfo");
    expect(deafness(inside, asFile)).toMatch(/is mounted by itself: .* Mount its folder/);
    mkdirSync(`${made.dir}/config`);
    mkdirSync(`${made.dir}/host`);
    writeFileSync(`${made.dir}/config/agent.yaml`, text("BTC"));
    const asFolder = bound(`${made.dir}/host`, `${made.dir}/config`, "cat /proc/self/mountinfo");
    expect(deafness(`${made.dir}/config/agent.yaml`, asFolder)).toBeNull();
    expect(deafness(inside, readFileSync("/proc/self/mountinfo", "utf8"))).toBeNull();
  });

  /** Watches its argument and prints each universe that is handed on, and each warning. */
  const WATCHER = `
    import("./src/control/watch-config.ts").then(({ watchConfig, loadConfig }) => {
      const file = process.argv[1];
      const log = { event: (level, evt) => console.log(evt) };
      const accept = ({ universe }) => { console.log(universe.join()); process.exit(0); };
      watchConfig(file, loadConfig(file).value, { log, accept });
      setTimeout(() => process.exit(0), 8000);
      process.kill(Number(process.argv[2]), "SIGUSR1");
    });
  `;
  const watchIn = (script: string, from: string, to: string, file: string): string =>
    bound(
      from,
      to,
      `trap 'saved=1; ${script}' USR1; node --import tsx -e '${WATCHER}' "${file}" $$ & wait $! || wait $!`,
    );

  test("a file written through its own mount, and one renamed within a mounted folder, are both handed on", () => {
    const made = folder();
    onTestFinished(() => made.remove());
    const outside = made.file("outside.yaml", text("BTC"));
    const inside = made.file("agent.yaml", "");
    const inPlace = watchIn(`printf "universe: [ETH]\\n" > "${outside}"`, outside, inside, inside);
    expect(inPlace).toBe("config.deaf\nETH\n");
    for (const name of ["host", "config"]) mkdirSync(`${made.dir}/${name}`);
    writeFileSync(`${made.dir}/host/agent.yaml`, text("BTC"));
    const save = `printf "universe: [ETH]\\n" > "${made.dir}/host/t"; mv "${made.dir}/host/t" "${made.dir}/host/agent.yaml"`;
    const renamed = watchIn(save, `${made.dir}/host`, `${made.dir}/config`, `${made.dir}/config/agent.yaml`);
    expect(renamed).toBe("ETH\n");
  }, 40_000);
});

test("what is odd in a usable file is named with its line, a misspelt coin of a whole name too", () => {
  const made = folder();
  onTestFinished(made.remove);
  const file = made.file("odd.yaml", "phase: 2\nuniverse: [BTC, DOGGE, EXCHANGE_B_PERP_LIKN_USDT]\n");
  expect(oddities(file)).toEqual([
    expect.stringMatching(/^.*odd\.yaml:2:11 universe: DOGGE is not one of the fifty pairs.*did you mean DOGE\?/),
    expect.stringMatching(/^.*odd\.yaml:2:11 universe: EXCHANGE_B_PERP_LIKN_USDT is not one.*did you mean LINK\?/),
  ]);
  // Where Phase II never comes it is an error, and is said once.
  expect(oddities(made.file("first.yaml", "phase: 1\nuniverse: [BTC, DOGGE]\n"))).toEqual([]);
  expect(oddities(made.file("good.yaml", "phase: 1\n"))).toEqual([]);
});
