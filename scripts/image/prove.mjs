// Executes the Dockerfile in folders and runs the result: started by scripts/prove-image.sh in its own namespace.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { networkInterfaces } from "node:os";
import path from "node:path";
import { deployProblems } from "./deploy-problems.mjs";
import { readDockerfile } from "./dockerfile.mjs";

const work = process.argv[2];
const USER = { name: "node", id: 1000 };
/** Folders of the machine that stand for the base image. */
const LENT = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/dev", "/proc", process.env.HOME].filter((folder) =>
  existsSync(folder),
);
const DEVICES = new Set(["/dev", "/proc"]);
const GRACE_MS = 30_000;
const found = (program) => spawnSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" }).stdout.trim();
/** By its path: within the image's environment it may not be on PATH. */
const CHROOT = found("chroot");
const say = (text) => process.stdout.write(`${text}\n`);
const step = (text) => say(`\n== ${text}`);

function must(holds, problem) {
  if (holds) return;
  process.stdout.write(`FAILED: ${problem}\n`);
  process.exit(1);
}

function command(name, args, options = {}) {
  const done = spawnSync(name, args, { stdio: "inherit", ...options });
  must(done.status === 0, `${name} ${args.join(" ")} ended with ${done.status ?? done.error?.message}`);
  return done;
}

/** The Node that a base names, from the npm registry: the machine's own may be another, which needs another driver. */
function nodeOf(base) {
  const major = /^node:(\d+)/.exec(base)?.[1];
  must(major !== undefined, `the base ${base} does not say which Node it has: node:24-bookworm-slim does`);
  const folder = path.join(work, "node");
  command("npm", ["install", "--no-save", "--no-fund", "--no-audit", "--prefix", folder, `node@${major}`]);
  return path.join(folder, "node_modules/node/bin/node");
}

/** A root folder with the machine's programs mounted, and its own folders for everything that an image writes. */
function newRoot(name, node) {
  const root = path.join(work, name);
  const bind = (from) => {
    const to = path.join(root, from);
    mkdirSync(to, { recursive: true });
    command("mount", ["--rbind", from, to]);
    if (!DEVICES.has(from)) command("mount", ["-o", "remount,bind,ro", to]);
  };
  for (const folder of LENT) bind(folder);
  for (const folder of ["tmp", "app"]) mkdirSync(path.join(root, folder), { recursive: true });
  command("mount", ["-t", "tmpfs", "-o", "mode=1777", "tmp", path.join(root, "tmp")]);
  // Commands that the image links go to their own folder, as does the Node of its base.
  const programs = path.join(work, `${name}.programs`);
  mkdirSync(programs);
  cpSync(node, path.join(programs, "node"));
  for (const program of ["npm", "npx"]) {
    const own = `/usr/local/bin/${program}`;
    if (existsSync(own)) cpSync(own, path.join(programs, program), { verbatimSymlinks: true });
  }
  command("mount", ["--bind", programs, path.join(root, "usr/local/bin")]);
  withUser(root, name);
  return root;
}

/** The base image has a user `node`; here it is added to copies of the machine's user lists. */
function withUser(root, name) {
  for (const [list, line] of [
    ["passwd", `${USER.name}:x:${USER.id}:${USER.id}::/home/node:/bin/sh\n`],
    ["group", `${USER.name}:x:${USER.id}:\n`],
  ]) {
    const copy = path.join(work, `${name}.${list}`);
    const own = readFileSync(`/etc/${list}`, "utf8").split("\n");
    const others = own.filter(
      (entry) => entry !== "" && !entry.startsWith(`${USER.name}:`) && entry.split(":")[2] !== "1000",
    );
    writeFileSync(copy, `${others.join("\n")}\n${line}`);
    command("mount", ["--bind", copy, path.join(root, "etc", list)]);
  }
}

/** Each of these packages has the name of the program that is needed from it. */
const programsOf = (aptLine) => /--no-install-recommends ([^&]+)/.exec(aptLine)[1].trim().split(/\s+/);

function runStep(root, { command: line, folder, env }) {
  if (line.startsWith("apt-get")) {
    const missing = programsOf(line).filter((name) => found(name) === "");
    say(
      `RUN ${line}\n   packages of the base image are not installed here; of their programs ${missing.length > 0 ? `${missing.join(", ")} is not on this machine` : "all are on this machine"}`,
    );
    return;
  }
  say(`RUN ${line}`);
  const npm = { npm_config_cache: "/tmp/npm", npm_config_devdir: "/tmp/gyp", npm_config_loglevel: "error" };
  command("chroot", [root, "sh", "-c", `cd ${folder} && ${line}`], { env: { ...process.env, ...npm, ...env } });
}

function copyStep(root, roots, { from, paths, to, folder }) {
  say(`COPY ${from ? `--from=${from} ` : ""}${paths.join(" ")} ${to}`);
  for (const given of paths) {
    const source = from ? path.join(roots.get(from), given) : given;
    const target = path.join(root, path.resolve(folder, to));
    must(existsSync(source), `COPY ${given}: there is no such file`);
    const into = statSync(source).isDirectory()
      ? target
      : to.endsWith("/")
        ? path.join(target, path.basename(given))
        : target;
    mkdirSync(path.dirname(into), { recursive: true });
    cpSync(source, into, { recursive: true, verbatimSymlinks: true });
  }
}

function buildStages() {
  const roots = new Map();
  let node;
  const stages = readDockerfile(readFileSync("Dockerfile", "utf8"));
  for (const stage of stages) {
    step(`stage ${stage.name} on ${stage.base}`);
    const root = stage.image ? newRoot(stage.name, (node ??= nodeOf(stage.base))) : roots.get(stage.base);
    roots.set(stage.name, root);
    for (const each of stage.steps) {
      if (each.kind === "run") runStep(root, each);
      else copyStep(root, roots, each);
    }
  }
  return { root: roots.get(stages.at(-1).name), settings: stages.at(-1).settings };
}

/** Runs a command as the container would: its user, no capabilities, no new privileges, none of our environment. */
function inImage({ root, settings }, args, { env = {}, ...options } = {}, run = spawnSync) {
  const variables = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/home/node", ...settings.env, ...env };
  const user = ["--reuid", String(USER.id), "--regid", String(USER.id), "--clear-groups"];
  const bare = ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"];
  const line = ["cd", settings.folder, "&&", "exec", "setpriv", ...user, ...bare, '"$@"'].join(" ");
  return run(CHROOT, [root, "sh", "-c", line, "sh", ...args], { env: variables, encoding: "utf8", ...options });
}

const until = async (holds, ms) => {
  for (const begun = Date.now(); Date.now() - begun < ms; await new Promise((resolve) => setTimeout(resolve, 200)))
    if (await holds()) return true;
  return false;
};

const answer = async (url, token) => {
  try {
    const reply = await fetch(url, token ? { headers: { authorization: `Bearer ${token}` } } : {});
    return reply.status;
  } catch {
    return 0;
  }
};

/** What a browser of the host gets through the published port: its own name for the page, and an address that is not its own. */
const browsed = (address, headers = {}) =>
  new Promise((resolve) => {
    const asked = request(
      { host: address, port: 8787, path: "/", headers: { host: "127.0.0.1:8787", ...headers } },
      (reply) => {
        reply.resume();
        resolve({ status: reply.statusCode, type: reply.headers["content-type"] ?? "" });
      },
    );
    asked.on("error", ({ message }) => resolve({ status: 0, type: message })).end();
  });

async function live(image) {
  const { root, settings } = image;
  step("the root is read-only; /data and /tmp are not");
  const [data] = settings.volumes;
  const kept = path.join(work, "volume");
  cpSync(path.join(root, data), kept, { recursive: true });
  command("chown", [`${USER.id}:${USER.id}`, kept]);
  // The engine makes the place of a mount; the file of compose mounts its configurations there.
  mkdirSync(path.join(root, "config"), { recursive: true });
  command("mount", ["--rbind", root, root]);
  for (const place of [root, path.join(root, "usr/local/bin")]) command("mount", ["-o", "remount,bind,ro", place]);
  command("mount", ["-t", "proc", "proc", path.join(root, "proc")]);
  command("mount", ["-t", "tmpfs", "-o", "size=64m,mode=1777", "tmp", path.join(root, "tmp")]);
  command("mount", ["--bind", kept, path.join(root, data)]);
  for (const place of ["/app/x", "/usr/local/bin/x", "/x"])
    must(/Read-only/.test(inImage(image, ["touch", place]).stderr), `${place} is not on a read-only file system`);
  must(inImage(image, ["touch", "/data/x", "/tmp/x"]).status === 0, "/data or /tmp cannot be written");

  step("ballast, svc and the Node of the base are on the PATH");
  for (const args of [
    ["ballast", "--version"],
    ["svc", "--version"],
    ["svc", "--help"],
    ["node", "--version"],
  ]) {
    const done = inImage(image, args);
    must(done.status === 0, `${args.join(" ")}: ${done.error?.message ?? done.stderr}`);
    say(`${args.join(" ")}: ${done.stdout.split("\n")[0]}`);
  }

  step("the default command, with credentials of a service in the environment: it trades on practice");
  const tini = found("tini") !== "";
  if (!tini) say("tini is not on this machine: the entry point runs without it");
  const entry = tini ? settings.entrypoint : settings.entrypoint.slice(2);
  // Nothing listens there: an agent that tried to trade on it would never become ready.
  const service = {
    SVC_API_HOST: "http://127.0.0.1:9",
    SVC_ACCESS_KEY: "prove-access",
    SVC_SECRET_KEY: "prove-secret",
  };
  await serves(image, [...entry, ...settings.command], service, async () => {
    const health = inImage(image, settings.health);
    must(health.status === 0, `the health check says ${health.status}: ${health.stdout}${health.stderr}`);
    say(`health check: ${health.stdout.trim()}`);
  });

  step("the command of deploy/docker-compose.yml: its port answers those who show the token");
  const folder = path.join(work, "config");
  cpSync("deploy/config", folder, { recursive: true });
  command("mount", ["--bind", folder, path.join(root, "config")]);
  const args = [...entry, "run", "--config", "/config/agent.yaml"];
  await serves(image, args, { BALLAST_STATUS_TOKEN: "prove-token" }, async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find(({ family, internal }) => family === "IPv4" && !internal);
    if (!outside) return say("this machine has no address but its loopback: the token was not tried");
    const url = `http://${outside.address}:8787/health`;
    must((await answer(url)) === 403, "a caller from outside without the token is not refused");
    must((await answer(url, "prove-token")) === 200, "a caller from outside with the token is not served");
    say("from outside: 403 without the token, 200 with it");
    const password = Buffer.from("any:prove-token").toString("base64");
    const [asks, opens] = [
      await browsed(outside.address),
      await browsed(outside.address, { authorization: `Basic ${password}` }),
    ];
    must(asks.status === 401, `a browser without the token gets ${asks.status}, and is not asked for it`);
    must(opens.status === 200 && opens.type.startsWith("text/html"), `a browser gets ${opens.status} ${opens.type}`);
    say("a browser through the published port: asked for the token, then given the page");
    must(inImage(image, settings.health).status === 0, "the health check fails");
  });
}

/** Starts it, waits until it is ready, calls `look`, and stops it with the image's signal within the grace period. */
async function serves(image, args, env, look) {
  const child = inImage(image, args, { env, stdio: ["ignore", "pipe", "inherit"] }, spawn);
  let log = "";
  child.stdout.on("data", (piece) => (log += piece));
  const ended = new Promise((resolve) => child.once("close", (code, signal) => resolve(code ?? signal)));
  const has = (evt) => log.split("\n").find((line) => line.includes(`"evt":"${evt}"`));
  must(await until(() => has("agent.ready") || child.exitCode !== null, 180_000), "it was never ready");
  must(has("agent.ready"), `it ended before it was ready:\n${log.slice(-2_000)}`);
  say(has("agent.ready"));
  await look();
  const begun = Date.now();
  child.kill(image.settings.stopSignal);
  const code = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, GRACE_MS, "still running"))]);
  must(code === 0, `on ${image.settings.stopSignal} it ended with ${code}`);
  must(has("agent.stopped"), "it did not say that it stopped");
  say(`${image.settings.stopSignal}: stopped after ${((Date.now() - begun) / 1000).toFixed(1)} s with exit code 0`);
}

step("deploy/docker-compose.yml and deploy/ballast.service");
const problems = deployProblems();
must(problems.length === 0, problems.join("; "));
if (spawnSync("systemd-analyze", ["--version"]).status === 0)
  command("systemd-analyze", ["verify", "deploy/ballast.service"]);
else say("systemd-analyze is not on this machine: the unit was read by our own rules alone");
const image = buildStages();
const modules = path.join(image.root, "app/node_modules");
must(!existsSync(path.join(modules, "typescript")), "the compiler is in the image");
must(!existsSync(path.join(modules, "better-sqlite3/deps")), "sources of the driver are in the image");
say(`\n${spawnSync("du", ["-sh", realpathSync(path.join(image.root, "app"))], { encoding: "utf8" }).stdout.trim()}`);
await live(image);
say("\nproved");
