/** Compares what an agent believes with what is. */
import { SIDES, type TrueAccount } from "./account.ts";
import type { Believer } from "./believer.ts";

/** Less counts as held than is. Only true as long as nobody else has traded. */
export const wrongNow = (agent: Believer, account: TrueAccount): readonly string[] =>
  SIDES.flatMap((side) => {
    const [most, held] = [agent.most(side), account.qty(side)];
    return most.lt(held) ? [`${side}: at most ${most.toFixed()} is believed, ${held.toFixed()} is held`] : [];
  });

/** Once everything must have been heard, the agent believes exactly what is, and knows every fill. */
export function wrongAtEnd(agent: Believer, account: TrueAccount): readonly string[] {
  const wrong: string[] = [];
  for (const side of SIDES) {
    const [believed, held] = [agent.held(side), account.qty(side)];
    if (!believed.eq(held))
      wrong.push(`${side}: ${believed.toFixed()} is believed in the end, ${held.toFixed()} is held`);
    if (agent.most(side).gt(held)) wrong.push(`${side}: more may be held in the end than is`);
  }
  const live = agent.live();
  if (live.length > 0) wrong.push(`${live.join(", ")} believed open in the end`);
  for (const { transactionId } of account.executions())
    if (!agent.knows(transactionId)) wrong.push(`fill ${transactionId} is unknown in the end`);
  return wrong;
}
