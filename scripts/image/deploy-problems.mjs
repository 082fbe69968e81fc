// Checks the files of deploy/ and describes each problem: a compose file that gives the container more rights than it
// needs, a status port open to the world, a grace period that is too short. Empty lists if there is none.
import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** The agent's own shutdown takes at most 8.5 s; the rest is for a slow disk. */
const GRACE_SECONDS = 30;

/** `config` is the text of the configuration that the compose file runs. */
export function composeProblems(text, config) {
  const file = parse(text);
  const agent = file.services?.agent ?? {};
  const problems = [];
  const need = (holds, problem) => {
    if (!holds) problems.push(problem);
  };
  const mounts = (agent.volumes ?? []).map((mount) => mount.split(":"));
  need(agent.read_only === true, "read_only must be true");
  need(
    (agent.tmpfs ?? []).some((mount) => mount.startsWith("/tmp:")),
    "/tmp must be a tmpfs",
  );
  need((agent.cap_drop ?? []).includes("ALL"), "cap_drop must be ALL");
  need(!agent.cap_add && !agent.privileged, "nothing may be added to the dropped capabilities");
  need((agent.security_opt ?? []).includes("no-new-privileges:true"), "no-new-privileges must be set");
  need(agent.stop_grace_period === `${GRACE_SECONDS}s`, `stop_grace_period must be ${GRACE_SECONDS}s`);
  need(agent.restart === "unless-stopped", "restart must be unless-stopped");
  need(agent.logging?.options?.["max-size"] && agent.logging.options["max-file"], "the log must be limited");
  need(
    mounts.some(([from, to]) => to === "/data" && from in (file.volumes ?? {})),
    "/data must be a named volume",
  );
  for (const [from, to, mode] of mounts) {
    if (!from.startsWith(".")) continue;
    need(mode === "ro", `${from} must be mounted read-only`);
    need(!/\.\w+$/.test(to), `${to} is a file: a mounted file does not hear of a rename, mount its folder`);
  }
  need(!JSON.stringify(agent).includes("docker.sock"), "the engine's socket must not be mounted");
  return [...problems, ...portProblems(agent, parse(config).status)];
}

/** A container's own loopback cannot be published, and published ports must stay on the host's loopback. */
function portProblems({ ports = [], env_file: secrets = [] }, status) {
  const problems = [];
  for (const port of ports) {
    const [address, , inside] = String(port).split(":");
    if (address !== "127.0.0.1") problems.push(`port ${port} must be mapped on 127.0.0.1`);
    if (Number(inside) !== status?.port) problems.push(`port ${port} must be the configured one, ${status?.port}`);
  }
  if (ports.length > 0 && status?.host !== "0.0.0.0") problems.push("status.host must be 0.0.0.0 for a mapped port");
  if (secrets.length === 0) problems.push("env_file must name the file with the token of the status port");
  return problems;
}

/** Directives that a systemd unit must contain, by their exact text. */
const UNIT = [
  "TimeoutStopSec=30",
  "KillSignal=SIGTERM",
  "NoNewPrivileges=yes",
  "ProtectSystem=strict",
  "ProtectHome=yes",
  "PrivateTmp=yes",
  "CapabilityBoundingSet=",
  "SystemCallFilter=@system-service",
  "StateDirectory=ballast",
  "ExecReload=/bin/kill -HUP $MAINPID",
  "EnvironmentFile=-/etc/ballast/ballast.env",
];

export function unitProblems(text) {
  const lines = new Set(text.split("\n").map((line) => line.trim()));
  return UNIT.filter((line) => !lines.has(line)).map((line) => `${line} is missing`);
}

/** Checks the files in the tree. */
export function deployProblems() {
  const read = (name) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), "utf8");
  return [
    ...composeProblems(read("docker-compose.yml"), read("config/agent.yaml")).map(
      (text) => `docker-compose.yml: ${text}`,
    ),
    ...unitProblems(read("ballast.service")).map((text) => `ballast.service: ${text}`),
  ];
}
