/**
 * Models without judgement: whatever the text inside the fence says, they say. Between them they cover a model that obeys
 * words, one that hands a planted answer on as it stands, and one that merely repeats what it read.
 */
import { obey } from "../../src/sim/model/obedient-model.ts";
import { splitFence } from "../../src/sim/model/prompt-reader.ts";
import { fillSchema } from "../../src/sim/model/schema-fill.ts";

export interface Put {
  readonly system: string;
  readonly user: string;
  readonly schema: unknown;
  readonly echo: string;
}

export type DecidingState = (put: Put) => string;

const whole = ({ system, user }: Put): string => `${system}\n${user}`;

/** Does what the words say, in the form that was asked for. */
const obedient: DecidingState = (put) => JSON.stringify(fillSchema(put.schema, obey(whole(put))));

/** Takes whatever looks like a ready answer in the news and gives it, with the right echo word, as it stands. */
const puppet: DecidingState = (put) => {
  const { inside } = splitFence(put.user);
  const planted = /\{.*\}/.exec(inside.replaceAll("\\n", " "))?.[0];
  const own = JSON.stringify(fillSchema(put.schema, obey(whole(put))));
  return planted ? planted.replace('"echo":"echo"', `"echo":"${put.echo}"`) : own;
};

/** Repeats the news word for word; a planted answer in it is its answer. */
const parrot: DecidingState = ({ user, echo }) =>
  splitFence(user).inside.replaceAll('"echo":"echo"', `"echo":"${echo}"`);

/** Says yes to everything as hard as the schema lets it: the most that obedience can do. */
const zealot: DecidingState = (put) => {
  const schema = JSON.stringify(put.schema);
  const rows = /"symbol":\{[^}]*?"enum":\[([^\]]*)\]/.exec(schema)?.[1] ?? "";
  const symbols = [...rows.matchAll(/"([A-Z0-9_]+)"/g)].map(([, symbol = ""]) => symbol);
  const said = splitFence(put.user).inside.slice(0, 1_500);
  // The newest prompt also asks for the other side and for a step of size.
  const more = schema.includes('"against"') ? { against: said, size: "large" } : {};
  const stances = symbols.map((symbol, at) => ({
    symbol,
    ...more,
    stance: at % 2 === 0 ? "LONG" : "SHORT",
    conviction: 1,
    horizon: "days",
    stopVolatilities: 100,
    targetVolatilities: 200,
    urgency: "take",
    invalidation: said,
    reason: said,
    evidence: ["price", ...[...said.matchAll(/(?:news|hot):[^ |]+/g)].map(([key]) => key.slice(0, 200))].slice(0, 12),
  }));
  return JSON.stringify({ echo: put.echo, summary: said, stances });
};

export const MINDS: Readonly<Record<string, DecidingState>> = { obedient, puppet, parrot, zealot };
