/**
 * A model gateway that misbehaves: `npm run odd-gateway -- --behaviour NAME --port N`. It prints the environment for
 * `ballast run`; `curl -d '{"behaviour":"hang"}' URL/control` changes the behaviour while the agent runs.
 */
import { parseArgs } from "node:util";
import { behaviourOf, ODD_MODEL, ODD_NAMES, type OddName } from "../test/support/odd-behaviours.ts";
import { oddGateway } from "../test/support/odd-gateway.ts";

const { values } = parseArgs({
  options: {
    behaviour: { type: "string", default: "good" },
    port: { type: "string", default: "0" },
    list: { type: "boolean", default: false },
  },
});
const width = Math.max(...ODD_NAMES.map(({ length }) => length));
const lines = ODD_NAMES.map((each) => `  ${each.padEnd(width)}  ${behaviourOf(each).about}`);
const name = ODD_NAMES.find((each) => each === values.behaviour);
const port = Number(values.port);

if (values.list) console.log(lines.join("\n"));
else if (!name) stop(`--behaviour ${values.behaviour} is not known. One of:\n${lines.join("\n")}`);
else if (!Number.isInteger(port) || port < 0 || port > 65_535) stop(`--port ${values.port} must be 0 to 65535`);
else await run(name);

async function run(behaviour: OddName): Promise<void> {
  const gateway = await oddGateway(behaviour, port);
  console.log(`${behaviour}: ${behaviourOf(behaviour).about}`);
  console.log(`AI_BASE_URL=${gateway.url} AI_API_KEY=odd-key, with the model ${ODD_MODEL} under model.names`);
  console.log(`another way: curl -d '{"behaviour":"hang"}' ${gateway.url}/control`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void gateway.close());
}

function stop(problem: string): void {
  console.error(problem);
  process.exitCode = 2;
}
