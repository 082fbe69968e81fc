/** What a line of a story looks at: the status, the log, the journal, and what was read, each in the words of the line. */
import type { Effect } from "../../../src/agent/contract/effects.ts";
import type { World } from "../agent-world.ts";
import { COUNT, times } from "./actions.ts";
import { orderName, shortOf, type Words } from "./words.ts";

type Status = ReturnType<World["agent"]["status"]>;
type Look = (world: World, phrase: string, since: number) => Words;

const READS: Readonly<Record<string, Effect["kind"]>> = {
  ...{ reads: "read-account", "reads fills": "read-fills", "reads rules": "load-rules" },
  ...{ "reads leverage": "read-leverage" },
};

const bodies = (effects: readonly Effect[], row: string): readonly Record<string, unknown>[] =>
  effects.flatMap((effect) => (effect.kind === "record" && effect.row === row ? [effect.body] : []));

/** The phrase where something was found, with the count where the line counts; `never` where nothing is to be found. */
function counted(phrase: string, count: number): Words {
  if (count === 0 && !phrase.endsWith(" never")) return [];
  return [`${phrase.replace(COUNT, "")}${COUNT.test(phrase) ? times(count) : ""}`];
}

/** `logs EVENT` and `logs EVENT saying TEXT` */
const logged: Look = (world, phrase, since) => {
  const [, evt = "", text = ""] = /^logs (\S+)(?: saying (.*))?$/.exec(phrase.replace(COUNT, "")) ?? [];
  const lines = world.effects.slice(since).filter((effect) => effect.kind === "log" && effect.evt === evt);
  return counted(phrase, lines.filter((line) => line.kind === "log" && line.msg.includes(text)).length);
};

/** `writes ROW WORD WORD`: a row of the journal among whose values are the words, apart from each other. */
const written: Look = (world, phrase, since) => {
  const [, row = "", ...words] = phrase.replace(COUNT, "").split(" ");
  const fits = bodies(world.effects.slice(since), row).filter((body) => {
    const values = new Set(Object.values(body).map(String));
    return words.every((word) => values.has(word));
  });
  return counted(phrase, fits.length);
};

const holds: Look = (world) => {
  const { positions } = world.agent.status(world.nowMs);
  if (positions.length === 0) return ["holds nothing"];
  return positions.map(({ symbol, side, qty }) => `holds ${shortOf(symbol)} ${side} ${qty}`);
};

/** `stop live`, `stop live at 58200`, and `stop wanted at 59000`: where it is to be moved to */
const stopOf = ({ positions }: Status, phrase: string): Words =>
  positions.map(({ protection, stopPrice, wantedStopPrice }) => {
    if (phrase.startsWith("stop wanted")) return `stop wanted at ${wantedStopPrice}`;
    return `stop ${protection}${phrase.includes(" at ") ? ` at ${stopPrice}` : ""}`;
  });

/** The last look before the wire at the newest order. */
const recheck: Look = (world, phrase) => {
  const found = world.agent.recheck(world.last("place").intent, world.nowMs);
  if (found === null) return ["recheck passes"];
  return found.includes(phrase.replace("recheck fails by ", "")) ? [phrase] : [`recheck fails by ${found}`];
};

const answers: Look = (world, _phrase, since) => {
  const given = world.effects.slice(since).flatMap((effect) => (effect.kind === "answer" ? [effect] : []));
  if (given.length === 0) return ["answers nothing"];
  return given.map(({ request, body }) => `answers ${request} ${(body as { ok: boolean }).ok ? "done" : "refused"}`);
};

const joined = (texts: Words, none = "none"): string => texts.join(" ") || none;

const LOOKS: Readonly<Record<string, Look>> = {
  holds,
  recheck,
  answers,
  orders: (world) => [`orders ${joined(world.agent.status(world.nowMs).orders.map(({ state }) => state))}`],
  entries: (world) => [`entries ${joined(world.agent.status(world.nowMs).entries.map(({ totalQty }) => totalQty))}`],
  stop: (world, phrase) => stopOf(world.agent.status(world.nowMs), phrase),
  reads: (world, phrase, since) => {
    const kind = READS[phrase.replace(COUNT, "")];
    return counted(phrase, world.effects.slice(since).filter((effect) => effect.kind === kind).length);
  },
  floor: (world) => [`floor ${world.agent.status(world.nowMs).floorState}`],
  equity: (world) => [`equity ${world.agent.status(world.nowMs).equityUsdt}`],
  strategy: (world) => [`strategy ${world.agent.status(world.nowMs).strategy}`],
  waiting: (world) => [`waiting ${world.agent.status(world.nowMs).deciding.switchWaits ?? "none"}`],
  logs: logged,
  writes: written,
  external: (world) => {
    const others = bodies(world.effects, "reconcile").filter((body) => body["event"] === "external-order");
    return [`external ${joined(others.map(({ orderId }) => orderName(String(orderId))))}`];
  },
  journal: (world) => [
    `journal ${joined(
      bodies(world.effects, "position").map(({ kind }) => String(kind)),
      "nothing",
    )}`,
  ],
};

const lookOf = (phrase: string): Look | undefined => LOOKS[phrase.split(" ")[0] ?? ""];
export const isLook = (phrase: string): boolean => lookOf(phrase) !== undefined;

/** What the looks of the line find. */
export const lookedAt = (world: World, looks: Words, since: number): Words => [
  ...new Set(looks.flatMap((phrase) => lookOf(phrase)?.(world, phrase, since) ?? [])),
];
