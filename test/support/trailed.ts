/** A long position whose stop follows it: to break-even after 1 percent, 1 percent behind the best price after 2. */
import type { ProtectionSettings } from "../../src/agent/contract/settings.ts";
import { ready, settingsOf, type World } from "./agent-world.ts";
import { story } from "./agent-story.ts";

const TRAIL: ProtectionSettings = {
  unit: "percent",
  breakEven: { after: 1 },
  trailing: { activation: 2, distance: 1 },
  minStep: 0.001,
};

/** Of 0.004 BTC at 60000, with its stop at 58200 unless `stop` says otherwise. */
export function trailed(protection: Partial<ProtectionSettings> = {}, stop = "S1"): World {
  return story(
    `
    list BTC LONG 0.004
    0.25 s                   -> protects all once
    stop ${stop}
    `,
    ready({ settings: settingsOf({ protection: { ...TRAIL, ...protection } }) }),
  );
}
