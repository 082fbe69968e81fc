/** Faults that are switches of the model gateway: on while the fault lasts. */
import type { Behaviour } from "../model/behaviour.ts";
import type { Begun, FaultWorld } from "./fault.ts";

/** Of several that are on at once the newest counts, switch by switch. */
export const modelSwitch = (world: FaultWorld, change: Partial<Behaviour>): Begun => ({
  hooks: {},
  stop: world.model.override(change),
});
