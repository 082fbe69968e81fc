/** What a person does after `ballast init`, as commands that can be copied. */
import path from "node:path";
import type { Answers } from "./questions.ts";
import { onService } from "./questions.ts";

/** `command` starts this program from anywhere. */
export function nextSteps(answers: Answers, dir: string, command: string): string {
  const real = onService(answers);
  const inContainer = answers.place === "container";
  const here = path.relative(process.cwd(), path.resolve(dir)) === "";
  const watch = "With an empty session.consent the agent only watches: write your sentence there when you are ready.";
  const steps = [
    ...(here ? [] : [`cd ${dir}`]),
    `${command} config check`,
    ...(inContainer || real ? ["cp .env.example .env && chmod 600 .env     # then fill it in"] : []),
    ...(inContainer ? containerSteps(real) : machineSteps(real, command)),
  ];
  return [
    "Next:",
    ...steps.map((step, at) => `  ${at + 1}. ${step}`),
    "",
    ...(answers.consent === "" ? [watch] : []),
    ...(inContainer && !real ? [`To try it here now, without a container: ${command} run`] : []),
    "The whole way, with backups and monitoring, is in deploy/README.md of the program.",
    "",
  ].join("\n");
}

const containerSteps = (real: boolean): readonly string[] => [
  ...(real
    ? [
        "docker compose run --rm --build agent doctor --config /config/agent.yaml",
        "write session.live: true in config/agent.yaml when the agent may send its first order",
      ]
    : []),
  "docker compose up -d --build",
  "docker compose exec agent ballast status",
];

const machineSteps = (real: boolean, command: string): readonly string[] => [
  ...(real ? ["set -a; . ./.env; set +a", `${command} doctor`, `${command} run --live`] : [`${command} run`]),
  `${command} status --watch     # in another terminal`,
];
