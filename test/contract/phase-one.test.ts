import { phaseOne } from "./cards/phase-one.ts";
import { prove } from "./harness.ts";

prove([phaseOne], { phase: 1 });
