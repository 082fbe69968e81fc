/** Faults that are switches of the model gateway: on while the fault lasts, and back to good afterwards. */
import { type Behaviour, GOOD_BEHAVIOUR } from "../model/behaviour.ts";
import type { Begun, FaultWorld } from "./fault.ts";

/** Sets the named switches at once. Its end sets the same ones to good behaviour, whoever else had set them. */
export function modelSwitch(world: FaultWorld, change: Partial<Behaviour>): Begun {
  world.model.set(change);
  const names = Object.keys(change) as (keyof Behaviour)[];
  const back = Object.fromEntries(names.map((name) => [name, GOOD_BEHAVIOUR[name]])) as Partial<Behaviour>;
  return { hooks: {}, stop: () => world.model.set(back) };
}
