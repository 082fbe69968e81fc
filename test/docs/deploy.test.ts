/** The files that people deploy with: the image's steps, the compose file, the unit, and the check of known weaknesses. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { judge } from "../../scripts/audit.mjs";
import { composeProblems, deployProblems, unitProblems } from "../../scripts/image/deploy-problems.mjs";
import { readDockerfile } from "../../scripts/image/dockerfile.mjs";
import { readConfig } from "../../src/config/read.ts";

const read = (name: string): string => readFileSync(name, "utf8");

describe("the Dockerfile", () => {
  const stages = readDockerfile(read("Dockerfile"));
  const [dependencies, build, image] = stages;

  test("installs dependencies before it copies a source, and has no compiler", () => {
    const copied = dependencies?.steps.flatMap(({ paths = [] }) => paths);
    expect(copied).toEqual(["package.json", "package-lock.json", ".npmrc", "drivers"]);
    expect(dependencies?.steps.at(-1)?.command).toMatch(/^npm ci --ignore-scripts && npm rebuild/);
    expect(build).toMatchObject({ base: "dependencies", image: false });
    expect(build?.steps.at(-1)?.command).toMatch(/npm prune --omit=dev .*slim\.mjs node_modules/);
    expect(image?.image).toBe(true);
    const commands = stages.flatMap(({ steps }) => steps.map(({ command = "" }) => command));
    expect(commands.some((command) => command.includes("g++"))).toBe(false);
    expect(image?.steps.some(({ command = "" }) => command.includes("npm "))).toBe(false);
  });

  test("runs `ballast` from the PATH under an init, as a user without rights, and practises by itself", () => {
    expect(image?.settings).toMatchObject({
      user: "node",
      volumes: ["/data"],
      env: { BALLAST_DATA_DIR: "/data" },
      health: ["ballast", "status", "--health"],
      entrypoint: ["tini", "--", "ballast"],
      command: ["run", "--config", "config/agent.yaml"],
      stopSignal: "SIGTERM",
    });
    const links = image?.steps.map(({ command = "" }) => command).join(" ");
    for (const program of ["ballast", "svc"])
      expect(links).toContain(`ln -s /app/dist/src/main/${program}.cjs /usr/local/bin/${program}`);
  });

  test("takes its base by name or digest, and every file that it copies is there", () => {
    expect(read("Dockerfile")).toMatch(/^ARG NODE_IMAGE=\S+$/m);
    expect(image?.base).toBe(dependencies?.base);
    const pinned = read("Dockerfile").replace(/^ARG NODE_IMAGE=.*$/m, `ARG NODE_IMAGE=node@sha256:${"0".repeat(64)}`);
    expect(readDockerfile(pinned).at(-1)?.base).toBe(`node@sha256:${"0".repeat(64)}`);
    const own = stages.flatMap(({ steps }) =>
      steps.filter(({ from }) => from === null).flatMap(({ paths = [] }) => paths),
    );
    expect(own.filter((file) => !existsSync(file))).toEqual([]);
  });

  test("is read by a parser that refuses what it does not know", () => {
    expect(() => readDockerfile('FROM node\nSHELL ["bash"]')).toThrow(/SHELL is unknown/);
    expect(() => readDockerfile("RUN true")).toThrow(/RUN stands before FROM/);
  });
});

describe("the files of deploy/", () => {
  const compose = read("deploy/docker-compose.yml");
  const config = read("deploy/config/agent.yaml");
  const problems = (from: string, to: string): string => composeProblems(compose.replace(from, to), config).join("; ");

  test("have no problem, and the configuration is one that practises", () => {
    expect(deployProblems()).toEqual([]);
    const checked = readConfig(config);
    expect(checked).toMatchObject({ ok: true, value: { venue: { kind: "embedded" }, status: { port: 8787 } } });
  });

  test.each([
    ["read_only: true", "read_only: false", "read_only must be true"],
    ["cap_drop: [ALL]", "cap_drop: []", "cap_drop must be ALL"],
    ["no-new-privileges:true", "no-new-privileges:false", "no-new-privileges must be set"],
    ["stop_grace_period: 30s", "stop_grace_period: 5s", "stop_grace_period must be 30s"],
    ["127.0.0.1:8787:8787", "0.0.0.0:8787:8787", "must be mapped on 127.0.0.1"],
    ["127.0.0.1:8787:8787", "127.0.0.1:8787:9000", "must be the configured one, 8787"],
    ["./config:/config:ro", "./config:/config", "must be mounted read-only"],
    ["./config:/config:ro", "./config/agent.yaml:/config/agent.yaml:ro", "mount its folder"],
    ["max-size: 20m", "compress: true", "the log must be limited"],
  ])("%s may not become %s", (from, to, problem) => {
    expect(compose).toContain(from);
    expect(problems(from, to)).toContain(problem);
  });

  test("a unit without a bound on its stop is named", () => {
    expect(unitProblems(read("deploy/ballast.service").replace("TimeoutStopSec=30", ""))).toEqual([
      "TimeoutStopSec=30 is missing",
    ]);
  });
});

test("slim.mjs leaves code and the driver for this system, and takes tests, pages and other systems", () => {
  const dir = mkdtempSync(path.join(tmpdir(), "ballast-slim-"));
  const file = (name: string): void => {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), "{}");
  };
  const gone = ["one/test/a.js", "one/README.md", "one/lib/a.js.map", "better-sqlite3/deps/sqlite3.c"];
  const compiled = (system: string): string => `better-sqlite3/prebuilds/${system}.node`;
  const others = [compiled("aix-ppc64"), compiled(`${process.platform}-mips`)];
  const kept = [
    "one/package.json",
    "one/LICENSE",
    "one/lib/docs/a.js",
    compiled(`${process.platform}-${process.arch}`),
    compiled(`${process.platform}musl-${process.arch}`),
  ];
  try {
    for (const name of [...gone, ...others, ...kept, "better-sqlite3/package.json"]) file(name);
    expect(spawnSync(process.execPath, ["scripts/image/slim.mjs", dir]).status).toBe(0);
    expect([...gone, ...others].filter((name) => existsSync(path.join(dir, name)))).toEqual([]);
    expect(kept.filter((name) => !existsSync(path.join(dir, name)))).toEqual([]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

test("grave weaknesses of production dependencies fail the check; a registry that does not answer does not", () => {
  const report = (severity: string) =>
    JSON.stringify({
      metadata: { vulnerabilities: {} },
      vulnerabilities: { ws: { name: "ws", severity, range: "<9" } },
    });
  expect(judge(report("critical"))).toEqual({ code: 1, text: expect.stringContaining("ws <9: critical") });
  expect(judge(report("high")).code).toBe(1);
  expect(judge(report("moderate")).code).toBe(0);
  expect(judge("")).toMatchObject({ code: 0, text: expect.stringContaining("nothing is known") });
  expect(judge('{"message":"405 Method Not Allowed"}')).toMatchObject({
    code: 0,
    text: expect.stringContaining("405"),
  });
});
